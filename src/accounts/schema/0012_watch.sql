-- Watching (docs/design/tenancy.md): what accounts want to hear of, what blocks made of it, and its way to them.

-- Grows with every change of a rule: whoever matches reads the rules again then. No row before the first rule.
create table watch_changes (
  only_row bigint primary key check (only_row = 1),
  revision bigint not null
);

-- subject_kind: address | token; subject: its bytes as hex. events, categories: words separated by blanks, categories '' = any.
-- min_usd_micros: millionths of a dollar. url: where events are sent, null = listed and streamed alone. secret, previous_secret:
-- what they are signed with, sealed with the pepper where there is one; the previous one signs too until previous_until.
-- state: active | paused | ended | removed. ended_because: in words, where the rule did not end by its account's wish.
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

-- How many events of an account were shown so far: their numbers in its stream.
create table watch_streams (
  account_id text primary key references accounts (id),
  seq bigint not null
);

-- What a block made of a rule. place: transaction and position, or what else is said once in a block. round: how often this very
-- event was taken back before (a chain may return to a branch). retracts: the event whose block was dropped.
-- state: made (not paid yet, nobody sees it) | shown (seq in the account's stream) | unpaid | dropping (taken back before it was
-- shown, its charge is still to be given back) | dropped. body: JSON as it is sent. ordinal: its place among those made at once.
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

-- The way of an event to the rule's url. state: waiting | delivered | dead. first_at: when it was first due; the horizon counts from there.
-- last_status: of the receiver's last answer, null = none. last_fault: a sentence of ours.
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

-- How far each network of a facts store was matched: the blocks that can still be dropped, and the newest one that cannot.
create table watch_blocks (
  facts text not null,
  network text not null,
  block_number bigint not null,
  block_hash text not null,
  primary key (facts, network, block_number)
);

-- Blocks below those that were not indexed when the newer ones were matched.
create table watch_holes (
  facts text not null,
  network text not null,
  from_block bigint not null,
  to_block bigint not null,
  primary key (facts, network, from_block)
);

-- The newest lease under which a network was matched: what an older one still tries is refused.
create table watch_followers (
  facts text not null,
  network text not null,
  epoch bigint not null,
  primary key (facts, network)
);

-- Risk of what is watched for changes of it, as it was last judged (null = not yet). due_at: it moved since and is to be judged again.
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
