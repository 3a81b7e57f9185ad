import type { Hex } from "../lib/bytes.ts";
import { DAY_S } from "../lib/time.ts";

/** Rule of deposit addresses. Once it has held, later payments to others may lower the share, but not below `kept_percent_min`. */
const DEPOSIT_RULE = {
  share_percent_min: 90,
  kept_percent_min: 50,
  transactions_min: 3,
  prompt_seconds: DAY_S,
} as const;

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
  /** 1: the account signed it. Any token may forge the others. */
  readonly is_own: number;
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
  /** The part of all its payments that are those of a forwarder, 0..1; 1 from the rule's share on. */
  readonly certainty: number;
}

const dayOf = (time: number): number => time - (time % DAY_S);

const isPrompt = ({ time, last_in }: Outflow): boolean => last_in > 0 && time - last_in <= DEPOSIT_RULE.prompt_seconds;

/** Payments of one account so far. */
class SentTotals {
  readonly transactions = new Set<string>();
  /** By token, base units. */
  readonly amounts = new Map<Hex, bigint>();

  add({ block_number, tx_index, token, amount }: Outflow): void {
    this.transactions.add(`${block_number}:${tx_index}`);
    this.amounts.set(token, (this.amounts.get(token) ?? 0n) + amount);
  }

  /** Whole percent of `all`, of transactions or of the token with the smallest part. */
  percentOf(all: SentTotals): number {
    const percent = (part: bigint, whole: bigint): number => (whole === 0n ? 100 : Number((part * 100n) / whole));
    return Math.min(
      percent(BigInt(this.transactions.size), BigInt(all.transactions.size)),
      ...[...all.amounts].map(([token, amount]) => percent(this.amounts.get(token) ?? 0n, amount)),
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
  const hot = [...sent.promptly].filter(([peer]) => since.has(peer));
  for (const [hot_wallet, promptly] of hot.sort(([a], [b]) => (a < b ? -1 : 1))) {
    const day = Math.max(days.from, dayOf(since.get(hot_wallet) ?? 0));
    const is_rule =
      promptly.transactions.size >= DEPOSIT_RULE.transactions_min &&
      promptly.percentOf(sent.all) >= DEPOSIT_RULE.share_percent_min;
    if (is_rule && day < days.before) return { hot_wallet, day };
  }
  return null;
};

const judge = (rows: readonly Outflow[], since: HotSince): DepositAddress | null => {
  const all = new SentTotals();
  const promptly = new Map<Hex, SentTotals>();
  let held: Omit<DepositAddress, "certainty"> | null = null;
  for (const [at, row] of rows.entries()) {
    all.add(row);
    if (isPrompt(row)) {
      const sent = promptly.get(row.peer) ?? new SentTotals();
      sent.add(row);
      promptly.set(row.peer, sent);
    }
    if (held !== null) continue;
    const next = rows[at + 1];
    const days = { from: dayOf(row.time), before: next === undefined ? Number.POSITIVE_INFINITY : dayOf(next.time) };
    if (days.before === days.from) continue;
    const found = holdsFor({ all, promptly }, days, since);
    const { address, block_number, tx_index } = row;
    if (found !== null) held = { address, ...found, block_number, tx_index };
  }
  const certainty = held === null ? 0 : certaintyOf(percentForwarded(rows, promptly));
  return held === null || certainty === 0 ? null : { ...held, certainty };
};

/**
 * Whole percent of payments that are those of a forwarder: prompt, and to a collector. Exchanges replace their hot
 * wallets, so a collector may be a new one. Payments to others count only if the account signed them.
 */
const percentForwarded = (rows: readonly Outflow[], promptly: ReadonlyMap<Hex, SentTotals>): number => {
  const [sent, all] = [new SentTotals(), new SentTotals()];
  for (const row of rows) {
    const to_peer = promptly.get(row.peer)?.transactions.size ?? 0;
    const is_forward = isPrompt(row) && to_peer >= DEPOSIT_RULE.transactions_min;
    if (is_forward) sent.add(row);
    if (is_forward || row.is_own === 1) all.add(row);
  }
  return sent.percentOf(all);
};

/** 0: what the account did later contradicts the rule. */
const certaintyOf = (percent: number): number => {
  if (percent >= DEPOSIT_RULE.share_percent_min) return 1;
  return percent >= DEPOSIT_RULE.kept_percent_min ? percent / 100 : 0;
};

/**
 * Accounts that sent at least 90 % of their payments (transactions, and base units of every token), in at least three
 * transactions, to one hot wallet of an exchange within 24 hours of their receipt. Judged at the end of each day, so
 * that the day does not depend on the time of the call, and again by all payments: an account is dropped if less than
 * half of them are prompt and to steady peers, and less certain up to 90 %. Excludes hot wallets themselves.
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
