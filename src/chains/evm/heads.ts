/** Newest, final and single blocks of an EVM network, by their tags and numbers. */
import { type Hex, toHex } from "../../lib/bytes.ts";
import type { BlockRef, Network } from "../chain.ts";
import { BadAnswer, fieldsOf } from "../node/answer.ts";
import type { EvmRpcNode, EvmRpcPool } from "./pool.ts";
import { resultsOf } from "./probe.ts";
import type { EvmTraits } from "./traits.ts";
import { countOf, hashOf, quantity } from "./wire.ts";

/** By the node's `finalized` tag; without one, a fixed number of blocks behind the head. */
export const readFinalized = (pool: EvmRpcPool, network: Network, signal: AbortSignal): Promise<number> => {
  const has_tag = pool.known.some((traits) => traits.finalized !== null);
  const accepts = (traits: EvmTraits): boolean => !has_tag || traits.finalized !== null;
  return pool.run({ what: "finalized block", accepts }, signal, async ({ endpoint, traits }) => {
    const tags = traits.finalized === null ? ["latest"] : ["latest", "finalized"];
    const calls = tags.map((tag) => ({ method: "eth_getBlockByNumber", params: [tag, false] }));
    const { answers } = await endpoint.ask(calls, signal);
    const [head, finalized] = resultsOf(answers).map((block) =>
      countOf(fieldsOf(block, "block").number, "block number"),
    );
    if (head === undefined || (finalized ?? 0) > head) throw new BadAnswer("the final block is beyond the newest");
    return finalized ?? Math.max(0, head - network.finality_blocks);
  });
};

/** Null if the node states that the block does not exist. */
export const fetchRef = async (
  { endpoint }: EvmRpcNode,
  asked: number | null,
  signal: AbortSignal,
): Promise<BlockRef | null> => {
  const tag = asked === null ? "latest" : quantity(asked);
  const { answers } = await endpoint.ask([{ method: "eth_getBlockByNumber", params: [tag, false] }], signal);
  const [block] = resultsOf(answers);
  return block === null ? null : refOf(block, tag);
};

const refOf = (block: unknown, tag: string): BlockRef => {
  const fields = fieldsOf(block, "block");
  const number = countOf(fields.number, "block number");
  if (tag.startsWith("0x") && quantity(number) !== tag) throw new BadAnswer("another block than asked for");
  const hash = (value: unknown, what: string): Hex => toHex(hashOf(value, what));
  return {
    number,
    hash: hash(fields.hash, "block hash"),
    parent_hash: hash(fields.parentHash, "parent hash"),
    time: countOf(fields.timestamp, "block time"),
  };
};
