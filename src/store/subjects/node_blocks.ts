/** Blocks of a network that is read on demand: few are stored, so the node tells the others. */
import { AssayError } from "../../lib/errors.ts";
import type { PinnedBlock } from "../../lib/parsed.ts";
import type { QueryRow, Snapshot } from "../facts.ts";

export type BlockAt = Snapshot["block"];
type BlockTime = QueryRow<"block_times">;

const incomplete = (message: string): AssayError =>
  new AssayError({ code: "COVERAGE_INCOMPLETE", message, public: message, retryable: false });

export class NodeBlocks {
  readonly #read: (network: string, number: number) => Promise<BlockAt | null>;

  /** `read`: a block of the node; null if it has none of that number. */
  constructor(read: (network: string, number: number) => Promise<BlockAt | null>) {
    this.#read = read;
  }

  async pinned(
    network: string,
    pinned: PinnedBlock | null,
    { from_block, newest }: { readonly from_block: number; readonly newest: BlockAt },
  ): Promise<BlockAt> {
    if (pinned === null || pinned === newest.number) return newest;
    const number =
      typeof pinned === "number" ? pinned : await this.#lastBefore(network, pinned.until, { from_block, newest });
    const is_proven = typeof pinned === "number" || number === null || number < newest.number;
    if (!is_proven)
      throw incomplete(`Whether a block of ${network} follows ${number} up to that moment is not known yet.`);
    if (number === null || number < from_block || number > newest.number)
      throw incomplete(`The history that is read of ${network} has blocks ${from_block} to ${newest.number}.`);
    return number === newest.number ? newest : this.#ref(network, number);
  }

  /** A block near the head may be of another branch than the end of the tail. */
  async mustBeUnder(network: string, { number }: BlockAt, newest: BlockAt): Promise<void> {
    if (number !== newest.number && (await this.#ref(network, newest.number)).hash !== newest.hash)
      throw incomplete(`The newest blocks of ${network} are being reorganised.`);
  }

  async #ref(network: string, number: number): Promise<BlockAt> {
    const block = await this.#read(network, number);
    if (block === null) throw incomplete(`The nodes of ${network} do not have block ${number}.`);
    return block;
  }

  /** Stored blocks are few, so the node tells which block was the last one of a moment. */
  async atTime(snapshot: Snapshot, time: number) {
    const { network, from_block, block } = snapshot;
    const number = await this.#lastBefore(network, time, { from_block, newest: block });
    if (number === null) return [];
    const found = number === block.number ? block : await this.#ref(network, number);
    return [{ block_number: number, hash: found.hash, time: found.time }];
  }

  /** Times of blocks that are stored, and of others from the node. */
  async withTimes(
    { network, block, from_block }: Snapshot,
    rows: readonly BlockTime[],
    asked: readonly number[],
  ): Promise<readonly BlockTime[]> {
    const known = new Set(rows.map(({ block_number }) => block_number));
    // Blocks before the history are those of openings, which nodes need not keep.
    const isIn = (number: number): boolean => number >= from_block && number <= block.number;
    const missing = [...new Set(asked)].filter((number) => !known.has(number) && isIn(number));
    const read = missing.map(async (number) => ({
      block_number: number,
      time: (await this.#ref(network, number)).time,
    }));
    return [...rows, ...(await Promise.all(read))].sort((a, b) => a.block_number - b.block_number);
  }

  /** The last block at or before a time, up to `newest`; null if all are later. */
  async #lastBefore(
    network: string,
    time: number,
    { from_block, newest }: { readonly from_block: number; readonly newest: BlockAt },
  ): Promise<number | null> {
    if (newest.time <= time) return newest.number;
    if ((await this.#ref(network, from_block)).time > time) return null;
    let [low, high] = [from_block, newest.number];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if ((await this.#ref(network, middle)).time <= time) low = middle;
      else high = middle;
    }
    return low;
  }
}
