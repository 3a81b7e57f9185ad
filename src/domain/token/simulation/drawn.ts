import { createHmac, randomBytes } from "node:crypto";
import { type Hex, hex } from "../../../lib/bytes.ts";
import type { SimulationState } from "./market.ts";

/**
 * Addresses of simulated accounts. A token cannot know them: they depend on a secret of this process, and on the block. In
 * one process the same simulation has the same addresses.
 */

const SECRET = randomBytes(32);
const ADDRESS_HEX = 40;

/** An unused address without a key. `purpose` separates the accounts of one simulation. */
export const drawnAddress = ({ block, chain }: SimulationState, purpose: string): Hex => {
  const seed = `${chain.network.id} ${block.number} ${purpose}`;
  return hex(createHmac("sha256", SECRET).update(seed).digest("hex").slice(0, ADDRESS_HEX));
};
