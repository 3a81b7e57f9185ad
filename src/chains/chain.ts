import type { Bytes, Hex } from "../lib/bytes.ts";
import type { VerificationLevel } from "../lib/verified.ts";
import type { DescribedAccount } from "./account_facts.ts";
import type { AccountHistory } from "./account_history.ts";
import type { Capabilities } from "./capabilities.ts";
import type { ChainWithNames } from "./chain_names.ts";
import type { NativeCreation } from "./native_creation.ts";
import type { Network } from "./network.ts";
import type { PoolAct } from "./pool_act.ts";
import type { ProgramAct } from "./program_act.ts";
import type { SummedVotes } from "./summed_votes.ts";
import type {
  AccountApproval,
  Freeze,
  HolderTokens,
  LiveTokenMetadata,
  TokenHoldings,
  TokenTraits,
} from "./token_accounts.ts";
import type { TransactionDetails } from "./transaction_details.ts";
import type { ChainWithSimulation } from "./transfer_trials.ts";

export type { Dialect, Family, Network } from "./network.ts";
export type { LiveTokenMetadata, VerificationLevel as Verified };

/** How much of a block's hash is recomputed: as much as possible, or only the links between blocks. */
export type Verify = "full" | "header";

/** One block in bytes. RPC JSON stays inside `chains/`. */
export interface Block {
  readonly number: number;
  readonly hash: Bytes;
  readonly parent_hash: Bytes;
  /** Unix seconds. */
  readonly time: number;
  /** Receives tips and rewards. */
  readonly producer: Bytes;
  /** Burnt per unit of gas; null if nothing is burnt. */
  readonly base_fee: bigint | null;
  readonly transactions: readonly Transaction[];
  readonly votes?: readonly SummedVotes[];
  /** Coins that appear without a transaction: validator withdrawals, block and uncle rewards. */
  readonly issuance: readonly {
    readonly kind: "reward" | "withdrawal";
    readonly address: Bytes;
    /** Below zero if the chain takes coins outside of a transaction (Solana's rent, until 2024). */
    readonly amount: bigint;
  }[];
  /** True if internal calls and headers of uncles were read; false: requested and unavailable. */
  readonly has_traces: boolean;
  readonly verified: VerificationLevel;
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
   * Coins created for the sender before anything ran, even if the transaction then failed: deposits of roll-ups.
   * Omitted means none.
   */
  readonly minted?: bigint;
  /** Total payment of the sender beyond `value`: gas, blob gas, layer-1 data, operator. */
  readonly fee: bigint;
  /** The part of `fee` for inclusion: the producer's, unless the network defines another recipient. */
  readonly tip: bigint;
  /** The part of `fee` for data on layer 1. Omitted means none. */
  readonly layer1_fee?: bigint;
  /** The part of `fee` for the operator of a roll-up (OP Stack since Isthmus). Omitted means none. */
  readonly operator_fee?: bigint;
  /** For blobs. Omitted means none. */
  readonly blob_fee?: bigint;
  /** From the receipt of a creation. */
  readonly created_contract: Bytes | null;
  readonly logs: readonly EventLog[];
  /** Inner calls in order of execution, without the outermost and without any that were reverted. */
  readonly calls: readonly InternalCall[];
  /** Other movements that the chain itself states and no log does. Omitted means none. */
  readonly moves?: readonly LoglessTransfer[];
  /** Freezes that the chain itself states. Omitted means none. */
  readonly freezes?: readonly Freeze[];
  /** Trades and other changes of pools that the chain itself states. Omitted means none. */
  readonly pool_acts?: readonly PoolAct[];
  /** Routes, loans, stakes and liquidity at known programs that the chain itself states. Omitted means none. */
  readonly program_acts?: readonly ProgramAct[];
  /** Permissions to take tokens that the chain itself states. Omitted means none. */
  readonly approvals?: readonly AccountApproval[];
  /** Tokens and programs that were created without `created_contract` and without a call. Omitted means none. */
  readonly creations?: readonly NativeCreation[];
}

/** Coins or tokens that moved without a log: TRC-10, SPL, and payments from or to a system of the chain. */
export interface LoglessTransfer {
  /**
   * `internal`: moved by a program; `wrap`: the native coin became a token, or a token the coin; `rent`: coins that an
   * account must hold to exist, deposited when it is opened and refunded when it is closed.
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
export interface EventLog {
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

export interface ContractCall {
  readonly to: Hex;
  readonly data: Hex;
  readonly from?: Hex;
  /** Base units of the native coin; the sender must have them. Omitted means none. */
  readonly value?: bigint;
  /** Omitted means as much as the node allows. */
  readonly gas?: number;
  /** Base units of the native coin per unit of gas, which the sender must have. Omitted means none. */
  readonly gas_price?: bigint;
}

/** Replaced parts of an account during a read-only call. Omitted parts stay unchanged. */
export interface Override {
  readonly address: Hex;
  readonly code?: Hex;
  /** Base units of the native coin. */
  readonly balance?: bigint;
  /** Slot -> value, 32 bytes each. Unnamed slots keep their values. */
  readonly storage?: Readonly<Record<string, Hex>>;
}

/** Calls that see the state with all `overrides`, each by itself. */
export interface OverriddenCalls {
  readonly calls: readonly ContractCall[];
  readonly overrides: readonly Override[];
}

