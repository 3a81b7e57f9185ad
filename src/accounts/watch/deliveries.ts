/** From a made event to its receiver: paid and numbered once, sent until it is taken. */
import { createHash } from "node:crypto";
import type { Secret } from "../../lib/log.ts";
import type { Database, Queries } from "../database.ts";
import type { Ledger } from "../ledger.ts";
import type { Caller } from "../meter.ts";
import { showEvent } from "./events.ts";
import { WATCH_SCOPE } from "./follow.ts";
import { noteRuleChange } from "./rules.ts";
import type { Seal } from "./seal.ts";

/** What events are charged as: a name in the price list like that of a tool. */
export const WATCH_EVENT = "watch_event";

/** One event on its way to one url. */
export interface Delivery {
  readonly event_id: string;
  readonly account_id: string;
  readonly rule_id: string;
  readonly url: string;
  readonly body: string;
  /** Attempts so far. */
  readonly attempts: number;
  readonly first_at: number;
  /** What it is signed with, the newest first. */
  readonly secrets: readonly Secret[];
}

/** Who has as much under way as they may. */
export interface Busy {
  readonly rules: readonly string[];
  readonly accounts: readonly string[];
}

/** How an attempt ended. `status` null: nobody answered. */
export type Ending =
  | { readonly kind: "delivered"; readonly status: number }
  | { readonly kind: "again"; readonly status: number | null; readonly fault: string; readonly next_at: number }
  | { readonly kind: "dead"; readonly status: number | null; readonly fault: string }
  /** The receiver wants nothing more of this rule. */
  | { readonly kind: "gone"; readonly status: number; readonly fault: string };

export interface Figures {
  readonly waiting: number;
  readonly dead: number;
  readonly made: number;
  /** Unix milliseconds of the oldest one that waits; null when none does. */
  readonly oldest_at: number | null;
}

export interface WatchDeliveries {
  /** Pays and numbers made events, oldest first, and gives back what was paid for those that were taken back before. @returns how many. */
  release(limit: number): Promise<number>;
  /** What is due, oldest first; what `busy` rules and accounts have is left out. */
  due(limit: number, busy: Busy): Promise<readonly Delivery[]>;
  /** Notes how an attempt ended, unless the delivery was settled or begun anew meanwhile. */
  note(delivery: Pick<Delivery, "event_id" | "rule_id" | "attempts">, ending: Ending): Promise<void>;
  /** Puts a delivery off without counting an attempt. */
  defer(event_id: string, next_at: number): Promise<void>;
  /** Forgets events of before a time, unless they are still to be sent. @returns how many. */
  prune(before: number, limit: number): Promise<number>;
  figures(): Promise<Figures>;
}

export interface DeliverySettings {
  readonly database: Database;
  readonly ledger: Pick<Ledger, "charge" | "settle" | "retract">;
  readonly now: () => number;
  readonly seal: Seal;
  /** Whether events have a price; without one they are free. */
  readonly is_priced: boolean;
}

type WaitingRow = {
  readonly id: string;
  readonly account_id: string;
  readonly key_id: string;
  readonly state: "made" | "dropping";
  readonly retracts: string | null;
  readonly has_url: number;
};

const WAITING_SQL = `select e.id, e.account_id, r.key_id, e.state, e.retracts,
    case when r.url is not null and r.state in ('active', 'paused') then 1 else 0 end as has_url
  from watch_events e join watch_rules r on r.id = e.rule_id
  where e.state in ('made', 'dropping') order by e.created_at, e.id limit $1`;
const PAID_SQL = `select id from charges where account_id = $1 and surface = 'api' and idempotency_key = $2 and state = 'done'`;
const DROPPED_SQL = "update watch_events set state = 'dropped' where id = $1 and state = 'dropping'";
const UNPAID_SQL = "update watch_events set state = 'unpaid' where id = $1 and state = 'made'";

export const openDeliveries = (settings: DeliverySettings): WatchDeliveries => {
  const { database, now } = settings;
  return {
    async release(limit) {
      const rows = await database.all<WaitingRow>(WAITING_SQL, [limit]);
      let moved = 0;
      for (const row of rows) if (await releaseOne(row, settings)) moved += 1;
      return moved;
    },
    due: (limit, busy) => readDue(settings, limit, busy),
    note: (delivery, ending) =>
      database.transaction(WATCH_SCOPE, (within) => noteEnding(within, { ...delivery, ending, at: now() })),
    defer: async (event_id, next_at) =>
      void (await database.run("update watch_deliveries set next_at = $2 where event_id = $1 and state = 'waiting'", [
        event_id,
        next_at,
      ])),
    prune: (before, limit) => database.transaction(WATCH_SCOPE, (within) => prune(within, before, limit)),
    figures: () => readFigures(database),
  };
};

const keyOf = (id: string): string => `watch:${id}`;

/** True when the event got further. What cannot be decided now is tried again. */
const releaseOne = async (row: WaitingRow, settings: DeliverySettings): Promise<boolean> => {
  const { database, ledger, now, is_priced } = settings;
  if (row.state === "dropping") {
    const charge = await database.get<{ id: string }>(PAID_SQL, [row.account_id, keyOf(row.id)]);
    if (charge !== null) await ledger.retract(charge.id, "block_dropped");
    return (await database.run(DROPPED_SQL, [row.id])) > 0;
  }
  const paid = is_priced && row.retracts === null ? await pay(row, ledger) : "paid";
  if (paid === "later") return false;
  if (paid === "refused") return (await database.run(UNPAID_SQL, [row.id])) > 0;
  return database.transaction(WATCH_SCOPE, (within) =>
    showEvent(within, { id: row.id, at: now(), has_url: row.has_url === 1 }),
  );
};

