-- Watching by account (docs/design/tenancy.md): a queue per rule and account instead of one for all accounts, and storage counts.

-- When the oldest event that waits for a rule's url is due; null = none waits, or the rule has no url. A sender reads the queues of one
-- account, and never the backlog of another.
create table watch_queues (
  rule_id text primary key references watch_rules (id),
  account_id text not null references accounts (id),
  due_at bigint
);
create index watch_queues_due on watch_queues (account_id, due_at, rule_id) where due_at is not null;
create index watch_deliveries_rule on watch_deliveries (rule_id, next_at, event_id) where state = 'waiting';
drop index watch_deliveries_due;

-- Stored events of an account, and the bytes of their bodies. paused_because: credits | price | storage, null = its rules are matched.
-- paused_at: unix milliseconds.
create table watch_accounts (
  account_id text primary key references accounts (id),
  held_events bigint not null,
  held_bytes bigint not null,
  paused_because text,
  paused_at bigint
);
create index watch_accounts_paused on watch_accounts (paused_at) where paused_at is not null;

alter table watch_events add column bytes bigint not null default 0;
update watch_events set bytes = length(body);
drop index watch_events_waiting;
create index watch_events_made on watch_events (account_id, id) where state in ('made', 'dropping');
create index watch_events_account on watch_events (account_id, network, block_number);
drop index watch_events_block;
create index watch_events_live on watch_events (network, block_number, block_hash) where is_retracted = 0 and retracts is null;
create index watch_rules_subject on watch_rules (network, subject_kind, subject) where state = 'active';

insert into watch_queues (rule_id, account_id, due_at)
  select r.id, r.account_id, min(d.next_at) from watch_rules r join watch_deliveries d on d.rule_id = r.id and d.state = 'waiting'
  where r.state = 'active' and r.url is not null group by r.id, r.account_id;
insert into watch_accounts (account_id, held_events, held_bytes, paused_because, paused_at)
  select account_id, count(*), sum(bytes), null, null from watch_events group by account_id;
