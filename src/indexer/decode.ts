import type { Block, Network, Transaction } from "../chains/chain.ts";
import { feeRecipientOf } from "../chains/fee_recipients.ts";
import type { SummedVotes } from "../chains/summed_votes.ts";
import { type Bytes, EMPTY, equalBytes, fromHex, type Hex, toHex } from "../lib/bytes.ts";
import type { Venue } from "../protocols/venues.ts";
import { decodeCalls } from "./decode_calls.ts";
import { freezeListOf } from "./decode_freezes.ts";
import { decodeLogs } from "./decode_logs.ts";
import { decodePoolActs, decodeProgramActs } from "./decode_pool_acts.ts";
import { type BlockScope, LOGLESS_POSITION, pushTransfer, transactionColumns } from "./decode_scope.ts";
import { type BlockRows, emptyRows, type TransferKind, type TransfersRow } from "./rows.ts";

/**
 * Positions of a transaction's transfers that are neither its own value, an inner call nor a log (schema, `transfers`).
 */
const MINT_POSITION = 4_294_967_292;
const TIP_POSITION = 4_294_967_294;
const FEE_POSITION = 4_294_967_295;
/**
 * Positions of the fee's parts: the first, and those with other recipients; one position for each part beside the tip.
 */
const FEE_PARTS = [
  { kind: "fee", position: FEE_POSITION },
  { kind: "tip", position: 4_294_967_293 },
  { kind: "tip", position: 4_294_967_291 },
  { kind: "tip", position: 4_294_967_290 },
] as const;
/** Issuance belongs to the block and comes after its transactions. */
const ISSUANCE_TX_INDEX = 4_294_967_295;

/**
 * All facts of one block. Pure; never throws on untrusted chain data. Of a failed transaction only fee, tip and the
 * amount minted for it move.
 */
export const decodeBlock = (block: Block, network: Network, venues: ReadonlyMap<Hex, Venue>): BlockRows => {
  const wrapped_native = network.wrapped_native === null ? null : fromHex(network.wrapped_native);
  const scope: BlockScope = {
    network,
    block,
    wrapped_native,
    venues,
    freezes: freezeListOf(network),
    rows: emptyRows(),
  };
  scope.rows.blocks.push({
    network: network.id,
    block_number: block.number,
    time: block.time,
    hash: block.hash,
    parent_hash: block.parent_hash,
    producer: block.producer,
    transaction_count: block.transactions.length + (block.votes ?? []).reduce((sum, { count }) => sum + count, 0),
    has_traces: block.has_traces ? 1 : 0,
    verified: block.verified,
  });
  for (const transaction of block.transactions) decodeTransaction(scope, transaction);
  for (const votes of block.votes ?? []) decodeVotes(scope, votes);
  decodeIssuance(scope);
  return scope.rows;
};

const decodeTransaction = (scope: BlockScope, transaction: Transaction): void => {
  const { network, block, rows } = scope;
  const { sender, recipient, value, input, fee, tip, succeeded } = transaction;
  const created = (succeeded ? transaction.created_contract : null) ?? EMPTY;
  rows.transactions.push({
    network: network.id,
    block_number: block.number,
    time: block.time,
    tx_index: transaction.index,
    hash: transaction.hash,
    sender,
    recipient: recipient ?? EMPTY,
    value,
    fee,
    gas_used: transaction.gas_used,
    nonce: transaction.nonce,
    succeeded: succeeded ? 1 : 0,
    selector: recipient === null || input.length < 4 ? EMPTY : input.subarray(0, 4),
    created,
  });
  const pay = (kind: TransferKind, amount: bigint, to: { position: number; destination: Bytes }): void => {
    if (amount <= 0n) return;
    const { position, destination } = to;
    pushTransfer(scope, transaction, {
      position,
      kind,
      token: EMPTY,
      token_id: 0n,
      source: sender,
      destination,
      amount,
    });
  };
  if (succeeded) {
    pay("native", value, { position: 0, destination: recipient ?? created });
    decodeCalls(scope, transaction);
    decodeLogs(scope, transaction);
    for (const [index, { kind, token, source, destination, amount }] of (transaction.moves ?? []).entries())
      if (amount > 0n) {
        const position = LOGLESS_POSITION + index;
        pushTransfer(scope, transaction, { position, kind, token, token_id: 0n, source, destination, amount });
      }
    decodeNativeActs(scope, transaction);
    decodePoolActs(scope, transaction);
    decodeProgramActs(scope, transaction);
  }
  if (transaction.minted !== undefined) {
    const mint = { kind: "native", token: EMPTY, token_id: 0n, source: EMPTY, destination: sender } as const;
    pushTransfer(scope, transaction, { ...mint, position: MINT_POSITION, amount: transaction.minted });
  }
  const tipped = feeRecipientOf(network.fee_recipients, "tip", block) ?? block.producer;
  pay("tip", tip, { position: TIP_POSITION, destination: tipped });
  // One row of the kind "fee" for each transaction that paid one: it names the sender.
  for (const [i, { amount, recipient }] of sharesOf(scope, transaction).entries()) {
    const part = FEE_PARTS[i];
    if (part !== undefined) pay(part.kind, amount, { position: part.position, destination: recipient });
  }
};

