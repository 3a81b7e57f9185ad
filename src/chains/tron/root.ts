/** The transactions' root in the header of a block (java-tron, BlockCapsule.calcMerkleRoot, MerkleTree). */
import { hash } from "node:crypto";
import type { Bytes } from "../../lib/bytes.ts";
import { BadAnswer, fieldsOf, type JsonFields, listOf } from "../node/answer.ts";
import { integerOf } from "../node/lossless_json.ts";
import { integerField, lengthField } from "./protobuf.ts";
import { bytesOf } from "./wire.ts";

const RAW_DATA = 1;
const SIGNATURE = 2;
const RESULT = 5;
const HASH_BYTES = 32;
const ROOT_OF_NOTHING = new Uint8Array(HASH_BYTES);

/** Members of `Transaction.Result` by their numbers (java-tron, core/Tron.proto). */
const RESULT_INTEGERS: Readonly<Record<string, number>> = {
  fee: 1,
  withdraw_amount: 15,
  unfreeze_amount: 16,
  exchange_received_amount: 18,
  exchange_inject_another_amount: 19,
  exchange_withdraw_another_amount: 20,
  exchange_id: 21,
  shielded_transaction_fee: 22,
  withdraw_expire_amount: 27,
};
const CODES: readonly string[] = ["SUCESS", "FAILED"];
const CONTRACT_RESULTS: readonly string[] = [
  "DEFAULT",
  "SUCCESS",
  "REVERT",
  "BAD_JUMP_DESTINATION",
  "OUT_OF_MEMORY",
  "PRECOMPILED_CONTRACT",
  "STACK_TOO_SMALL",
  "STACK_TOO_LARGE",
  "ILLEGAL_OPERATION",
  "STACK_OVERFLOW",
  "OUT_OF_ENERGY",
  "OUT_OF_TIME",
  "JVM_STACK_OVER_FLOW",
  "UNKNOWN",
  "TRANSFER_FAILED",
  "INVALID_CODE",
];

interface RootTransaction {
  /** The encoding of the whole transaction. @throws BadAnswer for a field that this program cannot write */
  whole(): Bytes;
}

/** Hashes pairs together; a remaining node moves up unchanged. @throws BadAnswer */
export const transactionsRoot = (transactions: readonly RootTransaction[]): Bytes => {
  if (transactions.length === 0) return ROOT_OF_NOTHING;
  const level = Buffer.allocUnsafeSlow(transactions.length * HASH_BYTES);
  for (const [i, one] of transactions.entries()) level.set(sha256(one.whole()), i * HASH_BYTES);
  for (let count = transactions.length; count > 1; count = Math.ceil(count / 2)) {
    const pairs = Math.floor(count / 2);
    for (let i = 0; i < pairs; i += 1)
      level.set(sha256(level.subarray(2 * i * HASH_BYTES, 2 * (i + 1) * HASH_BYTES)), i * HASH_BYTES);
    if (count % 2 === 1) level.copyWithin(pairs * HASH_BYTES, (count - 1) * HASH_BYTES, count * HASH_BYTES);
  }
  return level.subarray(0, HASH_BYTES);
};

export const sha256 = (bytes: Bytes): Bytes => hash("sha256", bytes, "buffer");

/** A whole transaction: the signed data (`raw`), the signatures, and the outcome. @throws BadAnswer */
export const wholeOf = (fields: JsonFields, raw: Bytes): Bytes => {
  const signatures = fields.signature === undefined ? [] : listOf(fields.signature, "signatures");
  const results = fields.ret === undefined ? [] : listOf(fields.ret, "results");
  return Buffer.concat([
    lengthField(RAW_DATA, raw),
    ...signatures.map((one) => lengthField(SIGNATURE, bytesOf(one, "signature"))),
    ...results.map((one) => lengthField(RESULT, resultOf(fieldsOf(one, "result")))),
  ]);
};

/** In the order of the numbers. A field that this program cannot write cannot be checked either. */
const resultOf = (fields: JsonFields): Bytes => {
  const parts = Object.entries(fields).map(([name, value]): readonly [number, Bytes] => {
    if (name === "ret") return [2, integerField(2, numberOf(CODES, value))];
    if (name === "contractRet") return [3, integerField(3, numberOf(CONTRACT_RESULTS, value))];
    if (name === "assetIssueID" && typeof value === "string") return [14, lengthField(14, Buffer.from(value, "utf8"))];
    const field = Object.hasOwn(RESULT_INTEGERS, name) ? RESULT_INTEGERS[name] : undefined;
    if (field === undefined) throw new BadAnswer("a result with a member that is not known");
    return [field, integerField(field, integerOf(value, "result"))];
  });
  return Buffer.concat(parts.sort(([one], [other]) => one - other).map(([, bytes]) => bytes));
};

const numberOf = (names: readonly string[], value: unknown): bigint => {
  const number = typeof value === "string" ? names.indexOf(value) : -1;
  if (number < 0) throw new BadAnswer("a result that is not known");
  return BigInt(number);
};
