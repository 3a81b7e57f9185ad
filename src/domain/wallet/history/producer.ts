/** Earnings of a wallet from producing blocks. */
import { NanoSum } from "../../../lib/nano_usd.ts";
import { IS_FEE, IS_REWARD } from "../../address/movements/movements.ts";
import type { ValuedHistory } from "./history.ts";
import { isPriced } from "./movement_values.ts";

/** Fees and tips that a wallet collected. */
export interface CollectedFees {
  readonly count: number;
  /** Null when some were collected and none has a price. */
  readonly usd: number | null;
}

/** Other senders' fees that a block producer collected in the window. */
export const collectedOf = ({ movements, values, first, end }: ValuedHistory): CollectedFees => {
  const nano = new NanoSum();
  let [count, priced] = [0, 0];
  for (let row = first; row < end; row += 1) {
    if (IS_FEE[movements.kind[row] ?? 0] === 0 || movements.direction[row] !== 1) continue;
    count += 1;
    if (!isPriced(values, row)) continue;
    priced += 1;
    nano.add(values.nano_usd[row] ?? 0);
  }
  return { count, usd: count > 0 && priced === 0 ? null : nano.usd };
};

/** Reports whether fees, tips or coins issued by a block came in. */
export const isProducer = ({ movements: { kind, direction }, first, end }: ValuedHistory): boolean => {
  for (let row = first; row < end; row += 1)
    if (direction[row] === 1 && (IS_FEE[kind[row] ?? 0] === 1 || IS_REWARD[kind[row] ?? 0] === 1)) return true;
  return false;
};
