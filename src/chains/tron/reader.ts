/** Reads blocks with the infos of their transactions. */
import { setMaxListeners } from "node:events";
import type { Block, Verify } from "../chain.ts";
import { BadAnswer, fieldsOf, listOf } from "../node/answer.ts";
import { BlockRanges, follows } from "../node/block_ranges.ts";
import { ofBlock } from "../node/refused_block.ts";
import { type ReadBlock, readBlock } from "./blocks.ts";
import type { TronRpcNode, TronRpcPool } from "./pool.ts";

/** Most blocks that `/wallet/getblockbylimitnext` returns (java-tron, Wallet, BLOCK_LIMIT_NUM). */
const BLOCKS_MAX = 100;

export class BlockReader {
  readonly #pool: TronRpcPool;
  readonly #ranges: BlockRanges;

  readonly #verify: Verify;

  constructor(pool: TronRpcPool, verify: Verify) {
    this.#pool = pool;
    this.#verify = verify;
    this.#ranges = new BlockRanges({
      read: (numbers, { signal }) => this.#chunk(numbers, signal),
      concurrency_max: () => pool.concurrency_max,
      chunk_blocks_max: BLOCKS_MAX,
      unavailable: (what, cause) => pool.unavailable(what, cause),
    });
  }

  /** @throws AssayError UPSTREAM_UNAVAILABLE if any block of the range is unavailable or incomplete */
  range(from: number, to: number, signal: AbortSignal): Promise<readonly Block[]> {
    return this.#ranges.range(from, to, signal);
  }

  #chunk(numbers: readonly number[], signal: AbortSignal) {
    const wants_inner = this.#pool.known.some((traits) => traits.traces !== null);
    const question = {
      what: `blocks ${numbers[0]}..${numbers.at(-1)}`,
      spread: true,
      accepts: (traits: TronRpcNode["traits"]) => !wants_inner || traits.traces !== null,
    };
    const read = async (node: TronRpcNode) => {
      const { read, bytes } = await readChunk(node, numbers, { verify: this.#verify, signal });
      return { blocks: read.map(({ block }) => block), bytes };
    };
    return this.#pool.agreed({ ...question, told: ({ blocks }) => blocks }, signal, read);
  }

  /** One block from one endpoint, with the infos of its transactions. @throws BadAnswer */
  async one(node: TronRpcNode, number: number, signal: AbortSignal): Promise<ReadBlock> {
    const { read } = await readChunk(node, [number], { verify: this.#verify, signal });
    const [only] = read;
    if (only === undefined) throw new BadAnswer(`block ${number} is not there`);
    return only;
  }
}

/** The first failure aborts the other requests: otherwise requests of others would queue behind a node that hangs. */
const fetchChunk = async ({ endpoint }: TronRpcNode, numbers: readonly number[], signal: AbortSignal) => {
  const [first = 0] = numbers;
  // The end is excluded.
  const range = { startNum: first, endNum: (numbers.at(-1) ?? first) + 1 };
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  setMaxListeners(0, both);
  try {
    return await Promise.all([endpoint.askBlocks(range, both), ...numbers.map((num) => endpoint.askInfos(num, both))]);
  } catch (error) {
    stop.abort(error);
    throw error;
  }
};

interface TronReadOptions {
  readonly verify: Verify;
  readonly signal: AbortSignal;
}

const readChunk = async (node: TronRpcNode, numbers: readonly number[], { verify, signal }: TronReadOptions) => {
  const { traits } = node;
  const [answer, ...infos] = await fetchChunk(node, numbers, signal);
  const { block } = fieldsOf(answer.json, "blocks");
  const list = block === undefined ? [] : listOf(block, "blocks");
  const read = numbers.map((number, i) => {
    if (list[i] === undefined) throw new BadAnswer(`block ${number} is not there`);
    const reading = { number, has_inner: traits.traces !== null, verify };
    return ofBlock(number, () => readBlock({ block: list[i], infos: infos[i]?.json }, reading));
  });
  for (let i = 1; i < read.length; i += 1)
    if (!follows(read[i - 1]?.block, read[i]?.block))
      throw new BadAnswer(`block ${numbers[i]} does not follow its parent`);
  return { read, bytes: infos.reduce((sum, info) => sum + info.bytes, answer.bytes) };
};
