/** Facts in the info of one transaction beside its block: its cost, its calls, and the reason of a failure. */
import { type Bytes, EMPTY } from "../../lib/bytes.ts";
import type { Transaction } from "../chain.ts";
import { fieldsOf, type JsonFields, listOf } from "../node/answer.ts";
import type { Cost, Failure, TracedCall } from "../transaction_details.ts";
import { KINDS, noteOf, valuesOf } from "./calls.ts";
import { addressOf, addressOrNull, amountOf, bytesOf } from "./wire.ts";

const WORDS_BYTES_MAX = 512;

const receiptOf = ({ receipt }: JsonFields): JsonFields => (receipt === undefined ? {} : fieldsOf(receipt, "receipt"));

/** @throws BadAnswer */
export const costOf = (info: JsonFields): Cost => {
  const receipt = receiptOf(info);
  return {
    unit: "energy",
    energy: amountOf(receipt.energy_usage_total, "energy"),
    bandwidth: amountOf(receipt.net_usage, "bandwidth"),
  };
};

/** The last result is that of the outermost call. */
const outputOf = ({ contractResult }: JsonFields): Bytes =>
  contractResult === undefined ? EMPTY : bytesOf(listOf(contractResult, "contract results").at(-1), "result");

/** `receipt.result` names the fault (`REVERT`, `OUT_OF_ENERGY`), `resMessage` adds a message as hex of a text. */
const wordsOf = (info: JsonFields): string | null => {
  const said = Buffer.from(bytesOf(info.resMessage, "message").subarray(0, WORDS_BYTES_MAX)).toString("utf8");
  if (said !== "") return said;
  const { result } = receiptOf(info);
  return typeof result === "string" ? result : null;
};

/** The node does not state which of the inner calls failed first. @throws BadAnswer */
export const failureOf = (info: JsonFields): Failure => {
  const payload = outputOf(info);
  return { payload: payload.length === 0 ? null : payload, words: wordsOf(info), depth: null };
};

/**
 * The transaction's own call, then the inner ones in order. A node states their callers, callees and values, and
 * neither call data nor depth. @throws BadAnswer
 */
export const traceOf = (transaction: Transaction, info: JsonFields): readonly TracedCall[] => {
  const { sender, recipient, value, input, succeeded, created_contract } = transaction;
  const outermost: TracedCall = {
    depth: 0,
    kind: recipient === null ? "create" : "call",
    sender,
    recipient: recipient ?? created_contract,
    value,
    input,
    output: outputOf(info),
    error: succeeded ? null : (wordsOf(info) ?? "failed"),
    is_undone: !succeeded,
  };
  const inner = info.internal_transactions;
  const list = inner === undefined ? [] : listOf(inner, "internal transactions");
  return [outermost, ...list.flatMap((item) => innerCall(fieldsOf(item, "internal transaction"), succeeded))];
};

/** Stakes of contracts appear as movements, not as calls. */
const innerCall = (fields: JsonFields, succeeded: boolean): readonly TracedCall[] => {
  const note = noteOf(fields);
  const kind = Object.hasOwn(KINDS, note) ? KINDS[note] : undefined;
  if (kind === undefined) return [];
  const is_rejected = fields.rejected === true;
  return [
    {
      depth: null,
      kind,
      sender: addressOf(fields.caller_address, "caller"),
      recipient: addressOrNull(fields.transferTo_address, "callee"),
      value: valuesOf(fields).reduce((sum, { token, amount }) => (token.length === 0 ? sum + amount : sum), 0n),
      input: null,
      output: null,
      error: is_rejected ? "rejected" : null,
      is_undone: is_rejected || !succeeded,
    },
  ];
};
