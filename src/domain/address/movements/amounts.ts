const LIMBS = 2;

/** Amounts in base units: almost all of them fit into 128 bits. */
export class Amounts {
  readonly #limbs: BigUint64Array;
  /** The same memory; 32 bits at a time make no object. */
  readonly #words: Uint32Array;
  readonly #wide: Map<number, bigint>;

  constructor(length: number) {
    this.#limbs = new BigUint64Array(length * LIMBS);
    this.#words = new Uint32Array(this.#limbs.buffer);
    this.#wide = new Map();
  }

  at(row: number): bigint {
    const low = this.#limbs[row * LIMBS] ?? 0n;
    const high = this.#limbs[row * LIMBS + 1] ?? 0n;
    const narrow = high === 0n ? low : (high << 64n) | low;
    return this.#wide.size === 0 ? narrow : (this.#wide.get(row) ?? narrow);
  }

  /** The nearest double: the sum of two halves of 64 bits is rounded once, like the number itself. */
  numberAt(row: number): number {
    const [word, words] = [row * 2 * LIMBS, this.#words];
    if (this.#wide.size > 0 || words[word + 2] !== 0 || words[word + 3] !== 0) return Number(this.at(row));
    return (words[word + 1] ?? 0) * 2 ** 32 + (words[word] ?? 0);
  }

  put(row: number, amount: bigint): void {
    // A limb takes what of the number fits.
    this.#limbs[row * LIMBS] = amount;
    this.#limbs[row * LIMBS + 1] = amount >> 64n;
    if (amount >> 128n !== 0n) this.#wide.set(row, amount);
  }

  /** The first rows of others. */
  copy(others: Amounts, length: number): void {
    this.#limbs.set(others.#limbs.subarray(0, length * LIMBS));
    for (const [row, amount] of others.#wide) if (row < length) this.#wide.set(row, amount);
  }
}
