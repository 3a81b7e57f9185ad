import { type Bytes, equalBytes, type Hex, toHex } from "../../../lib/bytes.ts";
import { ADDRESS_BYTES } from "../address.ts";

/** The keys of a block by number. Each is cut out, and formatted as hex, on demand: most are never looked at. */
export class BlockKeys {
  readonly #all: Buffer;
  readonly #bytes: Bytes[] = [];
  readonly #hexes: Hex[] = [];

  /** @param all the keys, one after another */
  constructor(all: Buffer) {
    this.#all = all;
  }

  bytes(number: number): Bytes {
    const known = this.#bytes[number];
    if (known !== undefined) return known;
    const bytes = this.#all.subarray(number * ADDRESS_BYTES, (number + 1) * ADDRESS_BYTES);
    this.#bytes[number] = bytes;
    return bytes;
  }

  is(number: number, key: Bytes): boolean {
    return equalBytes(this.bytes(number), key);
  }

  hex(number: number): Hex {
    const known = this.#hexes[number];
    if (known !== undefined) return known;
    const hex = toHex(this.bytes(number));
    this.#hexes[number] = hex;
    return hex;
  }
}
