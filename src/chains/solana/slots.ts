// Ranges of slots as blocks. Each block names the slot and hash of the one before it, which proves the node's list of slots.
import { EMPTY, equalBytes, toHex } from "../../lib/bytes.ts";
import { AssayError } from "../../lib/errors.ts";
import type { Block, BlockRef } from "../chain.ts";
import { BadAnswer, listOf } from "../node/answer.ts";
import type { RpcCall } from "../node/json_rpc.ts";
import { ofBlock } from "../node/refused_block.ts";
import { type BlockHead, type BlockReading, readBlock, readHead, type SolanaBlock } from "./block.ts";
import { isSkipped, resultOf } from "./endpoint.ts";
import type { SolanaRpcNode, SolanaRpcPool } from "./probe.ts";
import { askSettled } from "./settled.ts";
import { indexOf } from "./wire.ts";

/** A range read across a fork does not join: with one endpoint it is read again this many times. */
const ROUNDS_MAX = 3;
const COMMITMENT = "confirmed";

/** Position of a block in the chain, and its time. */
type SlotHead = Omit<BlockHead, "time"> & Pick<Block, "time">;

/** A network's clock may be ahead of ours, and blocks of one second may be in any order. */
const AHEAD_S_MAX = 900;
const BACK_S_MAX = 60;

interface SlotFetch<B extends SlotHead> {
  readonly call: (slot: number) => RpcCall;
  readonly read: (json: unknown, slot: number) => B;
  /** No block's hash commits to the data, so that endpoints may have to agree. */
  readonly is_believed: boolean;
}

const getBlock = (slot: number, more: object): RpcCall => ({
  method: "getBlock",
  params: [slot, { encoding: "base64", maxSupportedTransactionVersion: 0, commitment: COMMITMENT, ...more }],
});

/** @throws BadAnswer if the node did not keep all parts from which a block's facts follow */
const whole = (how: BlockReading): SlotFetch<SolanaBlock> => ({
  call: (slot) => getBlock(slot, { transactionDetails: "full", rewards: true }),
  read: (json, slot) => {
    const block = readBlock(json, slot, how);
    if (block.missing.length > 0)
      throw new BadAnswer(`the node did not keep ${block.missing.join(", ")} of ${slot}`, "kept_parts");
    if (how.verify === "full") checkTime(block.time, slot);
    return block;
  },
  is_believed: true,
});

const checkTime = (time: number, slot: number): void => {
  if (time > Date.now() / 1_000 + AHEAD_S_MAX)
    throw new BadAnswer(`slot ${slot} claims a time in the future`, "block_time");
};

const HEADS: SlotFetch<SlotHead> = {
  call: (slot) => getBlock(slot, { transactionDetails: "none", rewards: false }),
  read: (json, slot) => {
    const head = readHead(json, slot);
    const { time } = head;
    if (time === null) throw new BadAnswer(`the node does not know when slot ${slot} was`);
    checkTime(time, slot);
    return { ...head, time };
  },
  is_believed: false,
};

interface SlotRange {
  readonly from: number;
  readonly to: number;
}

/** Result of reading a range: its blocks, and the one before it if the range begins with skipped slots. */
interface SlotChain<B> {
  readonly blocks: readonly B[];
  readonly before: SlotHead | null;
}

/** The blocks are not one chain: they were read across a fork, or the node omitted a block. */
class SlotForkError extends Error {
  override readonly name = "Torn";
}

type SlotTraits = SolanaRpcNode["traits"];

export class SlotReader {
  readonly #pool: SolanaRpcPool;
  readonly #how: BlockReading;
  /** The one endpoint to use; null for all of them. */
  readonly #only: SlotTraits | null;

  constructor(pool: SolanaRpcPool, how: BlockReading, only: SlotTraits | null = null) {
    this.#pool = pool;
    this.#how = how;
    this.#only = only;
  }

  /**
   * A skipped slot is a block without transactions, with the hash and the time of the one before it.
   * @throws AssayError UPSTREAM_UNAVAILABLE if any block is unavailable, or a skipped slot cannot be proven
   */
  async blocks({ from, to }: SlotRange, signal: AbortSignal): Promise<readonly Block[]> {
    if (to < from) return [];
    // The first failure stops the other requests of the range.
    const stop = new AbortController();
    const both = AbortSignal.any([signal, stop.signal]);
    try {
      return await this.#read({ from, to }, whole(this.#how), both);
    } catch (error) {
      stop.abort(error);
      throw error;
    }
  }

