import { brokenAudit } from "./audit.ts";
import type { Database, Queries, SqlRow } from "./database.ts";

/** Invariants that hold at any instant. Each is one statement that returns the violating rows. */
interface Invariant {
  readonly id: string;
  readonly sentence: string;
  readonly sql: string;
}

export interface InvariantViolation {
  readonly invariant: string;
  readonly sentence: string;
  readonly rows: readonly SqlRow[];
}

/** Rows shown per broken invariant. */
const ROWS_MAX = 100;

// I7 compares the store with answers that callers received, so it cannot be a statement here.
const INVARIANTS: readonly Invariant[] = [
  {
    id: "I1",
    sentence:
      "The used credits of a pool equal minus the sum of its charge and refund entries; its quota equals the sum of the other entries.",
    sql: `select o.account_id, o.period, o.used, o.allowance + o.granted as quota, e.used_by_entries, e.quota_by_entries
      from pools o left join (select account_id, period,
          sum(case when kind in ('charge', 'refund') then -amount else 0 end) as used_by_entries,
          sum(case when kind in ('grant', 'adjustment') then amount else 0 end) as quota_by_entries
        from entries group by account_id, period) e on e.account_id = o.account_id and e.period = o.period
      where o.used <> coalesce(e.used_by_entries, 0)
        or o.allowance + o.granted <> coalesce(e.quota_by_entries, 0)`,
  },
  {
    id: "I2",
    sentence: "The used credits of a pool equal the sum of its running and done charges.",
    sql: `select o.account_id, o.period, o.used, c.used_by_charges
      from pools o left join (select account_id, period, sum(credits) as used_by_charges
        from charges where state in ('running', 'done') group by account_id, period) c
        on c.account_id = o.account_id and c.period = o.period
      where o.used <> coalesce(c.used_by_charges, 0)`,
  },
  {
    id: "I3",
    sentence: "No charge exceeds the quota: replayed in order, each balance is right and no charge goes below 0.",
    sql: `select account_id, period, seq, kind, amount, balance_after, replayed, place from (
        select account_id, period, seq, kind, amount, balance_after,
          sum(amount) over (partition by account_id, period order by seq) as replayed,
          row_number() over (partition by account_id, period order by seq) as place
        from entries) replay
      where replayed <> balance_after or place <> seq or (kind = 'charge' and balance_after < 0)`,
  },
  {
    id: "I4",
    sentence: "Each charge has one charge entry, and one refund entry exactly when it is refunded.",
    sql: `select c.id as charge_id, c.state, e.charge_entries, e.refund_entries
      from charges c left join (select charge_id, sum(case when kind = 'charge' then 1 else 0 end) as charge_entries,
          sum(case when kind = 'refund' then 1 else 0 end) as refund_entries
        from entries group by charge_id) e on e.charge_id = c.id
      where coalesce(e.charge_entries, 0) <> 1
        or coalesce(e.refund_entries, 0) <> case when c.state = 'refunded' then 1 else 0 end`,
  },
  {
    id: "I5",
    sentence: "An idempotency key has at most one running or done charge per account and surface.",
    sql: `select account_id, surface, idempotency_key, count(*) as charges from charges
      where idempotency_key is not null and state in ('running', 'done')
      group by account_id, surface, idempotency_key having count(*) > 1`,
  },
  {
    id: "I6",
    sentence: "No charge stays running beyond its lease and one round of the sweeper.",
    sql: "select id as charge_id, account_id, owner, lease_until from charges where state = 'running' and lease_until < $1",
  },
  {
    id: "I8",
    sentence: "The used credits of the surfaces add up to the pool's, and each equals the sum of its own charges.",
    sql: `select o.account_id, o.period, o.used, o.used_api, o.used_mcp, c.api_by_charges, c.mcp_by_charges
      from pools o left join (select account_id, period,
          sum(case when surface = 'api' then credits else 0 end) as api_by_charges,
          sum(case when surface = 'mcp' then credits else 0 end) as mcp_by_charges
        from charges where state in ('running', 'done') group by account_id, period) c
        on c.account_id = o.account_id and c.period = o.period
      where o.used <> o.used_api + o.used_mcp or o.used_api <> coalesce(c.api_by_charges, 0)
        or o.used_mcp <> coalesce(c.mcp_by_charges, 0)`,
  },
  {
    id: "I9",
    sentence: "Each charge and refund entry is in the pool of its charge, with the price at which the charge was made.",
    sql: `select e.account_id, e.period, e.seq, e.kind, e.amount, e.charge_id, c.credits, p.credits as price
      from entries e left join charges c on c.id = e.charge_id
        left join prices p on p.id = c.price_id and p.tool = c.tool
      where e.kind in ('charge', 'refund') and (p.credits is null or c.credits <> p.credits
        or e.account_id <> c.account_id or e.period <> c.period
        or e.amount <> case when e.kind = 'charge' then -p.credits else p.credits end)`,
  },
];

// More than one statement: each entry is hashed over the one before it.
const AUDIT = {
  invariant: "A1",
  sentence: "The audit trail is intact: no entry is changed or missing.",
};

/**
 * Checks every invariant on one snapshot of the store.
 * @param expired unix milliseconds; a running charge whose lease ended before is an orphan that was never swept.
 */
export const verifyLedger = (database: Database, expired: number): Promise<readonly InvariantViolation[]> =>
  database.snapshot((within) => violationsIn(within, expired));

/** The same inside a transaction or a snapshot. */
export const violationsIn = async (within: Queries, expired: number): Promise<readonly InvariantViolation[]> => {
  const violations: InvariantViolation[] = [];
  for (const { id, sentence, sql } of INVARIANTS) {
    const rows = await within.all(`${sql} limit ${ROWS_MAX}`, id === "I6" ? [expired] : []);
    if (rows.length > 0) violations.push({ invariant: id, sentence, rows });
  }
  const broken = await brokenAudit(within);
  if (broken.length > 0)
    violations.push({ ...AUDIT, rows: broken.slice(0, ROWS_MAX).map((seq) => ({ audit_seq: seq })) });
  return violations;
};
