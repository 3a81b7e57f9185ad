import type { Hex } from "../../../lib/bytes.ts";
import type { Snapshot } from "../../../store/facts.ts";

/** Something of the final blocks of a wallet's history from `since` (unix seconds) on. */
interface Part {
  readonly since: number;
}

/** What a memory of wallets was good for, and the rough bytes that it takes. */
export interface KeptFigures {
  readonly hits: number;
  readonly misses: number;
  readonly bytes: number;
}

interface Bounds<T> {
  /** Rough bytes; they may grow while the part is held. */
  readonly sizeOf: (part: T) => number;
  /** What is larger is not kept. */
  readonly one_max: number;
  readonly all_max: number;
  /** True where what is held is to stay, though something new comes in its place; never, when left out. */
  readonly stays?: (held: T, next: T) => boolean;
}

/** More history at its old end, or other kinds of facts, are another history. */
const nameOf = ({ network, generation, from_block, coverage, rewrites }: Snapshot, wallet: Hex): string =>
  `${network} ${generation} ${wallet} ${from_block} ${coverage.traces} ${coverage.gaps.join(" ")} ${rewrites ?? 0}`;

/**
 * What was read once of wallets, in this process alone. It is of final blocks, so no reorganisation undoes it and no promotion moves
 * it: whoever goes on from it reads the blocks behind. What is not says what it stands on, and is found by that (`findWhere`).
 */
export class KeptWallets<T extends Part> implements KeptFigures {
  hits = 0;
  misses = 0;
  /** Least recently asked first. */
  readonly #held = new Map<string, T>();
  readonly #bounds: Bounds<T>;

  constructor(bounds: Bounds<T>) {
    this.#bounds = bounds;
  }

  /** What is known of the time from `since` on, whatever the snapshot's block; null for nothing. */
  find(snapshot: Snapshot, wallet: Hex, since: number): T | null {
    return this.findWhere(snapshot, wallet, (kept) => kept.since <= since);
  }

  /** What is held of a wallet if it fits; null for nothing. */
  findWhere(snapshot: Snapshot, wallet: Hex, fits: (kept: T) => boolean): T | null {
    const name = nameOf(snapshot, wallet);
    const kept = this.#held.get(name);
    if (kept === undefined || !fits(kept)) {
      this.misses += 1;
      return null;
    }
    this.hits += 1;
    this.#held.delete(name);
    this.#held.set(name, kept);
    return kept;
  }

  /** What is held of a wallet; who only looks wanted nothing. */
  peek(snapshot: Snapshot, wallet: Hex): T | null {
    return this.#held.get(nameOf(snapshot, wallet)) ?? null;
  }

  /** Puts it in the place of what is held of the wallet. */
  keep(snapshot: Snapshot, wallet: Hex, part: T): void {
    const name = nameOf(snapshot, wallet);
    const held = this.#held.get(name);
    const { sizeOf, one_max, all_max, stays } = this.#bounds;
    if (held !== undefined && stays?.(held, part) === true) return;
    this.#held.delete(name);
    if (sizeOf(part) > one_max) return;
    this.#held.set(name, part);
    let size = this.bytes;
    for (const [oldest, one] of this.#held) {
      if (size <= all_max) break;
      this.#held.delete(oldest);
      size -= sizeOf(one);
    }
  }

  get bytes(): number {
    return [...this.#held.values()].reduce((sum, one) => sum + this.#bounds.sizeOf(one), 0);
  }
}
