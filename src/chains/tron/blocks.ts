/**
 * Builds a block from a node's answers, or throws a `BadAnswer`. Checks the number requested, an id that is the hash of
 * the header, the header's root over the transactions with their outcomes, transaction ids that are the hashes of their
 * data, and one info for each transaction and of this block. Nothing commits to the infos (logs, fees, inner calls), so
 * `verified` stays `none`.
 */
import { type Bytes, EMPTY, equalBytes, toHex } from "../../lib/bytes.ts";
import type { Block, Verify } from "../chain.ts";
import { BadAnswer, fieldsOf, listOf } from "../node/answer.ts";
import { type Header, readHeader } from "./header.ts";
import { type Info, JsonInfo } from "./info.ts";
import { checked, JsonListedTransaction, type ListedTransaction } from "./listed.ts";
import { ProtobufMessage } from "./protobuf.ts";
import { transactionsRoot } from "./root.ts";
import { InfoRecord, TransactionRecord } from "./scan/record.ts";
import { readTransaction } from "./transactions.ts";
import { addressIn } from "./wire.ts";

/** JSON of one block; transactions and infos that were scanned from their text are records (`scan/answers.ts`). */
export interface RawBlock {
  readonly block: unknown;
  readonly infos: unknown;
}

export interface TronBlockParameters {
  readonly number: number;
  /** The node keeps internal transactions. */
  readonly has_inner: boolean;
  readonly verify: Verify;
}

const WITNESS_BYTES = 21;

/** A block as read, with the info of each transaction by its id. */
export interface ReadBlock {
  readonly block: Block;
  readonly infos: ReadonlyMap<string, Info>;
}

/** @throws BadAnswer */
export const readBlock = (raw: RawBlock, { number, has_inner, verify }: TronBlockParameters): ReadBlock => {
  const fields = fieldsOf(raw.block, "block");
  const header = readHeader(fields, verify);
  if (header.number !== number) throw new BadAnswer("another block than asked for", "block_number");
  const list = fields.transactions === undefined ? [] : listOf(fields.transactions, "transactions");
  const listed = list.map((item) => listedOf(item, verify));
  if (verify === "full" && !equalBytes(transactionsRoot(listed), header.root))
    throw new BadAnswer("a block's transactions are not those of its header", "transactions_root");
  if (number === 0) {
    const block = { ...plainBlock(header), issuance: listed.map(allocationOf), has_traces: true };
    return { block, infos: new Map() };
  }
  const infos = infosOf(raw.infos, verify === "full" ? number : null);
  if (infos.size !== listed.length)
    throw new BadAnswer(`${listed.length} transactions have ${infos.size} infos`, "receipt_count");
  let first_log = 0;
  const read = listed.map((one, index) => {
    const info = infos.get(toHex(one.hash));
    if (info === undefined) throw new BadAnswer("a transaction without an info", "receipt_transaction");
    const found = readTransaction({ index, listed: one, info, first_log, verify });
    first_log += found.transaction.logs.length;
    return found;
  });
  const block: Block = {
    ...plainBlock(header),
    transactions: read.map(({ transaction }) => transaction),
    has_traces: has_inner && read.every(({ is_told }) => is_told),
  };
  return { block, infos };
};

const plainBlock = ({ number, id, parent_id, time, witness }: Header): Omit<Block, "has_traces"> => ({
  verified: "none",
  number,
  hash: id,
  parent_hash: parent_id,
  time,
  producer: producerOf(witness),
  base_fee: null,
  transactions: [],
  issuance: [],
});

/** The first block has a sentence instead of a witness. */
const producerOf = (witness: Bytes): Bytes => (witness.length === WITNESS_BYTES ? witness.subarray(1) : EMPTY);

/** The first block allocates coins in transfers without a sender. */
const allocationOf = ({ raw }: ListedTransaction): Block["issuance"][number] => {
  const [contract] = new ProtobufMessage(raw).messages(11);
  const value = new ProtobufMessage((contract ?? new ProtobufMessage(EMPTY)).message(2).bytes(2));
  const amount = value.integer(3);
  if (amount < 0n) throw new BadAnswer("amount is negative");
  return { kind: "reward", address: addressIn(value.bytes(2), "recipient"), amount };
};

const listedOf = (item: unknown, verify: Verify): ListedTransaction => {
  const told = item instanceof TransactionRecord ? item : new JsonListedTransaction(fieldsOf(item, "transaction"));
  return verify === "full" ? checked(told) : told;
};

/**
 * By transaction. `number`: the block that each must name; null for any. For a block without transactions the node
 * returns an empty list or an empty object.
 */
const infosOf = (answer: unknown, number: number | null): ReadonlyMap<string, Info> => {
  const list = Array.isArray(answer) || Object.keys(fieldsOf(answer, "infos")).length > 0 ? answer : [];
  const infos = listOf(list, "infos").map(infoOf);
  for (const info of infos)
    if (number !== null && info.number !== number) throw new BadAnswer("an info of another block", "block_reference");
  const by_id = new Map(infos.map((info) => [toHex(info.id), info]));
  if (by_id.size !== infos.length) throw new BadAnswer("a transaction with two infos", "receipt_transaction");
  return by_id;
};

const infoOf = (item: unknown): Info => (item instanceof InfoRecord ? item : new JsonInfo(fieldsOf(item, "info")));
