import type { Recorder } from "./audit.ts";
import type { Database, Queries } from "./database.ts";
import { isoMs, periodEnd } from "./period.ts";
import { ownNumbers, type PlanNumbers, type Plans } from "./plans.ts";
import { type CreditPool, grantCredits, lockOf, openPool, readPool } from "./pools.ts";
import { refusal, unknownAccount } from "./refusal.ts";

interface AccountSummary {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly created_at: string;
}

/** An account with its limits and the credits left of this month. */
interface AccountDetails extends AccountSummary {
  /** UTC calendar month, `YYYY-MM`. */
  readonly period: string;
  readonly credits_quota: number;
  readonly credits_used: number;
  readonly credits_used_api: number;
  readonly credits_used_mcp: number;
  readonly credits_remaining: number;
  readonly resets_at: string;
  readonly keys: number;
  readonly keys_max: number;
  readonly calls_per_minute: number;
}

export interface Accounts {
  /** Numbers only for a plan that leaves them open (`custom`). @throws AssayError BAD_NAME, BAD_PLAN */
  create(wish: { name: string; plan: string } & Partial<PlanNumbers>): Promise<AccountSummary>;
  list(): Promise<readonly AccountSummary[]>;
  /** @throws AssayError UNKNOWN_ACCOUNT */
  show(id: string): Promise<AccountDetails>;
  /** Changes the quota at once; used credits stay used. @throws AssayError UNKNOWN_ACCOUNT, BAD_PLAN */
  setPlan(id: string, wish: { plan: string } & Partial<PlanNumbers>): Promise<AccountDetails>;
  /** Adds credits to this month's pool. @throws AssayError UNKNOWN_ACCOUNT, BAD_CREDITS */
  grant(id: string, credits: number): Promise<AccountDetails>;
}

export interface AccountSettings {
  readonly database: Database;
  readonly plans: Plans;
  readonly now: () => number;
  readonly newId: (kind: string) => string;
  readonly changed: () => void;
  readonly record: Recorder;
}

type AccountRow = { readonly id: string; readonly name: string; readonly plan_id: string; readonly created_at: number };

const NAME_LENGTH_MAX = 200;
/** Far above any plan, and far below the point where sums of pools lose precision. */
const GRANT_MAX = 1_000_000_000_000;

const CREATE_SQL = `insert into accounts
    (id, name, plan_id, monthly_credits, keys_max, calls_per_minute, revision, created_at)
  values ($1, $2, $3, $4, $5, $6, 0, $7)`;

const PLAN_SQL = `update accounts set plan_id = $2, monthly_credits = $3, keys_max = $4, calls_per_minute = $5,
    revision = revision + 1 where id = $1`;

const GRANTED_SQL =
  "select seq from entries where account_id = $1 and kind = 'grant' and amount = $2 and created_at = $3";

const TERMS_SQL = `select plan_id as plan, monthly_credits, keys_max, calls_per_minute from accounts where id = $1`;

const SHOW_SQL = `select a.id, a.name, a.plan_id, a.created_at, coalesce(a.keys_max, p.keys_max, 0) as keys_max,
    coalesce(a.calls_per_minute, p.calls_per_minute, 0) as calls_per_minute,
    (select count(*) from keys k where k.account_id = a.id and k.revoked_at is null and k.is_user = 0) as keys_live
  from accounts a join plans p on p.id = a.plan_id where a.id = $1`;

export const openAccountStore = (settings: AccountSettings): Accounts => {
  const { database, plans, now, newId, changed, record } = settings;
  return {
    async create(wish) {
      const name = checkName(wish.name);
      const own = ownNumbers(plans, wish.plan, wish);
      const at = now();
      const id = newId("account");
      const values = [id, name, wish.plan, own.monthly_credits, own.keys_max, own.calls_per_minute, at];
      const proof = { sql: "select id from accounts where id = $1", values: [id] };
      await database.transaction({ lock: lockOf(id), proof }, async (within) => {
        await within.run(CREATE_SQL, values);
        const after = { name, plan: wish.plan, ...own };
        await record(within, { action: "account.create", subject: id, before: null, after });
      });
      return { id, name, plan: wish.plan, created_at: isoMs(at) };
    },
    async list() {
      const rows = await database.all<AccountRow>(
        "select id, name, plan_id, created_at from accounts order by created_at, id",
      );
      return rows.map(toAccount);
    },
    async show(id) {
      const at = now();
      return details(database, { id, at, pool: await readPool(database, id, at) });
    },
    async setPlan(id, wish) {
      const own = ownNumbers(plans, wish.plan, wish);
      const at = now();
      const shown = await database.transaction({ lock: lockOf(id), proof: null }, async (within) => {
        const before = await within.get(TERMS_SQL, [id]);
        if (before === null) throw unknownAccount(id);
        await within.run(PLAN_SQL, [id, wish.plan, own.monthly_credits, own.keys_max, own.calls_per_minute]);
        const after = { plan: wish.plan, ...own };
        await record(within, { action: "account.plan", subject: id, before: { ...before }, after });
        return details(within, { id, at, pool: await openPool(within, id, at) });
      });
      changed();
      return shown;
    },
    async grant(id, credits) {
      if (!Number.isSafeInteger(credits) || credits < 1 || credits > GRANT_MAX)
        throw refusal("BAD_CREDITS", `A grant is a whole number of credits from 1 to ${GRANT_MAX}.`);
      const at = now();
      const proof = { sql: GRANTED_SQL, values: [id, credits, at] };
      return database.transaction({ lock: lockOf(id), proof }, async (within) => {
        const pool = await grantCredits(within, { account_id: id, credits, at });
        const before = { period: pool.period, credits_quota: pool.quota - credits };
        const after = { period: pool.period, credits_quota: pool.quota };
        await record(within, { action: "account.grant", subject: id, before, after });
        return details(within, { id, at, pool });
      });
    },
  };
};

const details = async (
  queries: Queries,
  state: { id: string; at: number; pool: CreditPool },
): Promise<AccountDetails> => {
  const { id, at, pool } = state;
  const row = await queries.get<AccountRow & { keys_max: number; calls_per_minute: number; keys_live: number }>(
    SHOW_SQL,
    [id],
  );
  if (row === null) throw unknownAccount(id);
  return {
    ...toAccount(row),
    period: pool.period,
    credits_quota: pool.quota,
    credits_used: pool.used,
    credits_used_api: pool.used_by.api,
    credits_used_mcp: pool.used_by.mcp,
    credits_remaining: Math.max(0, pool.quota - pool.used),
    resets_at: isoMs(periodEnd(at)),
    keys: row.keys_live,
    keys_max: row.keys_max,
    calls_per_minute: row.calls_per_minute,
  };
};

const checkName = (name: string): string => {
  const trimmed = name.trim();
  if (trimmed !== "" && trimmed.length <= NAME_LENGTH_MAX && !/\p{Cc}/u.test(trimmed)) return trimmed;
  throw refusal("BAD_NAME", `An account name has 1 to ${NAME_LENGTH_MAX} visible characters.`);
};

const toAccount = (row: AccountRow): AccountSummary => ({
  id: row.id,
  name: row.name,
  plan: row.plan_id,
  created_at: isoMs(row.created_at),
});
