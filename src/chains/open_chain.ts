import type { Log } from "../lib/log.ts";
import type { RequestTracer } from "../lib/trace.ts";
import type { Chain, Verified, Verify } from "./chain.ts";
import type { Signers } from "./evm/verify/known_signers.ts";
import type { EndpointCounts } from "./node/endpoint_counters.ts";
import type { RpcAddress } from "./node/rpc_address.ts";
import type { Votes } from "./summed_votes.ts";

/** Settings of a network's endpoints. Each family has its own defaults for omitted values. */
export interface ChainOptions {
  /** Endpoints by preference: http or https, credentials in the URL are sent as Basic authorization. */
  readonly rpc: readonly RpcAddress[];
  readonly log: Log;
  /** Default `full`. */
  readonly verify?: Verify;
  /** Recover signers of EVM transactions. Default: the thread of the caller. */
  readonly signers?: Signers;
  /** How many endpoints must agree on data that no block commits to. Default 1: the answer of one is trusted. */
  readonly agree?: number;
  /** Default `summed`. Only for networks whose validators vote by transactions. */
  readonly votes?: Votes;
  /** Reads on behalf of a request are steps of its trace. */
  readonly tracing?: RequestTracer;
  /** Deadline of one HTTP request. Default 20 s. */
  readonly timeout_ms?: number;
  /** Largest answer that is read. Default 128 MiB (traces of a busy block take tens of MB). */
  readonly response_bytes_max?: number;
  /** Requests in flight per endpoint. Default 16. */
  readonly concurrency_max?: number;
  /** Calls per request. Default 100. */
  readonly batch_max?: number;
  /** Failures of endpoints that one question survives. Default 5. */
  readonly attempts_max?: number;
  /** Longest time that opening waits for the first probes. Default 3 s. */
  readonly open_wait_ms?: number;
}

/** A chain with its connections. */
export interface OpenChain extends Chain {
  /** Probes every endpoint again: for `assay doctor`, and at start so that `can` is known. */
  probe(signal: AbortSignal): Promise<readonly EndpointReport[]>;
  /** Number of disagreements between endpoints since the chain was opened. */
  readonly disagreements: number;
  /** Counters of each endpoint since the chain was opened, in the order of `rpc`; copies of the current numbers. */
  readonly endpoints: readonly EndpointCounts[];
  close(): Promise<void>;
}

/** One endpoint in the output of `assay doctor`. */
export interface EndpointReport {
  /** Without credentials, path and query. */
  readonly endpoint: string;
  /** Null if all is well; else a sentence for the operator. */
  readonly problem: string | null;
  /** Null if the endpoint did not answer. */
  readonly traits: EndpointTraits | null;
}

/** Traits of one endpoint, as far as every family has them. */
export interface EndpointTraits {
  readonly chain_id: number;
  readonly client: string | null;
  readonly head: number;
  /** Newest block that the node itself calls final; null if it names none. */
  readonly finalized: number | null;
  /** Unit of a request for receipts. */
  readonly receipts: string;
  /** Source of inner calls; null if the node does not serve them. */
  readonly traces: string | null;
  /** The state of old blocks is available. */
  readonly archive: boolean;
  /** Calls per request. */
  readonly batch: number;
  /** A service behind it lists the transactions of each account. Omitted where that is the same for all nodes of the family. */
  readonly lists_accounts?: boolean;
  readonly ms_per_call: number;
  /**
   * Traits that the probe could not decide because the node did not answer; Assay assumes what the node's messages
   * suggest.
   */
  readonly unknown?: readonly string[];
  /** Verification level of the newest block, recomputed from its hash; null or omitted if that was not tried. */
  readonly verifies?: Verified | null;
}

/** Opens a network of one family and probes its endpoints once. */
export type ChainOpener = (network: Chain["network"], options: ChainOptions, signal: AbortSignal) => Promise<OpenChain>;
