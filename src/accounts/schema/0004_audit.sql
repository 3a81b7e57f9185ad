-- The audit trail, and the allowlist of tools.

-- Every change with its actor, append-only. seq counts from 1 without a gap. state_before, state_after: JSON, null = nothing
-- existed. digest: SHA-256 over the previous row's digest and this row, so that a changed or missing row is detected.
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

-- The newest row of audit, if any. It is locked while a change is recorded, so that entries are numbered in sequence.
create table audit_head (
  only_row bigint primary key check (only_row = 1),
  seq bigint not null,
  digest text not null
);

-- Whether a tool is public; rows are only added, and the newest one of a tool counts. A tool without a row is public.
create table visibility (
  id bigint primary key,
  tool text not null,
  is_public bigint not null,
  created_at bigint not null
);
