/** The id of a block: its number in 8 bytes, then the hash of its header without the first 8 bytes (java-tron, BlockId). */
import { createHash } from "node:crypto";
import { type Bytes, equalBytes } from "../../lib/bytes.ts";
import { BadAnswer, type Fields, fieldsOf } from "../node/answer.ts";
import { integerOf } from "../node/lossless_json.ts";
import { bytesOf, countOf, hashOf } from "./wire.ts";

export interface Header {
  readonly number: number;
  readonly id: Bytes;
  readonly parent_id: Bytes;
  /** Unix seconds. */
  readonly time: number;
  /** As sent: an address with its prefix, in the first block a sentence. */
  readonly witness: Bytes;
}

const NUMBER_BYTES = 8;
const MS_PER_S = 1_000;
const BYTES_FIELD = 2;

/** Number of the field in `BlockHeader.raw` (java-tron, core/Tron.proto), in the order of serialising. */
const FIELDS: readonly (readonly [name: string, number: number, kind: "integer" | "bytes"])[] = [
  ["timestamp", 1, "integer"],
  ["txTrieRoot", 2, "bytes"],
  ["parentHash", 3, "bytes"],
  ["number", 7, "integer"],
  ["witness_id", 8, "integer"],
  ["witness_address", 9, "bytes"],
  ["version", 10, "integer"],
  ["accountStateRoot", 11, "bytes"],
];

/** @throws BadAnswer when a field is not what it should be, or the id is not the hash of the header */
export const readHeader = (block: Fields): Header => {
  const raw = fieldsOf(fieldsOf(block.block_header, "block header").raw_data, "block header");
  const id = hashOf(block.blockID, "block id");
  const number = countOf(raw.number, "block number");
  if (!equalBytes(idOf(raw, number), id)) throw new BadAnswer("a block's id is not the hash of its header");
  return {
    number,
    id,
    parent_id: hashOf(raw.parentHash, "parent id"),
    time: Math.floor(countOf(raw.timestamp, "block time") / MS_PER_S),
    witness: bytesOf(raw.witness_address, "witness"),
  };
};

const idOf = (raw: Fields, number: number): Bytes => {
  const hash = createHash("sha256");
  for (const [name, field, kind] of FIELDS) {
    const value = raw[name];
    if (value === undefined || value === 0 || value === "") continue; // proto3 writes no defaults
    if (kind === "integer") hash.update(varint(BigInt(field) << 3n)).update(varint(integerOf(value, name)));
    else {
      const bytes = bytesOf(value, name);
      hash.update(varint((BigInt(field) << 3n) | BigInt(BYTES_FIELD))).update(varint(BigInt(bytes.length)));
      hash.update(bytes);
    }
  }
  const id = hash.digest();
  id.writeBigUInt64BE(BigInt(number), 0);
  return id;
};

/** Protocol Buffers, "Base 128 Varints"; a negative number stands in two's complement of 64 bits. */
const varint = (value: bigint): Bytes => {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(NUMBER_BYTES * 8, value);
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
};
