import type { Hex } from "../../../lib/bytes.ts";
import type { QueryRow } from "../../../store/facts.ts";
import type { SnapshotContext, Warning } from "../../context.ts";
import { readOutcomesOf } from "../../token/developer/holding_outcomes.ts";
import type { HolderIdentity } from "../../token/holders/read.ts";
import { metadataIn, metadataOf } from "../../token/metadata/metadata.ts";
import type { PnlSources } from "./ledger.ts";
import { computePnl, type WalletTransaction } from "./pnl.ts";
import { quantityOf } from "./position.ts";
import { readPeers, type WalletPeers } from "./read_peers.ts";
import { readShares } from "./read_position_events.ts";
import { type PnlPrices, type PriceHours, readQuotes, requestHour } from "./read_prices.ts";
import { judgedRowOf, type PnlRow } from "./rows.ts";

/** Wallets with more transactions of the token are left out here: get_wallet_pnl reads them. */
export const PNL_TRANSACTIONS_MAX = 1_000;

/** Profit and loss of a wallet in the token, by average cost over its whole indexed history. */
export interface TokenPnl {
  readonly realized_usd: number;
  readonly unrealized_usd: number;
  readonly total_usd: number;
  /** Value of the held part without a known cost, outside any profit. Null without a price. */
  readonly uncosted_value_usd: number | null;
  readonly avg_cost_usd: number | null;
}

type TokenMovementRow = QueryRow<"pnl/token_moves">;

/** Identities whose trades are their own, unlike pools and services. */
const TRADERS: ReadonlySet<string> = new Set<HolderIdentity["type"]>(["eoa", "contract"]);

const NO_WORTH: ReadonlyMap<Hex, number> = new Map();

const transactionOf = (row: TokenMovementRow): WalletTransaction => ({
  time: row.time,
  fee: 0n,
  rent: 0n,
  valued_by: null,
  is_claim: false,
  events: [],
  balances: [],
  pool_worth: NO_WORTH,
  moves: row.buckets.map((bucket, i) => ({
    bucket,
    peer: row.peers[i] ?? "",
    delta: BigInt(row.amounts[i] ?? "0"),
  })),
});

const shownOf = (row: PnlRow): TokenPnl | null => {
  const { realized_usd, unrealized_usd, total_usd, uncosted_value_usd, entry } = row;
  if (unrealized_usd === null || total_usd === null || entry.decimals === null) return null;
  const { costed, cost_usd } = entry.position;
  const units = Number(costed) / 10 ** entry.decimals;
  const avg_cost_usd = units === 0 ? null : cost_usd / units;
  return { realized_usd, unrealized_usd, total_usd, uncosted_value_usd, avg_cost_usd };
};

/** Transactions of each wallet, except those with too many. */
const byWallet = (rows: readonly TokenMovementRow[]): ReadonlyMap<Hex, readonly TokenMovementRow[]> => {
  const found = new Map<Hex, TokenMovementRow[]>();
  for (const row of rows) {
    const own = found.get(row.wallet);
    if (own === undefined) found.set(row.wallet, [row]);
    else own.push(row);
  }
  return new Map([...found].filter(([, own]) => own.length <= PNL_TRANSACTIONS_MAX));
};

/** Counterparties of these transactions. */
const dealtIn = (rows: readonly TokenMovementRow[]): WalletPeers => {
  const moved = rows.flatMap(({ peers, amounts }) =>
    peers.map((peer, i) => ({ peer, is_paid: amounts[i]?.startsWith("-") === true })),
  );
  const named = moved.filter(({ peer }) => peer !== "");
  return {
    all: new Set(named.map(({ peer }) => peer)),
    paid: new Set(named.filter(({ is_paid }) => is_paid).map(({ peer }) => peer)),
  };
};

/** Books of each wallet over the transactions in which the token moved, with the outcome of its held tokens. */
const readEntries = async (
  scope: SnapshotContext,
  { token, rows }: { readonly token: Hex; readonly rows: readonly TokenMovementRow[] },
  { quote }: Pick<PnlPrices, "quote">,
) => {
  const { block } = scope.snapshot;
  const buckets = new Set(rows.flatMap((row) => row.buckets));
  const [faces, shares, peers] = await Promise.all([
    metadataOf(scope, [...buckets]),
    readShares(scope, buckets),
    readPeers(scope, null, dealtIn(rows)),
  ]);
  const sources: PnlSources = {
    from: 0,
    decimals: (bucket) => metadataIn(faces, bucket).decimals,
    quote,
    peer: peers.kindOf,
    is_share: (bucket) => shares.has(bucket),
    is_debt: () => false,
    basis: "average",
  };
  const entries = [...byWallet(rows)].flatMap(([holder, own]) => {
    const book = computePnl(sources, {
      openings: [],
      transactions: own.map(transactionOf),
      closing: { time: block.time, balances: [] },
    });
    const entry = book.entries.get(token);
    return entry === undefined ? [] : [{ entry, held: { holder, token, amount: quantityOf(entry.position) } }];
  });
  const outcomes = await readOutcomesOf(
    scope,
    entries.map(({ held }) => held),
  );
  const judged = entries.map(({ entry, held }) => ({
    holder: held.holder,
    entry,
    outcome: outcomes.get(held) ?? null,
  }));
  return { judged, warnings: peers.warnings };
};

export interface TradersPnl {
  /** By wallet; absent when unknown or meaningless. */
  readonly pnl: ReadonlyMap<Hex, TokenPnl>;
  readonly warnings: readonly Warning[];
}

const NOT_KNOWN: TradersPnl = { pnl: new Map(), warnings: [] };

/** PnL of wallets in one token. The native coin '' is not supported. */
export const readTokenPnl = async (
  scope: SnapshotContext,
  token: Hex,
  identities: ReadonlyMap<Hex, HolderIdentity>,
): Promise<TradersPnl> => {
  const { facts, snapshot, chain } = scope;
  const wallets = [...identities].flatMap(([address, { type }]) => (TRADERS.has(type) ? [address] : [])).sort();
  // Holdings from before the index have no cost, so a gain would be wrong.
  if (wallets.length === 0 || token === "" || !snapshot.coverage.complete) return NOT_KNOWN;
  const rows = await facts.ask(snapshot, "pnl/token_moves", {
    wallets,
    token,
    wrapped: chain.network.wrapped_native ?? "",
    limit: PNL_TRANSACTIONS_MAX + 1,
  });
  const hours: PriceHours = new Map();
  requestHour(hours, token, snapshot.block.time);
  for (const { buckets, time } of rows) for (const bucket of buckets) requestHour(hours, bucket, time);
  const quotes = await readQuotes(scope, hours);
  const { judged, warnings } = await readEntries(scope, { token, rows }, quotes);
  const market = quotes.quote(token, snapshot.block.time);
  const pnl = new Map(
    judged.flatMap(({ holder, entry, outcome }) => {
      const shown = shownOf(judgedRowOf(entry, { market, outcome, last: null }));
      return shown === null ? [] : [[holder, shown] as const];
    }),
  );
  return { pnl, warnings };
};
