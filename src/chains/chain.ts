import type { Bytes, Hex } from "../lib/bytes.ts";
import type { Verified } from "../lib/verified.ts";
import type { DescribedAccount } from "./account_facts.ts";
import type { Capabilities } from "./capabilities.ts";
import type { KeepsNames } from "./chain_names.ts";
import type { FreezableCoin, Stablecoin } from "./coins.ts";
import type { FeeRecipient } from "./fee_recipients.ts";
import type { NativeCreation } from "./native_creation.ts";
import type { PoolAct } from "./pool_act.ts";
import type { ProgramAct } from "./program_act.ts";
import type { SummedVotes } from "./summed_votes.ts";
import type { Approval, Freeze, HeldAccounts, HolderTokens, LiveTokenMetadata, TokenTraits } from "./token_accounts.ts";
import type { TransactionDetails } from "./transaction_details.ts";
import type { RehearsesTransfers } from "./transfer_trials.ts";

export type Family = "evm" | "solana" | "tron";

/** A network as data: what a person could write down about it without asking a node. One file each in `networks/`. */
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
  /** False where fees are paid in tokens and no coin exists; omitted means that there is one. */
  readonly has_native_coin?: boolean;
  /** False where accounts do not count their transactions; omitted means that they do. */
  readonly has_nonces?: boolean;
  /** Null where the network has no wrapped native coin. */
  readonly wrapped_native: Hex | null;
  readonly stablecoins: readonly Stablecoin[];
  /** Coins that an issuer can freeze, beyond those known by name (labels/issuers); an entry of the same contract wins. */
  readonly freezes?: readonly FreezableCoin[];
  /** Blocks behind the head that can no longer change, used when the node has no `finalized` tag. */
  readonly finality_blocks: number;
  readonly block_seconds: number;
  /** Where coins and tokens are sent to be gone; omitted means the zero address and `0x…dead`. */
  readonly burn_addresses?: readonly Hex[];
  /** What a transfer told by an ERC-20 log is called here, and such a token; omitted means `erc20`. */
  readonly token_kind?: "trc20";
  /** Why no profits and losses are computed here, in a sentence for callers; omitted where they are. */
  readonly pnl_note?: string;
  /** Multicall3, where it is deployed. */
  readonly multicall: Hex | null;
  readonly ens: { readonly registry: Hex; readonly universal_resolver: Hex | null } | null;
  /** Unix seconds from which a self-destruct leaves an older contract's code in place (EIP-6780); 0: always, omitted: not known. */
  readonly selfdestruct_keeps_code_from?: number;
  /** Who is paid which part of fees. Omitted: tips are the producer's, and the rest is burnt. */
  readonly fee_recipients?: readonly FeeRecipient[];
  /** EVM: which of the forms of blocks, transactions and fees that are written down this network has; omitted: not known. */
  readonly dialect?: Dialect;
  /** EVM: what proof of work pays for a block, from which block on, ascending; omitted: nothing. */
  readonly block_rewards?: readonly { readonly from_block: number; readonly amount: bigint }[];
  /**
   * EVM: what must hold of blocks against their headers, from which block on, ascending. A block that shows less is
   * refused. Null, omitted, and below the first entry: not known, and each block is what it shows.
   */
  readonly verifies?: readonly { readonly from_block: number; readonly level: Verified | null }[];
}

/** Forms of EVM blocks: the sources are named where each is written down (chains/evm/verify, assembly). */
export type Dialect = "ethereum" | "optimism" | "arbitrum" | "celo" | "polygon" | "avalanche" | "berachain" | "anvil";

export type { LiveTokenMetadata, Verified };

/** How much of what a block's hash commits to is recomputed: all that is known how to, or the links between blocks. */
export type Verify = "full" | "header";

/** One block as its chain says it, in bytes. Nobody below `chains/` sees RPC JSON. */
export interface Block {
  readonly number: number;
  readonly hash: Bytes;
  readonly parent_hash: Bytes;
  /** Unix seconds. */
  readonly time: number;
  /** Receives tips and rewards. */
  readonly producer: Bytes;
  /** Burnt per unit of gas; null where nothing is burnt. */
  readonly base_fee: bigint | null;
  readonly transactions: readonly Transaction[];
  readonly votes?: readonly SummedVotes[];
  /** Coins that appear without a transaction: validator withdrawals, block and uncle rewards. */
  readonly issuance: readonly {
    readonly kind: "reward" | "withdrawal";
    readonly address: Bytes;
    /** Below zero where the chain takes coins outside of a transaction (Solana's rent, until 2024). */
    readonly amount: bigint;
  }[];
  /** True when internal calls and headers of uncles were read, so that `Transaction.calls` is complete; false: asked for and not had. */
  readonly has_traces: boolean;
  readonly verified: Verified;
}

