import type { Hex } from "../src/lib/bytes.ts";

/** A word as an address or a hash, for tests that only compare them. */
export const named = (word: string): Hex => word as Hex; // it is not hex, and no test reads its bytes
