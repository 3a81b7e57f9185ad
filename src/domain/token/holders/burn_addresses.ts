import type { Network } from "../../../chains/chain.ts";
import { type Hex, hex } from "../../../lib/bytes.ts";

/** Conventional burn addresses of EVM tokens: their keys are unknown. */
const BY_HABIT: readonly Hex[] = ["0".repeat(40), `${"0".repeat(36)}dead`].map(hex);

/** Addresses to which coins and tokens are sent to destroy them. */
export const burnAddressesOf = ({ burn_addresses }: Network): readonly Hex[] => burn_addresses ?? BY_HABIT;
