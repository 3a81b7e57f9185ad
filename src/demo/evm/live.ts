import { ETHER } from "./act.ts";
import { CHARACTERS } from "./characters.ts";
import { PRICES_PER_GAS } from "./placement.ts";
import { quantity, type Rpc } from "./rpc.ts";

const PRICE = quantity(PRICES_PER_GAS.demo);

/** From now on new blocks have the real time. `now` in unix seconds; must not be before the newest block. */
export const catchUp = async (rpc: Rpc, now: number): Promise<void> => {
  await rpc.call("evm_setTime", quantity(now));
};

export interface Heartbeat {
  readonly rpc: Rpc;
  readonly interval_ms: number;
  readonly signal: AbortSignal;
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
  });

/**
 * Keeps the chain alive: nina pays the exchange a thousandth of an ether every `interval_ms`, until `signal`. These
 * blocks are not part of the scenario: a rebuilt chain does not have them.
 */
export const heartbeat = async ({ rpc, interval_ms, signal }: Heartbeat): Promise<void> => {
  for (;;) {
    await pause(interval_ms, signal);
    if (signal.aborted) return;
    await rpc.call("eth_sendTransactionSync", {
      from: CHARACTERS.nina.address,
      to: CHARACTERS.exchange.address,
      value: quantity(ETHER / 1_000n),
      gas: quantity(21_000),
      maxFeePerGas: PRICE,
      maxPriorityFeePerGas: PRICE,
    });
  }
};
