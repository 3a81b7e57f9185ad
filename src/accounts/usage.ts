import type { Database, Queries, SqlRow, SqlValue } from "./database.ts";
import { isoMs, periodEnd, periodOf } from "./period.ts";
import { refusal, unknownAccount } from "./refusal.ts";

/** Fields by which usage can be grouped. */
export const USAGE_FIELDS = ["day", "account_id", "key_id", "surface", "tool", "outcome", "reason"] as const;
export type UsageField = (typeof USAGE_FIELDS)[number];

export interface UsageRequest {
  /** Null = all accounts. */
  readonly account_id: string | null;
  /** UTC days, `YYYY-MM-DD`, both inclusive. */
  readonly from: string;
  readonly to: string;
  readonly by: readonly UsageField[];
}

/** Sums of accepted calls, with only the requested fields. Days are those of the call. */
export interface UsageRow {
  readonly day?: string;
  readonly account_id?: string;
  readonly key_id?: string;
  readonly surface?: string;
  readonly tool?: string;
  /** `done`: answered and paid. `refunded`: paid and refunded. `running`: not settled yet. */
  readonly outcome?: string;
  /** Why calls were refunded; '' for others. */
  readonly reason?: string;
  readonly calls: number;
  /** Credits paid and not refunded. */
  readonly credits: number;
  readonly credits_refunded: number;
}

/** One line of a month: calls of one tool at one price. */
export interface MonthLine extends Omit<UsageRow, "day" | "account_id" | "key_id" | "surface" | "outcome" | "reason"> {
  readonly tool: string;
  /** Price of one call. */
  readonly price: number;
  /** Calls that were paid and not refunded; `calls` less these were refunded. */
  readonly calls_paid: number;
}

/** A month of an account, fit for an invoice. Its lines add up to the pool of the ledger. */
export interface MonthReport {
  readonly account_id: string;
  readonly name: string;
  /** The account's current plan. */
  readonly plan: string;
  /** UTC calendar month, `YYYY-MM`. */
  readonly month: string;
  /** False while the month lasts or a call of it is running. */
  readonly is_final: boolean;
  /** Credits of the plan, and granted in addition. */
  readonly allowance: number;
  readonly granted: number;
  readonly credits_used: number;
  readonly credits_refunded: number;
  readonly credits_remaining: number;
  readonly lines: readonly MonthLine[];
  readonly as_of: string;
}

export interface Usage {
  /** Rows in the order of `by`. @throws AssayError BAD_PERIOD, USAGE_TOO_LONG, UNKNOWN_ACCOUNT */
  rows(wish: UsageRequest): Promise<readonly UsageRow[]>;
  /** @throws AssayError BAD_PERIOD, UNKNOWN_ACCOUNT */
  month(account_id: string, month: string): Promise<MonthReport>;
}

const DAY_MS = 86_400_000;
/** One year, leap years included. */
const DAYS_MAX = 366;
/** More rows than a year of a large account by day and tool. */
const ROWS_MAX = 50_000;

const COLUMNS: Readonly<Record<UsageField, string>> = {
  day: `c.created_at / ${DAY_MS}`,
  account_id: "c.account_id",
  key_id: "c.key_id",
  surface: "c.surface",
  tool: "c.tool",
  outcome: "c.state",
  reason: "c.reason",
};

const SUMS = `count(*) as calls,
    sum(case when c.state = 'refunded' then 0 else c.credits end) as credits,
    sum(case when c.state = 'refunded' then c.credits else 0 end) as credits_refunded`;

/** Joins the ledger, which is ordered by account and month: a charge without an entry was never made. */
const rowsSql = (fields: readonly UsageField[], is_one: boolean): string => {
  const names = fields.map((field) => `${COLUMNS[field]} as ${field}`);
  const groups = fields.map((field) => COLUMNS[field]).join(", ");
  return `select ${[...names, SUMS].join(", ")}
  from pools o join entries e on e.account_id = o.account_id and e.period = o.period join charges c on c.id = e.charge_id
  where o.period >= $1 and o.period <= $2 and e.kind = 'charge' and c.created_at >= $3 and c.created_at < $4
    ${is_one ? "and o.account_id = $5" : ""}
  ${fields.length === 0 ? "having count(*) > 0" : `group by ${groups} order by ${groups}`} limit ${ROWS_MAX + 1}`;
};

const POOL_SQL = `select a.id, a.name, a.plan_id, o.allowance, o.granted, o.used
  from accounts a left join pools o on o.account_id = a.id and o.period = $2 where a.id = $1`;

