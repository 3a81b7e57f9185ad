import type { Hex } from "../src/lib/bytes.ts";

/** A word in place of an address or a hash, for tests of what only compares them. */
export const named = (word: string): Hex => word as Hex; // no bytes stand behind it, and none are asked for
