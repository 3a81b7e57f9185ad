/** Events as their account sees them: listed, streamed, replayed. */
import type { Database, Queries, SqlRow } from "../database.ts";
import { isoMs } from "../period.ts";
import { lockOf } from "../pools.ts";
import { refusal } from "../refusal.ts";
import { insertShownEvents, NO_BLOCK } from "./event_rows.ts";
import { payEvents } from "./pay.ts";
import { showStored } from "./payments.ts";
import { requeue } from "./queues.ts";
import { describeQuota, evictOldest, readQuota, type WatchQuota } from "./quota.ts";
import type { WatchRule } from "./rules.ts";
import type { WriteSettings } from "./write.ts";

export interface WatchedEvent {
  /** Its number in the account's stream; null while it is unpaid. */
  readonly seq: number | null;
  readonly id: string;
  readonly rule_id: string;
  readonly state: "shown" | "unpaid";
  readonly is_retracted: boolean;
  /** JSON as sent. */
  readonly body: string;
  readonly delivery: EventDelivery | null;
}

export interface EventDelivery {
  readonly state: "waiting" | "delivered" | "dead";
  readonly attempts: number;
  readonly last_status: number | null;
  readonly last_fault: string | null;
  readonly next_at: string | null;
  readonly settled_at: string | null;
}

export interface EventsQuery {
  readonly account_id: string;
  /** Only events of this rule; null = of all. */
  readonly rule_id: string | null;
  /** Only events that were not delivered, or not paid. */
  readonly is_dead: boolean;
  /** Only events before this id. */
  readonly before: string | null;
  readonly limit: number;
}

export interface WatchEvents {
  /** Newest first. */
  list(page: EventsQuery): Promise<readonly WatchedEvent[]>;
  /** The stream of an account after a number, in order. */
  after(account_id: string, seq: number, limit: number): Promise<readonly { seq: number; id: string; body: string }[]>;
  /** The newest number of an account's stream; 0 before its first event. */
  newest(account_id: string): Promise<number>;
  /** Sends the event again under the same id; charges an unpaid one first. @throws AssayError UNKNOWN_EVENT, RULE_ENDED, CREDITS_SPENT */
  replay(account_id: string, id: string): Promise<WatchedEvent>;
  /** Shows and sends a made-up event of the rule, free of charge. @throws AssayError UNKNOWN_RULE, RULE_ENDED, RULE_LIMIT */
  test(rule: WatchRule, event: { readonly id: string; readonly body: string }): Promise<WatchedEvent>;
  /** Stored events of the account, and whether its rules are matched. */
  standing(account_id: string): Promise<WatchQuota>;
}

type WatchEventRow = SqlRow & {
  readonly seq: number | null;
  readonly id: string;
  readonly rule_id: string;
  readonly state: "shown" | "unpaid";
  readonly is_retracted: number;
  readonly body: string;
  readonly delivery: EventDelivery["state"] | null;
  readonly attempts: number;
  readonly last_status: number | null;
  readonly last_fault: string | null;
  readonly next_at: number;
  readonly settled_at: number | null;
};

const SHOWN = `select e.seq, e.id, e.rule_id, e.state, e.is_retracted, e.body, d.state as delivery, d.attempts, d.last_status,
    d.last_fault, d.next_at, d.settled_at
  from watch_events e left join watch_deliveries d on d.event_id = e.id
  where e.account_id = $1 and e.state in ('shown', 'unpaid')`;
// Ids ascend in the order in which events were made.
const LIST_SQL = `${SHOWN} and ($2 = '' or e.rule_id = $2) and ($3 = '' or e.id < $3)
    and ($4 = 0 or d.state = 'dead' or e.state = 'unpaid') order by e.id desc limit $5`;
const ONE_SQL = `${SHOWN} and e.id = $2`;
const AFTER_SQL = `select seq, id, body from watch_events where account_id = $1 and seq > $2 order by seq limit $3`;
const NEWEST_SQL = "select seq from watch_streams where account_id = $1";
const AGAIN_SQL = `update watch_deliveries set state = 'waiting', attempts = 0, first_at = $2, next_at = $2, last_status = null,
    last_fault = null, settled_at = null where event_id = $1`;
