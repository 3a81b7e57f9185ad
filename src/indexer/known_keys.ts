import { inLanes } from "../lib/lanes.ts";

/** Slices in progress at one time: a distant node answers several requests in the time of one. */
const PARTS_AT_ONCE = 4;

/** Keys that need no look-up. Forgets everything when it is full: another look-up is always right. */
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

/** Processes slices of `list`, a few at a time. Ends when all that began have ended; throws the first fault. */
export const inParts = <T>(
  list: readonly T[],
  size: number,
  work: (part: readonly T[]) => Promise<void>,
): Promise<void> => inLanes(PARTS_AT_ONCE, partsOf(list, size), work);
