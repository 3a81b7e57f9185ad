import type { Network } from "../chain.ts";
import { JsonRpcEndpoint } from "../node/json_rpc.ts";
import * as node from "../node/pool.ts";
import { probeEndpoint, type Traits } from "./probe.ts";

/** The endpoints of an EVM network. */
export type EndpointPool = node.EndpointPool<JsonRpcEndpoint, Traits>;
export type Node = node.Node<JsonRpcEndpoint, Traits>;

const KIND: node.EndpointKind<JsonRpcEndpoint, Traits> = {
  open: (url, limits) => new JsonRpcEndpoint(url, limits),
  probe: probeEndpoint,
};

export const openPool = (network: Network, options: node.PoolOptions): EndpointPool =>
  new node.EndpointPool(network, KIND, options);
