import { type Bytes, EMPTY, equalBytes, type Hex, toHex } from "../../lib/bytes.ts";
import type { Keys } from "./wire.ts";

/** The first accounts of a transaction, cut out of a shared buffer on demand. */
export interface LyingKeys {
  readonly length: number;
  at(position: number): Bytes;
  is(position: number, key: Bytes): boolean;
  /** The hex of a key, if it is cached for all transactions of a block. */
  hex?(position: number): Hex;
}

/** The accounts of one transaction by position, which is how balances and instructions refer to them. */
export class Accounts {
  readonly length: number;
  readonly #keys: Keys;
  readonly #wire: LyingKeys | null;
  /** Keys already requested that are cached nowhere else, and keys after those of the wire. */
  readonly #list: Bytes[];
  /** Their hex, computed on demand: most accounts are never looked at. */
  readonly #hexes: Hex[] = [];
  #positions: ReadonlyMap<Hex, number> | null = null;

  /** `wire`: accounts before those of the list. */
  constructor(list: readonly Bytes[], keys: Keys, wire: LyingKeys | null = null) {
    this.#keys = keys;
    this.#wire = wire;
    this.length = (wire?.length ?? 0) + list.length;
    this.#list = wire === null || list.length === 0 ? [...list] : new Array<Bytes>(wire.length).concat(list);
  }

  /** Empty for a position outside of the list. */
  bytes(position: number): Bytes {
    const known = this.#list[position];
    if (known !== undefined) return known;
    if (this.#wire === null || position < 0 || position >= this.#wire.length) return EMPTY;
    const bytes = this.#wire.at(position);
    if (this.#wire.hex === undefined) this.#list[position] = bytes;
    return bytes;
  }

  is(position: number, key: Bytes): boolean {
    if (this.#wire !== null && position < this.#wire.length) return this.#wire.is(position, key);
    return equalBytes(this.bytes(position), key);
  }

  hex(position: number): Hex {
    const known = this.#hexes[position];
    if (known !== undefined) return known;
    const wire = this.#wire;
    if (wire?.hex !== undefined && position >= 0 && position < wire.length) return wire.hex(position);
    const hex = toHex(this.bytes(position));
    this.#hexes[position] = hex;
    return hex;
  }

  /** Position of an address in base58, or null if it is not among these accounts. */
  find(address: unknown): number | null {
    this.#positions ??= new Map(Array.from({ length: this.length }, (_, position) => [this.hex(position), position]));
    return this.#positions.get(toHex(this.#keys.of(address, "account"))) ?? null;
  }
}
