import type { ContractCall, Override } from "../../../chains/chain.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { drawnAddress } from "./drawn.ts";
import type { CoinFunding } from "./funding.ts";
import { type SimulationMarket, type SimulationState, sizesOf } from "./market.ts";
import { NO_ADDRESS } from "./pool_key.ts";
import { SIMULATOR_CODE } from "./simulator.gen.ts";
import { purchasesCall, type RoundTrip, readBuys, readRoundTrip, roundTripCall } from "./simulator_calls.ts";

/** The first path: a contract buys, transfers a part and sells, in one read-only call. */

/** Native coins of the simulator beside its purchase: as many as a person may have. */
const POCKET = 1_862_190_427_771_036_285n;
const CALL_GAS_MAX = 25_000_000n;

const simulatorOf = (ground: SimulationState): Hex => drawnAddress(ground, "contract buyer");
const callerOf = (ground: SimulationState): Hex => drawnAddress(ground, "caller of the contract buyer");

const wrappedOf = ({ chain }: SimulationState): Hex => chain.network.wrapped_native ?? NO_ADDRESS;

/** One simulation at one size; `rehearsal` null when the purchase could not even be tried. */
export interface SizedRoundTrip {
  readonly market: SimulationMarket;
  readonly amount: bigint;
  readonly rehearsal: RoundTrip | null;
}

/** The simulator with all the coins that it may need, as overrides. */
const simulatorOverrides = (ground: SimulationState, purse: CoinFunding, amount: bigint): readonly Override[] => {
  const address = simulatorOf(ground);
  const coins = purse(address, amount);
  const simulator = { address, code: SIMULATOR_CODE, balance: POCKET + amount };
  const fees = CALL_GAS_MAX * (ground.conditions?.gas_price ?? 0n);
  return [simulator, { address: callerOf(ground), balance: POCKET + fees }, ...(coins === null ? [] : [coins])];
};

/** A call of the simulator as an ordinary transaction would make it. */
const simulatorCall = (ground: SimulationState, data: Hex): ContractCall => ({
  ...{ from: callerOf(ground), to: simulatorOf(ground), data },
  ...(ground.conditions === undefined ? {} : { gas: Number(CALL_GAS_MAX), gas_price: ground.conditions.gas_price }),
});

/** Several sizes in one pool, each on the unchanged state. */
export const simulateSizes = async (
  ground: SimulationState,
  { market, purse }: { readonly market: SimulationMarket; readonly purse: CoinFunding },
  amounts: readonly bigint[],
): Promise<readonly SizedRoundTrip[]> => {
  const { chain, block, signal } = ground;
  const total = amounts.reduce((sum, amount) => sum + amount, 0n);
  const recipient = drawnAddress(ground, `friend of the contract buyer ${market.pool}`);
  const calls = amounts.map((amount) =>
    simulatorCall(ground, roundTripCall({ market, amount, wrapped: wrappedOf(ground), recipient })),
  );
  const asked = { calls, overrides: simulatorOverrides(ground, purse, total) };
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
  const call = simulatorCall(ground, purchasesCall(market, amounts, wrappedOf(ground)));
  const asked = { calls: [call], overrides: simulatorOverrides(ground, purse, total) };
  const [answer] = await ground.chain.callOverridden(asked, ground.signal, ground.block.number);
  return answer?.ok === true ? readBuys(answer.data, amounts.length) : null;
};
