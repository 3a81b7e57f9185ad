import type { Block, Network, Transaction } from "../chains/chain.ts";
import { EMPTY, fromHex, type Hex } from "../lib/bytes.ts";
import type { Venue } from "../protocols/venues.ts";
import { decodeCalls } from "./decode_calls.ts";
import { decodeLogs } from "./decode_logs.ts";
import { type BlockScope, placeOf } from "./decode_scope.ts";
import { type BlockRows, emptyRows, type TransfersRow } from "./rows.ts";

/** Positions of a transaction's transfers that are neither its own value, an inner call nor a log (schema, `transfers`). */
const TIP_POSITION = 4_294_967_294;
const FEE_POSITION = 4_294_967_295;
/** Issuance belongs to the block and stands behind its transactions. */
const ISSUANCE_TX_INDEX = 4_294_967_295;

/**
 * All facts of one block. Pure; never throws on what a stranger put on the chain. Of a failed transaction only fee and
 * tip move.
 */
export const decodeBlock = (block: Block, network: Network, venues: ReadonlyMap<Hex, Venue>): BlockRows => {
  const wrapped_native = network.wrapped_native === null ? null : fromHex(network.wrapped_native);
  const scope: BlockScope = { network, block, wrapped_native, venues, rows: emptyRows() };
  scope.rows.blocks.push({
    network: network.id,
    block_number: block.number,
    time: block.time,
    hash: block.hash,
    parent_hash: block.parent_hash,
    producer: block.producer,
    transaction_count: block.transactions.length,
    has_traces: block.has_traces ? 1 : 0,
  });
  for (const transaction of block.transactions) decodeTransaction(scope, transaction);
  decodeIssuance(scope);
  return scope.rows;
};

const decodeTransaction = (scope: BlockScope, transaction: Transaction): void => {
  const { sender, recipient, value, input, fee, tip, succeeded } = transaction;
  const created = (succeeded ? transaction.created_contract : null) ?? EMPTY;
  const { tx_hash: hash, ...place } = placeOf(scope, transaction);
  scope.rows.transactions.push({
    ...place,
    hash,
    sender,
    recipient: recipient ?? EMPTY,
    value,
    fee,
    gas_used: transaction.gas_used,
    nonce: transaction.nonce,
    succeeded: succeeded ? 1 : 0,
    selector: recipient === null ? EMPTY : input.subarray(0, input.length < 4 ? 0 : 4),
    created,
  });
  const move = { ...place, tx_hash: hash, token: EMPTY, token_id: 0n, source: sender, sender };
  if (succeeded) {
    const destination = recipient ?? created;
    if (value > 0n) scope.rows.transfers.push({ ...move, kind: "native", position: 0, destination, amount: value });
    decodeCalls(scope, transaction);
    decodeLogs(scope, transaction);
  }
  const { transfers } = scope.rows;
  const rest = fee - tip;
  const producer = scope.block.producer;
  if (tip > 0n) transfers.push({ ...move, kind: "tip", position: TIP_POSITION, destination: producer, amount: tip });
  if (rest > 0n) transfers.push({ ...move, kind: "fee", position: FEE_POSITION, destination: EMPTY, amount: rest });
};

const decodeIssuance = ({ network, block, rows }: BlockScope): void => {
  for (const [position, { kind, address, amount }] of block.issuance.entries()) {
    if (amount === 0n) continue;
    const row: TransfersRow = {
      network: network.id,
      block_number: block.number,
      time: block.time,
      tx_index: ISSUANCE_TX_INDEX,
      tx_hash: EMPTY,
      position,
      kind,
      token: EMPTY,
      token_id: 0n,
      source: EMPTY,
      destination: address,
      amount,
      sender: EMPTY,
    };
    rows.transfers.push(row);
  }
};