/** Once per event, whatever is repeated: its id is the charge's idempotency key. */
const pay = async (
  { id, account_id, key_id }: WaitingRow,
  ledger: DeliverySettings["ledger"],
): Promise<"paid" | "refused" | "later"> => {
  const caller: Caller = { key_id, account_id, plan_id: "", surface: "api", scopes: [], limit_per_minute: 0 };
  const fingerprint = createHash("sha256").update(keyOf(id)).digest("hex");
  const charge = {
    ...{ caller, tool: WATCH_EVENT, idempotency_key: keyOf(id), fingerprint },
    ...{ catalog_version: null, request_id: id },
  };
  const result = await ledger.charge(charge);
  if (result.kind === "charged")
    return (await ledger.settle(result.charge_id, "done", null)) === null ? "later" : "paid";
  if (result.kind === "plan_limit") return "refused";
  if (result.kind !== "duplicate") return "later";
  // A caller who called a tool under this very key has not paid the event.
  if (!result.same_request) return "refused";
  return result.state === "completed" ? "paid" : "later";
};

type DueRow = {
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

const dueSql = ({ rules, accounts }: Busy): string => {
  const among = (from: number, list: readonly string[]) => list.map((_, index) => `$${index + from}`).join(", ");
  const without = (column: string, from: number, list: readonly string[]) =>
    list.length === 0 ? "" : `and ${column} not in (${among(from, list)})`;
  return `select d.event_id, d.account_id, d.rule_id, r.url, e.body, d.attempts, d.first_at, r.secret, r.previous_secret,
    r.previous_until
  from watch_deliveries d join watch_events e on e.id = d.event_id join watch_rules r on r.id = d.rule_id
  where d.state = 'waiting' and d.next_at <= $1 and r.state = 'active' and r.url is not null
    ${without("d.rule_id", 3, rules)} ${without("d.account_id", 3 + rules.length, accounts)}
  order by d.next_at, d.event_id limit $2`;
};

const readDue = async (
  { database, now, seal }: DeliverySettings,
  limit: number,
  busy: Busy,
): Promise<readonly Delivery[]> => {
  const at = now();
  const rows = await database.all<DueRow>(dueSql(busy), [at, limit, ...busy.rules, ...busy.accounts]);
  return rows.map(({ secret, previous_secret, previous_until, ...row }) => {
    const both = previous_secret !== null && (previous_until ?? 0) > at ? [secret, previous_secret] : [secret];
    return { ...row, secrets: both.map((one) => seal.open(one)) };
  });
};

// `attempts` says which attempt it was: one that was begun before a replay settles nothing.
const SETTLED_SQL = `update watch_deliveries set state = $3, attempts = attempts + 1, last_status = $4, last_fault = $5,
    settled_at = $6 where event_id = $1 and state = 'waiting' and attempts = $2`;
const AGAIN_SQL = `update watch_deliveries set attempts = attempts + 1, last_status = $3, last_fault = $4, next_at = $5
  where event_id = $1 and state = 'waiting' and attempts = $2`;
const END_RULE_SQL = `update watch_rules set state = 'ended', ended_because = $2, changed_at = $3
  where id = $1 and state in ('active', 'paused')`;
const ENDED_SQL = `update watch_deliveries set state = 'dead', last_fault = $2, settled_at = $3
  where rule_id = $1 and state = 'waiting'`;

interface Noted extends Pick<Delivery, "event_id" | "rule_id" | "attempts"> {
  readonly ending: Ending;
  readonly at: number;
}

const noteEnding = async (within: Queries, { event_id, rule_id, attempts, ending, at }: Noted): Promise<void> => {
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

const OLD_SQL = `select id from watch_events where created_at < $1 and state <> 'made' and state <> 'dropping'
    and not exists (select 1 from watch_deliveries d where d.event_id = id and d.state = 'waiting')
    and not exists (select 1 from watch_blocks b where b.network = watch_events.network and b.block_hash = watch_events.block_hash)
  order by created_at limit $2`;

const prune = async (within: Queries, before: number, limit: number): Promise<number> => {
  const rows = await within.all<{ id: string }>(OLD_SQL, [before, limit]);
  for (const { id } of rows) {
    await within.run("delete from watch_deliveries where event_id = $1", [id]);
    await within.run("delete from watch_events where id = $1", [id]);
  }
  return rows.length;
};

const FIGURES_SQL = `select (select count(*) from watch_deliveries where state = 'waiting') as waiting,
  (select count(*) from watch_deliveries where state = 'dead') as dead,
  (select count(*) from watch_events where state in ('made', 'dropping')) as made,
  (select min(next_at) from watch_deliveries where state = 'waiting') as oldest_at`;

const readFigures = async (database: Database): Promise<Figures> =>
  (await database.get<{ waiting: number; dead: number; made: number; oldest_at: number | null }>(FIGURES_SQL)) ?? {
    ...{ waiting: 0, dead: 0, made: 0, oldest_at: null },
  };
