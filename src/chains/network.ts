/** A network as data, and the families of networks. */
import type { Hex } from "../lib/bytes.ts";
import type { VerificationLevel } from "../lib/verified.ts";
import type { FreezableCoin, Stablecoin } from "./coins.ts";
import type { FeeRecipient } from "./fee_recipients.ts";

export type Family = "evm" | "solana" | "tron";

/** A token contract that shares its balances with another one, or with the native coin (''). */
export interface TokenAlias {
  readonly token: Hex;
  readonly same_as: Hex;
}

/** A network as data: facts that are known without a node. One file each in `networks/`. */
export interface Network {
  /** Canonical id, a lower-case word: `ethereum`. */
  readonly id: string;
  readonly name: string;
  readonly family: Family;
  /** The family's own number (EVM chain id). */
  readonly chain_id: number;
  /** CAIP-2, e.g. `eip155:1`. */
  readonly caip2: string;
  readonly native: { readonly symbol: string; readonly decimals: number };
  /** False if fees are paid in tokens and no coin exists; omitted means that a coin exists. */
  readonly has_native_coin?: boolean;
  /** False if accounts do not count their transactions; omitted means that they do. */
  readonly has_nonces?: boolean;
  /** Null if the network has no wrapped native coin. */
  readonly wrapped_native: Hex | null;
  readonly stablecoins: readonly Stablecoin[];
  /** Coins that an issuer can freeze, beyond labels/issuers; an entry of the same contract wins. */
  readonly freezes?: readonly FreezableCoin[];
  /** Blocks behind the head that can no longer change, used if the node has no `finalized` tag. */
  readonly finality_blocks: number;
  readonly block_seconds: number;
  /** Addresses to which coins and tokens are sent to destroy them; omitted means the zero address and `0x…dead`. */
  readonly burn_addresses?: readonly Hex[];
  /** Contracts that report the balance of another token, '' for the native coin: one holding under two addresses. */
  readonly aliases?: readonly TokenAlias[];
  /** Name of this network's ERC-20 transfers and tokens; omitted means `erc20`. */
  readonly token_kind?: "trc20";
  /** Why no profits and losses are computed here, in a sentence for callers; omitted if they are. */
  readonly pnl_note?: string;
  /** Multicall3, if it is deployed. */
  readonly multicall: Hex | null;
  readonly ens: { readonly registry: Hex; readonly universal_resolver: Hex | null } | null;
  /** Unix seconds from which a self-destruct leaves older code in place (EIP-6780); 0: always, omitted: unknown. */
  readonly selfdestruct_keeps_code_from?: number;
  /** Recipients of the parts of fees. Omitted: tips are the producer's, and the rest is burnt. */
  readonly fee_recipients?: readonly FeeRecipient[];
  /** EVM: the known forms of blocks, transactions and fees that this network has; omitted: unknown. */
  readonly dialect?: Dialect;
  /** EVM: reward of proof of work for a block, from which block on, ascending; omitted: none. */
  readonly block_rewards?: readonly { readonly from_block: number; readonly amount: bigint }[];
  /**
   * EVM: required verification of blocks against their headers, from which block on, ascending. A block below the level
   * is rejected. Null, omitted, and below the first entry: unknown, and any level is accepted.
   */
  readonly verifies?: readonly { readonly from_block: number; readonly level: VerificationLevel | null }[];
}

/** Forms of EVM blocks; the sources are named next to the code (chains/evm/verify, assembly). */
export type Dialect = "ethereum" | "optimism" | "arbitrum" | "celo" | "polygon" | "avalanche" | "berachain" | "anvil";
