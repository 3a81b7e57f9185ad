import type { Network } from "../chain.ts";
import * as node from "../node/pool.ts";
import { TronEndpoint } from "./endpoint.ts";
import { probeEndpoint, type Traits } from "./probe.ts";

/** The endpoints of a Tron network. */
export type EndpointPool = node.EndpointPool<TronEndpoint, Traits>;
export type Node = node.Node<TronEndpoint, Traits>;

const KIND: node.EndpointKind<TronEndpoint, Traits> = {
  open: (url, limits) => new TronEndpoint(url, limits),
  probe: probeEndpoint,
};

export const openPool = (network: Network, options: node.PoolOptions): EndpointPool =>
  new node.EndpointPool(network, KIND, options);
