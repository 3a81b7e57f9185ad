import type { Database, Queries, Scope } from "./database.ts";
import type { ChargeRequest, ChargeResult, CreditStatus, Surface } from "./meter.ts";
import { periodEnd } from "./period.ts";
import { type CreditPool, lockOf, openPool, type PoolUpdate, readPool, writeEntry } from "./pools.ts";
import type { PriceList, ToolPrices } from "./prices.ts";

/** Orphaned charges that one transaction of the sweeper refunds. */
const SWEEP_BATCH = 200;

export interface LedgerSettings {
  readonly database: Database;
  readonly prices: ToolPrices;
  /** Name under which this process owns its running charges. */
  readonly owner: () => string;
  /** Maximum time a charge stays running before the sweeper refunds it. */
  readonly lease_ms: number;
  readonly now: () => number;
  readonly newId: (kind: string) => string;
}

export interface Ledger {
  charge(request: ChargeRequest): Promise<ChargeResult>;
  settle(charge_id: string, outcome: "done" | "refunded", reason: string | null): Promise<CreditStatus | null>;
  /** Compare-and-set of a `done` charge to `refunded`; null when it is not `done`. */
  retract(charge_id: string, reason: string): Promise<CreditStatus | null>;
  standing(account_id: string): Promise<CreditStatus>;
  /** Refunds charges whose lease has expired. @returns how many. */
  sweepExpired(): Promise<number>;
  /** Refunds the running charges of a process that has ended. @returns how many. */
  sweepOwner(owner: string): Promise<number>;
}

type SettledCharge = {
  readonly account_id: string;
  readonly period: string;
  readonly surface: Surface;
  readonly credits: number;
};

type EarlierCharge = { readonly state: string; readonly fingerprint: string };

const EARLIER_SQL = `select state, fingerprint from charges
  where account_id = $1 and surface = $2 and idempotency_key = $3 and state in ('running', 'done')`;

const DEBIT_SQL = `update pools set used = used + $3, used_api = used_api + $4, used_mcp = used_mcp + $5,
    entries = entries + 1
  where account_id = $1 and period = $2 and used + $3 <= allowance + granted
  returning entries as seq, allowance + granted - used as balance_after`;

const CREDIT_SQL = `update pools set used = used - $3, used_api = used_api - $4, used_mcp = used_mcp - $5,
    entries = entries + 1
  where account_id = $1 and period = $2
  returning entries as seq, allowance + granted - used as balance_after`;

const CHARGE_SQL = `insert into charges (id, account_id, period, key_id, surface, tool, credits, price_id,
    catalog_version, idempotency_key, fingerprint, state, reason, lease_until, owner, created_at, settled_at, request_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'running', null, $12, $13, $14, null, $15)`;

const SETTLE_SQL = `update charges set state = $2, reason = $3, settled_at = $4
  where id = $1 and state = 'running' and owner = $5 and lease_until > $4
  returning account_id, period, surface, credits`;

const RETRACT_SQL = `update charges set state = 'refunded', reason = $2, settled_at = $3
  where id = $1 and state = 'done' returning account_id, period, surface, credits`;

const SWEEP_ONE_SQL = `update charges set state = 'refunded', reason = $2, settled_at = $3
  where id = $1 and state = 'running' returning account_id, period, surface, credits`;

const EXPIRED_SQL = `select id from charges where state = 'running' and lease_until <= $1 order by lease_until, id limit $2`;

const OWNED_SQL = `select id from charges where state = 'running' and owner = $1 order by lease_until, id limit $2`;

const CHARGED_SQL = "select id from charges where id = $1";

const RETRACTED_SQL = "select id from charges where id = $1 and state = 'refunded' and reason = $2 and settled_at = $3";

const SETTLED_SQL = `select id from charges
  where id = $1 and state = $2 and coalesce(reason, '') = $3 and settled_at = $4 and owner = $5`;

