import type { Hex } from "../../../lib/bytes.ts";
import type { Snapshot } from "../../../store/facts.ts";
import { keptName } from "../kept_movements.ts";

/** What was called. */
export interface Call {
  readonly sender: Hex;
  /** '' of a creation. */
  readonly recipient: Hex;
  /** '' without one. */
  readonly selector: Hex;
  readonly is_creation: boolean;
  readonly succeeded: boolean;
}

/** What a protocol said about a position of the wallet. */
export interface Said {
  readonly kind: string;
  readonly contract: Hex;
  readonly has_pool: boolean;
}

/** What facts tell of a wallet's transactions beside what moved of it, by place (`block:index`). */
export interface Told {
  readonly calls: Map<string, Call>;
  readonly said: Map<string, readonly Said[]>;
  /** A pool traded while the wallet gave and got. */
  readonly traded: Set<string>;
  /** The same of blocks that are not final yet. */
  readonly above?: Told;
}

/** Of the final blocks from `since` (unix seconds) up to `block`. */
export interface KeptPart extends Told {
  readonly since: number;
  block: number;
}

export const nothingTold = (): Told => ({ calls: new Map(), said: new Map(), traded: new Set() });

export const sizeOf = ({ calls, said, traded }: Told): number => calls.size + said.size + traded.size;

/** Transactions of one wallet, and of all, of which something is kept: some hundred bytes each. */
const WALLET_PLACES_MAX = 200_000;
const PLACES_MAX = 300_000;

/** What was told of final blocks, read once, beside the movements that are kept (`KeptMovements`). */
export class KeptTold {
  /** Least recently asked first. */
  readonly #held = new Map<string, KeptPart>();

  find(snapshot: Snapshot, wallet: Hex, since: number): KeptPart | null {
    const name = keptName(snapshot, wallet);
    const kept = this.#held.get(name);
    if (kept === undefined || kept.since > since) return null;
    this.#held.delete(name);
    this.#held.set(name, kept);
    return kept;
  }

  keep(snapshot: Snapshot, wallet: Hex, part: KeptPart): void {
    const name = keptName(snapshot, wallet);
    this.#held.delete(name);
    if (sizeOf(part) > WALLET_PLACES_MAX) return;
    this.#held.set(name, part);
    let places = [...this.#held.values()].reduce((sum, one) => sum + sizeOf(one), 0);
    for (const [oldest, one] of this.#held) {
      if (places <= PLACES_MAX) break;
      this.#held.delete(oldest);
      places -= sizeOf(one);
    }
  }
}
