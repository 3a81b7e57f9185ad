/** Who made a block, where its header does not say so but is signed. */
import { type Bytes, keccak256 } from "../../lib/bytes.ts";
import type { Network } from "../chain.ts";
import { BadAnswer, type Fields } from "../node/answer.ts";
import { digitsOf, rlpOf } from "./rlp.ts";
import { signerOf } from "./verify/senders.ts";
import { addressOf, bloomOf, countOf, dataOf, hashOf, quantityOf, quantityOrNull } from "./wire.ts";

/** r, s and the recovery bit at the end of `extraData`. */
const SEAL_LENGTH = 65;
const RS_LENGTH = 64;

/**
 * Bor (Polygon) names nobody in its headers: whoever signed one gets its tips (0xPolygon/bor, consensus/bor/bor.go,
 * `encodeSigHeader`: the header as far as its base fee, without the seal). Null on other networks, and of the first
 * block, which nobody signed.
 * @throws BadAnswer for a header without a seal, or with one that nobody can have made
 */
export const authorOf = (header: Fields, { dialect }: Pick<Network, "dialect">): Bytes | null => {
  if (dialect !== "polygon" || countOf(header.number, "block number") === 0) return null;
  const extra = dataOf(header.extraData, "extra data");
  if (extra.length < SEAL_LENGTH) throw new BadAnswer("a header that nobody signed", "header_seal");
  const seal = extra.subarray(extra.length - SEAL_LENGTH);
  const recovery = seal[RS_LENGTH];
  if (recovery !== 0 && recovery !== 1) throw new BadAnswer("a seal that is none", "header_seal");
  const signer = signerOf(signedHash(header, extra), { rs: seal.subarray(0, RS_LENGTH), odd: recovery });
  if (signer === null) throw new BadAnswer("a seal that nobody can have made", "header_seal");
  return signer;
};

/** The header's fields as they are hashed: quantities without leading zeros, all else as it is. */
const signedHash = (header: Fields, extra: Bytes): Bytes => {
  const hash = (name: string): Bytes => hashOf(header[name], name);
  const number = (name: string): Bytes => digitsOf(quantityOf(header[name], name));
  const base_fee = quantityOrNull(header.baseFeePerGas, "base fee");
  const fields = [
    hash("parentHash"),
    hash("sha3Uncles"),
    addressOf(header.miner, "producer"),
    hash("stateRoot"),
    hash("transactionsRoot"),
    hash("receiptsRoot"),
    bloomOf(header.logsBloom, "log filter"),
    ...["difficulty", "number", "gasLimit", "gasUsed", "timestamp"].map(number),
    extra.subarray(0, extra.length - SEAL_LENGTH),
    hash("mixHash"),
    dataOf(header.nonce, "nonce"),
    ...(base_fee === null ? [] : [digitsOf(base_fee)]),
  ];
  return keccak256(rlpOf(fields));
};