/** A simulated block: its transactions change the state for later ones of the simulation only. */
export interface SimulatedBlock {
  /** Ascending, above the block that the simulation starts at. */
  readonly number: number;
  /** Unix seconds: at least 12 more per block than the block that the simulation starts at. */
  readonly time: number;
  readonly overrides?: readonly Override[];
  /** Receives the tips. Omitted means that of the block that the simulation starts at. */
  readonly producer?: Hex;
  /** Base units of the native coin per unit of gas. Omitted means as the node chooses. */
  readonly base_fee?: bigint;
  /** Each names its sender and needs no signature and no nonce. */
  readonly calls: readonly ContractCall[];
}

/** `data` is the return value, or the revert payload if `ok` is false. */
export interface SimulatedCall extends CallResult {
  readonly gas_used: number;
}

/** `data` is the return value, or the revert payload if `ok` is false. */
export interface CallResult {
  readonly ok: boolean;
  readonly data: Bytes;
}

/**
 * A network as the rest of the code sees it. Code outside `chains/` never branches on the family; it checks `can`.
 * Methods that reach a node throw `AssayError` `UPSTREAM_UNAVAILABLE` (retryable) if no endpoint answers, never an
 * empty result. `at` is a block number; omitted means the node's newest block.
 */
export interface Chain extends ChainWithNames, ChainWithSimulation {
  readonly network: Network;
  readonly can: Capabilities;
  /** The past of one account as its nodes know it. Omitted if the family's nodes do not report it. */
  readonly past?: AccountHistory;
  /** Canonical bytes of an address in any accepted form; null for other text, also with a wrong checksum. */
  parseAddress(text: string): Hex | null;
  /** EIP-55 on EVM. */
  formatAddress(address: Hex): string;
  /** Bytes of a transaction's hash in this network's format; null for other text. */
  parseHash(text: string): Hex | null;
  /** `0x…` on EVM. */
  formatHash(hash: Hex): string;
  /** False for an address without a possible key: a program's own. True if the address does not show it. */
  mayHaveKey(address: Hex): boolean;
  head(signal: AbortSignal): Promise<BlockRef>;
  /** The oldest block that some node keeps, as far as nodes have answered. Omitted if nodes of the family keep the headers of all. */
  oldest?(): number;
  /** Newest block that can no longer be reorganised. */
  finalized(signal: AbortSignal): Promise<number>;
  ref(number: number, signal: AbortSignal): Promise<BlockRef | null>;
  /** Blocks `from` to `to` inclusive, in order, verified: parents, hashes, counts. */
  blocks(from: number, to: number, signal: AbortSignal): Promise<readonly Block[]>;
  /**
   * One transaction with receipt and calls, verified like those of `blocks`. Null if no endpoint knows the hash. Throws
   * `AssayError` `COVERAGE_INCOMPLETE` if no endpoint keeps the receipts or traces of its block.
   */
  transaction(hash: Hex, signal: AbortSignal): Promise<TransactionDetails | null>;
  account(address: Hex, signal: AbortSignal, at?: number): Promise<AccountState>;
  /** `account` with the facts that only this family's accounts have; omitted if the family has no such facts. */
  describe?(address: Hex, signal: AbortSignal, at?: number): Promise<DescribedAccount>;
  nativeBalances(addresses: readonly Hex[], signal: AbortSignal, at?: number): Promise<readonly bigint[]>;
  /** Base units staked with the network, which the balance excludes. Omitted if the network has no such stakes. */
  stakedCoins?(address: Hex, signal: AbortSignal, at?: number): Promise<bigint>;
  /** Null if the contract does not answer `balanceOf`. */
  tokenBalances(
    pairs: readonly { readonly token: Hex; readonly holder: Hex }[],
    signal: AbortSignal,
    at?: number,
  ): Promise<readonly (bigint | null)[]>;
  tokenMetadata(tokens: readonly Hex[], signal: AbortSignal, at?: number): Promise<readonly LiveTokenMetadata[]>;
  /** One holder's accounts of each token, in order, all in one state. Only if `can.token_accounts`. */
  tokenAccounts(asked: HolderTokens, signal: AbortSignal, at?: number): Promise<readonly TokenHoldings[]>;
  /** The powers that a token grants; null if the address is no token. Only if `can.token_accounts`. */
  tokenTraits(token: Hex, signal: AbortSignal, at?: number): Promise<TokenTraits | null>;
  /** Read-only contract calls, batched. Only if `can.contract_calls`. */
  call(calls: readonly ContractCall[], signal: AbortSignal, at?: number): Promise<readonly CallResult[]>;
  /** Read-only contract calls with state overrides. Only if `can.overrides`. */
  callOverridden(asked: OverriddenCalls, signal: AbortSignal, at?: number): Promise<readonly CallResult[]>;
  /**
   * Results of every call, by block. Only if `can.simulations`, and not further than `can.simulated_blocks_max` above
   * `at`. To the called code, the caller looks like a plain account.
   */
  simulate(blocks: readonly SimulatedBlock[], signal: AbortSignal, at: number): Promise<readonly SimulatedCall[][]>;
  /**
   * `simulate` with calls that pay the base fee, which the called code sees. Null where the node accepts no such call. Only
   * if `can.simulations`; omitted where blocks have no base fee.
   */
  simulateValid?(
    blocks: readonly SimulatedBlock[],
    signal: AbortSignal,
    at: number,
  ): Promise<readonly SimulatedCall[][] | null>;
  /** One 32-byte storage slot. Only if `can.contract_calls`. */
  storage(where: { readonly address: Hex; slot: Hex }, signal: AbortSignal, at?: number): Promise<Bytes>;
}
