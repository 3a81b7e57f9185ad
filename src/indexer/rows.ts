import type { Bytes } from "../lib/bytes.ts";
import type { VerificationLevel } from "../lib/verified.ts";
import type { PositionFact } from "../protocols/protocol.ts";

/** Rows of the fact tables with the names of the schema: String = bytes, DateTime = unix seconds, Enum = its name. */

interface RowOrigin {
  readonly network: string;
  readonly block_number: number;
  readonly time: number;
}

interface TransactionRowOrigin extends RowOrigin {
  readonly tx_index: number;
  readonly tx_hash: Bytes;
}

interface LogRowOrigin extends TransactionRowOrigin {
  readonly log_index: number;
}

export interface BlocksRow extends RowOrigin {
  readonly hash: Bytes;
  readonly parent_hash: Bytes;
  readonly producer: Bytes;
  readonly transaction_count: number;
  readonly has_traces: number;
  readonly verified: VerificationLevel;
}

export interface TransactionsRow extends RowOrigin {
  readonly tx_index: number;
  readonly hash: Bytes;
  readonly sender: Bytes;
  readonly recipient: Bytes;
  readonly value: bigint;
  readonly fee: bigint;
  readonly gas_used: bigint;
  readonly nonce: number;
  readonly succeeded: number;
  readonly selector: Bytes;
  readonly created: Bytes;
}

export type TransferKind =
  | "native"
  | "internal"
  | "erc20"
  | "erc721"
  | "erc1155"
  | "wrap"
  | "fee"
  | "tip"
  | "reward"
  | "withdrawal"
  | "spl"
  | "trc20"
  | "trc10"
  | "rent";

export interface TransfersRow extends RowOrigin {
  readonly tx_index: number;
  readonly position: number;
  readonly kind: TransferKind;
  readonly token: Bytes;
  readonly token_id: bigint;
  readonly source: Bytes;
  readonly destination: Bytes;
  readonly amount: bigint;
  readonly sender: Bytes;
  /** Of a log that indexes nothing (`protocols/token_kinds.ts`). No column. */
  readonly is_bare?: true;
}

/** A token that one transaction sent to more than a hundred addresses (`mass_transfers.ts`). */
export interface MassTransfersRow extends Omit<RowOrigin, "time"> {
  readonly tx_index: number;
  readonly token: Bytes;
  readonly receivers: number;
}

export interface SwapsRow extends LogRowOrigin {
  readonly pool: Bytes;
  readonly caller: Bytes;
  readonly recipient: Bytes;
  readonly trader: Bytes;
  readonly amount0: bigint;
  readonly amount1: bigint;
}

export interface PoolStatesRow extends RowOrigin {
  readonly pool: Bytes;
  readonly log_index: number;
  readonly reserve0: bigint;
  readonly reserve1: bigint;
  readonly sqrt_price_x96: bigint;
  readonly liquidity: bigint;
  readonly tick: number;
}

export interface LiquidityEventsRow extends LogRowOrigin {
  readonly pool: Bytes;
  readonly kind: "mint" | "burn" | "collect";
  readonly owner: Bytes;
  readonly actor: Bytes;
  readonly amount0: bigint;
  readonly amount1: bigint;
  readonly liquidity: bigint;
  readonly tick_lower: number;
  readonly tick_upper: number;
}

export interface PoolsRow extends LogRowOrigin {
  readonly pool: Bytes;
  readonly family: string;
  readonly venue: string;
  readonly factory: Bytes;
  readonly token0: Bytes;
  readonly token1: Bytes;
  readonly fee_ppm: number;
  readonly tick_spacing: number;
  readonly creator: Bytes;
  readonly hooks: Bytes;
}

/** A pool that the chain named without its beginning. */
export type PoolsAnnouncedRow = Omit<PoolsRow, keyof LogRowOrigin | "creator" | "hooks"> & Pick<RowOrigin, "network">;

export interface ApprovalsRow extends LogRowOrigin {
  readonly owner: Bytes;
  readonly token: Bytes;
  readonly spender: Bytes;
  readonly kind: "erc20" | "erc721" | "for_all";
  readonly amount: bigint;
}

