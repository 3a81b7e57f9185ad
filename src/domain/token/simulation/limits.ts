import type { CoinFunding } from "./funding.ts";
import type { SimulationMarket, SimulationState } from "./market.ts";
import { simulatePurchases, simulateSizes } from "./round_trips.ts";

/** The largest purchase at once. Base units of the token. */
export interface BuyLimits {
  /** The largest output of an accepted purchase while larger ones were rejected; null when no limit was met. */
  readonly max_tx_raw: bigint | null;
  /** The same if a second purchase is rejected too: the wallet is full. */
  readonly max_wallet_raw: bigint | null;
  /** The output of the largest tried purchase. */
  readonly tried_raw: bigint | null;
}

const STEPS_MAX = 6;
/** The largest purchase to try: a tenth of the pool's depth. */
const LARGEST_PART = 10n;
/** Two of these make more than the whole. */
const [PART, OF] = [6n, 10n];

/** Searches for a limit between a purchase that works, `works`, and a tenth of the pool. */
export const findLimits = async (
  ground: SimulationState,
  at: { readonly market: SimulationMarket; readonly purse: CoinFunding },
  works: { readonly amount: bigint; readonly given: bigint },
): Promise<BuyLimits> => {
  const bought = async (amount: bigint): Promise<bigint | null> => {
    const [tried] = await simulateSizes(ground, at, [amount]);
    const purchase = tried?.rehearsal?.purchase;
    return purchase?.done === true ? purchase.given : null;
  };
  const largest = at.market.depth_raw / LARGEST_PART;
  const most = await bought(largest);
  if (most !== null) return { max_tx_raw: null, max_wallet_raw: null, tried_raw: most };
  let low = works;
  let high = largest;
  for (let step = 0; step < STEPS_MAX && high - low.amount > 1n; step += 1) {
    const middle = (low.amount + high) / 2n;
    const given = await bought(middle);
    if (given === null) high = middle;
    else low = { amount: middle, given };
  }
  const part = (low.amount * PART) / OF;
  const twice = await simulatePurchases(ground, at, [part, part]);
  const is_wallet = twice !== null && twice[0] === true && twice[1] === false;
  return {
    max_tx_raw: is_wallet ? null : low.given,
    max_wallet_raw: is_wallet ? low.given : null,
    tried_raw: low.given,
  };
};
