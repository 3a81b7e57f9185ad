import type { Block, Network, Transaction } from "../chains/chain.ts";
import type { Bytes, Hex } from "../lib/bytes.ts";
import type { Venue } from "../protocols/venues.ts";
import type { FreezeList } from "./decode_freezes.ts";
import type { BlockRows, TransfersRow } from "./rows.ts";

/** Positions of logs begin here, after all inner calls (schema, `transfers`). */
export const LOG_POSITION = 1_048_576;

/** Movements that the chain states without a log come after all logs. */
export const LOGLESS_POSITION = 2_147_483_648;

/** Shared state of the decoders of one block. */
export interface BlockScope {
  readonly network: Network;
  readonly block: Block;
  readonly wrapped_native: Bytes | null;
  /** Known factories of this network. */
  readonly venues: ReadonlyMap<Hex, Venue>;
  /** Freeze events of this network's issuers. */
  readonly freezes: FreezeList;
  readonly rows: BlockRows;
}

/** The columns that every row of one transaction repeats. */
export const transactionColumns = ({ network, block }: BlockScope, transaction: Transaction) => ({
  network: network.id,
  block_number: block.number,
  time: block.time,
  tx_index: transaction.index,
  tx_hash: transaction.hash,
});

type TransferDraft = Pick<
  TransfersRow,
  "position" | "kind" | "token" | "token_id" | "source" | "destination" | "amount" | "is_bare"
>;

/** Most rows are transfers: written field by field, because spreading objects costs a multiple of it. */
export const pushTransfer = (
  { network, block, rows }: BlockScope,
  transaction: Transaction,
  move: TransferDraft,
): void => {
  const row: TransfersRow = {
    network: network.id,
    block_number: block.number,
    time: block.time,
    tx_index: transaction.index,
    position: move.position,
    kind: move.kind,
    token: move.token,
    token_id: move.token_id,
    source: move.source,
    destination: move.destination,
    amount: move.amount,
    sender: transaction.sender,
  };
  rows.transfers.push(move.is_bare === true ? { ...row, is_bare: true } : row);
};
