-- Sign-in for assistants (docs/design/mcp_and_sdks.md): keys that a program receives because its user said yes on a page.

-- expires_at: end of the current secret, null = never. client_name: name that the program gave itself, null = not a key of a program
-- that signed in.
alter table keys add column expires_at bigint;
alter table keys add column client_name text;

-- Programs that registered by themselves. redirect_uris: JSON. origin: digest of the network that registered. used_at: last time
-- a user said yes, null = never; such rows are deleted after a day.
create table assistant_clients (
  id text primary key,
  name text not null,
  redirect_uris text not null,
  origin text not null,
  created_at bigint not null,
  used_at bigint
);
create index assistant_clients_origin on assistant_clients (origin, created_at);
create index assistant_clients_unused on assistant_clients (created_at) where used_at is null;

-- Codes that were given to a program and not exchanged yet. challenge: SHA-256 of its verifier.
create table assistant_codes (
  digest text primary key,
  client_id text not null,
  client_name text not null,
  redirect_uri text not null,
  resource text not null,
  scopes text not null,
  challenge text not null,
  user_id text not null references users (id),
  account_id text not null references accounts (id),
  expires_at bigint not null
);
create index assistant_codes_end on assistant_codes (expires_at);

-- Refresh tokens of keys. code_digest: the code that was exchanged for the key. family_digest: the part of a refresh token that
-- stays; turn_digest: the part that changes, last_digest: the one before, null = it never changed. seed: makes, with a turn, the next one.
create table assistant_grants (
  key_id text primary key references keys (id),
  client_id text not null,
  user_id text not null references users (id),
  resource text not null,
  code_digest text not null,
  family_digest text not null,
  turn_digest text not null,
  last_digest text,
  seed text not null,
  turned_at bigint not null,
  refresh_until bigint not null
);
create unique index assistant_grants_code on assistant_grants (code_digest);
create unique index assistant_grants_family on assistant_grants (family_digest);
create index assistant_grants_end on assistant_grants (refresh_until);
