-- What operators change, and which tools are public.

-- Who changed what, append-only. seq counts from 1 without a gap. state_before, state_after: JSON, null = there was
-- nothing. digest: SHA-256 over the digest of the row before and this row, so that a changed or missing row shows.
create table audit (
  seq bigint primary key,
  at bigint not null,
  actor text not null,
  action text not null,
  subject text not null,
  state_before text,
  state_after text,
  digest text not null
);

-- The newest row of audit, once there is one. It is locked while a change is recorded, so that entries are numbered one after another.
create table audit_head (
  only_row bigint primary key check (only_row = 1),
  seq bigint not null,
  digest text not null
);

-- Whether a tool is public; rows are only added and the newest of a tool counts. A tool without a row is public.
create table visibility (
  id bigint primary key,
  tool text not null,
  is_public bigint not null,
  created_at bigint not null
);
