import type { Hex } from "../lib/bytes.ts";

/** Names that the network stores in accounts of its own, so that no contract can resolve them. */
export interface ChainNames {
  readonly service: "sns";
  /** SLIP-44, of the addresses that names lead to. */
  readonly coin_type: number;
  /** Null for a name that is not registered, or leads to no address that is safe to pay. */
  resolve(name: string, signal: AbortSignal, at?: number): Promise<NamedAddress | null>;
  /** The primary name of an address, if the address owns it and it leads back; else null. */
  primaryOf(address: Hex, signal: AbortSignal, at?: number): Promise<string | null>;
}

export interface NamedAddress {
  readonly address: Hex;
  readonly owner: Hex;
}

export interface ChainWithNames {
  /** Omitted if contracts store names, or the network has none. */
  readonly names?: ChainNames;
}
