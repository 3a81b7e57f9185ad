/** Formats of addresses by family: text at the edge, bytes inside. */
import type { Hex } from "../lib/bytes.ts";
import type { Family } from "./chain.ts";
import * as evm from "./evm/address.ts";
import * as solana from "./solana/address.ts";
import * as tron from "./tron/address.ts";

export interface Addresses {
  readonly parseAddress: (text: string) => Hex | null;
  readonly formatAddress: (address: Hex) => string;
}

export const ADDRESSES: Readonly<Record<Family, Addresses>> = {
  evm,
  tron,
  solana: { parseAddress: solana.parseAddress, formatAddress: solana.formatBase58 },
};