const LINES_SQL = `select c.tool, c.credits as price, sum(case when c.state = 'refunded' then 0 else 1 end) as calls_paid,
    sum(case when c.state = 'running' then 1 else 0 end) as running, ${SUMS}
  from entries e join charges c on c.id = e.charge_id
  where e.account_id = $1 and e.period = $2 and e.kind = 'charge'
  group by c.tool, c.credits order by c.tool, c.credits`;

type SumRow = SqlRow & { readonly calls: number; readonly credits: number; readonly credits_refunded: number };
type LineRow = SumRow & {
  readonly tool: string;
  readonly price: number;
  readonly calls_paid: number;
  readonly running: number;
};
type UsagePoolRow = SqlRow & {
  readonly id: string;
  readonly name: string;
  readonly plan_id: string;
  readonly allowance: number | null;
  readonly granted: number | null;
  readonly used: number | null;
};

export const openUsage = ({ database, now }: { readonly database: Database; readonly now: () => number }): Usage => ({
  async rows({ account_id, from, to, by }) {
    const [start, end] = [dayOf(from), dayOf(to) + DAY_MS];
    if (end <= start) throw refusal("BAD_PERIOD", `The first day, ${from}, is after the last, ${to}.`);
    if (end - start > DAYS_MAX * DAY_MS) throw refusal("BAD_PERIOD", `Usage covers at most ${DAYS_MAX} days.`);
    const fields = USAGE_FIELDS.filter((field) => by.includes(field));
    const times = [periodOf(start), periodOf(end - 1), start, end];
    const rows = await database.snapshot(async (within) => {
      if (account_id !== null) await mustBeThere(within, account_id);
      const values: readonly SqlValue[] = account_id === null ? times : [...times, account_id];
      return within.all<SumRow>(rowsSql(fields, account_id !== null), values);
    });
    if (rows.length > ROWS_MAX)
      throw refusal("USAGE_TOO_LONG", `That is more than ${ROWS_MAX} rows: request fewer days or fewer fields.`);
    return rows.map((row) => toUsage(fields, row));
  },
  async month(account_id, month) {
    if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(month))
      throw refusal("BAD_PERIOD", `A month is written YYYY-MM, such as 2026-11; not '${month}'.`);
    const at = now();
    return database.snapshot(async (within) => {
      const pool = await within.get<UsagePoolRow>(POOL_SQL, [account_id, month]);
      if (pool === null) throw unknownAccount(account_id);
      const rows = await within.all<LineRow>(LINES_SQL, [account_id, month]);
      return monthOf(pool, rows, { month, at });
    });
  },
});

const monthOf = (pool: UsagePoolRow, rows: readonly LineRow[], when: { month: string; at: number }): MonthReport => {
  const { month, at } = when;
  const [allowance, granted, used] = [pool.allowance ?? 0, pool.granted ?? 0, pool.used ?? 0];
  const is_over = periodEnd(Date.parse(`${month}-01T00:00:00Z`)) <= at;
  return {
    account_id: pool.id,
    name: pool.name,
    plan: pool.plan_id,
    month,
    is_final: is_over && rows.every(({ running }) => running === 0),
    allowance,
    granted,
    credits_used: used,
    credits_refunded: rows.reduce((sum, { credits_refunded }) => sum + credits_refunded, 0),
    credits_remaining: Math.max(0, allowance + granted - used),
    lines: rows.map(({ tool, price, calls, calls_paid, credits, credits_refunded }) => ({
      ...{ tool, price, calls, calls_paid, credits, credits_refunded },
    })),
    as_of: isoMs(at),
  };
};

const toUsage = (fields: readonly UsageField[], row: SumRow): UsageRow => {
  const said = fields.map((field) => {
    const value = row[field] ?? "";
    return [field, field === "day" ? new Date(Number(value) * DAY_MS).toISOString().slice(0, 10) : String(value)];
  });
  const { calls, credits, credits_refunded } = row;
  return { ...Object.fromEntries(said), calls, credits, credits_refunded };
};

/** Unix milliseconds of the start of a day. */
const dayOf = (text: string): number => {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // February 30 would become March 2.
  if (Number.isNaN(at) || !new Date(at).toISOString().startsWith(text))
    throw refusal("BAD_PERIOD", `A day is written YYYY-MM-DD, such as 2026-11-24; not '${text}'.`);
  return at;
};

const mustBeThere = async (within: Queries, account_id: string): Promise<void> => {
  if ((await within.get("select id from accounts where id = $1", [account_id])) === null)
    throw unknownAccount(account_id);
};
