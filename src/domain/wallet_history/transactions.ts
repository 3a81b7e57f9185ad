import type { Hex } from "../../lib/bytes.ts";
import type { SnapshotContext } from "../context.ts";
import type { Flows } from "../flows/wallet_flows.ts";
import type { WalletTransaction } from "./patterns.ts";
import { readTransactionRows, type TransactionRow } from "./transaction_rows.ts";

/** Transactions that one call looks at: the newest ones. */
export const DEEDS_MAX = 200_000;

const amounts = (tokens: readonly Hex[], raws: readonly bigint[]): ReadonlyMap<Hex, bigint> =>
  new Map(tokens.map((token, i) => [token, raws[i] ?? 0n]));

const transactionOf = (row: TransactionRow): WalletTransaction => ({
  ...row,
  is_own: row.is_own === 1,
  gained: amounts(row.gained, row.gained_raw),
  lost: amounts(row.lost, row.lost_raw),
  in_usd: row.unpriced_in > 0 ? null : row.in_usd,
  out_usd: row.unpriced_out > 0 ? null : row.out_usd,
});

/** A stranger's transaction that only pesters: nothing moved, a look-alike, flagged tokens, or a feigned payment. */
const spamJudge = ({ sources }: Flows) => {
  const { airdrops, copies, urls, claims, orders, hidden } = sources;
  const flagged = new Set([...airdrops, ...copies, ...urls, ...claims, ...orders, ...hidden]);
  const poisoned = new Set(sources.poison_blocks.map((block, i) => `${block}:${sources.poison_indexes[i]}`));
  return (deed: WalletTransaction): boolean => {
    if (deed.is_own) return false;
    if (deed.gained.size + deed.lost.size === 0) return true;
    if (poisoned.has(`${deed.block_number}:${deed.tx_index}`)) return true;
    if (deed.lost.size > 0) return sources.is_contract === 0 && deed.gained.size === 0 && deed.out_usd === null;
    return [...deed.gained.keys()].every((token) => flagged.has(token));
  };
};

export interface Deeds {
  /** Oldest first. */
  readonly deeds: readonly WalletTransaction[];
  readonly hidden_spam: number;
  readonly is_cut: boolean;
}

export const readDeeds = async (place: SnapshotContext, flows: Flows, include_spam: boolean): Promise<Deeds> => {
  const rows = await readTransactionRows(place, flows, { type: "", limit: DEEDS_MAX + 1 });
  const all = rows.slice(0, DEEDS_MAX).map(transactionOf).reverse();
  const isSpam = spamJudge(flows);
  const deeds = include_spam ? all : all.filter((deed) => !isSpam(deed));
  return { deeds, hidden_spam: all.length - deeds.length, is_cut: rows.length > DEEDS_MAX };
};

/** Exchanges and their deposit addresses among the counterparties, as far as labels say. */
export const readExchanges = async (flows: Flows): Promise<ReadonlySet<Hex>> => {
  const found = await flows.ask({ by: "peer", categories: ["exchange", "exchange_deposit"], include_spam: true });
  return new Set(found.map(({ peer }) => peer));
};