const KEY_SQL = `select r.key_id from watch_events e join watch_rules r on r.id = e.rule_id
  where e.id = $1 and e.state = 'unpaid' and e.is_retracted = 0`;
const LIVE_URL_SQL = "select id from watch_rules where id = $1 and state in ('active', 'paused') and url is not null";

export interface EventsSettings extends WriteSettings {
  readonly database: Database;
  readonly now: () => number;
}

export const openEvents = (settings: EventsSettings): WatchEvents => {
  const { database, now, hold } = settings;
  return {
    async list({ account_id, rule_id, is_dead, before, limit }) {
      const values = [account_id, rule_id ?? "", before ?? "", is_dead ? 1 : 0, limit];
      return (await database.all<WatchEventRow>(LIST_SQL, values)).map(eventOf);
    },
    after: (account_id, seq, limit) => database.all(AFTER_SQL, [account_id, seq, limit]),
    newest: async (account_id) => (await database.get<{ seq: number }>(NEWEST_SQL, [account_id]))?.seq ?? 0,
    standing: async (account_id) => describeQuota(await readQuota(database, account_id), hold),
    replay: (account_id, id) =>
      database.transaction({ lock: lockOf(account_id), proof: null }, (within) =>
        replay(within, { account_id, id, at: now() }, settings),
      ),
    async test(rule, { id, body }) {
      const proof = { sql: "select id from watch_events where id = $1", values: [id] };
      return database.transaction({ lock: lockOf(rule.account_id), proof }, async (within) => {
        const { held_events } = await readQuota(within, rule.account_id);
        if (held_events >= hold.events && (await evictOldest(within, rule.account_id, 1)).held_events >= hold.events)
          throw refusal(
            "RULE_LIMIT",
            "The account has reached its maximum of stored events, and they wait for their receivers.",
          );
        const { account_id, id: rule_id, network } = rule;
        const event = { id, account_id, rule_id, network, block: NO_BLOCK, place: id, kind: "test", body };
        const sending = new Set(rule.url !== null && rule.state !== "ended" ? [rule_id] : []);
        await insertShownEvents(within, [{ ...event, round: 0, retracts: null }], { at: now(), sending });
        return findEvent(within, account_id, id);
      });
    },
  };
};

const findEvent = async (queries: Queries, account_id: string, id: string): Promise<WatchedEvent> => {
  const row = await queries.get<WatchEventRow>(ONE_SQL, [account_id, id]);
  if (row === null) throw refusal("UNKNOWN_EVENT", `Event '${id}' does not exist.`);
  return eventOf(row);
};

interface EventReplay {
  readonly account_id: string;
  readonly id: string;
  readonly at: number;
}

const replay = async (
  within: Queries,
  { account_id, id, at }: EventReplay,
  settings: EventsSettings,
): Promise<WatchedEvent> => {
  const event = await findEvent(within, account_id, id);
  if (event.state === "unpaid") {
    const rule = await within.get<{ key_id: string }>(KEY_SQL, [id]);
    if (rule === null) throw refusal("RULE_ENDED", "The event was revoked with its block before it was paid.");
    const { paid } = await payEvents(within, { account_id, at, events: [{ id, key_id: rule.key_id }] }, settings);
    if (!paid.has(id)) throw refusal("CREDITS_SPENT", "The account's credits do not cover the event.");
    await showStored(within, [event], { account_id, at });
    return findEvent(within, account_id, id);
  }
  if (event.delivery === null || (await within.get(LIVE_URL_SQL, [event.rule_id])) === null)
    throw refusal("RULE_ENDED", "The event's rule sends nothing: it has no url, has ended or was removed.");
  await within.run(AGAIN_SQL, [id, at]);
  await requeue(within, event.rule_id);
  return findEvent(within, account_id, id);
};

const eventOf = (row: WatchEventRow): WatchedEvent => ({
  seq: row.seq,
  id: row.id,
  rule_id: row.rule_id,
  state: row.state,
  is_retracted: row.is_retracted === 1,
  body: row.body,
  delivery:
    row.delivery === null
      ? null
      : {
          state: row.delivery,
          attempts: row.attempts,
          last_status: row.last_status,
          last_fault: row.last_fault,
          next_at: row.delivery === "waiting" ? isoMs(row.next_at) : null,
          settled_at: row.settled_at === null ? null : isoMs(row.settled_at),
        },
});
