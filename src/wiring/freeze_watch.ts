import type { Chain } from "../chains/chain.ts";
import { faultyViews } from "../domain/address/freezes/freezes.ts";
import { forEachPresent } from "../lib/each_present.ts";
import { AssayError } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import { pause } from "../lib/pause.ts";
import type { Facts } from "../store/facts.ts";

/** Contracts are upgraded without notice. */
const AGAIN_MS = 3_600_000;
/** Pause until the index has data to test with. */
const SOON_MS = 10_000;

interface FreezeWatchOptions {
  readonly facts: Facts;
  readonly chains: readonly Chain[];
  readonly log: Log;
  readonly stop: AbortSignal;
}

/** Tests the issuers' views of one network once and logs the disabled ones. Returns false while the index is empty. */
export const testFreezeViews = async (
  { facts, log, stop }: Omit<FreezeWatchOptions, "chains">,
  chain: Chain,
): Promise<boolean> => {
  const network = chain.network.id;
  try {
    const own = facts.withSignal(stop);
    const snapshot = await own.snapshot(network, null);
    for (const { coin, reason } of await faultyViews({ facts: own, chain, snapshot, signal: stop })) {
      log.warn(
        { network, coin: coin.symbol, contract: chain.formatAddress(coin.address), reason },
        "freeze check disabled",
      );
    }
    return true;
  } catch (error) {
    if (stop.aborted) return false;
    if (!(error instanceof AssayError) || error.code !== "COVERAGE_INCOMPLETE") {
      log.warn({ network, err: error }, "freeze views could not be tested");
    }
    return false;
  }
};

/**
 * Tests every network's views from the start on and again each hour, until `stop`. Calls do not wait for it: each runs
 * the test itself.
 */
export const watchFreezeViews = ({ chains, facts, log, stop }: FreezeWatchOptions): Promise<void> =>
  forEachPresent(
    chains,
    async (chain, own_stop) => {
      while (!own_stop.aborted) {
        const is_tested = await testFreezeViews({ facts, log, stop: own_stop }, chain);
        await pause(is_tested ? AGAIN_MS : SOON_MS, own_stop);
      }
    },
    { stop },
  );