  /** The block at a slot, or the one before if the slot was skipped. */
  async head(slot: number, signal: AbortSignal): Promise<Block | null> {
    const [block] = await this.#read({ from: slot, to: slot }, HEADS, signal);
    return block ?? null;
  }

  /** If the blocks do not join, endpoints may contradict each other: the reader then uses each alone. */
  async #read<B extends SlotHead>(range: SlotRange, reading: SlotFetch<B>, signal: AbortSignal): Promise<Block[]> {
    let torn: SlotForkError | null = null;
    for (const reader of this.#rounds()) {
      try {
        return filled(range, await reader.#chain(range, reading, signal));
      } catch (error) {
        if (error instanceof SlotForkError) torn = error;
        else if (reader.#only === null || signal.aborted || !isUnavailable(error)) throw error;
      }
    }
    throw this.#pool.unavailable(`slots ${range.from}..${range.to}`, torn);
  }

  *#rounds(): Generator<SlotReader> {
    yield this;
    const { known, agree } = this.#pool;
    // A single endpoint cannot agree with another.
    if (known.length > 1 && agree === 1) for (const only of known) yield new SlotReader(this.#pool, this.#how, only);
    else for (let round = 2; round <= ROUNDS_MAX; round += 1) yield this;
  }

  #question(from: number, to: number) {
    const accepts = (traits: SlotTraits): boolean =>
      traits.first_slot <= from && (this.#only === null || traits === this.#only);
    return { what: `slots ${from}..${to}`, spread: true, accepts };
  }

  async #chain<B extends SlotHead>(
    { from, to }: SlotRange,
    reading: SlotFetch<B>,
    signal: AbortSignal,
  ): Promise<SlotChain<B>> {
    const slots = await this.#listed({ from, to }, signal);
    const blocks = await this.#each(slots, reading, signal);
    for (const [i, block] of blocks.entries()) if (i > 0) checkFollows(blocks[i - 1], block);
    const first = blocks[0];
    const last = blocks.at(-1);
    if (first !== undefined && first.parent_slot >= from && first.number > from) throw new SlotForkError(gap(first));
    const next = last?.number === to ? null : await this.#next(to, signal);
    if (next !== null && last !== undefined) checkFollows(last, next);
    if (next !== null && last === undefined && next.parent_slot >= from) throw new SlotForkError(gap(next));
    const above = first ?? next;
    if (above === null || !this.#canTell(above, from)) return { blocks, before: null };
    const before = await this.#one(above.parent_slot, HEADS, signal);
    checkFollows(before, above);
    if (first?.number === from && before.number < from - 1)
      for (const slot of await this.#listed({ from: before.number + 1, to: from - 1 }, signal))
        throw new SlotForkError(`slot ${slot} was listed, and slot ${from} names one before it as its parent`);
    return { blocks, before };
  }

  /** Compares the first block of a range with its parent if the node keeps it; else skipped slots are not provable. */
  #canTell({ number, parent_slot }: SlotHead, from: number): boolean {
    if (number > from) return true;
    if (this.#how.verify === "header" || number === 0) return false;
    return this.#pool.known.some((traits) => traits.first_slot <= parent_slot);
  }

  /** Slots of the range that have a block, by one node's list. */
  #listed({ from, to }: SlotRange, signal: AbortSignal): Promise<number[]> {
    return this.#pool.run(this.#question(from, to), signal, async ({ endpoint }) => {
      const params = [from, to, { commitment: COMMITMENT }];
      const list = listOf(await endpoint.result({ method: "getBlocks", params }, signal), "slots");
      const slots = list.map((item) => indexOf(item, "slot", to));
      for (const [i, slot] of slots.entries())
        if (slot < (i === 0 ? from : (slots[i - 1] ?? 0) + 1)) throw new BadAnswer("slots are out of order");
      return slots;
    });
  }

  /** The first block above a range that ends with skipped slots: only it proves that they are. */
  async #next(to: number, signal: AbortSignal): Promise<SlotHead> {
    const slot = await this.#pool.run(this.#question(to, to), signal, async ({ endpoint }) => {
      const params = [to + 1, 1, { commitment: COMMITMENT }];
      const list = listOf(await endpoint.result({ method: "getBlocksWithLimit", params }, signal), "slots");
      const next = indexOf(list[0], "slot of the next block");
      if (next <= to) throw new BadAnswer("slots are out of order");
      return next;
    });
    return this.#one(slot, HEADS, signal);
  }

  /** As many at once as the endpoints allow. */
  async #each<B extends SlotHead>(slots: readonly number[], reading: SlotFetch<B>, signal: AbortSignal): Promise<B[]> {
    const blocks: B[] = [];
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let at = next++; at < slots.length; at = next++)
        blocks[at] = await this.#one(slots[at] ?? 0, reading, signal);
    };
    await Promise.all(Array.from({ length: Math.min(this.#pool.concurrency_max, slots.length) }, worker));
    return blocks;
  }

  async #one<B extends SlotHead>(slot: number, reading: SlotFetch<B>, signal: AbortSignal): Promise<B> {
    const { call, read, is_believed } = reading;
    const ask = async ({ endpoint }: SolanaRpcNode): Promise<B | null> => {
      const [answer] = await askSettled(endpoint, [call(slot)], signal);
      if (answer?.ok === false && isSkipped(answer.error)) return null;
      const json = answer && resultOf(answer);
      if (json === undefined || json === null) throw new BadAnswer(`block ${slot} is not there`);
      return ofBlock(slot, () => read(json, slot));
    };
    const question = this.#question(slot, slot);
    const block = await (is_believed
      ? this.#pool.agreed(question, signal, ask)
      : this.#pool.run(question, signal, ask));
    if (block === null) throw new SlotForkError(`slot ${slot} was skipped after all`);
    return block;
  }
}

const isUnavailable = (error: unknown): boolean => error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE";

const gap = ({ number, parent_slot }: SlotHead): string =>
  `slot ${parent_slot}, the parent of ${number}, was not listed`;

const checkFollows = (parent: SlotHead | undefined, child: SlotHead): void => {
  if (parent === undefined || parent.number !== child.parent_slot || !equalBytes(parent.hash, child.parent_hash))
    throw new SlotForkError(`slot ${child.number} does not follow the block read before it`);
  if (parent.height !== null && child.height !== null && child.height !== parent.height + 1)
    throw new SlotForkError(`slot ${child.number} is at another height than the block read before it says`);
  if (child.time < parent.time - BACK_S_MAX) throw new SlotForkError(`slot ${child.number} was before its parent`);
};

/** Every slot of the range; a skipped one repeats the block before it. */
const filled = <B extends SlotHead>({ from, to }: SlotRange, { blocks, before }: SlotChain<B>): Block[] => {
  const all: Block[] = [];
  let last: SlotHead | null = before;
  let next = 0;
  for (let number = from; number <= to; number += 1) {
    const block = blocks[next];
    if (block?.number === number) {
      all.push("transactions" in block ? (block as B & Block) : emptyBlock(block)); // a whole block has transactions
      last = block;
      next += 1;
    } else if (last !== null) {
      all.push(emptyBlock({ ...last, number, parent_hash: last.hash }));
    }
  }
  return all;
};

const emptyBlock = ({ number, hash, parent_hash, time }: Omit<SlotHead, "height">): Block => ({
  number,
  hash,
  parent_hash,
  time,
  producer: EMPTY,
  base_fee: null,
  transactions: [],
  issuance: [],
  has_traces: true,
  verified: "none",
});

export const refOf = ({ number, hash, parent_hash, time }: Omit<SlotHead, "parent_slot" | "height">): BlockRef => ({
  number,
  hash: toHex(hash),
  parent_hash: toHex(parent_hash),
  time,
});

/** A node may name a slot before it can serve its block: the one before is then the newest. */
const NEWEST_TRIES = 8;

/** The newest block that one node can serve, or null. Ignores `_number`: slots may be skipped. */
export const fetchNewest = async (
  { endpoint }: SolanaRpcNode,
  _number: number | null,
  signal: AbortSignal,
): Promise<BlockRef | null> => {
  const params = [{ commitment: COMMITMENT }];
  const newest = indexOf(await endpoint.result({ method: "getSlot", params }, signal), "slot");
  for (let slot = newest; slot >= 0 && slot > newest - NEWEST_TRIES; slot -= 1) {
    const answer = await endpoint.one(HEADS.call(slot), signal);
    if (answer.ok && answer.result !== null) return refOf(HEADS.read(answer.result, slot));
  }
  return null;
};
