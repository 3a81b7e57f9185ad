/**
 * The first calls of a process pay for cold caches: code to compile, primary keys and marks to read, rarely changing
 * facts to query. A process makes such calls itself, one after the other, after its start (docs/design/operations.md).
 */
import type { Chain } from "../chains/chain.ts";
import { AssayError } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import type { Facts } from "../store/facts.ts";
import { getTokenMarketAnalysis } from "../tools/get_token_market_analysis/index.ts";
import { getWalletCounterparties } from "../tools/get_wallet_counterparties/index.ts";
import { getWalletPnl } from "../tools/get_wallet_pnl/index.ts";
import { getWalletTransactions } from "../tools/get_wallet_transactions/index.ts";
import type { AnyTool } from "../tools/tool.ts";
import { type OwnCalls, ownCall } from "./own_call.ts";

/** Together they read every large table of a network, its prices and its markets. */
const OF_A_WALLET: readonly AnyTool[] = [getWalletTransactions, getWalletPnl, getWalletCounterparties];
const OF_A_TOKEN: readonly AnyTool[] = [getTokenMarketAnalysis];

interface WarmingOptions extends OwnCalls {
  readonly facts: Facts;
  readonly log: Log;
}

interface WarmingCall {
  readonly tool: AnyTool;
  readonly args: Readonly<Record<string, string>>;
}

/** The subjects of the calls: the sender of the newest transaction, and the coin that the network's coin trades as. */
const warmingCalls = async ({ facts, stop }: WarmingOptions, chain: Chain): Promise<readonly WarmingCall[]> => {
  const { network } = chain;
  const own = facts.withSignal(stop);
  const [newest] = await own.ask(await own.snapshot(network.id, null), "newest_sender", {});
  const token = network.wrapped_native ?? network.stablecoins[0]?.address;
  const wallets = newest === undefined ? [] : [chain.formatAddress(newest.sender)];
  const tokens = token === undefined ? [] : [chain.formatAddress(token)];
  return [
    ...wallets.flatMap((address) => OF_A_WALLET.map((tool) => ({ tool, args: { address, network: network.id } }))),
    ...tokens.flatMap((of) => OF_A_TOKEN.map((tool) => ({ tool, args: { token_address: of, network: network.id } }))),
  ];
};

const warmNetwork = async (warmed: WarmingOptions, chain: Chain): Promise<void> => {
  const { log, stop } = warmed;
  const network = chain.network.id;
  const from = performance.now();
  const silent: string[] = [];
  try {
    for (const { tool, args } of await warmingCalls(warmed, chain)) {
      const outcome = await ownCall(warmed, tool, args);
      if (stop.aborted) return;
      if (outcome.kind === "error") silent.push(`${tool.name}: ${outcome.message}`);
    }
  } catch (error) {
    if (stop.aborted) return;
    // Nothing is indexed yet: there is nothing to warm up.
    if (error instanceof AssayError && error.code === "COVERAGE_INCOMPLETE") return;
    log.warn({ network, err: error }, "the warm-up calls failed: the first calls of users will be slower");
    return;
  }
  // A network whose history is still being read fails some of them.
  log.debug({ network, ms: Math.round(performance.now() - from), silent }, "the warm-up calls are done");
};

/** Makes the warm-up calls of this process, network by network. They are free of charge, and no call waits for them. */
export const warm = async (warmed: WarmingOptions): Promise<void> => {
  for (const chain of warmed.chains) {
    if (warmed.stop.aborted) return;
    await warmNetwork(warmed, chain);
  }
};
