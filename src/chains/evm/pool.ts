import type { Network } from "../chain.ts";
import type { EndpointKind, Node as NodeOf, PoolOptions } from "../node/endpoints.ts";
import { JsonRpcEndpoint } from "../node/json_rpc.ts";
import { EndpointPool as PoolOf } from "../node/pool.ts";
import { probeEndpoint } from "./probe.ts";
import type { Traits } from "./traits.ts";

/** The endpoints of an EVM network. */
export type EndpointPool = PoolOf<JsonRpcEndpoint, Traits>;
export type Node = NodeOf<JsonRpcEndpoint, Traits>;

const KIND: EndpointKind<JsonRpcEndpoint, Traits> = {
  open: (url, limits) => new JsonRpcEndpoint(url, limits),
  probe: probeEndpoint,
};

export const openPool = (network: Network, options: PoolOptions): EndpointPool => new PoolOf(network, KIND, options);
