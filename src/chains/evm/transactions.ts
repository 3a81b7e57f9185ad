/** Builds a `Transaction` in bytes from one transaction and its receipt in JSON. */
import { type Bytes, EMPTY, equalBytes } from "../../lib/bytes.ts";
import type { Transaction } from "../chain.ts";
import { BadAnswer, type JsonFields, listOf } from "../node/answer.ts";
import { createdBy, type Derivable, isDeposit, priceOf, typeOf } from "./derived.ts";
import { NO_STATED_FEES, statedFees } from "./fee_parts.ts";
import { nonceOf, withImplied } from "./implied.ts";
import type { ReceiptLogs } from "./receipt_logs.ts";
import type { TransactionTrace } from "./traces.ts";
import { addressOf, countOf, dataOf, hashOf, quantityOf, quantityOrNull, recipientOf } from "./wire.ts";

export interface EvmTransactionInput {
  readonly index: number;
  readonly fields: JsonFields;
  readonly receipt: JsonFields;
  readonly told: ReceiptLogs;
  /** Null if the block was read without traces. */
  readonly trace: TransactionTrace | null;
  readonly base_fee: bigint | null;
  /** `extraData` of the header, as the node states it. */
  readonly extra_data: unknown;
  /** False if fees are paid in tokens. */
  readonly pays_coin: boolean;
  /** Values that follow from the block's hash; null if nothing was recomputed and the text is trusted. */
  readonly committed: CommittedTransaction | null;
}

/** Inputs from which facts are derived instead of being read. */
export interface CommittedTransaction extends Derivable {
  /** Cumulative gas in the block, minus that of the transactions before. */
  readonly gas_used: bigint;
}

const INTRINSIC_GAS = { transaction: 21_000n, creation: 32_000n, zero_byte: 4n, other_byte: 68n };

/** @throws BadAnswer if any field violates the protocol */
export const readTransaction = (told: EvmTransactionInput): Transaction => {
  const { receipt, committed } = told;
  const fields = committed?.is_hashed === true ? withImplied(told.fields, receipt) : told.fields;
  const parts = { ...told, fields };
  const recipient = recipientOf(fields.to, "recipient");
  const input = fields.input ?? fields.data;
  const bytes = input === "0x" || input === undefined ? EMPTY : dataOf(input, "input");
  const gas_used = quantityOf(receipt.gasUsed, "gas used");
  if (committed !== null && committed.gas_used !== gas_used)
    throw new BadAnswer("the gas of a transaction is not what the block's gas grew by", "gas_used");
  const { logs, repeats_all } = told.told;
  if (committed !== null && !repeats_all) throw new BadAnswer("a log of another transaction", "log_reference");
  const facts = { recipient, input: bytes, gas_used, logs };
  const succeeded = hasSucceeded(parts, facts);
  const paid = feeOf(parts, gas_used);
  const minted = mintOf(fields);
  const sender = senderOf(parts);
  const created = recipient === null && succeeded ? createdOf(parts, sender) : null;
  const read: Transaction = {
    index: parts.index,
    hash: hashOf(fields.hash, "transaction hash"),
    sender,
    recipient,
    value: quantityOf(fields.value, "value"),
    nonce: nonceOf(fields, receipt),
    input: bytes,
    succeeded,
    gas_used,
    ...paid,
    created_contract: created,
    logs,
    calls: succeeded ? (parts.trace?.calls ?? []) : [],
  };
  return minted === 0n ? read : { ...read, minted };
};

/** The signer, which must be the sender that the text states. */
const senderOf = ({ fields, committed }: EvmTransactionInput): Bytes => {
  const told = addressOf(fields.from, "sender");
  const signer = committed?.sender ?? null;
  if (signer !== null && !equalBytes(signer, told))
    throw new BadAnswer("a transaction is not signed by its sender", "signature");
  return told;
};

const createdOf = ({ fields, receipt, committed }: EvmTransactionInput, sender: Bytes): Bytes | null => {
  const told = recipientOf(receipt.contractAddress, "created contract");
  const made = committed === null ? null : createdBy({ fields, receipt, sender }, committed);
  if (made === null) return told;
  if (told === null || !equalBytes(made, told))
    throw new BadAnswer("a created contract has an address of another", "created_contract");
  return made;
};

/** Celo's CIP-42 and CIP-64. If kinds are verified, no other kind can name a currency. */
const PAID_IN_TOKEN: readonly number[] = [0x7b, 0x7c];

