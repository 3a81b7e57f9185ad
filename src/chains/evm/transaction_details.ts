/** One transaction by its hash: the transaction, its receipt, its block and its calls, checked against each other. */

import { EVM_FEE_PARTS, LAYER1_GAS_FIELDS } from "../../knowledge/fees.gen.ts";
import { EMPTY, equalBytes, type Hex, toHex } from "../../lib/bytes.ts";
import { AssayError } from "../../lib/errors.ts";
import type { BlockRef, Network, Transaction } from "../chain.ts";
import { BadAnswer, fieldsOf, type JsonFields, listOf } from "../node/answer.ts";
import type { RpcAnswer, RpcCall } from "../node/json_rpc.ts";
import { isMissingMethod, isMissingState } from "../node/refusal.ts";
import type { MinedTransaction, TracedCall, TransactionDetails } from "../transaction_details.ts";
import { authorizationsOf } from "./authorizations.ts";
import { addLogs, emptyBloom } from "./bloom.ts";
import { isBookkeeping } from "./bookkeeping.ts";
import { framesOfEntries, framesOfTracer } from "./frames.ts";
import { nonceOf } from "./implied.ts";
import type { EvmRpcNode, EvmRpcPool } from "./pool.ts";
import { resultsOf } from "./probe.ts";
import { readReceiptLogs } from "./receipt_logs.ts";
import { readCallTracer, readTraceBlock, type TransactionTrace } from "./traces.ts";
import { CALL_TRACER } from "./traits.ts";
import { readTransaction } from "./transactions.ts";
import { addressOf, bloomOf, countOf, dataOf, hashOf, quantityOf, quantityOrNull, recipientOf } from "./wire.ts";

/** Data that an endpoint has pruned, although it knows the transaction. */
interface MissingPart {
  readonly lacking: "receipt" | "trace";
}

type TransactionResult = MinedTransaction | MissingPart;

export class EvmTransactionReader {
  readonly #pool: EvmRpcPool;
  readonly #network: Network;

  constructor(pool: EvmRpcPool, network: Network) {
    this.#pool = pool;
    this.#network = network;
  }

  /** @throws AssayError UPSTREAM_UNAVAILABLE, or COVERAGE_INCOMPLETE if no endpoint keeps the receipt or trace */
  async transaction(hash: Hex, signal: AbortSignal): Promise<TransactionDetails | null> {
    const found = await this.#find(hash, signal);
    if (found === null) return null;
    const { fields, told } = found;
    const is_pending = fields.blockHash === null || fields.blockHash === undefined;
    return { ...told, mined: is_pending ? null : await this.#mined(fields, signal) };
  }

  /** One endpoint alone may be behind, or may not know a waiting transaction. */
  async #find(hash: Hex, signal: AbortSignal): Promise<LocatedTransaction | null> {
    const what = "eth_getTransactionByHash";
    const first = await this.#pool.run({ what }, signal, (node) => find(node, hash, signal));
    if (first !== null || this.#pool.size < 2) return first;
    const others = await this.#pool.each(what, signal, (node, limit) => find(node, hash, limit));
    return others.find((found) => found !== null) ?? null;
  }

  async #mined(fields: JsonFields, signal: AbortSignal): Promise<MinedTransaction> {
    const wants_traces = this.#pool.known.some((traits) => traits.traces !== null);
    const accepts = (traits: EvmRpcNode["traits"]) => !wants_traces || traits.traces !== null;
    const question = { what: "a transaction and its receipt", accepts };
    const first = await this.#pool.agreed(question, signal, (node) => this.#read(node, fields, signal));
    if (!("lacking" in first)) return first;
    const others =
      this.#pool.size < 2 || this.#pool.agree > 1
        ? []
        : await this.#pool.each(question.what, signal, async (node, limit) =>
            accepts(node.traits) ? this.#read(node, fields, limit) : null,
          );
    for (const other of others) if (other !== null && !("lacking" in other)) return other;
    throw new AssayError({
      code: "COVERAGE_INCOMPLETE",
      message: `${this.#network.id}: no endpoint has the ${first.lacking} of ${String(fields.hash)}`,
      public: `The transaction is in a block of ${this.#network.name}, but no node keeps its ${first.lacking} any more.`,
    });
  }

  async #read(node: EvmRpcNode, fields: JsonFields, signal: AbortSignal): Promise<TransactionResult> {
    const trace_call = isBookkeeping(fields) ? null : traceCall(node, fields.hash);
    const calls: RpcCall[] = [
      { method: "eth_getTransactionReceipt", params: [fields.hash] },
      { method: "eth_getBlockByHash", params: [fields.blockHash, false] },
      ...(trace_call === null ? [] : [trace_call]),
    ];
    const { answers } = await node.endpoint.ask(calls, signal);
    const [receipt, header] = resultsOf(answers.slice(0, 2));
    if (header === null) throw new BadAnswer("the block of a transaction is not there");
    if (receipt === null) return { lacking: "receipt" };
    const traced = trace_call === null ? null : (answers[2] ?? null);
    if (traced !== null && !traced.ok && isMissingState(traced.error)) return { lacking: "trace" };
    const parts = { fields, receipt: fieldsOf(receipt, "receipt"), header: fieldsOf(header, "block") };
    return minedOf(parts, { call: trace_call, answer: traced }, this.#network);
  }
}

