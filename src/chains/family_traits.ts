import type { Family } from "./chain.ts";

/**
 * Differences between families, for code outside `chains/` without an open chain whose `can` it could check, so that it
 * need not branch on a family's name.
 */
export interface FamilyTraits {
  /** Nodes report the number of their chain (EIP-155). */
  readonly has_chain_id: boolean;
  /** Nodes return the hash of a contract's code. */
  readonly has_code_hashes: boolean;
  /** The genesis block of a private chain allocates all coins that exist before its first transaction. */
  readonly has_genesis_balances: boolean;
  /** Some nodes serve states of old blocks. */
  readonly has_old_states: boolean;
  /** Nodes accept several calls in one request. */
  readonly has_batches: boolean;
  /**
   * By these answers of a node the past of one account can be found: old states, lists of its transactions with its balances, or lists
   * alone, which a service beside some nodes makes: such a history must begin with the first block.
   */
  readonly account_past: "old_states" | "lists" | "bare_lists";
}

export const FAMILY_TRAITS: Readonly<Record<Family, FamilyTraits>> = {
  evm: {
    has_chain_id: true,
    has_code_hashes: true,
    has_genesis_balances: true,
    has_old_states: true,
    has_batches: true,
    account_past: "old_states",
  },
  solana: {
    has_chain_id: false,
    has_code_hashes: false,
    has_genesis_balances: false,
    has_old_states: false,
    has_batches: true,
    account_past: "lists",
  },
  tron: {
    has_chain_id: false,
    has_code_hashes: false,
    has_genesis_balances: false,
    has_old_states: false,
    has_batches: false,
    account_past: "bare_lists",
  },
};
