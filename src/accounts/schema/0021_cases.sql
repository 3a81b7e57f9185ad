-- Cases of accounts (docs/design/portal.md): results and notes that the people of an account share.

-- status: open or closed. version: of title and status, from 1. bytes: of its parts. Actors as named in the audit trail. deleted_at: null = the
-- case exists; a deleted case has no parts.
create table cases (
  id text primary key,
  account_id text not null references accounts (id),
  title text not null,
  status text not null,
  version bigint not null,
  bytes bigint not null,
  created_at bigint not null,
  created_by text not null,
  changed_at bigint not null,
  changed_by text not null,
  deleted_at bigint
);
create index cases_account on cases (account_id, changed_at) where deleted_at is null;

-- kind: entry, note or graph. place: order in the case, from 1. version: from 1. needs: ids of entries without which it means nothing,
-- JSON. body: JSON. payload: the answer of an entry as it was received, JSON; null for other kinds.
create table case_parts (
  case_id text not null references cases (id),
  kind text not null,
  id text not null,
  place bigint not null,
  version bigint not null,
  bytes bigint not null,
  created_at bigint not null,
  created_by text not null,
  changed_at bigint not null,
  changed_by text not null,
  needs text not null,
  body text not null,
  payload text,
  primary key (case_id, kind, id)
);
