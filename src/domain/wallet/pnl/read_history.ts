import type { Hex } from "../../../lib/bytes.ts";
import { firstAtLeast } from "../../address/movements/movements.ts";
import { type ReadMovements, readMovements } from "../../address/movements/read_movements.ts";
import type { SnapshotContext } from "../../context.ts";
import { anchorsOf } from "../../valuation/prices/pools.ts";
import type { ContractBalance, OpeningBalance, WalletTransaction } from "./pnl.ts";
import type { PositionEvent } from "./position_events.ts";
import { readClaims } from "./read_claims.ts";
import type { PoolTrades } from "./read_pool_trades.ts";
import type { PositionFacts, TransactionEvents } from "./read_position_events.ts";
import type { Rebases } from "./read_rebases.ts";
import { TransactionMovements } from "./transaction_movements.ts";

/** Buckets that a wallet ever held or moved. */
export interface TouchedBuckets {
  readonly buckets: ReadonlySet<Hex>;
  /** Buckets that the wallet moved in a transaction of its own. */
  readonly initiated: ReadonlySet<Hex>;
  /** Buckets that moved; the others were held before the first block. */
  readonly moved: ReadonlySet<Hex>;
}

export interface PnlHistory {
  /** Movements of the window and before it. */
  readonly read: ReadMovements;
  /** From the first requested block. */
  readonly moves: TransactionMovements;
  /** Transactions (`block:index`) in which the wallet called a claim function. */
  readonly claims: ReadonlySet<string>;
  readonly openings: readonly OpeningBalance[];
  /** Over the whole history. */
  readonly touched: TouchedBuckets;
}

const bucketOf = ({ chain }: SnapshotContext, token: Hex): Hex => (token === chain.network.wrapped_native ? "" : token);

/**
 * A cost may depend on any movement of the past. Above this limit only the newest movements are read, and earlier
 * holdings open the books (`readEarlierBalances`): this many take some 6 s of processor time and 800 MB.
 */
export const ROWS_MAX = 500_000;

interface PnlHistoryQuery {
  readonly wallet: Hex;
  /** Unix seconds, exclusive. */
  readonly until: number;
  /** Earlier blocks are already known. */
  readonly from_block: number;
  /** Buckets of those blocks; null when no block is known. */
  readonly before: TouchedBuckets | null;
  /** `ROWS_MAX` by default. */
  readonly rows_max?: number | undefined;
}

/** Holdings of the wallet before the first indexed block, as far as they were read. */
const readStored = async (scope: SnapshotContext, wallet: Hex): Promise<readonly OpeningBalance[]> => {
  const { facts, snapshot } = scope;
  const rows = await facts.ask(snapshot, "wallet_openings", { wallet });
  const openings = rows.filter(({ amount }) => amount > 0n);
  if (openings.length === 0) return [];
  const [first] = await facts.ask(snapshot, "block_times", { blocks: [snapshot.from_block] });
  const time = first?.time ?? snapshot.block.time;
  return openings.map(({ token, amount }) => ({ bucket: bucketOf(scope, token), amount, time }));
};

/** Reads all movements of the wallet's balances. */
export const readHistory = async (
  scope: SnapshotContext,
  { wallet, until, from_block, before, rows_max = ROWS_MAX }: PnlHistoryQuery,
): Promise<PnlHistory> => {
  const { chain } = scope;
  const [read, openings] = await Promise.all([
    readMovements(scope, wallet, { since: 0, until, rows_max }),
    readStored(scope, wallet),
  ]);
  const { network } = chain;
  const { movements, end } = read;
  const first = Math.min(end, firstAtLeast(movements.block_number, from_block));
  const moves = new TransactionMovements(
    movements,
    { first, end },
    { wrapped: network.wrapped_native, anchors: anchorsOf(network) },
  );
  const claims = await readClaims(scope, { wallet, movements, from_block });
  const history = { read, moves, claims, openings };
  return { ...history, touched: touchedUntil(history, before, moves.length) };
};

