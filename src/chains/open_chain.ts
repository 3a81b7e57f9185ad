import type { Log } from "../lib/log.ts";
import type { Tracing } from "../lib/trace.ts";
import type { Chain, Verified, Verify } from "./chain.ts";
import type { EndpointCounts } from "./node/endpoint_counters.ts";
import type { RpcAddress } from "./node/rpc_address.ts";
import type { Votes } from "./summed_votes.ts";

/** How the endpoints of a network are asked. Each family has its own defaults for what is left out. */
export interface ChainOptions {
  /** Endpoints by preference: http or https, credentials in the URL are sent as Basic authorization. */
  readonly rpc: readonly RpcAddress[];
  readonly log: Log;
  /** Default `full`. */
  readonly verify?: Verify;
  /** How many endpoints must say the same of what no block commits to. Default 1: the word of one is taken. */
  readonly agree?: number;
  /** Default `summed`. Only where validators vote by transactions. */
  readonly votes?: Votes;
  /** Reads on behalf of a request are steps of it. */
  readonly tracing?: Tracing;
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

/** A chain with the connections behind it. */
export interface OpenChain extends Chain {
  /** Asks every endpoint anew what it can do: for `assay doctor`, and at start so that `can` is known. */
  probe(signal: AbortSignal): Promise<readonly EndpointReport[]>;
  /** How often endpoints that must agree did not, since it was opened. */
  readonly disagreements: number;
  /** What each endpoint was asked since it was opened, in the order of `rpc`; copies of the numbers at this moment. */
  readonly endpoints: readonly EndpointCounts[];
  close(): Promise<void>;
}

/** What `assay doctor` prints of one endpoint. */
export interface EndpointReport {
  /** Without credentials, path and query. */
  readonly endpoint: string;
  /** Null when all is well; else a sentence for the operator. */
  readonly problem: string | null;
  /** Null when the endpoint did not answer. */
  readonly traits: EndpointTraits | null;
}

/** What one endpoint turned out to be, as far as every family can say it. */
export interface EndpointTraits {
  readonly chain_id: number;
  readonly client: string | null;
  readonly head: number;
  /** Newest block that the node itself calls final; null when it names none. */
  readonly finalized: number | null;
  /** What is asked for receipts at once. */
  readonly receipts: string;
  /** Where inner calls come from; null where the node does not tell them. */
  readonly traces: string | null;
  /** State of old blocks can be asked. */
  readonly archive: boolean;
  /** Calls per request. */
  readonly batch: number;
  readonly ms_per_call: number;
  /** Traits that could not be found out, because the node did not answer that: they are taken as the node's words suggest. */
  readonly unknown?: readonly string[];
  /** What the newest block showed when it was recomputed from its hash; null or omitted where that was not tried. */
  readonly verifies?: Verified | null;
}

/** Opens a network of one family and probes its endpoints once. */
export type ChainOpener = (network: Chain["network"], options: ChainOptions, signal: AbortSignal) => Promise<OpenChain>;
