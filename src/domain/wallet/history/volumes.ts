import type { Hex } from "../../../lib/bytes.ts";
import { NanoSum } from "../../../lib/nano_usd.ts";
import { IS_COST, IS_REWARD } from "../../address/movements/movements.ts";
import type { ValuedHistory } from "./history.ts";
import { isPriced } from "./movement_values.ts";
import { wrapRows } from "./wraps.ts";

/** Inflow or outflow in USD, as far as it had a price. */
export interface FlowVolume {
  readonly usd: number;
  readonly transfers: number;
  readonly unpriced: number;
  /** Part of `usd`: minted for the wallet (in) or burned (out). */
  readonly voided_usd: number;
  /** Part of `usd`: the native coin changed into its wrapped form or back. */
  readonly wraps_usd: number;
  /** Part of `usd`: issued by a block. */
  readonly rewards_usd: number;
}

/** Null when something moved and none of it had a price. */
export const knownUsd = ({
  usd,
  transfers,
  unpriced,
}: Pick<FlowVolume, "usd" | "transfers" | "unpriced">): number | null =>
  transfers > 0 && transfers === unpriced ? null : usd;

/** Filter of the summed movements. An omitted field does not filter. */
export interface VolumeFilter {
  readonly direction?: "in" | "out" | null;
  /** Null: every token. */
  readonly token?: Hex | null;
  readonly include_spam?: boolean;
  /** Only movements without another side. */
  readonly is_void?: boolean;
}

class VolumeSums {
  readonly all = new NanoSum();
  readonly voided = new NanoSum();
  readonly wraps = new NanoSum();
  readonly rewards = new NanoSum();
  transfers = 0;
  unpriced = 0;

  get volume(): FlowVolume {
    return {
      usd: this.all.usd,
      transfers: this.transfers,
      unpriced: this.unpriced,
      voided_usd: this.voided.usd,
      wraps_usd: this.wraps.usd,
      rewards_usd: this.rewards.usd,
    };
  }
}

/**
 * Receipts and payments of a wallet in a window: every priced movement except fees, tips, rent, transfers to itself and
 * flagged spam.
 */
export const volumesOf = (
  history: ValuedHistory,
  filter: VolumeFilter = {},
): { readonly in: FlowVolume; readonly out: FlowVolume } => {
  const { movements, values, spam, first, end } = history;
  const { direction, kind, token, peer } = movements;
  const [self, nobody] = ([history.wallet, ""] as const).map((text) => movements.peers.find(text));
  const is_wrap = wrapRows(history);
  const wanted = filter.token == null ? null : movements.tokens.find(filter.token);
  const sides = { in: new VolumeSums(), out: new VolumeSums() };
  for (let row = first; row < end; row += 1) {
    const of = kind[row] ?? 0;
    if (IS_COST[of] === 1 || peer[row] === self) continue;
    if ((spam[row] ?? 0) !== 0 && filter.include_spam !== true) continue;
    if (wanted !== null && token[row] !== wanted) continue;
    const side = direction[row] === 1 ? "in" : "out";
    if (filter.direction != null && filter.direction !== side) continue;
    const is_void = peer[row] === nobody;
    // The other side of a wrap is the coin's contract.
    if (filter.is_void === true && (!is_void || is_wrap[row] === 1)) continue;
    const sums = sides[side];
    sums.transfers += 1;
    if (!isPriced(values, row)) {
      sums.unpriced += 1;
      continue;
    }
    const nano = values.nano_usd[row] ?? 0;
    sums.all.add(nano);
    if (is_wrap[row] === 1) sums.wraps.add(nano);
    else if (IS_REWARD[of] === 1) sums.rewards.add(nano);
    else if (is_void) sums.voided.add(nano);
  }
  return { in: sides.in.volume, out: sides.out.volume };
};

/** Volumes without another side, and so without a counterparty. Names as in `of_which` of the whole. */
export interface UnpairedVolume {
  mints_usd: number;
  rewards_usd: number;
  burns_usd: number;
}

/** Volumes that the totals of counterparties leave out, over several histories. */
export const unpairedVolumeOf = (
  parts: readonly { readonly history: ValuedHistory; readonly filter?: VolumeFilter }[],
): UnpairedVolume => {
  const found = parts.map(({ history, filter = {} }) => volumesOf(history, { ...filter, is_void: true }));
  const sum = (of: (one: (typeof found)[number]) => number) => found.reduce((total, one) => total + of(one), 0);
  return {
    mints_usd: sum((one) => one.in.voided_usd),
    rewards_usd: sum((one) => one.in.rewards_usd),
    burns_usd: sum((one) => one.out.voided_usd),
  };
};
