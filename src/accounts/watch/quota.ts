/** Stored events of an account, and whether its rules are matched. */
import type { Queries, SqlRow } from "../database.ts";
import { isoMs } from "../period.ts";

/** `credits`: they cover no further event. `price`: events have no price now. `storage`: the account's waiting events reach its limit. */
export type PauseReason = "credits" | "price" | "storage";

/** Storage limits of one account. */
export interface HoldLimits {
  readonly events: number;
  readonly bytes: number;
}

/** State as the account sees it. */
export interface WatchQuota {
  readonly held_events: number;
  readonly held_bytes: number;
  readonly most_events: number;
  readonly most_bytes: number;
  /** Null while its rules are matched. */
  readonly paused_because: PauseReason | null;
  readonly paused_at: string | null;
}

export type WatchQuotaRow = SqlRow & {
  readonly held_events: number;
  readonly held_bytes: number;
  readonly paused_because: PauseReason | null;
  readonly paused_at: number | null;
};

const READ_SQL = "select held_events, held_bytes, paused_because, paused_at from watch_accounts where account_id = $1";
const ADD_SQL = `insert into watch_accounts (account_id, held_events, held_bytes, paused_because, paused_at)
  values ($1, cast($2 as bigint), cast($3 as bigint), null, null) on conflict (account_id) do update set
    held_events = watch_accounts.held_events + excluded.held_events,
    held_bytes = watch_accounts.held_bytes + excluded.held_bytes`;
const PAUSE_SQL = `update watch_accounts set paused_because = $2, paused_at = $3
  where account_id = $1 and paused_because is null`;
const RESUME_SQL = `update watch_accounts set paused_because = null, paused_at = null
  where account_id = $1 and paused_because is not null`;

/** Maximum oldest events of an account that are searched for deletable ones. */
const LOOKED_AT = 1_000;

const NOTHING: WatchQuotaRow = { held_events: 0, held_bytes: 0, paused_because: null, paused_at: null };

export const readQuota = async (queries: Queries, account_id: string): Promise<WatchQuotaRow> =>
  (await queries.get<WatchQuotaRow>(READ_SQL, [account_id])) ?? NOTHING;

export const describeQuota = (row: WatchQuotaRow, limits: HoldLimits): WatchQuota => ({
  ...{ held_events: row.held_events, held_bytes: row.held_bytes },
  ...{ most_events: limits.events, most_bytes: limits.bytes, paused_because: row.paused_because },
  paused_at: row.paused_at === null ? null : isoMs(row.paused_at),
});

export interface StoredEvents {
  readonly events: number;
  readonly bytes: number;
}

/** Counts events in the transaction that writes or deletes them. Negative: deleted. */
export const addStored = (within: Queries, account_id: string, { events, bytes }: StoredEvents): Promise<number> =>
  within.run(ADD_SQL, [account_id, events, bytes]);

/** False when it was already paused. The account has a row by then. */
export const markPaused = async (
  within: Queries,
  { account_id, because, at }: { readonly account_id: string; readonly because: PauseReason; readonly at: number },
): Promise<boolean> => {
  await addStored(within, account_id, { events: 0, bytes: 0 });
  return (await within.run(PAUSE_SQL, [account_id, because, at])) === 1;
};

export const markResumed = async (within: Queries, account_id: string): Promise<boolean> =>
  (await within.run(RESUME_SQL, [account_id])) === 1;

// Searches only the oldest ones: an account with a long backlog costs no more than another.
const OLD_SQL = `select e.id, e.bytes from (select id, bytes, seq, network, block_number, block_hash from watch_events
      where account_id = $1 and seq is not null order by seq limit ${LOOKED_AT}) e
  where not exists (select 1 from watch_deliveries d where d.event_id = e.id and d.state = 'waiting')
    and not exists (select 1 from watch_blocks b where b.network = e.network and b.block_number = e.block_number
      and b.block_hash = e.block_hash)
  order by e.seq limit $2`;

/** Deletes the oldest settled events of an account, so that newer ones fit. @returns the remaining counts. */
export const evictOldest = async (within: Queries, account_id: string, events: number): Promise<WatchQuotaRow> => {
  const old = await within.all<{ id: string; bytes: number }>(OLD_SQL, [account_id, events]);
  await forgetEvents(within, account_id, old);
  return readQuota(within, account_id);
};

/** Deletes events with their deliveries, and subtracts them from the counts. */
export const forgetEvents = async (
  within: Queries,
  account_id: string,
  rows: readonly { readonly id: string; readonly bytes: number }[],
): Promise<void> => {
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  const among = `(${ids.map((_, index) => `$${index + 1}`).join(", ")})`;
  await within.run(`delete from watch_deliveries where event_id in ${among}`, ids);
  await within.run(`delete from watch_events where id in ${among}`, ids);
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
  await addStored(within, account_id, { events: -rows.length, bytes: -bytes });
};
