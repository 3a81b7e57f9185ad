import type { Network } from "../chain.ts";
import type { EndpointKind, ProbedEndpoint as NodeOf, PoolOptions } from "../node/endpoints.ts";
import { EndpointPool as PoolOf } from "../node/pool.ts";
import { TronEndpoint } from "./endpoint.ts";
import { probeEndpoint, type TronTraits } from "./probe.ts";

/** The endpoints of a Tron network. */
export type TronRpcPool = PoolOf<TronEndpoint, TronTraits>;
export type TronRpcNode = NodeOf<TronEndpoint, TronTraits>;

const KIND: EndpointKind<TronEndpoint, TronTraits> = {
  open: (url, limits) => new TronEndpoint(url, limits),
  probe: probeEndpoint,
};

export const openPool = (network: Network, options: PoolOptions): TronRpcPool => new PoolOf(network, KIND, options);
