/**
 * A block from what a node said about it, or a `BadAnswer`: the number asked, an id that is the hash of the header,
 * transactions whose ids are the hashes of their data, one info for each of them and of this block.
 */
import { type Bytes, EMPTY, toHex } from "../../lib/bytes.ts";
import type { Block } from "../chain.ts";
import { BadAnswer, type Fields, fieldsOf, listOf } from "../node/answer.ts";
import { type Header, readHeader } from "./header.ts";
import { readTransaction, transactionHash } from "./transactions.ts";
import { addressOf, amountOf, countOf, hashOf } from "./wire.ts";

/** JSON of one block as it came. */
export interface RawBlock {
  readonly block: unknown;
  readonly infos: unknown;
}

export interface Reading {
  readonly number: number;
  /** The node keeps internal transactions. */
  readonly has_inner: boolean;
}

const WITNESS_BYTES = 21;

/** @throws BadAnswer */
export const readBlock = (raw: RawBlock, { number, has_inner }: Reading): Block => {
  const fields = fieldsOf(raw.block, "block");
  const header = readHeader(fields);
  if (header.number !== number) throw new BadAnswer("another block than asked for");
  const list = fields.transactions === undefined ? [] : listOf(fields.transactions, "transactions");
  const transactions = list.map((item) => fieldsOf(item, "transaction"));
  if (number === 0) return { ...plainBlock(header), issuance: transactions.map(allocationOf), has_traces: true };
  const infos = infosOf(raw.infos, number);
  if (infos.size !== transactions.length)
    throw new BadAnswer(`${transactions.length} transactions have ${infos.size} infos`);
  let first_log = 0;
  const read = transactions.map((one, index) => {
    const info = infos.get(toHex(transactionHash(one)));
    if (info === undefined) throw new BadAnswer("a transaction without an info");
    const found = readTransaction({ index, fields: one, info, first_log });
    first_log += found.transaction.logs.length;
    return found;
  });
  return {
    ...plainBlock(header),
    transactions: read.map(({ transaction }) => transaction),
    has_traces: has_inner && read.every(({ is_told }) => is_told),
  };
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

/** The first block gives out coins in transfers that nobody sent. */
const allocationOf = (fields: Fields): Block["issuance"][number] => {
  const [only] = listOf(fieldsOf(fields.raw_data, "raw data").contract, "contracts");
  const value = fieldsOf(fieldsOf(fieldsOf(only, "contract").parameter, "parameter").value, "parameter");
  return {
    kind: "reward",
    address: addressOf(value.to_address, "recipient"),
    amount: amountOf(value.amount, "amount"),
  };
};

/** By transaction. A block without transactions is answered with an empty list, or an empty object. */
const infosOf = (answer: unknown, number: number): ReadonlyMap<string, Fields> => {
  const list = Array.isArray(answer) || Object.keys(fieldsOf(answer, "infos")).length > 0 ? answer : [];
  const infos = listOf(list, "infos").map((item) => fieldsOf(item, "info"));
  for (const { blockNumber } of infos)
    if (countOf(blockNumber, "block number of an info") !== number) throw new BadAnswer("an info of another block");
  const by_id = new Map(infos.map((info) => [toHex(hashOf(info.id, "info id")), info]));
  if (by_id.size !== infos.length) throw new BadAnswer("a transaction with two infos");
  return by_id;
};
