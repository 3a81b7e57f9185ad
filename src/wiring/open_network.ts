/** Opens networks: the connections to their nodes, and their indexers. */
import { availableParallelism } from "node:os";
import type { AccountsStore } from "../accounts/open.ts";
import { openSignerThreads } from "../chains/evm/verify/signer_threads.ts";
import { openChain } from "../chains/families.ts";
import type { Settings } from "../config/settings.ts";
import { openLeasedIndexer } from "../indexer/open.ts";
import { segmentRowsFor } from "../indexer/segment_rows.ts";
import type { Log } from "../lib/log.ts";
import type { RequestTracer } from "../lib/trace.ts";
import type { FactsStore } from "../store/open.ts";
import type { EnabledNetwork } from "./enabled_network.ts";
import type { OpenNetwork } from "./status.ts";
import { traderJudge } from "./trader_judge.ts";

interface NetworkOpenerOptions {
  readonly settings: Settings;
  readonly accounts: AccountsStore;
  readonly facts: FactsStore;
  readonly log: Log;
  readonly tracing?: RequestTracer;
  /** Whether this process indexes. */
  readonly indexing: boolean;
  /** Networks that share the memory. */
  readonly networks: number;
}

interface NetworkOpener {
  open(enabled: EnabledNetwork, stop: AbortSignal): Promise<OpenNetwork>;
  close(): Promise<void>;
}

export const networkOpener = (parts: NetworkOpenerOptions): NetworkOpener => {
  const { settings, accounts, facts, log, tracing, indexing, networks } = parts;
  const { label_pack, on_demand, workers = availableParallelism() - 1, rpc_timeout_ms: timeout_ms } = settings;
  const { segment_rows = segmentRowsFor(process.availableMemory(), networks) } = settings;
  const signers = openSignerThreads(workers);
  const traced = tracing === undefined ? {} : { tracing };
  return {
    async open(enabled, stop) {
      const { rpc, verify = "full", votes = "summed", agree = 1 } = enabled;
      const how = { rpc, verify, votes, agree, log, signers, timeout_ms, ...traced };
      const chain = await openChain(enabled.network, how, stop);
      const judge = traderJudge(chain, facts.facts);
      const paced = { ...enabled, segment_rows, follow_ms: on_demand.follow_seconds * 1_000 };
      const own = { chain, facts, enabled: paced, judge, label_pack, log, leases: accounts.leases };
      const indexer = indexing ? openLeasedIndexer(own) : null;
      return { chain, indexer, is_on_demand: enabled.index === "on_demand" };
    },
    close: () => signers.close(),
  };
};
