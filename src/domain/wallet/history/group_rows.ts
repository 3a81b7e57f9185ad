import { NanoSum } from "../../../lib/nano_usd.ts";
import { PIECE_ROWS, type Pieces } from "../../../lib/turns.ts";
import { IS_COST } from "../../address/movements/movements.ts";
import type { ValuedHistory } from "./history.ts";
import { isPriced } from "./movement_values.ts";
import type { MovementParties } from "./parties.ts";

/** Keys of the groups and filters of the movements. Codes as in the movements. */
export interface MovementGrouping {
  readonly by_peer: boolean;
  readonly by_token: boolean;
  readonly by_direction: boolean;
  /** 1, -1, 0 for both. */
  readonly direction: number;
  /** Null: every token. */
  readonly token: number | null;
  readonly include_spam: boolean;
  readonly with_void: boolean;
}

/** Sums of one group. */
export interface MovementGroup {
  readonly peer: number;
  readonly token: number;
  readonly direction: number;
  readonly nano_in: NanoSum;
  readonly nano_out: NanoSum;
  /** Nanodollars of it that the pools did not take at the price. */
  limited_in: number;
  limited_out: number;
  /** Nanodollars of both directions, set when groups are ranked by volume. */
  volume: number | bigint;
  /**
   * Pools behind the peer. Null without any: most groups have none, and a large wallet has as many groups as
   * counterparties.
   */
  behind: Set<number> | null;
  interactions: number;
  transactions: number;
  transfers_in: number;
  raw_in: bigint;
  raw_out: bigint;
  unpriced: number;
  unpriced_in: number;
  first_time: number;
  last_time: number;
  spam: number;
  spam_reasons: number;
  spam_row: number;
  largest_row: number;
  hidden: number;
  /** The last counted row. */
  last_row: number;
}

const NOBODY = -1;

const newGroup = (peer: number, token: number, direction: number): MovementGroup => ({
  peer,
  token,
  direction,
  nano_in: new NanoSum(),
  nano_out: new NanoSum(),
  limited_in: 0,
  limited_out: 0,
  volume: 0,
  behind: null,
  interactions: 0,
  transactions: 0,
  transfers_in: 0,
  raw_in: 0n,
  raw_out: 0n,
  unpriced: 0,
  unpriced_in: 0,
  first_time: 0,
  last_time: 0,
  spam: 0,
  spam_reasons: 0,
  spam_row: NOBODY,
  largest_row: NOBODY,
  hidden: 0,
  last_row: NOBODY,
});

/** Counts a row. Rows arrive in their order. */
const count = ({ movements, values }: ValuedHistory, group: MovementGroup, row: number): void => {
  const { block_number, tx_index, time, direction } = movements;
  const is_in = direction[row] === 1;
  const before = group.last_row;
  if (before < 0) group.first_time = time[row] ?? 0;
  if (before < 0 || block_number[before] !== block_number[row] || tx_index[before] !== tx_index[row]) {
    group.transactions += 1;
  }
  group.last_row = row;
  group.last_time = time[row] ?? 0;
  group.interactions += 1;
  group.transfers_in += Number(is_in);
  if (!isPriced(values, row)) {
    group.unpriced += 1;
    group.unpriced_in += Number(is_in);
    return;
  }
  const nano = values.nano_usd[row] ?? 0;
  (is_in ? group.nano_in : group.nano_out).add(nano);
  if (values.is_limited[row] === 1) {
    if (is_in) group.limited_in += nano;
    else group.limited_out += nano;
  }
  if (group.largest_row < 0 || nano >= (values.nano_usd[group.largest_row] ?? 0)) group.largest_row = row;
};

const addAmount = ({ movements }: ValuedHistory, group: MovementGroup, row: number): void => {
  if (movements.direction[row] === 1) group.raw_in += movements.amountAt(row);
  else group.raw_out += movements.amountAt(row);
};

/** Groups by number: with as many groups as peers and tokens, text keys would be too expensive. */
const grouper = ({ by_peer, by_token, by_direction }: MovementGrouping, tokens: number) => {
  const groups = new Map<number, MovementGroup>();
  const of = (peer: number, token: number, direction: number): MovementGroup => {
    const [p, t, d] = [by_peer ? peer : NOBODY, by_token ? token : NOBODY, by_direction ? direction : 0];
    const key = ((p + 1) * (tokens + 1) + t + 1) * 3 + d + 1;
    const known = groups.get(key);
    if (known !== undefined) return known;
    const made = newGroup(p, t, d);
    groups.set(key, made);
    return made;
  };
  return { groups, of };
};

/**
 * Yields the movements of a history by counterparty, token or direction, without fees, tips, rent and transfers of the
 * wallet to itself. `wanted`: counterparties that count; null for all. Hidden spam is counted in its group.
 */
export function* groupRows(
  history: ValuedHistory,
  { party, peer, wanted }: Pick<MovementParties, "party" | "peer"> & { readonly wanted: ReadonlySet<number> | null },
  grouping: MovementGrouping,
): Pieces<readonly MovementGroup[]> {
  const { movements, spam, first, end } = history;
  const [self, nobody] = [movements.peers.find(history.wallet), movements.peers.find("")];
  const { groups, of } = grouper(grouping, movements.tokens.texts.length);
  for (let row = first; row < end; row += 1) {
    if (row % PIECE_ROWS === 0) yield;
    if (IS_COST[movements.kind[row] ?? 0] === 1 || movements.peer[row] === self) continue;
    const direction = movements.direction[row] ?? 0;
    if (grouping.direction !== 0 && direction !== grouping.direction) continue;
    const token = movements.token[row] ?? 0;
    if (grouping.token !== null && token !== grouping.token) continue;
    const [met, other] = [party[row] ?? 0, peer[row] ?? 0];
    if (other === nobody && !grouping.with_void) continue;
    if (wanted !== null && !wanted.has(met)) continue;
    const group = of(met, token, direction);
    const reasons = spam[row] ?? 0;
    if (reasons !== 0) {
      group.spam += 1;
      group.spam_reasons |= reasons;
      group.spam_row = row;
    }
    if (reasons !== 0 && !grouping.include_spam) {
      group.hidden += 1;
      continue;
    }
    count(history, group, row);
    if (grouping.by_token) addAmount(history, group, row);
    if (grouping.by_peer && other !== met) group.behind = (group.behind ?? new Set()).add(other);
  }
  return [...groups.values()];
}
