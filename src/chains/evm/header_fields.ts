import type { Bytes } from "../../lib/bytes.ts";
import type { JsonFields } from "../node/answer.ts";
import { digitsOf } from "./rlp.ts";
import { addressOf, bloomOf, dataOf, hashOf, quantityOf, quantityOrNull } from "./wire.ts";

/** The hashed fields of a header up to its base fee: quantities without leading zeros, all else as it is. */
export const headerFields = (header: JsonFields, extra: Bytes): readonly Bytes[] => {
  const hash = (name: string): Bytes => hashOf(header[name], name);
  const number = (name: string): Bytes => digitsOf(quantityOf(header[name], name));
  const base_fee = quantityOrNull(header.baseFeePerGas, "base fee");
  return [
    hash("parentHash"),
    hash("sha3Uncles"),
    addressOf(header.miner, "producer"),
    hash("stateRoot"),
    hash("transactionsRoot"),
    hash("receiptsRoot"),
    bloomOf(header.logsBloom, "log filter"),
    ...["difficulty", "number", "gasLimit", "gasUsed", "timestamp"].map(number),
    extra,
    hash("mixHash"),
    dataOf(header.nonce, "nonce"),
    ...(base_fee === null ? [] : [digitsOf(base_fee)]),
  ];
};
