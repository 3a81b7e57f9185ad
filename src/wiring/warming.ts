/**
 * The first calls of a process pay for what nobody has needed yet: code to be compiled, primary keys and marks to be read,
 * standing facts to be asked for. A process makes such calls itself, one after the other, behind its start
 * (docs/decisions/0099).
 */
import type { Chain } from "../chains/chain.ts";
import type { Hex } from "../lib/bytes.ts";
import { AssayError } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import type { Facts } from "../store/facts.ts";
import { runOnSteadyFacts } from "../surfaces/attempt.ts";
import { bindArguments, servedBy } from "../surfaces/bind.ts";
import type { ContextFor } from "../surfaces/call.ts";
import { tools } from "../tools/index.ts";

/** Between them they read every large table of a network, its prices and its markets. */
const OF_A_WALLET = ["get_wallet_transactions", "get_wallet_pnl", "get_wallet_counterparties"];
const OF_A_TOKEN = ["get_token_market_analysis"];

interface Warmed {
  readonly facts: Facts;
  readonly chains: readonly Chain[];
  readonly contextFor: ContextFor;
  readonly log: Log;
  readonly call_timeout_ms: number;
  readonly now_ms: () => number;
  readonly stop: AbortSignal;
}

interface Wanted {
  readonly names: readonly string[];
  readonly args: Readonly<Record<string, string>>;
}

/** Who sent the newest transaction is asked about, and what the network's coin is traded as. */
const wantedOf = async ({ facts, stop }: Warmed, chain: Chain): Promise<readonly Wanted[]> => {
  const network = chain.network.id;
  const own = facts.withSignal(stop);
  const [newest] = await own.ask(await own.snapshot(network, null), "newest_sender", {});
  const { wrapped_native, stablecoins } = chain.network;
  const token: Hex | undefined = wrapped_native ?? stablecoins[0]?.address;
  return [
    ...(newest === undefined
      ? []
      : [{ names: OF_A_WALLET, args: { address: chain.formatAddress(newest.sender), network } }]),
    ...(token === undefined
      ? []
      : [{ names: OF_A_TOKEN, args: { token_address: chain.formatAddress(token), network } }]),
  ];
};

const call = async (warmed: Warmed, { names, args }: Wanted): Promise<void> => {
  const { chains, contextFor, call_timeout_ms, now_ms, stop } = warmed;
  for (const tool of tools.filter(({ name }) => names.includes(name))) {
    const bound = bindArguments(tool, args, { chains: servedBy(tool, chains), now_ms: now_ms() });
    if (bound.kind === "refused") throw new AssayError({ code: "BUG", message: `${tool.name}: ${bound.detail}` });
    const signal = () => AbortSignal.any([stop, AbortSignal.timeout(call_timeout_ms)]);
    await runOnSteadyFacts(tool, bound.asked, () => contextFor(tool, signal()));
  }
};

const warmNetwork = async (warmed: Warmed, chain: Chain): Promise<void> => {
  const { log, stop } = warmed;
  const network = chain.network.id;
  const from = performance.now();
  try {
    for (const wanted of await wantedOf(warmed, chain)) await call(warmed, wanted);
    log.debug({ network, ms: Math.round(performance.now() - from) }, "the first calls were made");
  } catch (error) {
    if (stop.aborted) return;
    // Nothing is indexed yet: there is nothing to make ready.
    if (error instanceof AssayError && error.code === "COVERAGE_INCOMPLETE") return;
    log.warn({ network, err: error }, "the first calls could not be made: somebody else's will be slower");
  }
};

/** Makes the first calls of this process, network by network. Nobody is charged, and no call waits for it. */
export const warm = async (warmed: Warmed): Promise<void> => {
  for (const chain of warmed.chains) {
    if (warmed.stop.aborted) return;
    await warmNetwork(warmed, chain);
  }
};
