import type { Hex } from "../../../lib/bytes.ts";
import { IS_FEE, isNewTransaction, KINDS, type Movements } from "../../address/movements/movements.ts";
import { rowUsd, type ValuedHistory } from "./history.ts";

/** Filter of the listed rows. */
export interface ListFilter {
  readonly direction: "all" | "in" | "out";
  /** Null: every token. */
  readonly token: Hex | null;
  /** Only transfers with these; null: with every address, and calls that moved nothing. */
  readonly peers: readonly Hex[] | null;
  readonly min_usd: number;
  readonly include_spam: boolean;
}

/** Offset and limit of a page. */
export interface ListRange {
  readonly offset: number;
  readonly limit: number;
}

export interface ListPage {
  /** Rows of the history, newest first. */
  readonly rows: readonly number[];
  /** The row before the page; -1 on the first page. */
  readonly row_before: number;
  readonly has_more_data: boolean;
  /**
   * Spam hidden between the row before the page and its last row; and after the last row of the window, on the page
   * that reaches it.
   */
  readonly hidden_spam: number;
  readonly hidden_behind: number;
  /** The window contains no row, not even a hidden one. */
  readonly is_empty: boolean;
}

const DIRECTIONS = { all: 0, in: 1, out: -1 } as const;

const compare = <T extends number | bigint | string>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

const isSameSpot = ({ block_number, tx_index, position, direction }: Movements, a: number, b: number): boolean =>
  block_number[a] === block_number[b] &&
  tx_index[a] === tx_index[b] &&
  position[a] === position[b] &&
  direction[a] === direction[b];

/** Rows newest first, in a total order: the store does not order rows of one position (one log of several items). */
function* newestFirst({ movements, first, end }: ValuedHistory): Generator<number> {
  for (let to = end; to > first; ) {
    let from = to - 1;
    while (from > first && isSameSpot(movements, from - 1, to - 1)) from -= 1;
    if (from === to - 1) yield from;
    else {
      const spot = Array.from({ length: to - from }, (_, i) => from + i);
      yield* spot.sort(
        (a, b) =>
          compare(movements.tokenAt(b), movements.tokenAt(a)) ||
          compare(movements.tokenIdAt(b), movements.tokenIdAt(a)) ||
          compare(movements.peerAt(a), movements.peerAt(b)) ||
          compare(movements.amountAt(a), movements.amountAt(b)),
      );
    }
    to = from;
  }
}

const isKind = (movements: Movements, row: number, kind: (typeof KINDS)[number]): boolean =>
  KINDS[movements.kind[row] ?? 0] === kind;

/** Reports whether a fee is the only movement of the wallet in its transaction; it then represents the call. */
export const isBareCall = ({ movements, first, end }: ValuedHistory, fee: number): boolean => {
  if (!isKind(movements, fee, "fee")) return false;
  let row = fee;
  while (row > first && !isNewTransaction(movements, row)) row -= 1;
  for (; row < end && (row <= fee || !isNewTransaction(movements, row)); row += 1) {
    if (IS_FEE[movements.kind[row] ?? 0] === 0) return false;
    // A second fee row does not make a second call.
    if (row < fee && isKind(movements, row, "fee") && movements.direction[row] === -1) return false;
  }
  return true;
};

/** Rows that a list may show: one row of a transfer to the wallet itself, and only those fees that represent a call. */
const lister = (history: ValuedHistory, filter: ListFilter) => {
  const { movements, wallet } = history;
  const self = movements.peers.find(wallet);
  const wanted = DIRECTIONS[filter.direction];
  const token = filter.token === null ? null : movements.tokens.find(filter.token);
  const peers = filter.peers === null ? null : new Set(filter.peers.map((peer) => movements.peers.find(peer)));
  return (row: number): boolean => {
    const is_in = movements.direction[row] === 1;
    const is_self = movements.peer[row] === self;
    if (is_self && is_in) return false;
    // A deposit is neither income nor outflow, as in the sums.
    const is_neither = is_self || isKind(movements, row, "rent");
    if (wanted !== 0 && (is_neither || movements.direction[row] !== wanted)) return false;
    if (token !== null && movements.token[row] !== token) return false;
    const is_fee = IS_FEE[movements.kind[row] ?? 0] === 1;
    if (peers !== null && (is_fee || !peers.has(movements.peer[row] ?? 0))) return false;
    return !is_fee || (!is_in && isBareCall(history, row));
  };
};

/** USD of a listed row; 0 for a call, which moved nothing. Null without a price. */
export const listedUsd = (history: ValuedHistory, row: number): number | null => {
  const usd = rowUsd(history, row);
  return usd !== null && isKind(history.movements, row, "fee") ? 0 : usd;
};

/**
 * The rows of one page. It counts the shown rows from the top of the window, so that pages join without gap or overlap.
 */
export const pageOf = (history: ValuedHistory, filter: ListFilter, { offset, limit }: ListRange): ListPage => {
  const rows: number[] = [];
  const isListed = lister(history, filter);
  let [shown, hidden, pending, is_empty, row_before] = [0, 0, 0, true, -1];
  for (const row of newestFirst(history)) {
    if (!isListed(row)) continue;
    // A minimum value drops a row at the caller's request; spam only hides it.
    if (filter.min_usd > 0 && (listedUsd(history, row) ?? -1) < filter.min_usd) continue;
    is_empty = false;
    if (!filter.include_spam && (history.spam[row] ?? 0) !== 0) {
      if (shown >= offset) pending += 1;
      continue;
    }
    if (shown === offset + limit) {
      return { rows, row_before, has_more_data: true, hidden_spam: hidden, hidden_behind: 0, is_empty };
    }
    if (shown >= offset) {
      rows.push(row);
      hidden += pending;
      pending = 0;
    } else row_before = row;
    shown += 1;
  }
  return { rows, row_before, has_more_data: false, hidden_spam: hidden, hidden_behind: pending, is_empty };
};
