import { type Bytes, type Hex, toHex } from "../../lib/bytes.ts";
import type { Keys } from "./wire.ts";

/** The accounts of one transaction by position, which is how balances and instructions name them. */
export class Accounts {
  readonly #keys: Keys;
  readonly #list: readonly Bytes[];
  readonly #hexes: readonly Hex[];
  #positions: ReadonlyMap<Hex, number> | null = null;

  constructor(list: readonly Bytes[], keys: Keys) {
    this.#keys = keys;
    this.#list = list;
    this.#hexes = list.map(toHex);
  }

  get length(): number {
    return this.#list.length;
  }

  /** No bytes for a position that is not there. */
  bytes(position: number): Bytes {
    return this.#list[position] ?? new Uint8Array(0);
  }

  hex(position: number): Hex {
    return this.#hexes[position] ?? "";
  }

  /** Position of an address in base58; null when it is none of these accounts. */
  find(address: unknown): number | null {
    this.#positions ??= new Map([...this.#hexes.entries()].map(([position, hex]) => [hex, position]));
    return this.#positions.get(toHex(this.#keys.of(address, "account"))) ?? null;
  }
}
