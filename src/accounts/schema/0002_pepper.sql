-- Id of the pepper of the key's digest (not the pepper itself); null = none, or before this column.
alter table keys add column pepper_id text;
