/** Charges events: one charge of the ledger per event, in the transaction that writes them. */
import { createHash } from "node:crypto";
import type { Queries } from "../database.ts";
import { type CreditPool, openPool, type PoolUpdate } from "../pools.ts";
import type { PriceList, ToolPrices } from "../prices.ts";
import { insertRows } from "./event_rows.ts";
import type { PauseReason } from "./quota.ts";

/** Name of events in the price list, next to the tools. */
export const WATCH_EVENT = "watch_event";

export interface PaySettings {
  readonly prices: Pick<ToolPrices, "current" | "asOf">;
  /** Name under which this process owns charges. */
  readonly owner: () => string;
  readonly newId: (kind: string) => string;
  /** Whether events have a price; without one they are free. */
  readonly is_priced: boolean;
}

export interface Bill {
  readonly account_id: string;
  readonly at: number;
  readonly events: readonly { readonly id: string; readonly key_id: string }[];
}

export interface WatchPayment {
  readonly paid: ReadonlySet<string>;
  /** Events whose idempotency key a call of the account has used, so they cannot be charged under it. */
  readonly taken: ReadonlySet<string>;
  /** Reason why the others are unpaid; null when all are paid. */
  readonly because: PauseReason | null;
}

const KEY = "watch:";
const fingerprintOf = (id: string): string => createHash("sha256").update(`${KEY}${id}`).digest("hex");

/** In a transaction with the lock of the account: charges events in order, as far as the credits go. */
export const payEvents = async (within: Queries, bill: Bill, settings: PaySettings): Promise<WatchPayment> => {
  const ids = bill.events.map(({ id }) => id);
  if (!settings.is_priced || ids.length === 0) return { paid: new Set(ids), taken: new Set(), because: null };
  const { paid, taken } = await earlierOf(within, bill);
  const open = bill.events.filter(({ id }) => !paid.has(id) && !taken.has(id));
  const pool = await openPool(within, bill.account_id, bill.at);
  const list = await settings.prices.asOf(pool.newest, within);
  const price = list.rows.get(WATCH_EVENT);
  if (price === undefined || price.credits === null)
    return { paid, taken, because: open.length === 0 ? null : "price" };
  const credits = price.credits;
  const affordable = credits === 0 ? open.length : Math.floor(Math.max(0, pool.quota - pool.used) / credits);
  const bought = open.slice(0, affordable);
  await charge(within, { ...bill, events: bought }, { pool, list, credits, price_id: price.price_id, settings });
  for (const { id } of bought) paid.add(id);
  return { paid, taken, because: bought.length < open.length ? "credits" : null };
};

/** Lowest credits that cover a further event; null when events have no price now. */
export const priceOf = async (queries: Queries, { prices, is_priced }: PaySettings): Promise<number | null> =>
  is_priced ? ((await prices.current(queries)).rows.get(WATCH_EVENT)?.credits ?? null) : 0;

type EarlierRow = {
  readonly idempotency_key: string;
  readonly fingerprint: string;
  readonly state: string;
};

const earlierOf = async (within: Queries, { account_id, events }: Bill) => {
  const keys = events.map(({ id }) => `${KEY}${id}`);
  const among = keys.map((_, index) => `$${index + 2}`).join(", ");
  const rows = await within.all<EarlierRow>(
    `select idempotency_key, fingerprint, state from charges where account_id = $1 and surface = 'api'
      and idempotency_key is not null and idempotency_key in (${among}) and state in ('running', 'done')`,
    [account_id, ...keys],
  );
  const [paid, taken] = [new Set<string>(), new Set<string>()];
  for (const { idempotency_key, fingerprint, state } of rows) {
    const id = idempotency_key.slice(KEY.length);
    (state === "done" && fingerprint === fingerprintOf(id) ? paid : taken).add(id);
  }
  return { paid, taken };
};

const DEBIT_SQL = `update pools set used = used + cast($3 as bigint), used_api = used_api + cast($3 as bigint),
    entries = entries + cast($4 as bigint)
  where account_id = $1 and period = $2 and used + cast($3 as bigint) <= allowance + granted
  returning entries as seq, allowance + granted - used as balance_after`;
const CHARGES = {
  table: "charges",
  columns: `id, account_id, period, key_id, surface, tool, credits, price_id, catalog_version, idempotency_key, fingerprint,
    state, reason, lease_until, owner, created_at, settled_at, request_id`,
};
const ENTRIES = {
  table: "entries",
  columns: "account_id, period, seq, kind, source_book, target_book, amount, balance_after, charge_id, created_at",
};

interface Sale {
  readonly pool: CreditPool;
  readonly list: PriceList;
  readonly credits: number;
  readonly price_id: number;
  readonly settings: PaySettings;
}

/** Makes one debit, and a charge with its entry for each event, as if they were made in sequence. */
const charge = async (within: Queries, { account_id, at, events }: Bill, sale: Sale): Promise<void> => {
  if (events.length === 0) return;
  const { pool, list, credits, price_id, settings } = sale;
  const { period } = pool;
  const posted = await within.get<PoolUpdate>(DEBIT_SQL, [account_id, period, credits * events.length, events.length]);
  // The account's lock is held, and a transaction without it can only return credits.
  if (posted === null) throw new Error(`the pool of ${account_id} covers less than it said`);
  const rows = events.map(({ id, key_id }, index) => {
    const charge_id = settings.newId("charge");
    const left = events.length - 1 - index;
    const bought = [charge_id, account_id, period, key_id, "api", WATCH_EVENT, credits, price_id, list.catalog.version];
    const settled = [`${KEY}${id}`, fingerprintOf(id), "done", null, at, settings.owner(), at, at, id];
    const entry = [account_id, period, posted.seq - left, "charge", "available", "api", -credits];
    return { charge: [...bought, ...settled], entry: [...entry, posted.balance_after + credits * left, charge_id, at] };
  });
  await insertRows(
    within,
    CHARGES,
    rows.map((row) => row.charge),
  );
  await insertRows(
    within,
    ENTRIES,
    rows.map((row) => row.entry),
  );
};
