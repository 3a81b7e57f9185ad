/** Queues of events that wait for their receivers: one per rule, read by account. */
import type { Queries } from "../database.ts";

// An index finds the head of the queue, so a long backlog costs no more than a short one.
const REQUEUE_SQL = `insert into watch_queues (rule_id, account_id, due_at)
  select r.id, r.account_id, case when r.state = 'active' and r.url is not null then (select min(d.next_at)
      from watch_deliveries d where d.rule_id = r.id and d.state = 'waiting') end
  from watch_rules r where r.id = $1
  on conflict (rule_id) do update set due_at = excluded.due_at`;
const HOLD_SQL = "update watch_queues set due_at = $2 where rule_id = $1 and due_at is not null and due_at < $2";

/** In the account's transaction, after a change of its rule or of the events that wait for the rule's url: sets when the queue is due. */
export const requeue = (within: Queries, rule_id: string): Promise<number> => within.run(REQUEUE_SQL, [rule_id]);

/** Postpones a queue without changing its events. */
export const holdQueue = (queries: Queries, rule_id: string, until: number): Promise<number> =>
  queries.run(HOLD_SQL, [rule_id, until]);

// Steps from one account to the next by the index: one step per account with waiting events, however many those are.
const ACCOUNTS_SQL = `with recursive queued (account_id) as (
    select min(account_id) from watch_queues where due_at is not null
    union all
    select (select min(q.account_id) from watch_queues q where q.due_at is not null and q.account_id > queued.account_id)
    from queued where queued.account_id is not null)
  select account_id from queued where account_id is not null
    and (select min(q.due_at) from watch_queues q where q.account_id = queued.account_id and q.due_at is not null) <= $1`;

/** Accounts with due events. */
export const dueAccounts = async (queries: Queries, at: number): Promise<readonly string[]> =>
  (await queries.all<{ account_id: string }>(ACCOUNTS_SQL, [at])).map(({ account_id }) => account_id);

export type HeadRow = {
  readonly event_id: string;
  readonly account_id: string;
  readonly rule_id: string;
  readonly url: string;
  readonly body: string;
  readonly attempts: number;
  readonly first_at: number;
  readonly secret: string;
  readonly previous_secret: string | null;
  readonly previous_until: number | null;
};

export interface DueQuery {
  readonly account_id: string;
  /** Rules with an attempt in flight. */
  readonly busy_rules: readonly string[];
  readonly limit: number;
}

const headsSql = (busy: number): string => {
  const without = busy === 0 ? "" : `and rule_id not in (${Array.from({ length: busy }, (_, i) => `$${i + 4}`)})`;
  return `select d.event_id, d.account_id, d.rule_id, r.url, e.body, d.attempts, d.first_at, r.secret, r.previous_secret,
    r.previous_until
  from (select rule_id, due_at from watch_queues where account_id = $1 and due_at is not null and due_at <= $2 ${without}
      order by due_at, rule_id limit $3) q
    join watch_rules r on r.id = q.rule_id and r.state = 'active' and r.url is not null
    join watch_deliveries d on d.event_id = (select w.event_id from watch_deliveries w
      where w.rule_id = q.rule_id and w.state = 'waiting' order by w.next_at, w.event_id limit 1)
    join watch_events e on e.id = d.event_id
  where d.next_at <= $2 order by q.due_at, q.rule_id`;
};

/** The first event of each of an account's due queues, oldest queue first. */
export const dueHeads = (
  queries: Queries,
  { account_id, busy_rules, limit }: DueQuery,
  at: number,
): Promise<readonly HeadRow[]> =>
  queries.all<HeadRow>(headsSql(busy_rules.length), [account_id, at, limit, ...busy_rules]);