/** Buckets touched before, and in the first `transactions` transactions of a history. */
export const touchedUntil = (
  { openings, moves }: Pick<PnlHistory, "openings" | "moves">,
  before: TouchedBuckets | null,
  transactions: number,
): TouchedBuckets => {
  const found = moves.touched(transactions);
  const moved = new Set([...(before?.moved ?? []), ...found.moved]);
  return {
    buckets: new Set([...openings.map(({ bucket }) => bucket), ...(before?.buckets ?? []), ...moved]),
    initiated: new Set([...(before?.initiated ?? []), ...found.initiated]),
    moved,
  };
};

/** Adds opening holdings that the index has not stored. */
export const openedBy = (
  history: PnlHistory,
  before: TouchedBuckets | null,
  more: readonly OpeningBalance[],
): PnlHistory => {
  if (more.length === 0) return history;
  const { moves } = history;
  const openings = [...history.openings, ...more];
  return { ...history, openings, touched: touchedUntil({ openings, moves }, before, moves.length) };
};

/** Facts beyond the movements. */
interface PositionContext {
  readonly positions: PositionFacts;
  readonly rebases: Rebases;
  readonly pool_trades: Pick<PoolTrades, "worth">;
}

/** A range of blocks, inclusive. */
export interface HistoryBlocks {
  readonly from: number;
  readonly to: number;
}

const isWithin = (block: number, { from, to }: HistoryBlocks): boolean => block >= from && block <= to;

/** Transactions with protocol events about the wallet but without its movements. */
const unmoved = ({ told }: PositionFacts, moves: TransactionMovements, range: HistoryBlocks): TransactionEvents[] => {
  const spoken = [...told].filter(([, { block_number }]) => isWithin(block_number, range));
  if (spoken.length === 0) return [];
  const moved = new Set(Array.from({ length: moves.length }, (_, i) => moves.keyOf(i)));
  return spoken
    .filter(([key]) => !moved.has(key))
    .map(([, one]) => one)
    .sort((a, b) => a.block_number - b.block_number || a.tx_index - b.tx_index);
};

const NO_EVENTS: readonly PositionEvent[] = [];
const NO_BALANCES: readonly ContractBalance[] = [];

const NO_WORTH: ReadonlyMap<Hex, number> = new Map();

const unmovedTransaction = ({ block_number, tx_index, time, events }: TransactionEvents): WalletTransaction => ({
  place: { block_number, tx_index },
  time,
  events,
  fee: 0n,
  rent: 0n,
  is_claim: false,
  balances: NO_BALANCES,
  moves: [],
  valued_by: null,
  pool_worth: NO_WORTH,
});

/** Yields the transactions of these blocks one at a time, so that 100,000 of them are never in memory together. */
export function* transactionsOf(
  { moves, claims }: PnlHistory,
  { positions, rebases, pool_trades: { worth } }: PositionContext,
  range: HistoryBlocks,
): Generator<WalletTransaction> {
  const silent = unmoved(positions, moves, range);
  const is_plain = positions.told.size + rebases.before.size + claims.size + worth.size === 0;
  let next = 0;
  for (let i = 0; i < moves.length; i += 1) {
    const block = moves.blockOf(i);
    if (!isWithin(block, range)) continue;
    const index = moves.indexOf(i);
    for (let told = silent[next]; told !== undefined; told = silent[next]) {
      if (told.block_number > block || (told.block_number === block && told.tx_index >= index)) break;
      next += 1;
      yield unmovedTransaction(told);
    }
    const key = is_plain ? "" : moves.keyOf(i);
    yield {
      place: { block_number: block, tx_index: index },
      time: moves.timeOf(i),
      fee: moves.feeOf(i),
      rent: moves.rentOf(i),
      is_claim: claims.has(key),
      events: positions.told.get(key)?.events ?? NO_EVENTS,
      balances: rebases.before.get(key) ?? NO_BALANCES,
      moves: moves.movesOf(i),
      valued_by: moves.valuedBy(i),
      pool_worth: worth.get(key) ?? NO_WORTH,
    };
  }
  for (const told of silent.slice(next)) yield unmovedTransaction(told);
}
