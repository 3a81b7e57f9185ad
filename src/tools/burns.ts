import type { Hex } from "../lib/bytes.ts";

/** Burn addresses of EVM tokens, by habit: nobody has their keys. */
export const BURN_ADDRESSES: readonly Hex[] = ["0".repeat(40), `${"0".repeat(36)}dead`];