/** A transaction as one endpoint knows it, and its parts that need no block. */
interface LocatedTransaction {
  readonly fields: JsonFields;
  readonly told: Omit<TransactionDetails, "mined">;
}

/**
 * Reads the transaction as part of the request, so that an error in it counts against this endpoint. @throws BadAnswer
 */
const find = async ({ endpoint }: EvmRpcNode, hash: Hex, signal: AbortSignal): Promise<LocatedTransaction | null> => {
  const { answers } = await endpoint.ask([{ method: "eth_getTransactionByHash", params: [`0x${hash}`] }], signal);
  const [answer] = resultsOf(answers);
  if (answer === null) return null;
  const fields = fieldsOf(answer, "transaction");
  if (toHex(hashOf(fields.hash, "transaction hash")) !== hash)
    throw new BadAnswer("another transaction than asked for");
  return { fields, told: { ...partsOf(fields), authorizations: authorizationsOf(fields.authorizationList) } };
};

const traceCall = ({ traits }: EvmRpcNode, hash: unknown): RpcCall | null => {
  if (traits.traces === null) return null;
  return traits.traces === "trace_block"
    ? { method: "trace_transaction", params: [hash] }
    : { method: "debug_traceTransaction", params: [hash, CALL_TRACER] };
};

interface MinedFields {
  readonly fields: JsonFields;
  readonly receipt: JsonFields;
  readonly header: JsonFields;
}

interface TraceAnswer {
  readonly call: RpcCall | null;
  readonly answer: RpcAnswer | null;
}

/** @throws BadAnswer if transaction, receipt, block and trace do not belong together */
const minedOf = ({ fields, receipt, header }: MinedFields, traced: TraceAnswer, network: Network): MinedTransaction => {
  const index = countOf(fields.transactionIndex, "transaction index");
  const block = blockOf(header);
  if (header.hash !== fields.blockHash || receipt.blockHash !== fields.blockHash)
    throw new BadAnswer("transaction, receipt and block do not belong together");
  if (countOf(fields.blockNumber, "block number") !== block.number) throw new BadAnswer("a block of another number");
  if (receipt.transactionHash !== fields.hash) throw new BadAnswer("a receipt of another transaction");
  if (countOf(receipt.transactionIndex, "receipt index") !== index) throw new BadAnswer("a receipt of another place");
  if (listOf(header.transactions, "transactions")[index] !== fields.hash)
    throw new BadAnswer("a transaction that is not at its position in the block");
  const base_fee = quantityOrNull(header.baseFeePerGas, "base fee");
  const read = readTraced(traced, { fields, index });
  const pays_coin = network.has_native_coin !== false;
  const transaction = readTransaction({
    index,
    fields,
    receipt,
    told: readReceiptLogs(receipt),
    trace: read?.moved ?? null,
    base_fee,
    extra_data: header.extraData,
    pays_coin,
    committed: null,
  });
  if (!isBookkeeping(fields)) checkLogs(transaction.logs, { receipt, header });
  const gas_price = quantityOf(receipt.effectiveGasPrice ?? fields.gasPrice, "gas price");
  const over = gas_price - (base_fee ?? 0n);
  return {
    block,
    transaction,
    cost: {
      unit: "gas",
      price: gas_price,
      priority_price: over > 0n ? over : 0n,
      ...layer1Of(receipt, transaction, gas_price),
    },
    verified: "none",
    trace: read?.frames ?? null,
  };
};

