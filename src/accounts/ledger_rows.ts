import type { Database, SqlValue } from "./database.ts";
import { isoMs } from "./period.ts";
import { refusal } from "./refusal.ts";

/** A row of the ledger as its account may read it. */
export interface LedgerRow {
  /** UTC calendar month of the pool, and the row's number in it. */
  readonly period: string;
  readonly seq: number;
  readonly at: string;
  /** `adjustment`: the plan's allowance changed. */
  readonly kind: "adjustment" | "grant" | "charge" | "refund";
  /** Change of the remaining credits. */
  readonly credits: number;
  readonly balance_after: number;
  /** For a charge or refund: the call. */
  readonly call: LedgerCall | null;
}

interface LedgerCall {
  /** `X-Request-Id` of the call's response; null = made before this was recorded. */
  readonly request_id: string | null;
  readonly tool: string;
  readonly surface: string;
  /** Id of the key, or of the signed-in user. */
  readonly key_id: string;
  readonly outcome: string;
  /** Reason of the refund; null when the charge was not refunded. */
  readonly reason: string | null;
}

export interface LedgerQuery {
  readonly account_id: string;
  readonly limit: number;
  /** `next` of the previous page; null = the newest rows. */
  readonly before: string | null;
}

export interface LedgerRows {
  readonly rows: readonly LedgerRow[];
  /** `before` of the next page; null on the last page. */
  readonly next: string | null;
}

type EntryRow = {
  readonly period: string;
  readonly seq: number;
  readonly created_at: number;
  readonly kind: LedgerRow["kind"];
  readonly amount: number;
  readonly balance_after: number;
  readonly request_id: string | null;
  readonly tool: string | null;
  readonly surface: string | null;
  readonly key_id: string | null;
  readonly state: string | null;
  readonly reason: string | null;
};

/** In the order of the ledger's own index: account, month, number. */
const PAGE_SQL = `select e.period, e.seq, e.created_at, e.kind, e.amount, e.balance_after,
    c.request_id, c.tool, c.surface, c.key_id, c.state, c.reason
  from entries e left join charges c on c.id = e.charge_id
  where e.account_id = $1 and e.period <= $2 and (e.period < $2 or e.seq < $3)
  order by e.period desc, e.seq desc limit $4`;

/** Reads the account's rows, newest first. @throws AssayError BAD_PAGE */
export const ledgerRows = async (
  database: Database,
  { account_id, limit, before }: LedgerQuery,
): Promise<LedgerRows> => {
  const from = before === null ? ["9999-12", Number.MAX_SAFE_INTEGER] : parseCursor(before);
  const values: readonly SqlValue[] = [account_id, ...from, limit + 1];
  const rows = await database.all<EntryRow>(PAGE_SQL, values);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    rows: shown.map(toRow),
    next: rows.length > limit && last !== undefined ? `${last.period}.${last.seq}` : null,
  };
};

const parseCursor = (before: string): readonly SqlValue[] => {
  const [, period, seq] = /^(\d{4}-\d\d)\.(\d{1,15})$/.exec(before) ?? [];
  if (period === undefined) throw refusal("BAD_PAGE", "'before' must be 'next' of the previous page.");
  return [period, Number(seq)];
};

const toRow = (row: EntryRow): LedgerRow => {
  const { period, seq, kind, amount, balance_after, request_id, tool, surface, key_id, state, reason } = row;
  const is_call = tool !== null && surface !== null && key_id !== null && state !== null;
  return {
    ...{ period, seq, kind, balance_after },
    at: isoMs(row.created_at),
    credits: amount,
    call: is_call ? { request_id, tool, surface, key_id, outcome: state, reason } : null,
  };
};
