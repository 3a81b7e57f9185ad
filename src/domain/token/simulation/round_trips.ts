import type { Override } from "../../../chains/chain.ts";
import { type Hex, keccak256, toHex } from "../../../lib/bytes.ts";
import type { CoinFunding } from "./funding.ts";
import { type SimulationMarket, type SimulationState, sizesOf } from "./market.ts";
import { NO_ADDRESS } from "./pool_key.ts";
import { SIMULATOR_CODE } from "./simulator.gen.ts";
import { purchasesCall, type RoundTrip, readBuys, readRoundTrip, roundTripCall } from "./simulator_calls.ts";

/** The first path: a contract buys, transfers a part and sells, in one read-only call. */

const addressFrom = (text: string): Hex => toHex(keccak256(new TextEncoder().encode(text)).subarray(12));

/** Addresses without keys and without any use. */
export const SIMULATOR = addressFrom("where the simulator stands for the time of a call");
export const BUYER = addressFrom("a plain account that buys");
export const RECIPIENT = addressFrom("a fresh address that a part of the purchase is sent to");

/** Coins of the network that a buyer has: far more than any purchase, far less than overflows. */
export const RICH = 2n ** 100n;

const wrappedOf = ({ chain }: SimulationState): Hex => chain.network.wrapped_native ?? NO_ADDRESS;

/** One simulation at one size; `rehearsal` null when the purchase could not even be tried. */
export interface SizedRoundTrip {
  readonly market: SimulationMarket;
  readonly amount: bigint;
  readonly rehearsal: RoundTrip | null;
}

/** The simulator with all the coins that it may need, as overrides. */
const simulatorOverrides = (purse: CoinFunding, amount: bigint): readonly Override[] => {
  const coins = purse(SIMULATOR, amount);
  const simulator = { address: SIMULATOR, code: SIMULATOR_CODE, balance: RICH };
  return coins === null ? [simulator] : [simulator, coins];
};

/** Several sizes in one pool, each on the unchanged state. */
export const simulateSizes = async (
  ground: SimulationState,
  { market, purse }: { readonly market: SimulationMarket; readonly purse: CoinFunding },
  amounts: readonly bigint[],
): Promise<readonly SizedRoundTrip[]> => {
  const { chain, block, signal } = ground;
  const total = amounts.reduce((sum, amount) => sum + amount, 0n);
  const calls = amounts.map((amount) => ({
    to: SIMULATOR,
    data: roundTripCall({ market, amount, wrapped: wrappedOf(ground), recipient: RECIPIENT }),
  }));
  const asked = { calls, overrides: simulatorOverrides(purse, total) };
  const answers = await chain.callOverridden(asked, signal, block.number);
  return amounts.map((amount, i) => {
    const answer = answers[i];
    return { market, amount, rehearsal: answer?.ok === true ? readRoundTrip(answer.data) : null };
  });
};

/** Both sizes in one pool. */
export const simulateRoundTrips = (
  ground: SimulationState,
  market: SimulationMarket,
  purse: CoinFunding,
): Promise<readonly SizedRoundTrip[]> => simulateSizes(ground, { market, purse }, sizesOf(market));

/** Consecutive purchases; null when they could not be tried. */
export const simulatePurchases = async (
  ground: SimulationState,
  { market, purse }: { readonly market: SimulationMarket; readonly purse: CoinFunding },
  amounts: readonly bigint[],
): Promise<readonly boolean[] | null> => {
  const total = amounts.reduce((sum, amount) => sum + amount, 0n);
  const call = { to: SIMULATOR, data: purchasesCall(market, amounts, wrappedOf(ground)) };
  const asked = { calls: [call], overrides: simulatorOverrides(purse, total) };
  const [answer] = await ground.chain.callOverridden(asked, ground.signal, ground.block.number);
  return answer?.ok === true ? readBuys(answer.data, amounts.length) : null;
};
