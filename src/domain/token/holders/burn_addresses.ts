import type { Network } from "../../../chains/chain.ts";
import { type Hex, hex } from "../../../lib/bytes.ts";

/** Of EVM tokens, by habit: nobody has their keys. */
const BY_HABIT: readonly Hex[] = ["0".repeat(40), `${"0".repeat(36)}dead`].map(hex);

/** Addresses that coins and tokens are sent to in order to be gone. */
export const burnAddressesOf = ({ burn_addresses }: Network): readonly Hex[] => burn_addresses ?? BY_HABIT;
