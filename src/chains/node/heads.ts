/** The end of the chain as endpoints report it: newest block, and single blocks by number. */
import type { BlockRef, Network } from "../chain.ts";
import type { EndpointTraits } from "../open_chain.ts";
import { BadAnswer } from "./answer.ts";
import type { Endpoint, ProbedEndpoint } from "./endpoints.ts";
import type { EndpointPool } from "./pool.ts";

/** A head unchanged for this long is compared with the other endpoints. */
const STALL_MS = 3_000;
/** While an endpoint is known to be behind, its head is checked this often. */
const BEHIND_CHECK_MS = 10_000;
/** Endpoints of one network differ by the time a block takes to travel. */
const BEHIND_SECONDS = 15;
const BEHIND_BLOCKS_MIN = 3;

/** Reads a block by its number, or the newest one; null if the node states that it does not exist. */
export type FetchRef<E, T> = (
  node: ProbedEndpoint<E, T>,
  number: number | null,
  signal: AbortSignal,
) => Promise<BlockRef | null>;

interface HeadReaderOptions<E, T> {
  readonly askRef: FetchRef<E, T>;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
}

export class HeadReader<E extends Endpoint, T extends EndpointTraits> {
  readonly #pool: EndpointPool<E, T>;
  readonly #network: Network;
  readonly #askRef: FetchRef<E, T>;
  readonly #now: () => number;
  #newest = -1;
  #advanced_at: number;
  #compared_at: number;

  constructor(pool: EndpointPool<E, T>, network: Network, { askRef, now }: HeadReaderOptions<E, T>) {
    this.#pool = pool;
    this.#network = network;
    this.#askRef = askRef;
    this.#now = now;
    this.#advanced_at = now();
    this.#compared_at = now();
  }

  /** The head of the preferred endpoint, unless it stays unchanged while another one advances. */
  async head(signal: AbortSignal): Promise<BlockRef> {
    const ref = await this.#newestRef(signal);
    if (!this.#isDoubtful(ref.number)) return ref;
    this.#compared_at = this.#now();
    const blocks_max = Math.max(BEHIND_BLOCKS_MIN, Math.round(BEHIND_SECONDS / this.#network.block_seconds));
    const refs = await this.#pool.each("head", signal, (node, limit) => this.#askRef(node, null, limit));
    this.#pool.noteHeads(
      refs.map((one) => one?.number ?? null),
      blocks_max,
    );
    return this.#newestRef(signal);
  }

  /** A node without any block is useless, so the pool tries another one. */
  #newestRef(signal: AbortSignal): Promise<BlockRef> {
    return this.#pool.run({ what: "head" }, signal, async (node) => {
      const ref = await this.#askRef(node, null, signal);
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

  /** Null if no endpoint has such a block: one alone may be behind. */
  async ref(number: number, signal: AbortSignal): Promise<BlockRef | null> {
    const what = `block ${number}`;
    const ref = await this.#pool.run({ what }, signal, (node) => this.#askRef(node, number, signal));
    if (ref !== null || this.#pool.size < 2) return ref;
    const refs = await this.#pool.each(what, signal, (node, limit) => this.#askRef(node, number, limit));
    return refs.find((one) => one !== null) ?? null;
  }
}