interface RecipientShare {
  readonly recipient: Bytes;
  readonly amount: bigint;
}

const NO_SHARES: readonly RecipientShare[] = [];

/** The fee beyond the tip, by recipient; the empty recipient means burnt. */
const sharesOf = ({ network, block }: BlockScope, transaction: Transaction): readonly RecipientShare[] => {
  const { fee, tip, layer1_fee = 0n, operator_fee = 0n, blob_fee = 0n } = transaction;
  if (layer1_fee === 0n && operator_fee === 0n && blob_fee === 0n) {
    // Most networks have one part, and this runs for thousands of transactions.
    if (fee <= tip) return NO_SHARES;
    return [{ recipient: feeRecipientOf(network.fee_recipients, "base", block) ?? EMPTY, amount: fee - tip }];
  }
  const base = fee - tip - layer1_fee - operator_fee - blob_fee;
  const parts = { base, layer1: layer1_fee, operator: operator_fee, blob: blob_fee };
  const shares: RecipientShare[] = [];
  for (const part of ["base", "layer1", "operator", "blob"] as const) {
    if (parts[part] <= 0n) continue;
    const recipient = feeRecipientOf(network.fee_recipients, part, block) ?? EMPTY;
    const at = shares.findIndex((share) => equalBytes(share.recipient, recipient));
    const share = { recipient, amount: parts[part] + (shares[at]?.amount ?? 0n) };
    if (at < 0) shares.push(share);
    else shares[at] = share;
  }
  return shares;
};

/**
 * Freezes, approvals and creations that the chain itself states; their positions follow each other, as those of logs
 * and calls do.
 */
const decodeNativeActs = (scope: BlockScope, transaction: Transaction): void => {
  const { freezes = [], approvals = [], creations = [] } = transaction;
  if (freezes.length + approvals.length + creations.length === 0) return;
  const place = transactionColumns(scope, transaction);
  for (const [log_index, freeze] of freezes.entries())
    if (scope.freezes.tokens.has(toHex(freeze.token)))
      scope.rows.freeze_events.push({ ...place, ...freeze, log_index, amount: null });
  for (const [log_index, approval] of approvals.entries())
    scope.rows.approvals.push({ ...place, ...approval, log_index, kind: "erc20" });
  for (const [index, { address, creator, factory, is_upgrade }] of creations.entries()) {
    if (is_upgrade) continue;
    const nothing = { init_hash: EMPTY, code_hash: EMPTY };
    const creation = { event: "created", method: "create", creator, factory } as const;
    scope.rows.contracts.push({ ...place, address, position: LOGLESS_POSITION + index, ...creation, ...nothing });
  }
};

/**
 * Votes of one validator are one fee at the position of the first of them and without a sender. Their number is in the
 * column of a token's item: no other fee has one.
 */
const decodeVotes = ({ network, block, rows }: BlockScope, { voter, index, count, fee }: SummedVotes): void => {
  rows.transfers.push({
    network: network.id,
    block_number: block.number,
    time: block.time,
    tx_index: index,
    position: FEE_POSITION,
    kind: "fee",
    token: EMPTY,
    token_id: BigInt(count),
    source: voter,
    destination: EMPTY,
    amount: fee,
    sender: EMPTY,
  });
};

const decodeIssuance = ({ network, block, rows }: BlockScope): void => {
  for (const [position, { kind, address, amount }] of block.issuance.entries()) {
    if (amount === 0n) continue;
    const row: TransfersRow = {
      network: network.id,
      block_number: block.number,
      time: block.time,
      tx_index: ISSUANCE_TX_INDEX,
      position,
      kind: amount < 0n ? "fee" : kind,
      token: EMPTY,
      token_id: 0n,
      source: amount < 0n ? address : EMPTY,
      destination: amount < 0n ? EMPTY : address,
      amount: amount < 0n ? -amount : amount,
      sender: EMPTY,
    };
    rows.transfers.push(row);
  }
};
