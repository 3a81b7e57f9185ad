-- People who sign in on pages, their sessions, and sign-ins that failed.

-- The request that a charge was made for; null = before this column.
alter table charges add column request_id text;

-- 1 = no key but a person: such a row has the user's id and a digest that no secret has. So the ledger says of a call made in a
-- session who made it, and its reference to `keys` holds.
alter table keys add column is_user bigint not null default 0;

-- account_id: whose credits their calls cost, null = they call no tools. password: how it is hashed and the hash, null = not set
-- up yet, or removed. link_digest: of the token of a set-up link that was not used yet, valid until link_until.
-- device_secret: what shows that a browser was signed in as this user before. A name is free again once its user was removed.
create table users (
  id text primary key,
  name text not null,
  account_id text references accounts (id),
  is_operator bigint not null,
  may_make_keys bigint not null,
  password text,
  link_digest text,
  link_until bigint,
  device_secret text not null,
  created_at bigint not null,
  password_at bigint,
  removed_at bigint
);
create unique index users_name on users (name) where removed_at is null;
create unique index users_link on users (link_digest) where link_digest is not null;

-- Only digests of what browsers hold. seen_at is written at most once a minute. address, agent: for people, of the sign-in.
create table sessions (
  id text primary key,
  digest text not null,
  user_id text not null references users (id),
  created_at bigint not null,
  seen_at bigint not null,
  ends_at bigint not null,
  address text not null,
  agent text not null
);
create unique index sessions_digest on sessions (digest);
create index sessions_user on sessions (user_id);
create index sessions_end on sessions (ends_at);

-- Sign-ins that failed, by what they have in common (a digest of a name, of a network address, of a user's own browsers):
-- how many, from when on the next one is looked at, and when all of it is forgotten.
create table sign_in_failures (
  subject text primary key,
  failures bigint not null,
  next_at bigint not null,
  forget_at bigint not null
);
create index sign_in_failures_forget on sign_in_failures (forget_at);
