-- Watching (docs/design/tenancy.md): rules of accounts, events of blocks, and their deliveries.

-- Grows with every change of a rule, after which matching processes read the rules again. No row before the first rule.
create table watch_changes (
  only_row bigint primary key check (only_row = 1),
  revision bigint not null
);

-- subject_kind: address | token; subject: its bytes as hex. events, categories: words separated by spaces, categories '' = any.
-- min_usd_micros: millionths of a dollar. url: receiver of events, null = only listed and streamed. secret, previous_secret:
-- signing secrets, sealed with the pepper if there is one; the previous one signs too until previous_until.
-- state: active | paused | ended | removed. ended_because: a message, if the account did not end the rule itself.
create table watch_rules (
  id text primary key,
  account_id text not null references accounts (id),
  key_id text not null references keys (id),
  network text not null,
  subject_kind text not null,
  subject text not null,
  events text not null,
  direction text not null,
  min_usd_micros bigint,
  include_unpriced bigint not null,
  categories text not null,
  note text,
  url text,
  secret text,
  previous_secret text,
  previous_until bigint,
  state text not null,
  ended_because text,
  created_at bigint not null,
  changed_at bigint not null
);
create index watch_rules_account on watch_rules (account_id, created_at);
create index watch_rules_live on watch_rules (network) where state = 'active';

-- Number of events of an account shown so far; numbers its stream.
create table watch_streams (
  account_id text primary key references accounts (id),
  seq bigint not null
);

-- Events of a rule in a block. place: transaction and position, or another key that is unique in a block. round: number of times this
-- event was revoked before (a chain may return to a branch). retracts: the event whose block was dropped.
-- state: made (not paid yet, hidden) | shown (seq in the account's stream) | unpaid | dropping (revoked before it was
-- shown, its charge is to be refunded) | dropped. body: JSON as sent. ordinal: its position among events made together.
create table watch_events (
  id text primary key,
  account_id text not null references accounts (id),
  rule_id text not null references watch_rules (id),
  network text not null,
  block_number bigint not null,
  block_hash text not null,
  place text not null,
  kind text not null,
  round bigint not null,
  retracts text,
  is_retracted bigint not null,
  state text not null,
  seq bigint,
  body text not null,
  ordinal bigint not null,
  created_at bigint not null
);
create unique index watch_events_once on watch_events (rule_id, network, block_hash, place, kind, round);
create unique index watch_events_stream on watch_events (account_id, seq) where seq is not null;
create index watch_events_waiting on watch_events (created_at) where state in ('made', 'dropping');
create index watch_events_block on watch_events (network, block_number);
create index watch_events_age on watch_events (created_at);

-- Delivery of an event to the rule's url. state: waiting | delivered | dead. first_at: when it was first due; the horizon counts from there.
-- last_status: status of the receiver's last answer, null = none. last_fault: a message by Assay.
create table watch_deliveries (
  event_id text primary key references watch_events (id),
  account_id text not null references accounts (id),
  rule_id text not null references watch_rules (id),
  state text not null,
  attempts bigint not null,
  first_at bigint not null,
  next_at bigint not null,
  last_status bigint,
  last_fault text,
  settled_at bigint
);
create index watch_deliveries_due on watch_deliveries (next_at) where state = 'waiting';
create index watch_deliveries_dead on watch_deliveries (account_id) where state = 'dead';

-- Progress of matching per network of a facts store: the matched blocks that can still be dropped, and the newest final one.
create table watch_blocks (
  facts text not null,
  network text not null,
  block_number bigint not null,
  block_hash text not null,
  primary key (facts, network, block_number)
);

-- Blocks below the matched ones that were not indexed when those were matched.
create table watch_holes (
  facts text not null,
  network text not null,
  from_block bigint not null,
  to_block bigint not null,
  primary key (facts, network, from_block)
);

-- The newest lease under which a network was matched: writes under an older one are rejected.
create table watch_followers (
  facts text not null,
  network text not null,
  epoch bigint not null,
  primary key (facts, network)
);

-- Last assessed risk of subjects watched for changes (null = not yet). due_at: it has moved since and is to be assessed again.
create table watch_levels (
  network text not null,
  subject_kind text not null,
  subject text not null,
  level text,
  judged_at bigint,
  due_at bigint,
  primary key (network, subject_kind, subject)
);
create index watch_levels_due on watch_levels (due_at) where due_at is not null;
