import type { Hex } from "../lib/bytes.ts";
import { DAY_S } from "../lib/time.ts";

/** Rules for wallets that an exchange runs besides the known ones. */
const SIBLING_RULES = {
  /** Deposit addresses of one exchange that sweep to it. */
  deposits_min: 5,
  /** Of all accounts that have paid it. */
  deposits_share_percent_min: 20,
  /** Share of other exchanges' addresses among the deposit addresses that have paid it. */
  others_share_percent_max: 10,
  /** Transactions each way with known wallets that fund and empty it. */
  transactions_min: 3,
  days_min: 2,
  /** For every token that it sent on: the share from known wallets. */
  funded_percent_min: 99,
} as const;

/** An exchange, and the first second of the day at whose end a rule first held, unix seconds. */
export interface SiblingOf {
  readonly entity: string;
  readonly day: number;
}

/** Number of accounts that counted from a day on. */
export interface PayersFrom {
  /** The exchange of these deposit addresses; '' = all payers of any kind. */
  readonly entity: string;
  /** First second of the day. */
  readonly day: number;
  readonly accounts: number;
}

/** The exchange of a hot wallet by the deposit addresses that sweep to it; null without one. */
export const sharedSibling = (rows: readonly PayersFrom[]): SiblingOf | null => {
  const days = [...new Set(rows.map(({ day }) => day))].sort((a, b) => a - b);
  const counts = new Map<string, number>();
  for (const day of days) {
    for (const row of rows) {
      if (row.day === day) counts.set(row.entity, (counts.get(row.entity) ?? 0) + row.accounts);
    }
    const swept = [...counts].filter(([entity]) => entity !== "").sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
    const [entity, count] = swept[0] ?? ["", 0];
    const others = swept.slice(1).reduce((sum, [, one]) => sum + one, 0);
    const { deposits_min, deposits_share_percent_min, others_share_percent_max } = SIBLING_RULES;
    const is_theirs = count * 100 >= (counts.get("") ?? 0) * deposits_share_percent_min;
    const is_alone = others * 100 <= (count + others) * others_share_percent_max;
    if (count >= deposits_min && is_theirs && is_alone) return { entity, day };
  }
  return null;
};

/** A receipt or payment of an account. Rows of an account are together, oldest first. */
export interface AccountMovement {
  readonly address: Hex;
  readonly peer: Hex;
  readonly token: Hex;
  /** 1 in, -1 out. */
  readonly direction: number;
  /** Base units. */
  readonly amount: bigint;
  /** Unix seconds. */
  readonly time: number;
  readonly block_number: number;
  readonly tx_index: number;
}

/** A known hot wallet: its exchange, and the unix second from which it is known. */
export interface KnownHot {
  readonly entity: string;
  readonly since: number;
}

interface PayerTally {
  /** By token, base units. */
  readonly amounts: Map<Hex, bigint>;
  /** The part of them from or to known wallets. */
  readonly known: Map<Hex, bigint>;
  readonly transactions: Set<string>;
}

const newWay = (): PayerTally => ({ amounts: new Map(), known: new Map(), transactions: new Set() });

const addTo = (way: PayerTally, row: AccountMovement, is_known: boolean): void => {
  way.amounts.set(row.token, (way.amounts.get(row.token) ?? 0n) + row.amount);
  if (!is_known) return;
  way.known.set(row.token, (way.known.get(row.token) ?? 0n) + row.amount);
  way.transactions.add(`${row.block_number}:${row.tx_index}`);
};

/** Whether the rule holds at the end of a day. */
const isInternal = (into: PayerTally, out: PayerTally, days: number): boolean => {
  const { transactions_min, days_min, funded_percent_min } = SIBLING_RULES;
  if (days < days_min || Math.min(into.transactions.size, out.transactions.size) < transactions_min) return false;
  return [...out.amounts].every(([token, amount]) => {
    const came = into.amounts.get(token) ?? 0n;
    const is_funded = came > 0n && (into.known.get(token) ?? 0n) * 100n >= came * BigInt(funded_percent_min);
    return is_funded && out.known.get(token) === amount;
  });
};

/**
 * The exchange of a wallet that only known hot wallets of this exchange fund and empty; null without one. Tokens that
 * it received and never sent on do not count: any account can send those.
 * @param rows of one account, oldest first
 */
export const internalSibling = (
  rows: readonly AccountMovement[],
  hot: ReadonlyMap<Hex, KnownHot>,
): SiblingOf | null => {
  const [into, out] = [newWay(), newWay()];
  const days = new Set<number>();
  const entity = rows.map(({ peer }) => hot.get(peer)?.entity).find((one) => one !== undefined && one !== "");
  if (entity === undefined) return null;
  for (const [at, row] of rows.entries()) {
    const day = row.time - (row.time % DAY_S);
    const wallet = hot.get(row.peer);
    const is_known = wallet !== undefined && wallet.entity === entity && wallet.since < day + DAY_S;
    addTo(row.direction === 1 ? into : out, row, is_known);
    if (is_known) days.add(day);
    const next = rows[at + 1];
    const is_last = next === undefined || next.time >= day + DAY_S;
    if (is_last && isInternal(into, out, days.size)) return { entity, day };
  }
  return null;
};
