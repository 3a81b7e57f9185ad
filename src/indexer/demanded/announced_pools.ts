import { toHex } from "../../lib/bytes.ts";
import type { BlockRows } from "../rows.ts";
import { pairKey } from "./pool_reads.ts";

/** After more blocks without a look the factories answer again. */
const BLOCKS_MAX = 5_000;
/** Pairs with announcements that are remembered; beyond, the factories answer again. */
const PAIRS_MAX = 50_000;

type Announcements = BlockRows["pools"];

/** The pairs of tokens that got a pool of late, so that the factories need not answer again about all others. */
export class AnnouncedPools {
  /** The range of blocks whose announcements are known; null before the beginning. */
  #range: { readonly from: number; readonly to: number } | null = null;
  /** The newest announcement by pair. */
  readonly #blocks = new Map<string, number>();
  #looking: Promise<void> = Promise.resolve();

  /** From this block on announcements count. */
  begin(at: number): void {
    this.#range ??= { from: at, to: at };
  }

  /** Reads the announcements up to a block. */
  look(to: number, read: (from: number, to: number) => Promise<Announcements>): Promise<void> {
    const looking = this.#looking.catch(() => undefined).then(() => this.#look(to, read));
    this.#looking = looking;
    return looking;
  }

  /** Pools of the pair as of block `at` are all that it has up to block `to`. */
  isUnchanged(pair: string, { at, to }: { readonly at: number; readonly to: number }): boolean {
    if (to <= at) return true;
    const range = this.#range;
    return range !== null && at >= range.from && to <= range.to && (this.#blocks.get(pair) ?? at) <= at;
  }

  async #look(to: number, read: (from: number, to: number) => Promise<Announcements>): Promise<void> {
    const range = this.#range;
    if (range === null || to <= range.to) return;
    if (to - range.to > BLOCKS_MAX || this.#blocks.size > PAIRS_MAX) {
      this.#blocks.clear();
      this.#range = { from: to, to };
      return;
    }
    for (const { token0, token1, block_number } of await read(range.to + 1, to))
      this.#blocks.set(pairKey([toHex(token0), toHex(token1)]), block_number);
    this.#range = { from: range.from, to };
  }
}
