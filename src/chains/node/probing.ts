/** The first requests to an endpoint, and the family of a node that answers them in another way than expected. */
import type { Family, Network } from "../chain.ts";
import type { EndpointTraits } from "../open_chain.ts";
import { BadAnswer } from "./answer.ts";
import type { Endpoint, EndpointKind } from "./endpoints.ts";
import { RpcError, WrongChain } from "./refusal.ts";

const NAMES: Readonly<Record<Family, { readonly one: string; readonly all: string }>> = {
  evm: { one: "an EVM", all: "EVM" },
  solana: { one: "a Solana", all: "Solana" },
  tron: { one: "a Tron", all: "Tron" },
};

/**
 * One short request per family that identifies its nodes: JSON-RPC at the address itself, Tron's own API below its
 * path.
 */
const SIGNS: readonly {
  readonly family: Family;
  readonly path: string;
  readonly method: string;
  readonly sign: RegExp;
}[] = [
  { family: "evm", path: "", method: "eth_chainId", sign: /"result"\s*:\s*"0x[0-9a-f]+"/i },
  { family: "solana", path: "", method: "getGenesisHash", sign: /"result"\s*:\s*"[1-9A-HJ-NP-Za-km-z]{32,44}"/ },
  { family: "tron", path: "/wallet/getnowblock", method: "", sign: /"blockID"\s*:\s*"[0-9a-f]{64}"/ },
];

/** A sentence if the node belongs to another family, else null. Rejects only with the signal's reason. */
const otherFamily = async (endpoint: Endpoint, network: Network, signal: AbortSignal): Promise<string | null> => {
  for (const { family, path, method, sign } of SIGNS) {
    if (family === network.family) continue;
    const question = method === "" ? {} : { jsonrpc: "2.0", id: 1, method, params: [] };
    const text = await endpoint.asked(path, question, signal);
    if (text !== null && sign.test(text))
      return `this is ${NAMES[family].one} node; network ${network.id} is ${NAMES[network.family].all}`;
  }
  return null;
};

/** Each request of a probe has its own deadline; a slow node, or one that allows few requests, needs time for all. */
const PROBE_MS_MAX = 600_000;

/** Without a valid key, or behind a failing proxy, nothing is known about a node. */
const isClosed = (status: number | null): boolean => status === 401 || status === 403 || (status ?? 0) >= 500;

/** The capabilities of an endpoint. @throws what the probe throws, or WrongChain for a node of another family */
export const probed = async <E extends Endpoint, T extends EndpointTraits>(
  kind: EndpointKind<E, T>,
  { endpoint, network, closing }: { readonly endpoint: E; readonly network: Network; readonly closing: AbortSignal },
): Promise<T> => {
  const signal = AbortSignal.any([AbortSignal.timeout(PROBE_MS_MAX), closing]);
  try {
    return await kind.probe(endpoint, network, signal);
  } catch (error) {
    // It answers, and not as nodes of this family do.
    const is_foreign = error instanceof RpcError || (error instanceof BadAnswer && !isClosed(error.status));
    const other = is_foreign ? await otherFamily(endpoint, network, signal) : null;
    throw other === null ? error : new WrongChain(other);
  }
};
