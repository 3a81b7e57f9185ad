/** Where the chain ends, by what endpoints say: newest block, final block, and single blocks by number. */
import { type Hex, toHex } from "../../lib/bytes.ts";
import type { BlockRef, Network } from "../chain.ts";
import { BadAnswer, fieldsOf } from "../node/answer.ts";
import type { EndpointPool, Node } from "./pool.ts";
import { resultsOf, type Traits } from "./probe.ts";
import { countOf, hashOf, quantity } from "./wire.ts";

/** A head that stands still this long is checked against the other endpoints. */
const STALL_MS = 3_000;
/** While an endpoint is known to be behind, it is looked at again this often. */
const BEHIND_CHECK_MS = 10_000;
/** Endpoints of one network differ by the time a block takes to travel. */
const BEHIND_SECONDS = 15;
const BEHIND_BLOCKS_MIN = 3;

export class HeadReader {
  readonly #pool: EndpointPool;
  readonly #network: Network;
  readonly #now: () => number;
  #newest = -1;
  #advanced_at: number;
  #compared_at: number;

  /** `now` in milliseconds, monotonic. */
  constructor(pool: EndpointPool, network: Network, now: () => number) {
    this.#pool = pool;
    this.#network = network;
    this.#now = now;
    this.#advanced_at = now();
    this.#compared_at = now();
  }

  /** Of the preferred endpoint, unless it stands still while another one does not. */
  async head(signal: AbortSignal): Promise<BlockRef> {
    const ref = await this.#newestRef(signal);
    if (!this.#isDoubtful(ref.number)) return ref;
    this.#compared_at = this.#now();
    const blocks_max = Math.max(BEHIND_BLOCKS_MIN, Math.round(BEHIND_SECONDS / this.#network.block_seconds));
    const refs = await this.#pool.each("head", signal, (node, limit) => askRef(node, "latest", limit));
    this.#pool.noteHeads(
      refs.map((one) => one?.number ?? null),
      blocks_max,
    );
    return this.#newestRef(signal);
  }

  /** A node without any block is of no use, and another one is asked. */
  #newestRef(signal: AbortSignal): Promise<BlockRef> {
    return this.#pool.run({ what: "head" }, signal, async (node) => {
      const ref = await askRef(node, "latest", signal);
      if (ref === null) throw new BadAnswer("the node has no newest block");
      return ref;
    });
  }

  #isDoubtful(number: number): boolean {
    const now = this.#now();
    if (number > this.#newest) {
      this.#newest = number;
      this.#advanced_at = now;
    }
    if (this.#pool.size < 2) return false;
    if (this.#pool.some_behind && now - this.#compared_at > BEHIND_CHECK_MS) return true;
    return now - Math.max(this.#advanced_at, this.#compared_at) > STALL_MS;
  }

  /** By the node's `finalized` tag; without one, so many blocks behind the head. */
  async finalized(signal: AbortSignal): Promise<number> {
    const has_tag = this.#pool.known.some((traits) => traits.finalized !== null);
    const accepts = (traits: Traits): boolean => !has_tag || traits.finalized !== null;
    return this.#pool.run({ what: "finalized block", accepts }, signal, async ({ endpoint, traits }) => {
      const tags = traits.finalized === null ? ["latest"] : ["latest", "finalized"];
      const calls = tags.map((tag) => ({ method: "eth_getBlockByNumber", params: [tag, false] }));
      const { answers } = await endpoint.ask(calls, signal);
      const [head, finalized] = resultsOf(answers).map((block) =>
        countOf(fieldsOf(block, "block").number, "block number"),
      );
      if (head === undefined || (finalized ?? 0) > head) throw new BadAnswer("the final block is beyond the newest");
      return finalized ?? Math.max(0, head - this.#network.finality_blocks);
    });
  }

  /** Null when no endpoint has such a block: one alone may only be behind. */
  async ref(number: number, signal: AbortSignal): Promise<BlockRef | null> {
    const tag = quantity(number);
    const ref = await this.#byTag(tag, signal);
    if (ref !== null || this.#pool.size < 2) return ref;
    const refs = await this.#pool.each(`block ${number}`, signal, (node, limit) => askRef(node, tag, limit));
    return refs.find((one) => one !== null) ?? null;
  }

  #byTag(tag: string, signal: AbortSignal): Promise<BlockRef | null> {
    return this.#pool.run({ what: `eth_getBlockByNumber ${tag}` }, signal, (node) => askRef(node, tag, signal));
  }
}

/** Null when the node says that there is no such block. */
const askRef = async ({ endpoint }: Node, tag: string, signal: AbortSignal): Promise<BlockRef | null> => {
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
