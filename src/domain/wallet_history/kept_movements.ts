import type { Hex } from "../../lib/bytes.ts";
import type { Snapshot } from "../../store/facts.ts";
import type { Movements } from "./movements.ts";

/** The final movements of a wallet from `since` (unix seconds) up to the end of a final block. */
export interface Kept {
  readonly since: number;
  readonly block: number;
  readonly movements: Movements;
}

/** Rough bytes of memory that one wallet, and all of them, may take. */
const WALLET_BYTES_MAX = 64 << 20;
const BYTES_MAX = 96 << 20;

/**
 * Movements that were read once, in this process alone. They are of final blocks only, so no reorganisation undoes them and
 * no promotion moves them: whoever goes on from them reads the blocks behind.
 */
export class KeptMovements {
  /** Least recently asked first. */
  readonly #held = new Map<string, Kept>();
  #bytes = 0;

  /** What is known of the time from `since` on, whatever the snapshot's block; null for nothing. */
  find(snapshot: Snapshot, wallet: Hex, since: number): Kept | null {
    const name = keptName(snapshot, wallet);
    const kept = this.#held.get(name);
    if (kept === undefined || kept.since > since) return null;
    this.#held.delete(name);
    this.#held.set(name, kept);
    return kept;
  }

  keep(snapshot: Snapshot, wallet: Hex, kept: Kept): void {
    const name = keptName(snapshot, wallet);
    const known = this.#held.get(name);
    if (known !== undefined && known.since <= kept.since && known.block >= kept.block) return;
    this.#forget(name);
    const { bytes } = kept.movements;
    if (bytes > WALLET_BYTES_MAX) return;
    this.#held.set(name, kept);
    this.#bytes += bytes;
    for (const oldest of this.#held.keys()) {
      if (this.#bytes <= BYTES_MAX) break;
      this.#forget(oldest);
    }
  }

  #forget(name: string): void {
    // The texts of a wallet grow with it, also under rows that are held already.
    this.#held.delete(name);
    this.#bytes = [...this.#held.values()].reduce((sum, { movements }) => sum + movements.bytes, 0);
  }
}

/** More history at its old end, or other kinds of facts, are other movements. */
export const keptName = ({ network, from_block, coverage }: Snapshot, wallet: Hex): string =>
  `${network} ${wallet} ${from_block} ${coverage.traces}`;
