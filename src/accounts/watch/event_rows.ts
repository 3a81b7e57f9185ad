/** Rows of events: finds the new ones, writes and numbers them, and queues them for delivery. */
import type { Queries, SqlValue } from "../database.ts";
import type { BlockMark, NewEvent } from "./follow.ts";
import { requeue } from "./queues.ts";
import { addStored } from "./quota.ts";

/** An event that is not written yet. */
export interface FreshEvent extends NewEvent {
  readonly network: string;
  /** Number of times this event was revoked before. */
  readonly round: number;
  /** The event that it revokes. */
  readonly retracts: string | null;
}

type KnownRow = {
  readonly rule_id: string;
  readonly block_hash: string;
  readonly place: string;
  readonly kind: string;
  readonly is_retracted: number;
};

const KNOWN_SQL = `select rule_id, block_hash, place, kind, is_retracted from watch_events
  where account_id = $1 and network = $2 and block_number >= $3 and block_number <= $4 and retracts is null`;

/** Selects an account's events that are not written yet; a revoked event may come again. */
export const freshOf = async (
  within: Queries,
  network: string,
  events: readonly NewEvent[],
): Promise<readonly FreshEvent[]> => {
  const [first] = events;
  if (first === undefined) return [];
  const numbers = events.map(({ block }) => block.number);
  const range = [numbers.reduce((a, b) => Math.min(a, b)), numbers.reduce((a, b) => Math.max(a, b))];
  const rows = await within.all<KnownRow>(KNOWN_SQL, [first.account_id, network, ...range]);
  const live = new Set<string>();
  const rounds = new Map<string, number>();
  for (const { rule_id, block_hash, place, kind, is_retracted } of rows) {
    const key = JSON.stringify([rule_id, block_hash, place, kind]);
    if (is_retracted === 0) live.add(key);
    else rounds.set(key, (rounds.get(key) ?? 0) + 1);
  }
  return events.flatMap((event) => {
    const key = JSON.stringify([event.rule_id, event.block.hash, event.place, event.kind]);
    if (live.has(key)) return [];
    live.add(key);
    return [{ ...event, network, round: rounds.get(key) ?? 0, retracts: null }];
  });
};

const EVENT_COLUMNS = `id, account_id, rule_id, network, block_number, block_hash, place, kind, round, retracts, is_retracted, state,
    seq, body, bytes, created_at`;
const DELIVERY_COLUMNS =
  "event_id, account_id, rule_id, state, attempts, first_at, next_at, last_status, last_fault, settled_at";
/** Rows per statement. */
const CHUNK = 200;

/** Inserts any number of rows with few statements. */
export const insertRows = async (
  within: Queries,
  into: { readonly table: string; readonly columns: string },
  rows: readonly (readonly SqlValue[])[],
): Promise<void> => {
  for (let from = 0; from < rows.length; from += CHUNK) {
    const some = rows.slice(from, from + CHUNK);
    const wide = some[0]?.length ?? 0;
    const lists = some.map((row, index) => `(${row.map((_, column) => `$${index * wide + column + 1}`).join(", ")})`);
    await within.run(`insert into ${into.table} (${into.columns}) values ${lists.join(", ")}`, some.flat());
  }
};

export const bytesOf = (events: readonly { readonly body: string }[]): number =>
  events.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);

interface EventBatch {
  readonly account_id: string;
  readonly at: number;
  /** Number of the first event in the account's stream; null: they are made, and not shown yet. */
  readonly first_seq: number | null;
}

const writeRows = async (
  within: Queries,
  events: readonly FreshEvent[],
  { account_id, at, first_seq }: EventBatch,
): Promise<void> => {
  const state = first_seq === null ? "made" : "shown";
  const rows = events.map(({ id, rule_id, network, block, place, kind, round, retracts, body }, index) => [
    ...[id, account_id, rule_id, network, block.number, block.hash, place, kind, round, retracts, 0, state],
    ...[first_seq === null ? null : first_seq + index, body, Buffer.byteLength(body), at],
  ]);
  await insertRows(within, { table: "watch_events", columns: EVENT_COLUMNS }, rows);
  await addStored(within, account_id, { events: events.length, bytes: bytesOf(events) });
};

/** Writes unpaid events, which callers do not see before they are paid. */
export const makeEvents = (within: Queries, events: readonly FreshEvent[], at: number): Promise<void> => {
  const [first] = events;
  return first === undefined
    ? Promise.resolve()
    : writeRows(within, events, { account_id: first.account_id, at, first_seq: null });
};

const NUMBER_SQL = `insert into watch_streams (account_id, seq) values ($1, $2)
  on conflict (account_id) do update set seq = watch_streams.seq + excluded.seq returning seq`;

/** Reserves unused numbers of an account's stream. @returns the first one. */
export const takeNumbers = async (within: Queries, account_id: string, count: number): Promise<number> => {
  const last = await within.get<{ seq: number }>(NUMBER_SQL, [account_id, count]);
  return (last?.seq ?? count) - count + 1;
};

/** Writes events of one account as shown, each with its number, and queues those whose rules have a url. */
export const insertShownEvents = async (
  within: Queries,
  events: readonly FreshEvent[],
  { at, sending }: { readonly at: number; readonly sending: ReadonlySet<string> },
): Promise<void> => {
  const [first] = events;
  if (first === undefined) return;
  const { account_id } = first;
  const first_seq = await takeNumbers(within, account_id, events.length);
  await writeRows(within, events, { account_id, at, first_seq });
  await sendEvents(within, events, { account_id, at, sending });
};

/** Queues events for the urls of their rules. */
export const sendEvents = async (
  within: Queries,
  events: readonly { readonly id: string; readonly rule_id: string }[],
  {
    account_id,
    at,
    sending,
  }: { readonly account_id: string; readonly at: number; readonly sending: ReadonlySet<string> },
): Promise<void> => {
  const sent = events.filter(({ rule_id }) => sending.has(rule_id));
  const rows = sent.map(({ id, rule_id }) => [id, account_id, rule_id, "waiting", 0, at, at, null, null, null]);
  await insertRows(within, { table: "watch_deliveries", columns: DELIVERY_COLUMNS }, rows);
  for (const rule_id of new Set(sent.map((event) => event.rule_id))) await requeue(within, rule_id);
};

const SENDING_SQL = `select id from watch_rules where account_id = $1 and url is not null and state in ('active', 'paused')`;

/** Rules of an account with a url. */
export const sendingRules = async (within: Queries, account_id: string): Promise<ReadonlySet<string>> =>
  new Set((await within.all<{ id: string }>(SENDING_SQL, [account_id])).map(({ id }) => id));

/** For events without a block, such as notices to an account. */
export const NO_BLOCK: BlockMark = { number: 0, hash: "" };
