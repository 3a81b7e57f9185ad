import type { Family } from "./chain.ts";

/** What differs between families, for code outside `chains/` that has no open chain to ask (`can`): it branches on no family's name. */
export interface FamilyTraits {
  /** A chain is known by the number that its nodes tell (EIP-155). */
  readonly has_chain_id: boolean;
  /** Nodes tell the hash of a contract's code. */
  readonly has_code_hashes: boolean;
  /** The genesis block of a chain of one's own hands out all coins that exist before its first transaction. */
  readonly has_genesis_balances: boolean;
  /** Some nodes serve states of old blocks. */
  readonly has_old_states: boolean;
  /** Nodes take several calls in one request. */
  readonly has_batches: boolean;
}

export const FAMILY_TRAITS: Readonly<Record<Family, FamilyTraits>> = {
  evm: {
    has_chain_id: true,
    has_code_hashes: true,
    has_genesis_balances: true,
    has_old_states: true,
    has_batches: true,
  },
  solana: {
    has_chain_id: false,
    has_code_hashes: false,
    has_genesis_balances: false,
    has_old_states: false,
    has_batches: true,
  },
  tron: {
    has_chain_id: false,
    has_code_hashes: false,
    has_genesis_balances: false,
    has_old_states: false,
    has_batches: false,
  },
};
