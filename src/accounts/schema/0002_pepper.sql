-- Which pepper the digest of a key was made with (a short name of it, not the pepper); null = none, or before this column.
alter table keys add column pepper_id text;
