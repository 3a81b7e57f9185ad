import type { Network } from "../chain.ts";
import type { EndpointKind, Node as NodeOf, PoolOptions } from "../node/endpoints.ts";
import { EndpointPool as PoolOf } from "../node/pool.ts";
import { TronEndpoint } from "./endpoint.ts";
import { probeEndpoint, type Traits } from "./probe.ts";

/** The endpoints of a Tron network. */
export type EndpointPool = PoolOf<TronEndpoint, Traits>;
export type Node = NodeOf<TronEndpoint, Traits>;

const KIND: EndpointKind<TronEndpoint, Traits> = {
  open: (url, limits) => new TronEndpoint(url, limits),
  probe: probeEndpoint,
};

export const openPool = (network: Network, options: PoolOptions): EndpointPool => new PoolOf(network, KIND, options);