const isPaidInToken = (fields: JsonFields, committed: CommittedTransaction | null): boolean =>
  fields.feeCurrency !== undefined &&
  fields.feeCurrency !== null &&
  (committed?.is_hashed !== true || PAID_IN_TOKEN.includes(typeOf(fields)));

const BLOB_TYPE = 3;
const GAS_PER_BLOB = 131_072n;

/** Blobs are counted by their hashes; the receipt states their price, which is at most what the sender allowed. */
const blobFeeOf = (
  { fields, receipt }: Pick<EvmTransactionInput, "fields" | "receipt">,
  committed: CommittedTransaction | null,
): bigint => {
  const told = quantityOrNull(receipt.blobGasUsed, "blob gas");
  if (told === null) return 0n;
  const price = quantityOrNull(receipt.blobGasPrice, "blob gas price") ?? 0n;
  if (committed?.is_hashed !== true) return told * price;
  if (typeOf(fields) !== BLOB_TYPE) return 0n;
  const gas = BigInt(listOf(fields.blobVersionedHashes, "blob hashes").length) * GAS_PER_BLOB;
  if (gas !== told) throw new BadAnswer("blob gas is not that of the blobs", "blob_gas");
  if (price > quantityOf(fields.maxFeePerBlobGas, "blob gas price allowed"))
    throw new BadAnswer("a blob gas price above what was allowed", "blob_gas");
  return gas * price;
};

/** Arbitrum's deposit of coins: minted for its sender, which sends them on. Source: OffchainLabs/nitro tx_processor.go. */
const ARBITRUM_DEPOSIT = 0x64;

/** Unconditional: it does not revert if the deposit fails. Absent from system deposits. */
const mintOf = (fields: JsonFields): bigint => {
  if (typeOf(fields) === ARBITRUM_DEPOSIT) return quantityOf(fields.value, "value");
  return isDeposit(fields) ? (quantityOrNull(fields.mint, "mint") ?? 0n) : 0n;
};

type ReceiptFacts = Pick<Transaction, "recipient" | "input" | "gas_used" | "logs">;

/**
 * Receipts have a status since Byzantium. Before, the trace shows failure; without one, a transaction failed if it
 * burnt its whole gas on code that ran and left no log, because running out of gas was the only way to fail.
 */
const hasSucceeded = ({ fields, receipt, trace }: EvmTransactionInput, facts: ReceiptFacts): boolean => {
  if (receipt.status !== undefined && receipt.status !== null) {
    const status = countOf(receipt.status, "status");
    if (status > 1) throw new BadAnswer("a status that is neither 0 nor 1");
    return status === 1;
  }
  if (trace !== null) return !trace.failed;
  if (facts.logs.length > 0 || facts.gas_used !== quantityOf(fields.gas, "gas limit")) return true;
  return facts.gas_used <= intrinsicGas(facts);
};

/** Gas before any code runs, at the prices before Istanbul (yellow paper, g0). */
const intrinsicGas = ({ recipient, input }: ReceiptFacts): bigint => {
  let gas = INTRINSIC_GAS.transaction + (recipient === null ? INTRINSIC_GAS.creation : 0n);
  for (const byte of input) gas += byte === 0 ? INTRINSIC_GAS.zero_byte : INTRINSIC_GAS.other_byte;
  return gas;
};

/**
 * Gas at the price paid, blob gas (EIP-4844), and the charges of roll-ups beside gas. A fee paid in a token (Celo's
 * `feeCurrency`) is a token transfer of its own and adds nothing here.
 */
const feeOf = (
  { fields, receipt, base_fee, extra_data, pays_coin, committed }: EvmTransactionInput,
  gas_used: bigint,
): Pick<Transaction, "fee" | "tip" | "layer1_fee" | "operator_fee" | "blob_fee"> => {
  if (isPaidInToken(fields, committed) || !pays_coin || isDeposit(fields)) return { fee: 0n, tip: 0n };
  const price = priceOf({ fields, receipt, base_fee }, committed);
  const { layer1, operator } =
    committed?.has_layer1_fee === false ? NO_STATED_FEES : statedFees({ receipt, gas_used, extra_data });
  const over_base = price - (base_fee ?? 0n);
  const blob_fee = blobFeeOf({ fields, receipt }, committed);
  return {
    fee: gas_used * price + blob_fee + layer1 + operator,
    tip: over_base > 0n ? gas_used * over_base : 0n,
    ...(layer1 === 0n ? {} : { layer1_fee: layer1 }),
    ...(operator === 0n ? {} : { operator_fee: operator }),
    ...(blob_fee === 0n ? {} : { blob_fee }),
  };
};