/** The part for data on layer 1: beside gas, or as gas, where the receipt states it in one of these ways. */
const layer1Of = (receipt: JsonFields, { layer1_fee }: Transaction, gas_price: bigint) => {
  const is_stated = EVM_FEE_PARTS.some(
    ({ part, amount }) => part === "layer1" && "field" in amount && receipt[amount.field] !== undefined,
  );
  if (is_stated) return { layer1_fee: layer1_fee ?? 0n, is_layer1_gas: false };
  const gas = LAYER1_GAS_FIELDS.flatMap((field) => quantityOrNull(receipt[field], field) ?? []);
  if (gas.length === 0) return { layer1_fee: null, is_layer1_gas: false };
  return { layer1_fee: gas.reduce((sum, used) => sum + used, 0n) * gas_price, is_layer1_gas: true };
};

const blockOf = (header: JsonFields): BlockRef => ({
  number: countOf(header.number, "block number"),
  hash: toHex(hashOf(header.hash, "block hash")),
  parent_hash: toHex(hashOf(header.parentHash, "parent hash")),
  time: countOf(header.timestamp, "block time"),
});

interface TraceRead {
  readonly moved: TransactionTrace;
  readonly frames: readonly TracedCall[];
}

/** Null if the node has no method to trace. */
const readTraced = (
  { call, answer }: TraceAnswer,
  { fields, index }: { fields: JsonFields; index: number },
): TraceRead | null => {
  if (call === null || answer === null) return null;
  if (!answer.ok) {
    if (isMissingMethod(answer.error)) return null;
    throw answer.error;
  }
  const target = { hash: fields.hash, from: fields.from };
  if (call.method === "debug_traceTransaction") {
    const [moved] = readCallTracer([answer.result], [target]);
    return moved === undefined ? null : { moved, frames: framesOfTracer(answer.result) };
  }
  // The reader of whole blocks finds a transaction by its position, and this list has only one.
  const entries = listOf(answer.result, "transaction trace").map((item) => {
    const entry = fieldsOf(item, "trace");
    if (entry.transactionPosition !== index) throw new BadAnswer("a trace of another transaction");
    return { ...entry, transactionPosition: 0 };
  });
  const [moved] = readTraceBlock(entries, [target]).traces;
  return moved === undefined ? null : { moved, frames: framesOfEntries(entries) };
};

/**
 * Checks that positions have no gap, that the logs give the receipt's filter, and that the block's filter contains it.
 */
const checkLogs = (
  logs: MinedTransaction["transaction"]["logs"],
  { receipt, header }: { receipt: JsonFields; header: JsonFields },
): void => {
  for (const [i, log] of logs.entries())
    if (log.index !== (logs[0]?.index ?? 0) + i) throw new BadAnswer("log positions have a gap");
  const sum = emptyBloom();
  addLogs(sum, logs);
  const claimed = bloomOf(receipt.logsBloom, "receipt log filter");
  if (!equalBytes(sum, claimed)) throw new BadAnswer("logs do not fit their receipt's log filter");
  const whole = bloomOf(header.logsBloom, "log filter");
  if (sum.some((byte, i) => (byte & ~(whole[i] ?? 0)) !== 0))
    throw new BadAnswer("logs do not fit the block's log filter");
};

const partsOf = (fields: JsonFields): Omit<TransactionDetails, "mined" | "authorizations"> => {
  const input = fields.input ?? fields.data;
  return {
    hash: hashOf(fields.hash, "transaction hash"),
    sender: addressOf(fields.from, "sender"),
    recipient: recipientOf(fields.to, "recipient"),
    value: quantityOf(fields.value, "value"),
    nonce: nonceOf(fields, {}),
    input: input === undefined || input === "0x" ? EMPTY : dataOf(input, "input"),
  };
};
