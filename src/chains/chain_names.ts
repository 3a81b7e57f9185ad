import type { Hex } from "../lib/bytes.ts";

/** Names that the network keeps in accounts of its own, where no contract can be asked for them. */
export interface ChainNames {
  readonly service: "sns";
  /** SLIP-44, of the addresses that names lead to. */
  readonly coin_type: number;
  /** Null for a name that is not registered, or leads to no address that it is safe to pay. */
  resolve(name: string, signal: AbortSignal, at?: number): Promise<NamedAddress | null>;
  /** What an address calls itself, when that name is its own and leads back to it; null when there is none. */
  primaryOf(address: Hex, signal: AbortSignal, at?: number): Promise<string | null>;
}

export interface NamedAddress {
  readonly address: Hex;
  readonly owner: Hex;
}

export interface KeepsNames {
  /** Left out where contracts keep names, or nobody does. */
  readonly names?: ChainNames;
}
