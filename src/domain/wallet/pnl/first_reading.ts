/** The first reads of a wallet's books, which determine all further ones. */
import type { SnapshotContext } from "../../context.ts";
import { type PriceVersion, readPriceVersion } from "../../valuation/prices/price_now.ts";
import type { PnlSources } from "./ledger.ts";
import type { CachedLedger, LedgerCache, LedgerKey } from "./ledger_cache.ts";
import type { OpeningBalance } from "./pnl.ts";
import { readEarlierBalances } from "./read_earlier_balances.ts";
import { openedBy, type PnlHistory, readHistory, type TouchedBuckets } from "./read_history.ts";
import { nftGifts, type PositionRows, readPositionRows } from "./read_position_events.ts";

export interface PnlCall {
  readonly scope: SnapshotContext;
  readonly key: LedgerKey;
  readonly end: number;
  readonly books: LedgerCache;
  readonly rows_max: number | undefined;
  readonly onDisposal?: PnlSources["onDisposal"];
}

/** The first reads, which determine all further ones. */
export interface PnlReading {
  readonly from_block: number;
  /** From the first block with all movements when the wallet has too many. */
  readonly history: PnlHistory;
  readonly told: PositionRows;
  readonly mark: PriceVersion;
}

export const readFirst = async (
  { scope, key, end, rows_max }: PnlCall,
  base: CachedLedger | null,
): Promise<PnlReading> => {
  const wanted_from = base === null ? scope.snapshot.from_block : base.block + 1;
  const { wallet } = key;
  const context = { facts: scope.facts, network: scope.chain.network, snapshot: scope.snapshot };
  const [mark, history] = await Promise.all([
    readPriceVersion(context, base?.price_hour ?? 0),
    readHistory(scope, { wallet, until: end + 1, from_block: wanted_from, before: base?.touched ?? null, rows_max }),
  ]);
  const { read } = history;
  const events = await readPositionRows(scope, { wallet, read, until: end + 1 });
  const from_block = read.whole_from_block ?? wanted_from;
  return { from_block, history, told: { events, given: nftGifts(read) }, mark };
};

/** Adds the holdings from before the history to it. */
export const openedRead = async (
  { scope, key, end }: PnlCall,
  first: PnlReading,
  { opened, before }: { readonly opened: readonly OpeningBalance[]; readonly before: TouchedBuckets | null },
): Promise<PnlReading> => {
  const { read } = first.history;
  if (read.whole_from_block === null) return { ...first, history: openedBy(first.history, before, opened) };
  const held = await readEarlierBalances(scope, { wallet: key.wallet, read, end });
  return { ...first, history: openedBy({ ...first.history, openings: [] }, null, [...held, ...opened]) };
};
