import type { Network } from "../chain.ts";
import type { EndpointKind, ProbedEndpoint as NodeOf, PoolOptions } from "../node/endpoints.ts";
import { JsonRpcEndpoint } from "../node/json_rpc.ts";
import { EndpointPool as PoolOf } from "../node/pool.ts";
import { probeEndpoint } from "./probe.ts";
import type { EvmTraits } from "./traits.ts";

/** The endpoints of an EVM network. */
export type EvmRpcPool = PoolOf<JsonRpcEndpoint, EvmTraits>;
export type EvmRpcNode = NodeOf<JsonRpcEndpoint, EvmTraits>;

const KIND: EndpointKind<JsonRpcEndpoint, EvmTraits> = {
  open: (url, limits) => new JsonRpcEndpoint(url, limits),
  probe: probeEndpoint,
};

export const openPool = (network: Network, options: PoolOptions): EvmRpcPool => new PoolOf(network, KIND, options);