export const openLedger = (settings: LedgerSettings): Ledger => {
  const { database, prices, now } = settings;
  return {
    charge(request) {
      const charge_id = settings.newId("charge");
      const proof = { sql: CHARGED_SQL, values: [charge_id] };
      const scope: Scope = { lock: lockOf(request.caller.account_id), proof, shares: "charge" };
      return database.transaction(scope, (within) => chargeWithin(within, { ...request, charge_id }, settings));
    },
    settle(charge_id, outcome, reason) {
      const at = now();
      const owner = settings.owner();
      const proof = { sql: SETTLED_SQL, values: [charge_id, outcome, reason ?? "", at, owner] };
      // A refund takes its account's pool without the account's lock, so in a shared transaction it could deadlock.
      const scope: Scope = {
        lock: `charge ${charge_id}`,
        proof,
        ...(outcome === "done" && { shares: "settlement" as const }),
      };
      return database.transaction(scope, async (within) => {
        const settled = await within.get<SettledCharge>(SETTLE_SQL, [charge_id, outcome, reason, at, owner]);
        if (settled === null) return null;
        if (outcome === "refunded") await refundCharge(within, { ...settled, charge_id, at });
        return creditStatus(within, settled.account_id, { prices, at });
      });
    },
    retract(charge_id, reason) {
      const at = now();
      const proof = { sql: RETRACTED_SQL, values: [charge_id, reason, at] };
      return database.transaction({ lock: `charge ${charge_id}`, proof }, async (within) => {
        const settled = await within.get<SettledCharge>(RETRACT_SQL, [charge_id, reason, at]);
        if (settled === null) return null;
        await refundCharge(within, { ...settled, charge_id, at });
        return creditStatus(within, settled.account_id, { prices, at });
      });
    },
    standing: (account_id) => creditStatus(database, account_id, { prices, at: now() }),
    sweepExpired: () =>
      sweep(database, now, {
        reason: "lease_expired",
        find: (within, at) => within.all<{ id: string }>(EXPIRED_SQL, [at, SWEEP_BATCH]),
      }),
    sweepOwner: (gone) =>
      sweep(database, now, {
        reason: "instance_lost",
        find: (within) => within.all<{ id: string }>(OWNED_SQL, [gone, SWEEP_BATCH]),
      }),
  };
};

/** Runs the checks in the order of the contract; the first failing check is the answer, and nothing is written. */
const chargeWithin = async (
  within: Queries,
  request: ChargeRequest & { readonly charge_id: string },
  settings: LedgerSettings,
): Promise<ChargeResult> => {
  const at = settings.now();
  const { caller, charge_id } = request;
  // Sent together: one round trip to a database server instead of two.
  const [pool, earlier] = await Promise.all([openPool(within, caller.account_id, at), findEarlier(within, request)]);
  const list = await settings.prices.asOf(pool.newest, within);
  const standing = toCreditStatus(pool, list);

  if (earlier !== null)
    return {
      kind: "duplicate",
      state: earlier.state === "running" ? "running" : "completed",
      same_request: earlier.fingerprint === request.fingerprint,
      standing,
    };

  if (request.catalog_version !== null && request.catalog_version !== list.catalog.version)
    return { kind: "price_changed", catalog: list.catalog, standing };

  const price = list.rows.get(request.tool);
  if (price === undefined || price.credits === null) return { kind: "price_unavailable", standing };

  const { credits } = price;
  const posted = await within.get<PoolUpdate>(DEBIT_SQL, [
    caller.account_id,
    pool.period,
    ...perSurface(caller.surface, credits),
  ]);
  if (posted === null)
    return {
      kind: "plan_limit",
      meter: caller.surface === "api" ? "api_calls" : "mcp_calls",
      plan_id: pool.plan_id,
      limit: pool.quota,
      resets_at: periodEnd(at),
      standing,
    };

  const lease = { owner: settings.owner(), until: at + settings.lease_ms };
  const bought = { credits, price_id: price.price_id, version: list.catalog.version, period: pool.period };
  const inserted = insertCharge(within, request, { ...bought, lease, at });
  const movement = { kind: "charge", book: caller.surface, amount: -credits, charge_id } as const;
  const entered = writeEntry(within, { ...movement, account_id: caller.account_id, period: pool.period, at }, posted);
  await Promise.all([inserted, entered]);
  return { kind: "charged", charge_id, credits, standing: { ...standing, credits_remaining: posted.balance_after } };
};

