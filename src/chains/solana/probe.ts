import type { Network } from "../chain.ts";
import { fieldsOf, textOf } from "../node/answer.ts";
import type { EndpointKind, ProbedEndpoint as NodeOf, PoolOptions } from "../node/endpoints.ts";
import { EndpointPool as PoolOf } from "../node/pool.ts";
import { WrongChain } from "../node/refusal.ts";
import type { EndpointTraits } from "../open_chain.ts";
import { resultOf, SolanaEndpoint } from "./endpoint.ts";
import { indexOf } from "./wire.ts";

/** Capabilities found on one endpoint. */
export interface SolanaTraits extends EndpointTraits {
  /** Oldest slot whose block the node still has. */
  readonly first_slot: number;
}

export type SolanaRpcPool = PoolOf<SolanaEndpoint, SolanaTraits>;
export type SolanaRpcNode = NodeOf<SolanaEndpoint, SolanaTraits>;

const CLIENT_LENGTH_MAX = 120;
/** CAIP-2 of Solana: the first 32 characters of the genesis hash. */
const REFERENCE_LENGTH = 32;

/**
 * Probes an endpoint's capabilities, in about six calls.
 * @throws WrongChain, or the endpoint's error if it does not answer
 */
const probeEndpoint = async (
  endpoint: SolanaEndpoint,
  network: Network,
  signal: AbortSignal,
): Promise<SolanaTraits> => {
  const ask = (method: string, ...params: unknown[]) => endpoint.result({ method, params }, signal);
  const genesis = textOf(await ask("getGenesisHash"), "genesis hash");
  const reference = `solana:${genesis.slice(0, REFERENCE_LENGTH)}`;
  if (reference !== network.caip2)
    throw new WrongChain(`the node serves ${reference}, but ${network.name} is ${network.caip2}`);
  const started = performance.now();
  const head = indexOf(await ask("getSlot", { commitment: "confirmed" }), "slot");
  const ms_per_call = performance.now() - started;
  const finalized = indexOf(await ask("getSlot", { commitment: "finalized" }), "final slot");
  const first_slot = indexOf(await ask("getFirstAvailableBlock"), "first slot");
  const version = await endpoint.one({ method: "getVersion", params: [] }, signal);
  return {
    chain_id: network.chain_id,
    client: version.ok ? clientOf(version.result) : null,
    head,
    finalized: Math.min(finalized, head),
    receipts: "block",
    traces: "inner instructions",
    archive: false,
    batch: await findBatch(endpoint, signal),
    ms_per_call,
    first_slot,
  };
};

const clientOf = (result: unknown): string | null => {
  const version = fieldsOf(result, "version")["solana-core"];
  return typeof version === "string" ? version.slice(0, CLIENT_LENGTH_MAX) : null;
};

/** The endpoint itself halves its batch until the node accepts one. */
const findBatch = async (endpoint: SolanaEndpoint, signal: AbortSignal): Promise<number> => {
  const calls = Array.from({ length: endpoint.pacer.batch }, () => ({ method: "getGenesisHash", params: [] }));
  const { answers } = await endpoint.ask(calls, signal);
  for (const answer of answers) resultOf(answer);
  return endpoint.pacer.batch;
};

const KIND: EndpointKind<SolanaEndpoint, SolanaTraits> = {
  open: (url, limits) => new SolanaEndpoint(url, limits),
  probe: probeEndpoint,
};

export const openPool = (network: Network, options: PoolOptions): SolanaRpcPool => new PoolOf(network, KIND, options);
