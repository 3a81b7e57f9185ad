/** Headers of blocks that lost against a block and that it names (yellow paper 11.1). */
import { keccak256, toHex } from "../../lib/bytes.ts";
import { BadAnswer, type JsonFields } from "../node/answer.ts";
import type { TextSlice } from "../node/text_slice.ts";
import { headerFields } from "./header_fields.ts";
import { rlpOf } from "./rlp.ts";
import { dataOf, hashOf } from "./wire.ts";

export interface Uncles {
  /** Number of uncles that the block names. */
  readonly count: number;
  /** In the block's order; null if no node tried has them. */
  readonly headers: readonly JsonFields[] | null;
}

export const NO_UNCLES: Uncles = { count: 0, headers: [] };

/** keccak-256 of an empty list. */
const HASH_OF_NONE = "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347";

/** Whether the text of a block claims uncles; its header decides (`checkUncles`). */
export const hasUncles = ({ text, start, length }: TextSlice): boolean => {
  const at = text.indexOf(HASH_OF_NONE, start);
  return at === -1 || at > start + length;
};

/** Checks that the header's hash of its uncles is the hash of these. @throws BadAnswer */
export const checkUncles = (header: JsonFields, uncles: readonly JsonFields[]): void => {
  const encoded = uncles.map((uncle) => headerFields(uncle, dataOf(uncle.extraData, "extra data")));
  const hash = keccak256(rlpOf(encoded));
  if (toHex(hash) !== toHex(hashOf(header.sha3Uncles, "hash of uncles")))
    throw new BadAnswer("the uncles are not those of the header", "rewards");
};
