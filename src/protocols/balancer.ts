import type { PoolFamily } from "../knowledge/pool_families.gen.ts";
import type { Bytes } from "../lib/bytes.ts";
import { WORD_BYTES } from "../lib/words.ts";

/** One vault holds every pool. A pool trades several tokens; Assay treats each pair as a pool of its own, identified by the pool's id and tokens. */

const ADDRESS_BYTES = 20;

/** Bytes of a pair's id: of v2 after a word, of v3 after the pool's address. */
const FAMILIES: ReadonlyMap<number, PoolFamily> = new Map([
  [WORD_BYTES + 2 * ADDRESS_BYTES, "balancer_v2"],
  [3 * ADDRESS_BYTES, "balancer_v3"],
]);

interface BalancerPair {
  readonly family: PoolFamily;
  /** The lower address first. */
  readonly token0: Bytes;
  readonly token1: Bytes;
}

/** Returns null for an id of another family. */
export const balancerPairOf = (id: Bytes): BalancerPair | null => {
  const family = FAMILIES.get(id.length);
  return family === undefined
    ? null
    : { family, token0: id.subarray(-2 * ADDRESS_BYTES, -ADDRESS_BYTES), token1: id.subarray(-ADDRESS_BYTES) };
};