export interface Transaction {
  readonly index: number;
  readonly hash: Bytes;
  readonly sender: Bytes;
  /** Null for a contract creation. */
  readonly recipient: Bytes | null;
  readonly value: bigint;
  readonly nonce: number;
  readonly input: Bytes;
  readonly succeeded: boolean;
  readonly gas_used: bigint;
  /**
   * Coins that came into being for the sender before anything ran, even if the transaction then failed: deposits of
   * roll-ups. Omitted means none.
   */
  readonly minted?: bigint;
  /** All that the sender paid beyond `value`: gas, blob gas, layer-1 data, operator. */
  readonly fee: bigint;
  /** The part of `fee` that is paid for being included: the producer's, unless the network says otherwise. */
  readonly tip: bigint;
  /** The part of `fee` for data on layer 1. Omitted means none. */
  readonly layer1_fee?: bigint;
  /** The part of `fee` for the operator of a roll-up (OP Stack since Isthmus). Omitted means none. */
  readonly operator_fee?: bigint;
  /** For blobs. Omitted means none. */
  readonly blob_fee?: bigint;
  /** From the receipt of a creation. */
  readonly created_contract: Bytes | null;
  readonly logs: readonly Log[];
  /** Inner calls in order of execution, without the outermost and without anything that was reverted. */
  readonly calls: readonly InternalCall[];
  /** What else moved, where the chain itself says it and no log does. Omitted means nothing. */
  readonly moves?: readonly Move[];
  /** Freezes that the chain itself tells. Omitted means none. */
  readonly freezes?: readonly Freeze[];
  /** Trades and other changes of pools that the chain itself tells. Omitted means none. */
  readonly pool_acts?: readonly PoolAct[];
  /** Routes, loans, stakes and liquidity at programs that we know, where the chain itself tells them. Omitted means none. */
  readonly program_acts?: readonly ProgramAct[];
  /** Leave to take tokens that the chain itself tells. Omitted means none. */
  readonly approvals?: readonly Approval[];
  /** Tokens and programs that came into being without `created_contract` and without a call. Omitted means none. */
  readonly creations?: readonly NativeCreation[];
}

/** Coins or tokens that moved without a log: TRC-10, SPL, and what a system of the chain pays out or takes in. */
export interface Move {
  /**
   * `internal`: moved by a program; `wrap`: the native coin became a token, or a token the coin; `rent`: coins that an
   * account must hold to be there, put in when it is opened and given back when it is closed.
   */
  readonly kind: "native" | "internal" | "reward" | "withdrawal" | "spl" | "trc10" | "wrap" | "rent";
  /** Empty for the native coin. */
  readonly token: Bytes;
  /** Empty for the void: minted, unlocked. */
  readonly source: Bytes;
  /** Empty for the void: burnt, locked. */
  readonly destination: Bytes;
  readonly amount: bigint;
}

/** A log as any EVM-style chain emits it (Ethereum, Base, Tron). */
export interface Log {
  readonly address: Bytes;
  readonly topics: readonly Bytes[];
  readonly data: Bytes;
  /** Position in the block. */
  readonly index: number;
}

export interface InternalCall {
  readonly kind: "call" | "create" | "create2" | "selfdestruct";
  readonly sender: Bytes;
  /** Callee, created contract, or heir of a self-destruct. */
  readonly recipient: Bytes;
  readonly value: bigint;
  /** keccak-256 of the init code of a creation. */
  readonly init_hash: Bytes | null;
  /** keccak-256 of the runtime code that a creation left. */
  readonly code_hash: Bytes | null;
}

export interface BlockRef {
  readonly number: number;
  readonly hash: Hex;
  readonly parent_hash: Hex;
  readonly time: number;
}

export interface AccountState {
  /** Base units of the native coin. */
  readonly balance: bigint;
  readonly nonce: number;
  /** Runtime code; empty for an account without. */
  readonly code: Bytes;
}

export interface Call {
  readonly to: Hex;
  readonly data: Hex;
  readonly from?: Hex;
  /** Base units of the native coin; the sender must have them. Omitted means none. */
  readonly value?: bigint;
  /** Omitted means as much as the node gives. */
  readonly gas?: number;
}

/** What an account is taken for during a read-only call. What is left out stays as it is. */
export interface Override {
  readonly address: Hex;
  readonly code?: Hex;
  /** Base units of the native coin. */
  readonly balance?: bigint;
  /** Slot -> value, 32 bytes each. Slots that are not named keep their values. */
  readonly storage?: Readonly<Record<string, Hex>>;
}

/** Calls that see the state with all `overrides`, each by itself. */
export interface OverriddenCalls {
  readonly calls: readonly Call[];
  readonly overrides: readonly Override[];
}

