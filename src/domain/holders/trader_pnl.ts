import type { Hex } from "../../lib/bytes.ts";
import { hourOf } from "../../lib/time.ts";
import type { Row } from "../../store/facts.ts";
import type { SnapshotContext } from "../context.ts";
import { computePnl, type WalletTransaction } from "../pnl/pnl.ts";
import { type PnlRow, rowOf } from "../pnl/rows.ts";
import { PRICE_RANK } from "../pnl/trade.ts";
import { type Price, priceKey, pricesAtHours } from "../prices/price_now.ts";
import { metadataIn, metadataOf } from "../tokens/metadata.ts";
import type { Identity } from "./read.ts";

/** Wallets with more transactions of the token have no PnL here: get_wallet_pnl reads them. */
export const PNL_TRANSACTIONS_MAX = 1_000;

/** What a wallet won and lost with the token, by average cost over its whole indexed history. */
export interface TokenPnl {
  readonly realized_usd: number;
  readonly unrealized_usd: number;
  readonly total_usd: number;
  readonly avg_cost_usd: number | null;
}

type MoveRow = Row<"holders/moves">;

/** Those whose trades are their own: not pools, services or nobody. */
const TRADERS: ReadonlySet<string> = new Set<Identity["type"]>(["eoa", "contract"]);

const NO_WORTH: ReadonlyMap<Hex, number> = new Map();

const transactionOf = (row: MoveRow): WalletTransaction => ({
  time: row.time,
  fee: 0n,
  rent: 0n,
  valued_by: null,
  is_claim: false,
  deeds: [],
  balances: [],
  pool_worth: NO_WORTH,
  moves: row.buckets.map((bucket, i) => ({
    bucket,
    peer: row.peers[i] ?? "",
    delta: BigInt(row.amounts[i] ?? "0"),
  })),
});

interface Quotes {
  readonly priceAt: (bucket: Hex, time: number) => Price | null;
}

const readQuotes = async (place: SnapshotContext, rows: readonly MoveRow[], token: Hex): Promise<Quotes> => {
  const { facts, snapshot, chain } = place;
  const wanted = new Map<string, { readonly token: Hex; readonly hour: number }>();
  const want = (bucket: Hex, time: number): void => {
    const hour = hourOf(time);
    wanted.set(priceKey(bucket, hour), { token: bucket, hour });
  };
  want(token, snapshot.block.time);
  for (const { buckets, time } of rows) for (const bucket of buckets) want(bucket, time);
  const found = await pricesAtHours({ facts, network: chain.network, snapshot }, [...wanted.values()]);
  return { priceAt: (bucket, time) => found.get(priceKey(bucket, hourOf(time))) ?? null };
};

const shownOf = (row: PnlRow): TokenPnl | null => {
  const { realized_usd, unrealized_usd, total_usd, entry } = row;
  if (unrealized_usd === null || total_usd === null || entry.decimals === null) return null;
  const { costed, cost_usd } = entry.position;
  const units = Number(costed) / 10 ** entry.decimals;
  return { realized_usd, unrealized_usd, total_usd, avg_cost_usd: units === 0 ? null : cost_usd / units };
};

/** PnL in one token ('' is not asked here) of wallets; absent where it is not known or means nothing. */
export const readTokenPnl = async (
  place: SnapshotContext,
  token: Hex,
  identities: ReadonlyMap<Hex, Identity>,
): Promise<ReadonlyMap<Hex, TokenPnl>> => {
  const { facts, snapshot, chain } = place;
  const wallets = [...identities].flatMap(([address, { type }]) => (TRADERS.has(type) ? [address] : [])).sort();
  // What lies before the index has no cost: a gain would be made up.
  if (wallets.length === 0 || token === "" || !snapshot.coverage.complete) return new Map();
  const rows = await facts.ask(snapshot, "holders/moves", {
    wallets,
    token,
    wrapped: chain.network.wrapped_native ?? "",
    limit: PNL_TRANSACTIONS_MAX + 1,
  });
  const [quotes, faces] = await Promise.all([
    readQuotes(place, rows, token),
    metadataOf(place, [...new Set(rows.flatMap(({ buckets }) => buckets))]),
  ]);
  const anchors = new Set(chain.network.stablecoins.flatMap(({ peg, address }) => (peg === "USD" ? [address] : [])));
  const rankOf = (bucket: Hex, { confidence }: Price): number => {
    if (anchors.has(bucket)) return PRICE_RANK.stablecoin;
    return bucket === "" ? PRICE_RANK.native : PRICE_RANK[confidence];
  };
  const quote = (bucket: Hex, time: number) => {
    const price = quotes.priceAt(bucket, time);
    return price === null ? null : { usd: price.price_usd, rank: rankOf(bucket, price) };
  };
  const byWallet = new Map<Hex, MoveRow[]>();
  for (const row of rows) {
    const own = byWallet.get(row.wallet);
    if (own === undefined) byWallet.set(row.wallet, [row]);
    else own.push(row);
  }
  const found = new Map<Hex, TokenPnl>();
  for (const [wallet, own] of byWallet) {
    if (own.length > PNL_TRANSACTIONS_MAX) continue;
    const end = snapshot.block.time;
    const book = computePnl(
      {
        from: 0,
        decimals: (bucket) => metadataIn(faces, bucket).decimals,
        quote,
        peer: () => "other",
        is_share: () => false,
        is_debt: () => false,
        basis: "average",
      },
      { openings: [], transactions: own.map(transactionOf), closing: { time: end, balances: [] } },
    );
    const entry = book.entries.get(token);
    const shown = entry === undefined ? null : shownOf(rowOf(entry, quote(token, end)));
    if (shown !== null) found.set(wallet, shown);
  }
  return found;
};
