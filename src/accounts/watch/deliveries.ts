/** Deliveries of stored events to their receivers, retried until accepted. */
import type { Secret } from "../../lib/log.ts";
import type { Database, Queries, Scope } from "../database.ts";
import { lockOf } from "../pools.ts";
import { type DueQuery, dueAccounts, dueHeads, holdQueue, requeue } from "./queues.ts";
import { forgetEvents } from "./quota.ts";
import { noteRuleChange } from "./rules.ts";
import type { Seal } from "./seal.ts";

/** Delivery of one event to one url. */
export interface Delivery {
  readonly event_id: string;
  readonly account_id: string;
  readonly rule_id: string;
  readonly url: string;
  readonly body: string;
  /** Number of earlier attempts. */
  readonly attempts: number;
  readonly first_at: number;
  /** Secrets that sign it, newest first. */
  readonly secrets: readonly Secret[];
}

/** Outcome of an attempt. `status` null: the receiver did not answer. */
export type DeliveryOutcome =
  | { readonly kind: "delivered"; readonly status: number }
  | { readonly kind: "again"; readonly status: number | null; readonly fault: string; readonly next_at: number }
  | { readonly kind: "dead"; readonly status: number | null; readonly fault: string }
  /** The receiver accepts nothing more of this rule. */
  | { readonly kind: "gone"; readonly status: number; readonly fault: string };

export interface DeliveryFigures {
  readonly waiting: number;
  readonly dead: number;
  readonly made: number;
  /** Number of paused accounts, whose rules are not matched. */
  readonly paused: number;
  /** Unix milliseconds at which the oldest queue is or was due; null when none waits. */
  readonly oldest_at: number | null;
}

export interface WatchDeliveries {
  /** Accounts with a due delivery. */
  accounts(): Promise<readonly string[]>;
  /** The first due event of each queue of one account, oldest queue first. */
  due(page: DueQuery): Promise<readonly Delivery[]>;
  /** Records the outcome of an attempt, unless the delivery was settled or restarted in the meantime. */
  note(delivery: DeliveryRef, ending: DeliveryOutcome): Promise<void>;
  /** Postpones the queue of a rule without counting an attempt. */
  hold(rule_id: string, until: number): Promise<void>;
  /** Deletes events older than a time, except those with a waiting delivery. @returns how many. */
  prune(before: number, limit: number): Promise<number>;
  figures(): Promise<DeliveryFigures>;
}

export type DeliveryRef = Pick<Delivery, "account_id" | "event_id" | "rule_id" | "attempts">;

export interface DeliverySettings {
  readonly database: Database;
  readonly now: () => number;
  readonly seal: Seal;
}

export const openDeliveries = (settings: DeliverySettings): WatchDeliveries => {
  const { database, now } = settings;
  return {
    accounts: () => dueAccounts(database, now()),
    due: (page) => readDue(settings, page),
    note: (delivery, ending) =>
      database.transaction(scopeOf(delivery.account_id), (within) =>
        noteEnding(within, { ...delivery, ending, at: now() }),
      ),
    hold: async (rule_id, until) => void (await holdQueue(database, rule_id, until)),
    prune: (before, limit) => prune(database, before, limit),
    figures: () => readFigures(database),
  };
};

/** Rows of an account are written under its own lock, so that no account waits for another. */
const scopeOf = (account_id: string): Scope => ({ lock: lockOf(account_id), proof: null });

const readDue = async ({ database, now, seal }: DeliverySettings, page: DueQuery): Promise<readonly Delivery[]> => {
  const at = now();
  const rows = await dueHeads(database, page, at);
  return rows.map(({ secret, previous_secret, previous_until, ...row }) => {
    const both = previous_secret !== null && (previous_until ?? 0) > at ? [secret, previous_secret] : [secret];
    return { ...row, secrets: both.map((one) => seal.open(one)) };
  });
};

// `attempts` identifies the attempt: one that started before a replay settles nothing.
const SETTLED_SQL = `update watch_deliveries set state = $3, attempts = attempts + 1, last_status = $4, last_fault = $5,
    settled_at = $6 where event_id = $1 and state = 'waiting' and attempts = $2`;
const AGAIN_SQL = `update watch_deliveries set attempts = attempts + 1, last_status = $3, last_fault = $4, next_at = $5
  where event_id = $1 and state = 'waiting' and attempts = $2`;
const END_RULE_SQL = `update watch_rules set state = 'ended', ended_because = $2, changed_at = $3
  where id = $1 and state in ('active', 'paused')`;
const ENDED_SQL = `update watch_deliveries set state = 'dead', last_fault = $2, settled_at = $3
  where rule_id = $1 and state = 'waiting'`;

interface FinishedAttempt extends DeliveryRef {
  readonly ending: DeliveryOutcome;
  readonly at: number;
}

const noteEnding = async (within: Queries, noted: FinishedAttempt): Promise<void> => {
  await settle(within, noted);
  await requeue(within, noted.rule_id);
};

const settle = async (within: Queries, { event_id, rule_id, attempts, ending, at }: FinishedAttempt): Promise<void> => {
  if (ending.kind === "again") {
    await within.run(AGAIN_SQL, [event_id, attempts, ending.status, ending.fault, ending.next_at]);
    return;
  }
  const state = ending.kind === "delivered" ? "delivered" : "dead";
  const fault = ending.kind === "delivered" ? null : ending.fault;
  await within.run(SETTLED_SQL, [event_id, attempts, state, ending.status, fault, at]);
  if (ending.kind !== "gone") return;
  await within.run(END_RULE_SQL, [rule_id, ending.fault, at]);
  await within.run(ENDED_SQL, [rule_id, ending.fault, at]);
  await noteRuleChange(within);
};

const OLD_SQL = `select id, account_id, bytes from watch_events where created_at < $1 and state <> 'made' and state <> 'dropping'
    and not exists (select 1 from watch_deliveries d where d.event_id = id and d.state = 'waiting')
    and not exists (select 1 from watch_blocks b where b.network = watch_events.network
      and b.block_number = watch_events.block_number and b.block_hash = watch_events.block_hash)`;

type OldRow = { readonly id: string; readonly account_id: string; readonly bytes: number };

const prune = async (database: Database, before: number, limit: number): Promise<number> => {
  const rows = await database.all<OldRow>(`${OLD_SQL} order by created_at limit $2`, [before, limit]);
  let pruned = 0;
  for (const account_id of new Set(rows.map((row) => row.account_id))) {
    const ids = rows.filter((row) => row.account_id === account_id).map(({ id }) => id);
    const among = ids.map((_, index) => `$${index + 2}`).join(", ");
    pruned += await database.transaction(scopeOf(account_id), async (within) => {
      // One of them may have been replayed in the meantime.
      const old = await within.all<OldRow>(`${OLD_SQL} and id in (${among})`, [before, ...ids]);
      await forgetEvents(within, account_id, old);
      return old.length;
    });
  }
  return pruned;
};

const FIGURES_SQL = `select (select count(*) from watch_deliveries where state = 'waiting') as waiting,
  (select count(*) from watch_deliveries where state = 'dead') as dead,
  (select count(*) from watch_events where state in ('made', 'dropping')) as made,
  (select count(*) from watch_accounts where paused_at is not null) as paused,
  (select min(due_at) from watch_queues where due_at is not null) as oldest_at`;

const readFigures = async (database: Database): Promise<DeliveryFigures> =>
  (await database.get<DeliveryFigures & { [column: string]: number | null }>(FIGURES_SQL)) ?? {
    ...{ waiting: 0, dead: 0, made: 0, paused: 0, oldest_at: null },
  };
