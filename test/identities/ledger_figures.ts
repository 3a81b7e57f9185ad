/** Compares get_wallet_stats and get_wallet_token_holdings of a wallet with books kept independently of its chain. Pure. */
import type { AnyAnswer, WalletAnswers } from "./answers.ts";
import type { WalletLedger } from "./random_ledgers.ts";

const NANO = 1e9;

const isSame = (a: number, b: number): boolean =>
  Math.abs(a - b) <= Math.max(1e-6, 1e-9 * Math.max(Math.abs(a), Math.abs(b)));

const iso = (time: number | undefined): string | null =>
  time === undefined ? null : new Date(time * 1000).toISOString().replace(".000", "");

/** Figures of the books under the names of get_wallet_stats. */
const sumsOf = ({ sums, unpriced, spam, sent, seen, days }: WalletLedger) => ({
  total_in_usd: Number(sums.in) / NANO,
  total_out_usd: Number(sums.out) / NANO,
  mints_usd: Number(sums.voided_in) / NANO,
  burns_usd: Number(sums.voided_out) / NANO,
  rewards_usd: Number(sums.rewards_in) / NANO,
  wraps_in_usd: Number(sums.wraps_in) / NANO,
  wraps_out_usd: Number(sums.wraps_out) / NANO,
  unpriced_transfers: unpriced,
  spam_transfers: spam,
  tx_sent: sent.size,
  tx_count: seen.size,
  active_days: days.size,
});

const figuresOf = (stats: AnyAnswer): ReturnType<typeof sumsOf> => ({
  ...stats,
  total_in_usd: stats.total_in_usd ?? 0,
  total_out_usd: stats.total_out_usd ?? 0,
  mints_usd: stats.of_which.in.mints_usd,
  burns_usd: stats.of_which.out.burns_usd,
  rewards_usd: stats.of_which.in.rewards_usd,
  wraps_in_usd: stats.of_which.in.wraps_usd,
  wraps_out_usd: stats.of_which.out.wraps_usd,
});

export interface ExpectedLedger {
  readonly book: WalletLedger;
  /** Base units by the token's text in answers, without collectibles. */
  readonly balances: ReadonlyMap<string, bigint>;
}

/** Figures in which an answer differs from the books. */
export const ledgerContradictions = (
  { name, stats, held }: WalletAnswers,
  { book, balances }: ExpectedLedger,
): readonly string[] => {
  const wrong: string[] = [];
  if (stats !== null) {
    const figures = figuresOf(stats);
    for (const [figure, value] of Object.entries(sumsOf(book))) {
      // The same names.
      const other = figures[figure as keyof typeof figures];
      if (!isSame(value, other)) wrong.push(`${name}: ${figure} is ${other}, the books say ${value}`);
    }
    const [first, last] = [iso(Math.min(...book.times)), iso(Math.max(...book.times))];
    if (stats.first_seen !== first) wrong.push(`${name}: first_seen is ${stats.first_seen}, the books say ${first}`);
    if (stats.last_seen !== last) wrong.push(`${name}: last_seen is ${stats.last_seen}, the books say ${last}`);
  }
  const shown = new Map<string, bigint>(
    (held.holdings.holdings ?? []).map((row: AnyAnswer) => [row.token_address, BigInt(row.balance_raw)]),
  );
  for (const [token, amount] of balances) {
    const other = shown.get(token) ?? 0n;
    if (other !== amount) wrong.push(`${name}: holds ${other} of ${token}, the books say ${amount}`);
  }
  return wrong;
};
