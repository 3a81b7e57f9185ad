/** Parts of the pool of a network's endpoints. */
import type { Log } from "../../lib/log.ts";
import type { Network } from "../chain.ts";
import type { EndpointTraits } from "../open_chain.ts";
import type { EndpointLimits } from "./connection.ts";
import type { EndpointCounts } from "./endpoint_counters.ts";
import type { Pacer } from "./pacer.ts";
import type { RpcAddress } from "./rpc_address.ts";

export interface PoolOptions extends EndpointLimits {
  /** Addresses by preference. */
  readonly rpc: readonly RpcAddress[];
  readonly log: Log;
  /** Failures of endpoints that one question survives. */
  readonly attempts_max: number;
  /** How many endpoints must agree on data that no block commits to. */
  readonly agree: number;
}

/** One address of a node, whatever its protocol. */
export interface Endpoint {
  /** Name for logs and reports: without credentials, path and query. */
  readonly name: string;
  readonly pacer: Pacer;
  /** Counters so far, under the name that the network gives the endpoint. */
  counts(name: string): EndpointCounts;
  /** The text of the answer to a question of any family, or null. Rejects only with the signal's reason. */
  asked(path: string, question: object, signal: AbortSignal): Promise<string | null>;
  close(): Promise<void>;
}

/** The common interface of a family's endpoints. */
export interface EndpointKind<E extends Endpoint, T extends EndpointTraits> {
  readonly open: (address: RpcAddress, limits: EndpointLimits) => E;
  /** Probes an endpoint's capabilities. Throws `WrongChain`, or the endpoint's error if it does not answer. */
  readonly probe: (endpoint: E, network: Network, signal: AbortSignal) => Promise<T>;
}

/** An endpoint with its known traits. */
export interface ProbedEndpoint<E, T> {
  readonly endpoint: E;
  readonly traits: T;
}

/** Work on one endpoint. */
export type Task<E, T, R> = (node: ProbedEndpoint<E, T>) => Promise<R>;

export interface EndpointQuery<T> {
  /** Name of the question in logs and errors. */
  readonly what: string;
  /** Restricts the question to endpoints whose traits match; those not probed yet are probed first. */
  readonly accepts?: (traits: T) => boolean;
  /** Share the work between endpoints instead of preferring the first. */
  readonly spread?: boolean;
}

/** Defaults of `ChainOptions`. */
export const POOL_DEFAULTS = {
  timeout_ms: 20_000,
  response_bytes_max: 128 * 1024 * 1024,
  concurrency_max: 16,
  batch_max: 100,
  attempts_max: 5,
  agree: 1,
};
