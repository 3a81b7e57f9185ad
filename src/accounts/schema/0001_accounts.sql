-- Accounts, keys, prices and the credit ledger. Times are unix milliseconds, flags are 0/1, ids are made by the
-- application. The statements run on SQLite and PostgreSQL.

-- The plans of the last configuration. Null numbers: each account has its own (plan `custom`).
create table plans (
  id text primary key,
  monthly_credits bigint,
  keys_max bigint,
  calls_per_minute bigint
);

-- monthly_credits, keys_max, calls_per_minute: this account's own numbers; null = the plan's.
-- revision counts changes of the plan.
create table accounts (
  id text primary key,
  name text not null,
  plan_id text not null references plans (id),
  monthly_credits bigint,
  keys_max bigint,
  calls_per_minute bigint,
  revision bigint not null,
  created_at bigint not null
);

-- Only digests of secrets. previous_digest stays valid until previous_until after a rotation with grace.
create table keys (
  id text primary key,
  account_id text not null references accounts (id),
  digest text not null,
  previous_digest text,
  previous_until bigint,
  prefix text not null,
  scopes text not null,
  limit_per_minute bigint,
  created_at bigint not null,
  revoked_at bigint,
  last_used_at bigint
);
create unique index keys_digest on keys (digest);
create unique index keys_previous_digest on keys (previous_digest) where previous_digest is not null;
create index keys_account on keys (account_id);

-- Every price that a tool ever had; rows are only added. source: card (the tool's own) | operator (overrides it).
create table prices (
  id bigint primary key,
  tool text not null,
  credits bigint,
  source text not null,
  created_at bigint not null
);
create index prices_tool on prices (tool, source, id);

-- One credit pool per account and UTC calendar month. quota = allowance (the plan's) + granted.
-- used, used_api, used_mcp: guarded sums of the charges. entries: number of ledger entries so far.
create table pools (
  account_id text not null references accounts (id),
  period text not null,
  allowance bigint not null,
  granted bigint not null,
  used bigint not null,
  used_api bigint not null,
  used_mcp bigint not null,
  entries bigint not null,
  primary key (account_id, period)
);

-- One accepted call. state: running | done | refunded.
create table charges (
  id text primary key,
  account_id text not null,
  period text not null,
  key_id text not null references keys (id),
  surface text not null,
  tool text not null,
  credits bigint not null,
  price_id bigint not null references prices (id),
  catalog_version text not null,
  idempotency_key text,
  fingerprint text not null,
  state text not null,
  reason text,
  lease_until bigint not null,
  owner text not null,
  created_at bigint not null,
  settled_at bigint,
  foreign key (account_id, period) references pools (account_id, period)
);
create unique index charges_idempotency on charges (account_id, surface, idempotency_key)
  where idempotency_key is not null and state in ('running', 'done');
create index charges_running on charges (lease_until) where state = 'running';

-- The ledger, append-only. Each row moves |amount| between two books of the pool: `available` and one of `allowance`,
-- `grants`, `api`, `mcp`. amount is the change of `available`; balance_after is `available` after it.
-- kind: adjustment (the plan's allowance) | grant | charge | refund. seq counts from 1 in each pool without a gap.
create table entries (
  account_id text not null,
  period text not null,
  seq bigint not null,
  kind text not null,
  source_book text not null,
  target_book text not null,
  amount bigint not null,
  balance_after bigint not null,
  charge_id text references charges (id),
  created_at bigint not null,
  primary key (account_id, period, seq),
  foreign key (account_id, period) references pools (account_id, period)
);
create unique index entries_charge on entries (charge_id, kind) where charge_id is not null;
