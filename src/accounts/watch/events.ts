/** Events as their account sees them: listed, streamed, sent again. */
import type { Database, Queries, Row } from "../database.ts";
import { isoMs } from "../period.ts";
import { refusal } from "../refusal.ts";
import { WATCH_SCOPE } from "./follow.ts";
import type { WatchRule } from "./rules.ts";

export interface WatchedEvent {
  /** Its number in the account's stream; null while it is unpaid. */
  readonly seq: number | null;
  readonly id: string;
  readonly rule_id: string;
  readonly state: "shown" | "unpaid";
  readonly is_retracted: boolean;
  /** JSON as it is sent. */
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

export interface EventPage {
  readonly account_id: string;
  /** Only of this rule; null = of all. */
  readonly rule_id: string | null;
  /** Only those that were not delivered, or not paid. */
  readonly is_dead: boolean;
  /** Only those before this id. */
  readonly before: string | null;
  readonly limit: number;
}

export interface WatchEvents {
  /** Newest first. */
  list(page: EventPage): Promise<readonly WatchedEvent[]>;
  /** The stream of an account behind a number, in order. */
  after(account_id: string, seq: number, limit: number): Promise<readonly { seq: number; id: string; body: string }[]>;
  /** The newest number of an account's stream; 0 before its first event. */
  newest(account_id: string): Promise<number>;
  /** Sends it once more under the same id; an unpaid one is paid first. @throws AssayError UNKNOWN_EVENT, RULE_ENDED */
  replay(account_id: string, id: string): Promise<WatchedEvent>;
  /** Shows and sends a made-up event of the rule; it costs nothing. @throws AssayError UNKNOWN_RULE, RULE_ENDED */
  test(rule: WatchRule, event: { readonly id: string; readonly body: string }): Promise<WatchedEvent>;
}

type EventRow = Row & {
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
const PAY_SQL = "update watch_events set state = 'made' where id = $1 and state = 'unpaid' and is_retracted = 0";
const LIVE_URL_SQL = "select id from watch_rules where id = $1 and state in ('active', 'paused') and url is not null";
const TEST_SQL = `insert into watch_events (id, account_id, rule_id, network, block_number, block_hash, place, kind, round,
    retracts, is_retracted, state, seq, body, created_at)
  values ($1, $2, $3, $4, 0, '', $1, 'test', 0, null, 0, 'made', null, $5, $6)`;

export interface EventsSettings {
  readonly database: Database;
  readonly now: () => number;
}

export const openEvents = ({ database, now }: EventsSettings): WatchEvents => {
  const one = async (queries: Queries, account_id: string, id: string): Promise<WatchedEvent> => {
    const row = await queries.get<EventRow>(ONE_SQL, [account_id, id]);
    if (row === null) throw refusal("UNKNOWN_EVENT", `There is no event '${id}'.`);
    return eventOf(row);
  };
  return {
    async list({ account_id, rule_id, is_dead, before, limit }) {
      const values = [account_id, rule_id ?? "", before ?? "", is_dead ? 1 : 0, limit];
      return (await database.all<EventRow>(LIST_SQL, values)).map(eventOf);
    },
    after: (account_id, seq, limit) => database.all(AFTER_SQL, [account_id, seq, limit]),
    newest: async (account_id) => (await database.get<{ seq: number }>(NEWEST_SQL, [account_id]))?.seq ?? 0,
    replay: (account_id, id) =>
      database.transaction(WATCH_SCOPE, async (within) => {
        const event = await one(within, account_id, id);
        if (event.state === "unpaid") {
          if ((await within.run(PAY_SQL, [id])) === 0)
            throw refusal("RULE_ENDED", "The event was taken back with its block before it was paid.");
          return event;
        }
        if (event.delivery === null || (await within.get(LIVE_URL_SQL, [event.rule_id])) === null)
          throw refusal("RULE_ENDED", "The event's rule sends nothing: it has no url, has ended or was removed.");
        await within.run(AGAIN_SQL, [id, now()]);
        return one(within, account_id, id);
      }),
    async test(rule, { id, body }) {
      const proof = { sql: "select id from watch_events where id = $1", values: [id] };
      return database.transaction({ ...WATCH_SCOPE, proof }, async (within) => {
        const at = now();
        await within.run(TEST_SQL, [id, rule.account_id, rule.id, rule.network, body, at]);
        await showEvent(within, { id, at, has_url: rule.url !== null && rule.state !== "ended" });
        return one(within, rule.account_id, id);
      });
    },
  };
};

const SHOW_SQL = `update watch_events set state = 'shown', seq = $2 where id = $1 and state = 'made'`;
const OWNER_SQL = "select account_id, rule_id from watch_events where id = $1 and state = 'made'";
const NUMBER_SQL = `insert into watch_streams (account_id, seq) values ($1, 1)
  on conflict (account_id) do update set seq = watch_streams.seq + 1 returning seq`;
const SEND_SQL = `insert into watch_deliveries (event_id, account_id, rule_id, state, attempts, first_at, next_at, last_status,
    last_fault, settled_at)
  values ($1, $2, $3, 'waiting', 0, $4, $4, null, null, null) on conflict do nothing`;

/** Gives a made event its number in the stream, and sends it on its way. False when it is not (or no longer) one. */
export const showEvent = async (
  within: Queries,
  { id, at, has_url }: { readonly id: string; readonly at: number; readonly has_url: boolean },
): Promise<boolean> => {
  const owner = await within.get<{ account_id: string; rule_id: string }>(OWNER_SQL, [id]);
  if (owner === null) return false;
  const numbered = await within.get<{ seq: number }>(NUMBER_SQL, [owner.account_id]);
  await within.run(SHOW_SQL, [id, numbered?.seq ?? 0]);
  if (has_url) await within.run(SEND_SQL, [id, owner.account_id, owner.rule_id, at]);
  return true;
};

const eventOf = (row: EventRow): WatchedEvent => ({
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