export interface OwnershipEventsRow extends LogRowOrigin {
  readonly contract: Bytes;
  readonly kind: "ownership" | "implementation" | "admin" | "beacon";
  readonly previous: Bytes;
  readonly current: Bytes;
}

/** `unreadable`: the issuer emitted a layout that is not the registered one; account has no bytes. */
export interface FreezeEventsRow extends LogRowOrigin {
  readonly token: Bytes;
  readonly account: Bytes;
  readonly effect: "unreadable" | "freeze" | "unfreeze" | "destroy" | "seize";
  readonly amount: bigint | null;
}

export interface ContractsRow extends TransactionRowOrigin {
  readonly address: Bytes;
  readonly position: number;
  readonly event: "created" | "destroyed";
  readonly method: "none" | "create" | "create2";
  readonly creator: Bytes;
  readonly factory: Bytes;
  readonly init_hash: Bytes;
  readonly code_hash: Bytes;
}

export interface PositionEventsRow extends LogRowOrigin {
  readonly subject: Bytes;
  readonly kind: PositionFact["kind"];
  readonly contract: Bytes;
  readonly pool: Bytes;
  readonly asset: Bytes;
  readonly amount0: bigint;
  readonly amount1: bigint;
  readonly liquidity: bigint;
}

/** The balance of a token's owner changed without a Transfer (`silent_supply.ts` finds the amount); no table. */
export interface OwnerSupply extends LogRowOrigin {
  readonly token: Bytes;
  readonly sender: Bytes;
}

/** Facts of blocks, table by table. The store makes copies in other orders (ledger, places, deployments). */
export interface BlockRows {
  readonly blocks: BlocksRow[];
  readonly transactions: TransactionsRow[];
  readonly transfers: TransfersRow[];
  /** Found when everything else of the blocks is known. */
  readonly mass_transfers: MassTransfersRow[];
  readonly swaps: SwapsRow[];
  readonly pool_states: PoolStatesRow[];
  readonly liquidity_events: LiquidityEventsRow[];
  readonly pools: PoolsRow[];
  /** Stored once each (`enrich_pools.ts`); no table of their own. */
  readonly pools_told: PoolsAnnouncedRow[];
  readonly approvals: ApprovalsRow[];
  readonly ownership_events: OwnershipEventsRow[];
  readonly freeze_events: FreezeEventsRow[];
  readonly contracts: ContractsRow[];
  readonly position_events: PositionEventsRow[];
  readonly owner_supplies: OwnerSupply[];
}

export const emptyRows = (): BlockRows => ({
  blocks: [],
  transactions: [],
  transfers: [],
  mass_transfers: [],
  swaps: [],
  pool_states: [],
  liquidity_events: [],
  pools: [],
  pools_told: [],
  approvals: [],
  ownership_events: [],
  freeze_events: [],
  contracts: [],
  position_events: [],
  owner_supplies: [],
});

/** Appends the rows of `more` to `rows`, table by table. */
export const joinRows = (rows: BlockRows, more: BlockRows): void => {
  append(rows.blocks, more.blocks);
  append(rows.transactions, more.transactions);
  append(rows.transfers, more.transfers);
  append(rows.mass_transfers, more.mass_transfers);
  append(rows.swaps, more.swaps);
  append(rows.pool_states, more.pool_states);
  append(rows.liquidity_events, more.liquidity_events);
  append(rows.pools, more.pools);
  append(rows.pools_told, more.pools_told);
  append(rows.approvals, more.approvals);
  append(rows.ownership_events, more.ownership_events);
  append(rows.freeze_events, more.freeze_events);
  append(rows.contracts, more.contracts);
  append(rows.position_events, more.position_events);
  append(rows.owner_supplies, more.owner_supplies);
};

/** A loop, because spreading a long list into `push` overflows the stack. */
const append = <T>(list: T[], more: readonly T[]): void => {
  for (const row of more) list.push(row);
};
