-- Users who sign in to the portal, their sessions, and failed sign-ins.

-- The request of a charge; null = before this column.
alter table charges add column request_id text;

-- 1 = a person and not a key: such a row has the user's id and a digest that no secret has. With it the ledger records the user of a
-- call in a session, and its reference to `keys` holds.
alter table keys add column is_user bigint not null default 0;

-- account_id: the account that pays for their calls, null = they call no tools. password: cost, salt and hash, null = not set
-- up yet, or removed. link_digest: digest of the token of an unused set-up link, valid until link_until.
-- device_secret: key of the proof that a browser was signed in as this user before. A name is free again once its user was removed.
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

-- Digests of session secrets. seen_at is written at most once a minute. address, agent: of the sign-in, for display.
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

-- Failed sign-ins by a common attribute (a digest of a name, of a network address, of a user's own browsers):
-- their number, when the next one is accepted, and when they are deleted.
create table sign_in_failures (
  subject text primary key,
  failures bigint not null,
  next_at bigint not null,
  forget_at bigint not null
);
create index sign_in_failures_forget on sign_in_failures (forget_at);
