/** What the pool of a network's endpoints is made of. */
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
  /** How many endpoints must say the same of what no block commits to. */
  readonly agree: number;
}

/** One address of a node, whatever it speaks. */
export interface Endpoint {
  /** As it may be shown: without credentials, path and query. */
  readonly name: string;
  readonly pacer: Pacer;
  /** What it was asked so far, under the name by which its network tells it apart. */
  counts(name: string): EndpointCounts;
  /** Text of the answer to a question of any family; null when there is none. Rejects only with the signal's reason. */
  asked(path: string, question: object, signal: AbortSignal): Promise<string | null>;
  close(): Promise<void>;
}

/** What the endpoints of a family have in common. */
export interface EndpointKind<E extends Endpoint, T extends EndpointTraits> {
  readonly open: (address: RpcAddress, limits: EndpointLimits) => E;
  /** Asks what an endpoint can do. Throws `WrongChain`, or whatever the endpoint throws when it does not answer. */
  readonly probe: (endpoint: E, network: Network, signal: AbortSignal) => Promise<T>;
}

/** An endpoint with what is known about it. */
export interface Node<E, T> {
  readonly endpoint: E;
  readonly traits: T;
}

/** What is asked of one endpoint. */
export type Task<E, T, R> = (node: Node<E, T>) => Promise<R>;

export interface Question<T> {
  /** For the log and the error: what was being asked. */
  readonly what: string;
  /** Only endpoints of which this is true; those not probed yet are probed first. */
  readonly accepts?: (traits: T) => boolean;
  /** Share the work between endpoints instead of preferring the first. */
  readonly spread?: boolean;
}

/** What `ChainOptions` says of values that are left out. */
export const POOL_DEFAULTS = {
  timeout_ms: 20_000,
  response_bytes_max: 128 * 1024 * 1024,
  concurrency_max: 16,
  batch_max: 100,
  attempts_max: 5,
  agree: 1,
};
