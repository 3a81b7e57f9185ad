/** The producer of a block whose header is signed instead of naming one. */
import { type Bytes, keccak256 } from "../../lib/bytes.ts";
import type { Network } from "../chain.ts";
import { BadAnswer, type JsonFields } from "../node/answer.ts";
import { headerFields } from "./header_fields.ts";
import { rlpOf } from "./rlp.ts";
import { signerOf } from "./verify/senders.ts";
import { countOf, dataOf } from "./wire.ts";

/** r, s and the recovery bit at the end of `extraData`. */
const SEAL_LENGTH = 65;
const RS_LENGTH = 64;

/**
 * The signer of a header. Headers of Bor (Polygon) name no producer; the signer receives the tips (0xPolygon/bor,
 * consensus/bor/bor.go, `encodeSigHeader`: the header up to its base fee, without the seal). Null on other networks,
 * and for the first block, which is unsigned.
 * @throws BadAnswer for a header without a seal, or with one that no key can have made
 */
export const authorOf = (header: JsonFields, { dialect }: Pick<Network, "dialect">): Bytes | null => {
  if (dialect !== "polygon" || countOf(header.number, "block number") === 0) return null;
  const extra = dataOf(header.extraData, "extra data");
  if (extra.length < SEAL_LENGTH) throw new BadAnswer("an unsigned header", "header_seal");
  const seal = extra.subarray(extra.length - SEAL_LENGTH);
  const recovery = seal[RS_LENGTH];
  if (recovery !== 0 && recovery !== 1) throw new BadAnswer("an invalid seal", "header_seal");
  const signer = signerOf(signedHash(header, extra), { rs: seal.subarray(0, RS_LENGTH), odd: recovery });
  if (signer === null) throw new BadAnswer("a seal that no key can have made", "header_seal");
  return signer;
};

/** `authorOf`, but null if the seal is invalid: `verify: "header"` does not reject a block for it. */
export const signerOrNull = (header: JsonFields, network: Pick<Network, "dialect">): Bytes | null => {
  try {
    return authorOf(header, network);
  } catch (error) {
    if (error instanceof BadAnswer) return null;
    throw error;
  }
};

/** Hash of the header without its seal. */
const signedHash = (header: JsonFields, extra: Bytes): Bytes =>
  keccak256(rlpOf(headerFields(header, extra.subarray(0, extra.length - SEAL_LENGTH))));
