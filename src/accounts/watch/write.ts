/** Events of one account from the blocks of a pass: paid, numbered and written in one transaction. */
import type { Queries } from "../database.ts";
import { bytesOf, type FreshEvent, freshOf, insertShownEvents, sendingRules } from "./event_rows.ts";
import type { NewEvent } from "./follow.ts";
import { pauseAccount } from "./notices.ts";
import { type PaySettings, payEvents } from "./pay.ts";
import { evictOldest, type HoldLimits, type PauseReason, readQuota, type WatchQuotaRow } from "./quota.ts";

export interface WriteSettings extends PaySettings {
  readonly hold: HoldLimits;
}

export interface WatchBatch {
  readonly account_id: string;
  readonly network: string;
  /** All events of this account. */
  readonly events: readonly NewEvent[];
  readonly at: number;
}

type WriteRuleRow = { readonly id: string; readonly key_id: string };

/**
 * Runs in a transaction with the lock of the account. Events beyond its credits or storage are not written: the account is
 * then paused and notified. Idempotent. @returns how many events were written
 */
export const writeEvents = async (
  within: Queries,
  { account_id, network, events, at }: WatchBatch,
  settings: WriteSettings,
): Promise<number> => {
  const standing = await readQuota(within, account_id);
  if (standing.paused_because !== null) return 0;
  const keys = await activeRules(within, account_id);
  // A rule that was paused or removed in the meantime produces no events.
  const live = events.filter(({ rule_id }) => keys.has(rule_id));
  const fresh = await freshOf(within, network, live);
  if (fresh.length === 0) return 0;
  const fitting = await fittingOf(within, fresh, { standing, hold: settings.hold });
  const bill = { account_id, at, events: fitting.map(({ id, rule_id }) => ({ id, key_id: keys.get(rule_id) ?? "" })) };
  const { paid, because } = await payEvents(within, bill, settings);
  const bought = fitting.filter(({ id }) => paid.has(id));
  await insertShownEvents(within, bought, { at, sending: await sendingRules(within, account_id) });
  const reason: PauseReason | null = because ?? (fitting.length < fresh.length ? "storage" : null);
  const first = fresh.find(({ id }) => !paid.has(id));
  if (reason !== null && first !== undefined) {
    const from = { rule_id: first.rule_id, network, block_number: first.block.number };
    const left_out = fresh.length - bought.length;
    await pauseAccount(within, { account_id, because: reason, at, first: from, left_out }, settings);
  }
  return bought.length;
};

const ACTIVE_SQL = "select id, key_id from watch_rules where account_id = $1 and state = 'active'";

/** The active rules of an account, each with the key that made it. */
const activeRules = async (within: Queries, account_id: string): Promise<ReadonlyMap<string, string>> => {
  const rows = await within.all<WriteRuleRow>(ACTIVE_SQL, [account_id]);
  return new Map(rows.map(({ id, key_id }) => [id, key_id]));
};

interface QuotaState {
  readonly standing: WatchQuotaRow;
  readonly hold: HoldLimits;
}

/** As many of the events as the account may store, after deleting its oldest settled ones. */
const fittingOf = async (
  within: Queries,
  fresh: readonly FreshEvent[],
  { standing, hold }: QuotaState,
): Promise<readonly FreshEvent[]> => {
  const [first] = fresh;
  if (first === undefined) return [];
  const isFull = ({ held_events, held_bytes }: WatchQuotaRow): boolean =>
    held_events + fresh.length > hold.events || held_bytes + bytesOf(fresh) > hold.bytes;
  const row = isFull(standing) ? await evictOldest(within, first.account_id, 2 * fresh.length) : standing;
  let bytes = row.held_bytes;
  const fitting: FreshEvent[] = [];
  for (const event of fresh.slice(0, Math.max(0, hold.events - row.held_events))) {
    bytes += Buffer.byteLength(event.body);
    if (bytes > hold.bytes) break;
    fitting.push(event);
  }
  return fitting;
};