/** A block that is only played: its transactions change what the later ones see, and nothing else. */
export interface SimulatedBlock {
  /** Ascending, above the block it is played on. */
  readonly number: number;
  /** Unix seconds: at least 12 more per block than the block it is played on. */
  readonly time: number;
  readonly overrides?: readonly Override[];
  /** Each names its sender and needs no signature, no nonce and no coins for gas. */
  readonly calls: readonly Call[];
}

/** `data` is the return value, or the revert payload when `ok` is false. */
export interface SimulatedCall extends CallResult {
  readonly gas_used: number;
}

/** `data` is the return value, or the revert payload when `ok` is false. */
export interface CallResult {
  readonly ok: boolean;
  readonly data: Bytes;
}

/**
 * A network as the rest of the code sees it. Nothing outside `chains/` branches on the family: it asks `can`.
 * Methods that reach a node throw `AssayError` `UPSTREAM_UNAVAILABLE` (retryable) when no endpoint answers, never an
 * empty result. `at` is a block number; omitted means the node's newest block.
 */
export interface Chain extends KeepsNames, RehearsesTransfers {
  readonly network: Network;
  readonly can: Capabilities;
  /** Canonical bytes of an address in any form this network accepts; null when it is none (also on a wrong checksum). */
  parseAddress(text: string): Hex | null;
  /** EIP-55 on EVM. */
  formatAddress(address: Hex): string;
  /** Bytes of a transaction's hash as this network writes it; null when it is none. */
  parseHash(text: string): Hex | null;
  /** `0x…` on EVM. */
  formatHash(hash: Hex): string;
  /** False for an address for which nobody can have a key: a program's own. True where an address does not tell. */
  mayHaveKey(address: Hex): boolean;
  head(signal: AbortSignal): Promise<BlockRef>;
  /** Newest block that cannot be reorganised any more. */
  finalized(signal: AbortSignal): Promise<number>;
  ref(number: number, signal: AbortSignal): Promise<BlockRef | null>;
  /** Blocks `from` to `to` inclusive, in order, verified: parents, hashes, counts. */
  blocks(from: number, to: number, signal: AbortSignal): Promise<readonly Block[]>;
  /**
   * One transaction with receipt and calls, verified as those of `blocks` are. Null when no endpoint knows the hash.
   * Throws `AssayError` `COVERAGE_INCOMPLETE` when it is in a block whose receipts or traces no endpoint keeps.
   */
  transaction(hash: Hex, signal: AbortSignal): Promise<TransactionDetails | null>;
  account(address: Hex, signal: AbortSignal, at?: number): Promise<AccountState>;
  /** `account` with what only this family's accounts have; left out where that is nothing. */
  describe?(address: Hex, signal: AbortSignal, at?: number): Promise<DescribedAccount>;
  nativeBalances(addresses: readonly Hex[], signal: AbortSignal, at?: number): Promise<readonly bigint[]>;
  /** Base units that are the address's and no part of its balance: staked with the network. Left out where none are. */
  stakedCoins?(address: Hex, signal: AbortSignal, at?: number): Promise<bigint>;
  /** Null where the contract does not answer `balanceOf`. */
  tokenBalances(
    pairs: readonly { readonly token: Hex; readonly holder: Hex }[],
    signal: AbortSignal,
    at?: number,
  ): Promise<readonly (bigint | null)[]>;
  tokenMetadata(tokens: readonly Hex[], signal: AbortSignal, at?: number): Promise<readonly LiveTokenMetadata[]>;
  /** One holder's accounts of each token, in the order asked, all in one state. Only where `can.token_accounts`. */
  tokenAccounts(asked: HolderTokens, signal: AbortSignal, at?: number): Promise<readonly HeldAccounts[]>;
  /** What a token lets whom do; null where it is no token. Only where `can.token_accounts`. */
  tokenTraits(token: Hex, signal: AbortSignal, at?: number): Promise<TokenTraits | null>;
  /** Read-only contract calls, batched. Only where `can.contract_calls`. */
  call(calls: readonly Call[], signal: AbortSignal, at?: number): Promise<readonly CallResult[]>;
  /** Read-only contract calls that look at a changed state. Only where `can.overrides`. */
  callOverridden(asked: OverriddenCalls, signal: AbortSignal, at?: number): Promise<readonly CallResult[]>;
  /**
   * Results of every call, by block. Only where `can.simulations`, and not further than `can.simulated_blocks_max` above
   * `at`. Code that asks for its caller sees a plain account.
   */
  simulate(blocks: readonly SimulatedBlock[], signal: AbortSignal, at: number): Promise<readonly SimulatedCall[][]>;
  /** One 32-byte storage slot. Only where `can.contract_calls`. */
  storage(where: { readonly address: Hex; slot: Hex }, signal: AbortSignal, at?: number): Promise<Bytes>;
}
