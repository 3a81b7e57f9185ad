/**
 * The id of a block: its number in 8 bytes, then the hash of its header without the first 8 bytes (java-tron, BlockId).
 */
import { createHash } from "node:crypto";
import { type Bytes, equalBytes } from "../../lib/bytes.ts";
import type { Verify } from "../chain.ts";
import { BadAnswer, fieldsOf, type JsonFields } from "../node/answer.ts";
import { integerOf } from "../node/lossless_json.ts";
import { integerField, lengthField } from "./protobuf.ts";
import { bytesOf, countOf, hashOf } from "./wire.ts";

export interface Header {
  readonly number: number;
  readonly id: Bytes;
  readonly parent_id: Bytes;
  /** Unix seconds. */
  readonly time: number;
  /** As sent: an address with its prefix, in the first block a sentence. */
  readonly witness: Bytes;
  /** Of the block's transactions. */
  readonly root: Bytes;
}

const MS_PER_S = 1_000;

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

/** @throws BadAnswer if a field is malformed, or the id is not the hash of the header (`header`: not compared) */
export const readHeader = (block: JsonFields, verify: Verify = "full"): Header => {
  const raw = fieldsOf(fieldsOf(block.block_header, "block header").raw_data, "block header");
  const id = hashOf(block.blockID, "block id");
  const number = countOf(raw.number, "block number");
  if (verify === "full" && !equalBytes(idOf(raw, number), id))
    throw new BadAnswer("a block's id is not the hash of its header", "header_hash");
  return {
    number,
    id,
    parent_id: hashOf(raw.parentHash, "parent id"),
    time: Math.floor(countOf(raw.timestamp, "block time") / MS_PER_S),
    witness: bytesOf(raw.witness_address, "witness"),
    root: bytesOf(raw.txTrieRoot, "transactions root"),
  };
};

const idOf = (raw: JsonFields, number: number): Bytes => {
  const hash = createHash("sha256");
  for (const [name, field, kind] of FIELDS) {
    const value = raw[name];
    if (value === undefined || value === 0 || value === "") continue; // proto3 writes no defaults
    hash.update(
      kind === "integer" ? integerField(field, integerOf(value, name)) : lengthField(field, bytesOf(value, name)),
    );
  }
  const id = hash.digest();
  id.writeBigUInt64BE(BigInt(number), 0);
  return id;
};