interface CreditCharge {
  readonly credits: number;
  readonly price_id: number;
  /** Id of the price in the catalog. */
  readonly version: string;
  readonly period: string;
  readonly lease: { readonly owner: string; readonly until: number };
  readonly at: number;
}

const insertCharge = (
  within: Queries,
  request: ChargeRequest & { readonly charge_id: string },
  { credits, price_id, version, period, lease, at }: CreditCharge,
) => {
  const { account_id, key_id, surface } = request.caller;
  return within.run(CHARGE_SQL, [
    request.charge_id,
    account_id,
    period,
    key_id,
    surface,
    request.tool,
    credits,
    price_id,
    version,
    request.idempotency_key,
    request.fingerprint,
    lease.until,
    lease.owner,
    at,
    request.request_id,
  ]);
};

const findEarlier = async (within: Queries, request: ChargeRequest): Promise<EarlierCharge | null> => {
  if (request.idempotency_key === null) return null;
  const { account_id, surface } = request.caller;
  return within.get<EarlierCharge>(EARLIER_SQL, [account_id, surface, request.idempotency_key]);
};

/** Returns credits to the period of the charge, whatever the current month is. */
const refundCharge = async (
  within: Queries,
  refund: SettledCharge & { charge_id: string; at: number },
): Promise<void> => {
  const { account_id, period, surface, credits, charge_id, at } = refund;
  const posted = await within.get<PoolUpdate>(CREDIT_SQL, [account_id, period, ...perSurface(surface, credits)]);
  await writeEntry(
    within,
    { kind: "refund", book: surface, amount: credits, account_id, period, charge_id, at },
    posted,
  );
};

const sweep = async (
  database: Database,
  now: () => number,
  orphans: { reason: string; find: (within: Queries, at: number) => Promise<readonly { id: string }[]> },
): Promise<number> => {
  let refunded = 0;
  for (;;) {
    const batch = await database.transaction({ lock: "sweep", proof: null }, async (within) => {
      const at = now();
      const rows = await orphans.find(within, at);
      const taken: (SettledCharge & { charge_id: string; at: number })[] = [];
      for (const { id } of rows) {
        const settled = await within.get<SettledCharge>(SWEEP_ONE_SQL, [id, orphans.reason, at]);
        if (settled !== null) taken.push({ ...settled, charge_id: id, at });
      }
      // Takes the charge first and then its pool; the fixed order prevents deadlocks.
      taken.sort((a, b) => (poolOf(a) < poolOf(b) ? -1 : 1));
      for (const refund of taken) await refundCharge(within, refund);
      return rows.length;
    });
    refunded += batch;
    if (batch < SWEEP_BATCH) return refunded;
  }
};

const poolOf = (settled: SettledCharge): string => `${settled.account_id} ${settled.period}`;

/** The total amount, then the share of each surface: $3, $4, $5 of the pool updates. */
const perSurface = (surface: Surface, credits: number): readonly number[] =>
  surface === "api" ? [credits, credits, 0] : [credits, 0, credits];

const creditStatus = async (
  within: Queries,
  account_id: string,
  { prices, at }: { readonly prices: ToolPrices; readonly at: number },
): Promise<CreditStatus> => {
  const pool = await readPool(within, account_id, at);
  return toCreditStatus(pool, await prices.asOf(pool.newest, within));
};

const toCreditStatus = (pool: CreditPool, list: PriceList): CreditStatus => ({
  credits_remaining: Math.max(0, pool.quota - pool.used),
  catalog_version: list.catalog.version,
});
