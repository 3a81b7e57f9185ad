import type { Hex } from "../../lib/bytes.ts";
import type { Snapshot } from "../facts.ts";
import type { HolderState } from "./holder_state.ts";

/** A token's holders at a final block, with the balances of recently active ones, which are likely to move again. */
export interface CachedHolderState {
  readonly state: HolderState;
  readonly known: ReadonlyMap<Hex, bigint>;
}

/** Rough bytes of memory. */
const ALL_BYTES_MAX = 64 << 20;
const LISTED_BYTES = 200;
const KNOWN_BYTES = 160;
const STATE_BYTES = 600;

const bytesOf = ({ state, known }: CachedHolderState): number =>
  STATE_BYTES + LISTED_BYTES * (state.largest.items.length + state.doubtful.items.length) + KNOWN_BYTES * known.size;

/** More history, at its old end or in a gap, or other kinds of facts are other sums. */
const nameOf = ({ network, generation, from_block, coverage, rewrites }: Snapshot, token: Hex): string =>
  `${network} ${generation} ${token} ${from_block} ${coverage.traces} ${coverage.gaps.join(" ")} ${rewrites ?? 0}`;

/**
 * Holders of tokens that were counted once, in this process alone. It is of final blocks only, so no reorganisation undoes it:
 * a later reader adds the movements since.
 */
export class HolderCache {
  hits = 0;
  misses = 0;
  bytes = 0;
  /** Least recently used first. */
  readonly #held = new Map<string, CachedHolderState>();

  /** Of a block that is not behind the snapshot's; null for nothing. */
  find(snapshot: Snapshot, token: Hex): CachedHolderState | null {
    const name = nameOf(snapshot, token);
    const held = this.#held.get(name);
    if (held === undefined || held.state.block > snapshot.block.number) {
      this.misses += 1;
      return null;
    }
    this.hits += 1;
    this.#held.delete(name);
    this.#held.set(name, held);
    return held;
  }

  /** Replaces the cached entry, unless that reaches a later block. */
  keep(snapshot: Snapshot, token: Hex, next: CachedHolderState): void {
    const name = nameOf(snapshot, token);
    const held = this.#held.get(name);
    if (held !== undefined && held.state.block > next.state.block) return;
    this.#remove(name);
    const bytes = bytesOf(next);
    if (bytes > ALL_BYTES_MAX) return;
    this.#held.set(name, next);
    this.bytes += bytes;
    for (const oldest of this.#held.keys()) {
      if (this.bytes <= ALL_BYTES_MAX) break;
      this.#remove(oldest);
    }
  }

  /** Its lists have become too short, or too much has moved since. */
  forget(snapshot: Snapshot, token: Hex): void {
    this.#remove(nameOf(snapshot, token));
  }

  #remove(name: string): void {
    const held = this.#held.get(name);
    if (held === undefined) return;
    this.bytes -= bytesOf(held);
    this.#held.delete(name);
  }
}
