import type { Hex } from "../lib/bytes.ts";

/** What a network's endpoints can do: by its nature, or found by probing. */
export interface Capabilities {
  readonly traces: boolean;
  /** State of old blocks can be asked. */
  readonly archive: boolean;
  /** Contracts answer read-only calls, and their storage can be read. */
  readonly contract_calls: boolean;
  /** Tokens lie in accounts of their own, which authorities can freeze and from which delegates can take. */
  readonly token_accounts: boolean;
  /** Read-only calls may look at accounts whose code, balance or storage is replaced. */
  readonly overrides: boolean;
  /** Transactions of plain accounts may be played over several blocks without being sent. */
  readonly simulations: boolean;
  /** Blocks after the one it starts at that such a play may reach; 0 without `simulations`. */
  readonly simulated_blocks_max: number;
  /** What validators call to vote: of such transactions the facts may hold sums alone (`Block.votes`). Omitted: they do not. */
  readonly vote_program?: Hex;
}
