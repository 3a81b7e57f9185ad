import type { Network } from "../chain.ts";

/** Multicall3 has this address wherever it was deployed with its author's key (github.com/mds1/multicall). */
const MULTICALL3 = "ca11bde05977b3631167028862be2a173976ca11";

type Settled = "family" | "caip2" | "multicall" | "ens";

/** An EVM network from what is particular to it; Multicall3 is assumed and ENS is not. */
export const defineEvm = (facts: Omit<Network, Settled> & Partial<Pick<Network, "multicall" | "ens">>): Network => ({
  multicall: MULTICALL3,
  ens: null,
  ...facts,
  family: "evm",
  caip2: `eip155:${facts.chain_id}`,
});
