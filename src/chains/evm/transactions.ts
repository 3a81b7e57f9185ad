/** One transaction and its receipt, as JSON, made into a `Transaction` in bytes. */
import { type Bytes, EMPTY } from "../../lib/bytes.ts";
import type { Log, Transaction } from "../chain.ts";
import { BadAnswer, type Fields, fieldsOf, listOf } from "../node/answer.ts";
import type { TransactionTrace } from "./traces.ts";
import { addressOf, countOf, dataOf, hashOf, quantityOf, quantityOrNull, recipientOf } from "./wire.ts";

export interface TransactionParts {
  readonly index: number;
  readonly fields: Fields;
  readonly receipt: Fields;
  /** Null when the block was read without traces. */
  readonly trace: TransactionTrace | null;
  readonly base_fee: bigint | null;
  /** False where fees are paid in tokens. */
  readonly pays_coin: boolean;
}

/** A log names at most four topics: LOG0 to LOG4. */
const TOPICS_MAX = 4;
/** A deposit from layer 1 (ethereum-optimism/optimism specs/deposits.md): its gas was bought there. */
const DEPOSIT_TYPE = "0x7e";
const INTRINSIC_GAS = { transaction: 21_000n, creation: 32_000n, zero_byte: 4n, other_byte: 68n };

/** @throws BadAnswer when any field is not what the protocol says */
export const readTransaction = (parts: TransactionParts): Transaction => {
  const { fields, receipt } = parts;
  const recipient = recipientOf(fields.to, "recipient");
  const input = fields.input ?? fields.data;
  const bytes = input === "0x" || input === undefined ? EMPTY : dataOf(input, "input");
  const gas_used = quantityOf(receipt.gasUsed, "gas used");
  const logs = readLogs(receipt);
  const facts = { recipient, input: bytes, gas_used, logs };
  const succeeded = hasSucceeded(parts, facts);
  const { fee, tip } = feeOf(parts, gas_used);
  const minted = mintOf(fields);
  const created = recipient === null && succeeded ? recipientOf(receipt.contractAddress, "created contract") : null;
  const read: Transaction = {
    index: parts.index,
    hash: hashOf(fields.hash, "transaction hash"),
    sender: addressOf(fields.from, "sender"),
    recipient,
    value: quantityOf(fields.value, "value"),
    nonce: countOf(fields.nonce, "nonce"),
    input: bytes,
    succeeded,
    gas_used,
    fee,
    tip,
    created_contract: created,
    logs,
    calls: succeeded ? (parts.trace?.calls ?? []) : [],
  };
  return minted === 0n ? read : { ...read, minted };
};

const isDeposit = (fields: Fields): boolean => fields.type === DEPOSIT_TYPE;

/** Unconditional: it does not revert when the deposit fails. Absent from system deposits. */
const mintOf = (fields: Fields): bigint => (isDeposit(fields) ? (quantityOrNull(fields.mint, "mint") ?? 0n) : 0n);

const readLogs = (receipt: Fields): Log[] => {
  const list = listOf(receipt.logs, "logs");
  const logs = new Array<Log>(list.length);
  for (let i = 0; i < list.length; i += 1) {
    const fields = fieldsOf(list[i], "log");
    if (fields.transactionHash !== receipt.transactionHash) throw new BadAnswer("a log of another transaction");
    if (fields.removed === true) throw new BadAnswer("a log that was removed");
    const texts = listOf(fields.topics, "topics");
    if (texts.length > TOPICS_MAX) throw new BadAnswer("a log with more than four topics");
    const topics = new Array<Bytes>(texts.length);
    for (let k = 0; k < texts.length; k += 1) topics[k] = hashOf(texts[k], "topic");
    logs[i] = {
      address: addressOf(fields.address, "log address"),
      topics,
      data: dataOf(fields.data, "log data"),
      index: countOf(fields.logIndex, "log index"),
    };
  }
  return logs;
};

type Facts = Pick<Transaction, "recipient" | "input" | "gas_used" | "logs">;

/**
 * Receipts say it since Byzantium. Before, the trace does; without one, a transaction failed if it burnt its whole gas
 * on code that ran and left no log, because the only way to fail was to run out of gas.
 */
const hasSucceeded = ({ fields, receipt, trace }: TransactionParts, facts: Facts): boolean => {
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
const intrinsicGas = ({ recipient, input }: Facts): bigint => {
  let gas = INTRINSIC_GAS.transaction + (recipient === null ? INTRINSIC_GAS.creation : 0n);
  for (const byte of input) gas += byte === 0 ? INTRINSIC_GAS.zero_byte : INTRINSIC_GAS.other_byte;
  return gas;
};

/**
 * Gas at the price paid, blob gas (EIP-4844), and the layer-1 data fee of optimistic roll-ups. A fee paid in a token
 * (Celo's `feeCurrency`) is a token transfer of its own and nothing here.
 */
const feeOf = ({ fields, receipt, base_fee, pays_coin }: TransactionParts, gas_used: bigint) => {
  const in_token = fields.feeCurrency !== undefined && fields.feeCurrency !== null;
  if (in_token || !pays_coin || isDeposit(fields)) return { fee: 0n, tip: 0n };
  const price = quantityOf(receipt.effectiveGasPrice ?? fields.gasPrice, "gas price");
  const blob_gas = quantityOrNull(receipt.blobGasUsed, "blob gas");
  const blob_price = blob_gas === null ? null : quantityOrNull(receipt.blobGasPrice, "blob gas price");
  const layer1_fee = quantityOrNull(receipt.l1Fee, "layer-1 fee") ?? 0n;
  const over_base = price - (base_fee ?? 0n);
  return {
    fee: gas_used * price + (blob_gas ?? 0n) * (blob_price ?? 0n) + layer1_fee,
    tip: over_base > 0n ? gas_used * over_base : 0n,
  };
};
