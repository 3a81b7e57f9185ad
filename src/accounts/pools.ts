import { AssayError } from "../lib/errors.ts";
import type { Queries } from "./database.ts";
import type { Surface } from "./meter.ts";
import { periodOf } from "./period.ts";
import { NEWEST_COLUMNS, type Newest } from "./prices.ts";

/** Current state of a credit pool: quota = the plan's monthly allowance + grants of this period. */
export interface CreditPool {
  readonly plan_id: string;
  readonly period: string;
  readonly quota: number;
  readonly used: number;
  readonly used_by: Readonly<Record<Surface, number>>;
  /** Version of the catalog, read in the same statement. */
  readonly newest: Newest;
}

type CreditPoolRow = Newest & {
  readonly plan_id: string;
  /** The plan's current allowance; `allowance` is the last value applied to the pool, null before the pool exists. */
  readonly allowance_now: number;
  readonly allowance: number | null;
  readonly granted: number | null;
  readonly used: number | null;
  readonly used_api: number | null;
  readonly used_mcp: number | null;
};

type CreditAccount = "available" | "allowance" | "grants" | Surface;

/** One movement between two books of a pool; `amount` is the change of `available`. */
export interface CreditMovement {
  readonly account_id: string;
  readonly period: string;
  readonly kind: "adjustment" | "grant" | "charge" | "refund";
  readonly book: Exclude<CreditAccount, "available">;
  readonly amount: number;
  readonly charge_id: string | null;
  readonly at: number;
}

/** Result of a pool update for its entry: the entry's number and the balance after it. */
export type PoolUpdate = { readonly seq: number; readonly balance_after: number };

const READ_SQL = `select a.plan_id, coalesce(a.monthly_credits, p.monthly_credits, 0) as allowance_now,
    o.allowance, o.granted, o.used, o.used_api, o.used_mcp, ${NEWEST_COLUMNS}
  from accounts a join plans p on p.id = a.plan_id
  left join pools o on o.account_id = a.id and o.period = $2
  where a.id = $1`;

const CREATE_SQL = `insert into pools (account_id, period, allowance, granted, used, used_api, used_mcp, entries)
  values ($1, $2, 0, 0, 0, 0, 0, 0) on conflict do nothing`;

const ALLOW_SQL = `update pools set allowance = $3, entries = entries + 1 where account_id = $1 and period = $2
  returning entries as seq, allowance + granted - used as balance_after`;

const GRANT_SQL = `update pools set granted = granted + $3, entries = entries + 1 where account_id = $1 and period = $2
  returning entries as seq, allowance + granted - used as balance_after`;

const ENTRY_SQL = `insert into entries
    (account_id, period, seq, kind, source_book, target_book, amount, balance_after, charge_id, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;

/** Name of the lock for opening, charging and raising an account's pools, and for counting its keys. */
export const lockOf = (account_id: string): string => `account ${account_id}`;

/** @throws AssayError UNKNOWN_ACCOUNT */
export const readPool = async (queries: Queries, account_id: string, at: number): Promise<CreditPool> => {
  const period = periodOf(at);
  return toPool(period, await readRow(queries, account_id, period));
};

/** The pool at that time, created and set to the plan's allowance if needed. */
export const openPool = async (within: Queries, account_id: string, at: number): Promise<CreditPool> => {
  const period = periodOf(at);
  const row = await readRow(within, account_id, period);
  if (row.allowance === null) await within.run(CREATE_SQL, [account_id, period]);
  const change = row.allowance_now - (row.allowance ?? 0);
  if (change !== 0) {
    const posted = await within.get<PoolUpdate>(ALLOW_SQL, [account_id, period, row.allowance_now]);
    const movement = { kind: "adjustment", book: "allowance", amount: change, charge_id: null } as const;
    await writeEntry(within, { ...movement, account_id, period, at }, posted);
  }
  return toPool(period, row);
};

/** Grants credits to the pool at that time. @returns the pool after the grant. */
export const grantCredits = async (
  within: Queries,
  grant: { account_id: string; credits: number; at: number },
): Promise<CreditPool> => {
  const { account_id, credits, at } = grant;
  const pool = await openPool(within, account_id, at);
  const posted = await within.get<PoolUpdate>(GRANT_SQL, [account_id, pool.period, credits]);
  const movement = { kind: "grant", book: "grants", amount: credits, charge_id: null } as const;
  await writeEntry(within, { ...movement, account_id, period: pool.period, at }, posted);
  return { ...pool, quota: pool.quota + credits };
};

/** Writes the ledger row of a pool update, in the same transaction. */
export const writeEntry = async (
  within: Queries,
  movement: CreditMovement,
  posted: PoolUpdate | null,
): Promise<void> => {
  if (posted === null)
    throw new AssayError({ code: "POOL_MISSING", message: `No pool ${movement.account_id} ${movement.period}.` });
  const gives = movement.amount > 0;
  await within.run(ENTRY_SQL, [
    movement.account_id,
    movement.period,
    posted.seq,
    movement.kind,
    gives ? movement.book : "available",
    gives ? "available" : movement.book,
    movement.amount,
    posted.balance_after,
    movement.charge_id,
    movement.at,
  ]);
};

const readRow = async (queries: Queries, account_id: string, period: string): Promise<CreditPoolRow> => {
  const row = await queries.get<CreditPoolRow>(READ_SQL, [account_id, period]);
  if (row !== null) return row;
  const message = `Account '${account_id}' does not exist.`;
  throw new AssayError({ code: "UNKNOWN_ACCOUNT", message, public: message });
};

const toPool = (period: string, row: CreditPoolRow): CreditPool => ({
  plan_id: row.plan_id,
  period,
  quota: row.allowance_now + (row.granted ?? 0),
  used: row.used ?? 0,
  used_by: { api: row.used_api ?? 0, mcp: row.used_mcp ?? 0 },
  newest: { newest_price: row.newest_price, newest_visibility: row.newest_visibility },
});
