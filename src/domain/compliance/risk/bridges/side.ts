/** One side of a crossing, and how two sides fit. */
import type { Hex } from "../../../../lib/bytes.ts";
import type { SnapshotContext } from "../../../context.ts";

/** Seconds from a departure to its arrival at most. */
export const HOUR_S = 3_600;
/** A roll-up's own bridge pays a withdrawal after seven days of challenge, once its owner claims it. */
export const WITHDRAWAL_S = 14 * 86_400;
/** Movements of one address to read in the time of one crossing. */
export const MOVES_MAX = 1_000;

/** A bridge keeps at most this part of the amount. */
const FEE_MAX = 0.03;
/** Amounts are floating-point. */
const ROUNDING = 1e-9;

/** A movement between a holder and the other address of its transfer: a bridge, a relayer, or the void. */
export interface CrossedSide {
  readonly scope: SnapshotContext;
  readonly is_arrival: boolean;
  readonly holder: Hex;
  readonly bridge: Hex;
  /** As in a trace. */
  readonly bucket: string;
  readonly block_number: number;
  readonly tx_index: number;
  readonly time: number;
}

export interface MovedSide extends CrossedSide {
  readonly token: Hex;
  /** Base units. */
  readonly amount: number;
}

export interface MatchedSide {
  readonly side: CrossedSide;
  /** 0..1 */
  readonly confidence: number;
}

/** Whether two amounts in whole coins can be those of one crossing. */
export const isWithinFee = (left: number, came: number): boolean =>
  came <= left * (1 + ROUNDING) && came >= left * (1 - FEE_MAX - ROUNDING);

export const isSameAmount = (a: number, b: number): boolean => Math.abs(a - b) <= ROUNDING * Math.max(a, b);
