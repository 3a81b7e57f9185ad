import { type Hex, hex } from "../lib/bytes.ts";

/** Contracts that tell on the chain whether an address is sanctioned: a second opinion, never the only source. */
export interface SanctionsOracle {
  readonly name: string;
  readonly address: Hex;
  /** Takes the address, returns a bool. */
  readonly signature: string;
}

const SIGNATURE = "isSanctioned(address)";
/** go.chainalysis.com/chainalysis-oracle-docs.html */
const CHAINALYSIS: SanctionsOracle = {
  name: "chainalysis",
  address: hex("40c57923924b5c5c5455c48d93317139addac8fb"),
  signature: SIGNATURE,
};

const ORACLES: Readonly<Record<string, SanctionsOracle>> = {
  ethereum: CHAINALYSIS,
  polygon: CHAINALYSIS,
  bsc: CHAINALYSIS,
  avalanche: CHAINALYSIS,
  arbitrum: CHAINALYSIS,
  optimism: CHAINALYSIS,
  celo: CHAINALYSIS,
  base: { ...CHAINALYSIS, address: hex("3a91a31cb3dc49b4db9ce721f50a9d076c8d739b") },
};

/** The oracle of a network, or null. */
export const sanctionsOracle = (network: string): SanctionsOracle | null => ORACLES[network] ?? null;
