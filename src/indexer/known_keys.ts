/** Keys that need not be looked up again. Forgets everything when it is full: looking up again is always right. */
export class KnownKeys {
  readonly #keys = new Set<string>();
  readonly #keys_max: number;

  constructor(keys_max: number) {
    this.#keys_max = keys_max;
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  add(key: string): void {
    if (this.#keys.size >= this.#keys_max) this.#keys.clear();
    this.#keys.add(key);
  }
}

/** `list` in slices of at most `size`. */
export const partsOf = <T>(list: readonly T[], size: number): readonly (readonly T[])[] => {
  const parts: (readonly T[])[] = [];
  for (let at = 0; at < list.length; at += size) parts.push(list.slice(at, at + size));
  return parts;
};
