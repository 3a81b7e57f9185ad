import type { Hex } from "../lib/bytes.ts";
import { DAY_S } from "../lib/time.ts";

/** Rule of deposit addresses. */
const DEPOSIT_RULE = { share_percent_min: 90, transactions_min: 3, prompt_seconds: DAY_S } as const;

/** One payment of an account. Rows of an account are together, oldest first. */
export interface Outflow {
  readonly address: Hex;
  readonly peer: Hex;
  readonly token: Hex;
  /** Base units. */
  readonly amount: bigint;
  /** Unix seconds. */
  readonly time: number;
  /** Of its transaction. */
  readonly block_number: number;
  readonly tx_index: number;
  /** Last receipt of the token, unix seconds; 0 = never. */
  readonly last_in: number;
}

/** An account that forwards its receipts to one hot wallet. */
export interface DepositAddress {
  readonly address: Hex;
  readonly hot_wallet: Hex;
  /** First second of the day at whose end the rule first held, unix seconds. */
  readonly day: number;
  /** Block of the last transaction that it needed. */
  readonly block_number: number;
  readonly tx_index: number;
}

const dayOf = (time: number): number => time - (time % DAY_S);

/** Payments of one account so far. */
class SentTotals {
  readonly transactions = new Set<string>();
  /** By token, base units. */
  readonly amounts = new Map<Hex, bigint>();

  add({ block_number, tx_index, token, amount }: Outflow): void {
    this.transactions.add(`${block_number}:${tx_index}`);
    this.amounts.set(token, (this.amounts.get(token) ?? 0n) + amount);
  }

  /** True when this is at least the required share of `all`, in transactions and in every token. */
  isMostOf(all: SentTotals): boolean {
    const share = BigInt(DEPOSIT_RULE.share_percent_min);
    const is_enough = (part: bigint, whole: bigint) => part * 100n >= whole * share;
    return (
      is_enough(BigInt(this.transactions.size), BigInt(all.transactions.size)) &&
      [...all.amounts].every(([token, amount]) => is_enough(this.amounts.get(token) ?? 0n, amount))
    );
  }
}

/** Hot wallets, each with the unix second from which it is known to be one. */
export type HotSince = ReadonlyMap<Hex, number>;

interface HotWalletDay {
  readonly hot_wallet: Hex;
  readonly day: number;
}

/** The hot wallet for which the rule holds between the ends of two days, and the day; null without one. */
const holdsFor = (
  sent: { readonly all: SentTotals; readonly promptly: ReadonlyMap<Hex, SentTotals> },
  days: { readonly from: number; readonly before: number },
  since: HotSince,
): HotWalletDay | null => {
  for (const [hot_wallet, promptly] of [...sent.promptly].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const day = Math.max(days.from, dayOf(since.get(hot_wallet) ?? 0));
    const is_rule = promptly.transactions.size >= DEPOSIT_RULE.transactions_min && promptly.isMostOf(sent.all);
    if (is_rule && day < days.before) return { hot_wallet, day };
  }
  return null;
};

const judge = (rows: readonly Outflow[], since: HotSince): DepositAddress | null => {
  const all = new SentTotals();
  const promptly = new Map<Hex, SentTotals>();
  for (const [at, row] of rows.entries()) {
    all.add(row);
    const is_prompt = row.last_in > 0 && row.time - row.last_in <= DEPOSIT_RULE.prompt_seconds;
    if (is_prompt && since.has(row.peer)) {
      const sent = promptly.get(row.peer) ?? new SentTotals();
      sent.add(row);
      promptly.set(row.peer, sent);
    }
    const next = rows[at + 1];
    const days = { from: dayOf(row.time), before: next === undefined ? Number.POSITIVE_INFINITY : dayOf(next.time) };
    if (days.before === days.from) continue;
    const found = holdsFor({ all, promptly }, days, since);
    const { address, block_number, tx_index } = row;
    if (found !== null) return { address, ...found, block_number, tx_index };
  }
  return null;
};

/**
 * Accounts that sent at least 90 % of their payments (transactions, and base units of every token), in at least three
 * transactions, to one hot wallet of an exchange within 24 hours of their receipt. Judged at the end of each day, so
 * that the day does not depend on the time of the call. Excludes hot wallets themselves.
 * @param hot_since wallets that are known to be hot, and since when
 * @param wallets all wallets of exchanges: none of them is a deposit address
 */
export const depositAddresses = (
  outflows: readonly Outflow[],
  hot_since: HotSince,
  wallets: ReadonlySet<Hex>,
): readonly DepositAddress[] => {
  const byAddress = new Map<Hex, Outflow[]>();
  for (const row of outflows) {
    const own = byAddress.get(row.address);
    if (own === undefined) byAddress.set(row.address, [row]);
    else own.push(row);
  }
  return [...byAddress].flatMap(([address, rows]) => {
    const found = wallets.has(address) ? null : judge(rows, hot_since);
    return found === null ? [] : [found];
  });
};
