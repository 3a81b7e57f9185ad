import type { EvmTraits } from "./traits.ts";

/** How long a note holds: the node may be replaced, or get the data later. */
const BELIEVED_MS = 10 * 60_000;

interface Note {
  readonly value: number;
  readonly until: number;
}

/** Data that nodes turned out not to have since their probe. */
export class NodeNotes {
  readonly #now: () => number;
  readonly #traces_from = new WeakMap<EvmTraits, Note>();
  readonly #without_block_receipts = new WeakMap<EvmTraits, Note>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The oldest block whose traces the node may have. */
  tracesFrom(traits: EvmTraits): number {
    return this.#valid(this.#traces_from.get(traits)) ?? 0;
  }

  noTracesBelow(traits: EvmTraits, number: number): void {
    const value = Math.max(number, this.tracesFrom(traits));
    this.#traces_from.set(traits, { value, until: this.#now() + BELIEVED_MS });
  }

  hasBlockReceipts(traits: EvmTraits): boolean {
    return traits.receipts === "block" && this.#valid(this.#without_block_receipts.get(traits)) === null;
  }

  noBlockReceipts(traits: EvmTraits): void {
    this.#without_block_receipts.set(traits, { value: 1, until: this.#now() + BELIEVED_MS });
  }

  #valid(note: Note | undefined): number | null {
    return note === undefined || note.until < this.#now() ? null : note.value;
  }
}
