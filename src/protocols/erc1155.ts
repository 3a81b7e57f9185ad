import type { Bytes } from "../lib/bytes.ts";
import { uintAt, WORD_BYTES } from "../lib/words.ts";
import { type Fact, NOTHING, type Protocol } from "./protocol.ts";
import { orVoid, topicAddress } from "./topics.ts";

export const erc1155Single: Protocol = {
  name: "erc1155_single",
  source: "EIP-1155",
  event: "TransferSingle(address,address,address,uint256,uint256)",
  decode({ topics, data }) {
    const [, , source, destination] = topics;
    if (topics.length !== 4 || data.length !== 2 * WORD_BYTES || !source || !destination) return NOTHING;
    const sides = { source: orVoid(topicAddress(source)), destination: orVoid(topicAddress(destination)) };
    return [{ fact: "transfer", kind: "erc1155", ...sides, token_id: uintAt(data, 0), amount: uintAt(data, 1) }];
  },
};

/** One fact per id, in the order of the event. Lists of unequal length are not an EIP-1155 event. */
export const erc1155Batch: Protocol = {
  name: "erc1155_batch",
  source: "EIP-1155",
  event: "TransferBatch(address,address,address,uint256[],uint256[])",
  decode({ topics, data }) {
    const [, , source, destination] = topics;
    if (topics.length !== 4 || !source || !destination) return NOTHING;
    const ids = listAt(data, 0);
    const amounts = listAt(data, 1);
    if (ids === null || amounts === null || ids.length !== amounts.length) return NOTHING;
    const sides = { source: orVoid(topicAddress(source)), destination: orVoid(topicAddress(destination)) };
    const facts: Fact[] = [];
    for (let at = 0; at < ids.length / WORD_BYTES; at += 1) {
      facts.push({
        fact: "transfer",
        kind: "erc1155",
        ...sides,
        token_id: uintAt(ids, at),
        amount: uintAt(amounts, at),
      });
    }
    return facts;
  },
};

/** Items of the uint256[] whose offset is the n-th head word (ABI, dynamic types); null when it leaves the data. */
const listAt = (data: Bytes, n: number): Bytes | null => {
  if (data.length < (n + 1) * WORD_BYTES) return null;
  const offset = uintAt(data, n);
  if (offset > BigInt(data.length - WORD_BYTES)) return null;
  const start = Number(offset) + WORD_BYTES;
  const count = uintAt(data.subarray(Number(offset)), 0);
  if (count > BigInt(((data.length - start) / WORD_BYTES) | 0)) return null;
  return data.subarray(start, start + Number(count) * WORD_BYTES);
};
