import type { Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import { hourOf } from "../../../lib/time.ts";
import { inTurns, type Pieces } from "../../../lib/turns.ts";
import type { SnapshotContext, Warning } from "../../context.ts";
import { metadataIn, metadataOf, type TokenMetadata } from "../../token/metadata/metadata.ts";
import type { DateWindow } from "../../window/dates.ts";
import { openedRead, type PnlCall, type PnlReading, readFirst } from "./first_reading.ts";
import { copyLedger, type PnlLedger, type PnlSources } from "./ledger.ts";
import {
  type CachedLedger,
  isStillValid,
  LedgerCache,
  type LedgerDependencies,
  type LedgerKey,
} from "./ledger_cache.ts";
import { ledgerWarnings } from "./ledger_warnings.ts";
import { beginLedger, closeLedger, continueLedger, hasRow, type WalletTransaction } from "./pnl.ts";
import type { CostBasis } from "./position.ts";
import { largeLedger } from "./read_earlier_balances.ts";
import { type HistoryBlocks, type PnlHistory, touchedUntil, transactionsOf } from "./read_history.ts";
import { openingWarnings, readOpenings } from "./read_openings.ts";
import { readOutcomes } from "./read_outcomes.ts";
import { readPeers, type WalletPeers } from "./read_peers.ts";
import { type PoolTrades, readPoolTrades } from "./read_pool_trades.ts";
import { eventsDigest, findLoanTokens, type PositionFacts, readPositions, readShares } from "./read_position_events.ts";
import { type PnlPrices, readPrices } from "./read_prices.ts";
import { type Rebases, readRebases } from "./read_rebases.ts";
import { readSpam } from "./read_spam.ts";
import { byTotal, judgedRowOf, type PnlRow } from "./rows.ts";
import type { TransactionMovements } from "./transaction_movements.ts";

/** Transactions that are booked in one piece. */
const SLICE = 200;

export interface PnlComputation {
  readonly book: PnlLedger;
  readonly rows: readonly PnlRow[];
  readonly prices: PnlPrices;
  /** Metadata of every token that the wallet ever touched. */
  readonly faces: ReadonlyMap<Hex, TokenMetadata>;
  /** Reads the spam reasons of tokens by bucket. It reads the whole history again: call it only when needed. */
  readonly readSpam: () => Promise<ReadonlyMap<Hex, readonly string[]>>;
  readonly warnings: readonly Warning[];
}

export interface PnlOptions {
  readonly window: Pick<DateWindow, "from" | "until">;
  readonly basis: CostBasis;
  /** Limit of movements in the books, the newest ones; by default that of one answer. */
  readonly rows_max?: number;
  /** Takes the sales inside the window one by one. The books are then computed from the start: cached ones have only sums. */
  readonly onDisposal?: PnlSources["onDisposal"];
}

/** The last counted second: the end of the last day, or the block's own time. */
export const endOf = (window: Pick<DateWindow, "until">, scope: SnapshotContext): number =>
  Math.min(window.until - 1, scope.snapshot.block.time);

/**
 * Computes the books and rows of a wallet in a window. Books of final blocks are cached between calls: a later call
 * reads only newer blocks, and computes from the start when an input of the cached book has changed.
 */
export const computeWallet = async (
  scope: SnapshotContext,
  wallet: Hex,
  { window, basis, rows_max, onDisposal }: PnlOptions,
): Promise<PnlComputation> => {
  const books = scope.facts.own(LedgerCache);
  const key: LedgerKey = { wallet, basis, from: window.from };
  const call: PnlCall = { scope, key, end: endOf(window, scope), books, rows_max, onDisposal };
  const base = onDisposal === undefined ? books.find(scope.snapshot, key, call.end) : null;
  const continued = base === null ? null : await computeFrom(call, base);
  if (continued !== null) return continued;
  if (base !== null) books.forget(scope.snapshot, key);
  const computed = await computeFrom(call, null);
  if (computed === null) throw new AssayError({ code: "BUG", message: "new books depend on a cached base" });
  return computed;
};

const union = <T>(a: ReadonlySet<T> | undefined, b: ReadonlySet<T>): ReadonlySet<T> =>
  a === undefined ? b : new Set([...a, ...b]);

const NO_BUCKETS: ReadonlySet<Hex> = new Set();

/** All inputs of the books. */
export interface LedgerInputs {
  readonly read: PnlReading;
  readonly base: CachedLedger | null;
  readonly positions: PositionFacts;
  readonly rebases: Rebases;
  readonly pool_trades: PoolTrades;
  readonly sources: PnlSources;
  readonly grounds: Omit<LedgerDependencies, "told" | "prices" | "pools">;
  readonly prices: PnlPrices;
  readonly faces: ReadonlyMap<Hex, TokenMetadata>;
  readonly warnings: readonly Warning[];
}

/** Null when `base` is outdated or does not match the history. */
export const readInputs = async (call: PnlCall, base: CachedLedger | null): Promise<LedgerInputs | null> => {
  const { scope, key, end } = call;
  const reading = readFirst(call, base);
  const [first, opened] = await Promise.all([reading, readOpenings(scope, { wallet: key.wallet, reading })]);
  const { whole_from_block } = first.history.read;
  if (base !== null && whole_from_block !== null) return null;
  const read = await openedRead(call, first, { opened: opened ?? [], before: base?.touched ?? null });
  const { history, from_block } = read;
  const { moves, touched } = history;
  const positions = await readPositions(scope, read.told, { moves, before: base?.learned ?? null });
  const [rebases, shares, prices, peers, faces] = await Promise.all([
    readRebases(scope, { wallet: key.wallet, read: history.read, moves, end, is_whole: base === null }),
    readShares(scope, touched.buckets),
    readPrices(scope, history, { end, positions, from_block }),
    readPeers(scope, key.wallet, dealtUntil(moves, base, moves.length)),
    metadataOf(scope, [...touched.buckets, ...positions.buckets]),
  ]);
  const before = base?.unpriced ?? NO_BUCKETS;
  const pool_trades = await readPoolTrades(scope, { moves, quote: prices.quote, before });
  const sources: PnlSources = {
    from: key.from,
    decimals: (bucket) => metadataIn(faces, bucket).decimals,
    quote: prices.quote,
    peer: peers.kindOf,
    is_share: (bucket) => shares.has(bucket),
    is_debt: (bucket) => positions.debts.has(bucket),
    basis: key.basis,
    onDisposal: call.onDisposal,
  };
  const openings = JSON.stringify(history.openings.map(({ amount, ...at }) => ({ ...at, amount: amount.toString() })));
  const { debts, lent } = positions;
  const grounds = { openings, shares, kindOf: peers.kindOf, decimalsOf: sources.decimals, debts, lent };
  if (rebases === null) return null;
  if (base !== null) {
    const told = eventsDigest(positions.told, base.block);
    const now = { ...grounds, told, prices: read.mark.known, pools: pool_trades.markOf(before, base.block) };
    if (!isStillValid(base, now)) return null;
  }
  const warnings = [
    ...(whole_from_block === null ? [] : [largeLedger(whole_from_block)]),
    ...openingWarnings(scope, opened, first.history.openings),
    ...peers.warnings,
    ...rebases.warnings,
  ];
  return { read, base, positions, rebases, pool_trades, sources, grounds, prices, faces, warnings };
};

const computeFrom = async (call: PnlCall, base: CachedLedger | null): Promise<PnlComputation | null> => {
  const made = await readInputs(call, base);
  if (made === null) return null;
  const { prices, faces, warnings, read } = made;
  const book = await writeLedger(call, made);
  closeLedger(book, made.sources, { time: call.end, balances: made.rebases.closing });
  return present(call, { book, prices, faces, history: read.history, warnings });
};

const dealtUntil = (moves: TransactionMovements, base: CachedLedger | null, length: number): WalletPeers => {
  const { all, paid } = moves.peers(length);
  return { all: union(base?.dealt.all, all), paid: union(base?.dealt.paid, paid) };
};

/** Number of transactions that are final and have stored prices: their bookings do not change. */
const countLasting = ({ scope: { snapshot } }: PnlCall, { history: { moves }, mark }: PnlReading): number => {
  const last_hour = Math.min(mark.last_hour ?? Number.NEGATIVE_INFINITY, hourOf(snapshot.block.time) - 1);
  const isLasting = (i: number): boolean =>
    moves.blockOf(i) <= snapshot.final_block && hourOf(moves.timeOf(i)) <= last_hour;
  let count = moves.length;
  while (count > 0 && !isLasting(count - 1)) count -= 1;
  return count;
};

/** Writes the books up to the snapshot's block, and caches them up to the last transaction that does not change. */
const writeLedger = async (call: PnlCall, made: LedgerInputs): Promise<PnlLedger> => {
  const { read, base, sources } = made;
  const book = base === null ? beginLedger(sources, read.history.openings) : copyLedger(base.book);
  function* written(range: HistoryBlocks): Pieces<void> {
    for (const slice of slicesOf(transactionsOf(read.history, made, range))) {
      continueLedger(book, sources, slice);
      yield;
    }
  }
  const write = (range: HistoryBlocks): Promise<void> => inTurns(written(range), call.scope.signal);
  const lasting = made.rebases.before.size === 0 ? countLasting(call, read) : 0;
  const block = lasting === 0 ? read.from_block - 1 : read.history.moves.blockOf(lasting - 1);
  await write({ from: read.from_block, to: block });
  if (lasting > 0 && read.history.read.whole_from_block === null) cacheLedger(call, made, { book, lasting, block });
  await write({ from: block + 1, to: call.scope.snapshot.block.number });
  return book;
};

interface FinalLedger {
  readonly book: PnlLedger;
  /** Number of the lasting transactions read in this call. */
  readonly lasting: number;
  /** The block of the last one. */
  readonly block: number;
}

const cacheLedger = (
  { books, scope, key }: PnlCall,
  made: LedgerInputs,
  { book, lasting, block }: FinalLedger,
): void => {
  const { read, base, positions, pool_trades, grounds } = made;
  const { unpriced } = pool_trades;
  const { moves } = read.history;
  const transactions = (base?.transactions ?? 0) + lasting;
  if (!books.wants(scope.snapshot, key, { block, transactions })) return;
  books.keep(scope.snapshot, key, {
    block,
    time: moves.timeOf(lasting - 1),
    transactions,
    book: copyLedger(book),
    touched: touchedUntil(read.history, base?.touched ?? null, lasting),
    dealt: dealtUntil(moves, base, lasting),
    learned: findLoanTokens(positions.told, { moves, before: base?.learned ?? null, length: lasting }),
    unpriced,
    grounds: {
      ...grounds,
      told: eventsDigest(positions.told, block),
      prices: read.mark.all,
      pools: pool_trades.markOf(unpriced, block),
    },
    price_hour: read.mark.last_hour ?? 0,
  });
};

function* slicesOf(transactions: Iterable<WalletTransaction>): Generator<readonly WalletTransaction[]> {
  let slice: WalletTransaction[] = [];
  for (const transaction of transactions) {
    slice.push(transaction);
    if (slice.length < SLICE) continue;
    yield slice;
    slice = [];
  }
  yield slice;
}

interface ActivityPnl extends Pick<PnlComputation, "book" | "prices" | "faces" | "warnings"> {
  readonly history: PnlHistory;
}

const present = async ({ scope, key, end }: PnlCall, found: ActivityPnl): Promise<PnlComputation> => {
  const { book, prices, faces } = found;
  const { touched, read } = found.history;
  const entries = [...book.entries.values()].filter(hasRow);
  const { outcomes, lastOf } = await readOutcomes(scope, { wallet: key.wallet, entries, end });
  const rows = entries
    .map((entry) => {
      const outcome = outcomes.get(entry.bucket) ?? null;
      return judgedRowOf(entry, { market: prices.quote(entry.bucket, end), outcome, last: lastOf(entry.bucket) });
    })
    .sort(byTotal);
  return {
    ...{ book, rows, prices, faces, warnings: [...found.warnings, ...ledgerWarnings(book)] },
    readSpam: () => readSpam({ scope, wallet: key.wallet, touched, faces, read, end }, rows),
  };
};
