/** Newest, confirmed and single blocks of Tron. */
import { toHex } from "../../lib/bytes.ts";
import type { BlockRef, Network } from "../chain.ts";
import { BadAnswer } from "../node/answer.ts";
import { readHeader } from "./header.ts";
import type { TronRpcNode, TronRpcPool } from "./pool.ts";
import { presentOf } from "./wire.ts";

/** Null for the empty object: the block does not exist. @throws BadAnswer */
export const readRef = (answer: unknown): BlockRef | null => {
  const block = presentOf(answer, "block");
  if (block === null) return null;
  const { number, id, parent_id, time } = readHeader(block);
  return { number, hash: toHex(id), parent_hash: toHex(parent_id), time };
};

export const fetchRef = async (
  { endpoint }: TronRpcNode,
  number: number | null,
  signal: AbortSignal,
): Promise<BlockRef | null> => {
  const question = number === null ? { detail: false } : { id_or_num: String(number), detail: false };
  const ref = readRef((await endpoint.ask("/wallet/getblock", question, signal)).json);
  if (ref !== null && number !== null && ref.number !== number) throw new BadAnswer("another block than asked for");
  return ref;
};

/**
 * Newest block that two thirds of the witnesses have built on; without `/walletsolidity`, a fixed number of blocks
 * behind the head.
 */
export const readFinalized = (pool: TronRpcPool, network: Network, signal: AbortSignal): Promise<number> => {
  const tells = pool.known.some((traits) => traits.finalized !== null);
  const accepts = (traits: TronRpcNode["traits"]): boolean => !tells || traits.finalized !== null;
  return pool.run({ what: "confirmed block", accepts }, signal, async (node) => {
    if (node.traits.finalized === null) {
      const head = await fetchRef(node, null, signal);
      return Math.max(0, (head?.number ?? 0) - network.finality_blocks);
    }
    const ref = readRef((await node.endpoint.ask("/walletsolidity/getblock", { detail: false }, signal)).json);
    if (ref === null) throw new BadAnswer("the node has no confirmed block");
    return ref.number;
  });
};
