import type { Hex } from "../lib/bytes.ts";

/** Capabilities of a network's endpoints: inherent to the network, or found by probing. */
export interface Capabilities {
  readonly traces: boolean;
  /** The state of old blocks is available. */
  readonly archive: boolean;
  /** Contracts answer read-only calls, and their storage can be read. */
  readonly contract_calls: boolean;
  /** Contracts emit logs. Without them, only the acts of programs and movements tell what a transaction did. */
  readonly contract_logs: boolean;
  /** Tokens are held in accounts of their own, which authorities can freeze and from which delegates can take. */
  readonly token_accounts: boolean;
  /** Read-only calls may see accounts with replaced code, balance or storage. */
  readonly overrides: boolean;
  /** Transactions of plain accounts can be simulated over several blocks. */
  readonly simulations: boolean;
  /** Blocks after the first one that such a simulation may reach; 0 without `simulations`. */
  readonly simulated_blocks_max: number;
  /**
   * The program that validators call to vote: the facts may hold only sums of such transactions (`Block.votes`).
   * Omitted: they do not.
   */
  readonly vote_program?: Hex;
}
