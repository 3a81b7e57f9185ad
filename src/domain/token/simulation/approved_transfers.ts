import { INTERFACES } from "../../../knowledge/names.gen.ts";
import { concatHex, type Hex } from "../../../lib/bytes.ts";
import { integerAt, selectorOf, wordOf } from "../../abi.ts";
import { drawnAddress } from "./drawn.ts";
import { paceOf, type SimulationState } from "./market.ts";

/**
 * Payments of holders to a pool as a router makes them: the holder approves, the router takes. Tokens that call the receiver
 * of a transfer (ERC-223, ERC-777) reject a plain transfer to a pool, and are sold all the same.
 */

export interface PoolPayment {
  readonly token: Hex;
  readonly from: Hex;
  readonly pool: Hex;
  /** Base units. */
  readonly amount: bigint;
}

const GAS = 1_500_000;
/** Payments of one simulated block. */
const BLOCK_PAYMENTS = 10;

/** Whether each payment arrives; null when the node cannot simulate transactions. */
export const simulatePayments = async (
  ground: Pick<SimulationState, "chain" | "block" | "signal">,
  payments: readonly PoolPayment[],
): Promise<readonly boolean[] | null> => {
  const { chain, block, signal } = ground;
  if (!chain.can.simulations) return null;
  const router = drawnAddress(ground, "router of holders");
  const callsOf = ({ token, from, pool, amount }: PoolPayment) => [
    {
      ...{ from, to: token, gas: GAS },
      data: concatHex(selectorOf(INTERFACES.erc20.approve), wordOf(router), wordOf(amount)),
    },
    {
      ...{ from: router, to: token, gas: GAS },
      data: concatHex(selectorOf(INTERFACES.erc20.transferFrom), wordOf(from), wordOf(pool), wordOf(amount)),
    },
  ];
  const blocks = Array.from({ length: Math.ceil(payments.length / BLOCK_PAYMENTS) }, (_, i) => ({
    number: block.number + 1 + i,
    time: block.time + (1 + i) * paceOf(ground),
    calls: payments.slice(i * BLOCK_PAYMENTS, (i + 1) * BLOCK_PAYMENTS).flatMap(callsOf),
  }));
  const played = (await chain.simulate(blocks, signal, block.number)).flat();
  return payments.map((_, i) => {
    const taken = played[2 * i + 1];
    return taken?.ok === true && (taken.data.length < 32 || integerAt(taken.data, 0) !== 0n);
  });
};
