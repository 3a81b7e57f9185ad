import { INTERFACES } from "../knowledge/names.gen.ts";
import { type Bytes, EMPTY } from "../lib/bytes.ts";
import { uintAt, WORD_BYTES } from "../lib/words.ts";
import { NOTHING, type Protocol } from "./protocol.ts";
import { topicAddress } from "./topics.ts";

const ADDRESS_BYTES = 20;

/** One vault holds every pool. A pool trades several tokens; Assay treats each pair as a pool of its own, identified by pool id and tokens. */
export const BALANCER_ID_BYTES = WORD_BYTES + 2 * ADDRESS_BYTES;

export interface BalancerPair {
  /** The lower address first. */
  readonly token0: Bytes;
  readonly token1: Bytes;
}

/** Returns null for an id of another family. */
export const balancerPairOf = (id: Bytes): BalancerPair | null =>
  id.length === BALANCER_ID_BYTES
    ? { token0: id.subarray(WORD_BYTES, WORD_BYTES + ADDRESS_BYTES), token1: id.subarray(WORD_BYTES + ADDRESS_BYTES) }
    : null;

const INT256_LIMIT = 1n << 255n;

/** The event names neither the caller nor the recipient. */
export const balancerSwap: Protocol = {
  name: "balancer_v2_swap",
  source: "balancer/balancer-v2-monorepo IVault.sol",
  event: INTERFACES.balancer_v2.Swap,
  decode({ topics, data }) {
    const [, pool, topic_in, topic_out] = topics;
    if (topics.length !== 4 || data.length !== 2 * WORD_BYTES || !pool || !topic_in || !topic_out) return NOTHING;
    const [paid, given] = [topicAddress(topic_in), topicAddress(topic_out)];
    const [amount_in, amount_out] = [uintAt(data, 0), uintAt(data, 1)];
    if (pool.length !== WORD_BYTES || amount_in >= INT256_LIMIT || amount_out >= INT256_LIMIT) return NOTHING;
    const order = Buffer.compare(paid, given);
    if (paid.length !== ADDRESS_BYTES || given.length !== ADDRESS_BYTES || order === 0) return NOTHING;
    const [token0, token1] = order < 0 ? [paid, given] : [given, paid];
    const [amount0, amount1] = order < 0 ? [amount_in, -amount_out] : [-amount_out, amount_in];
    const id = Uint8Array.from([...pool, ...token0, ...token1]);
    return [{ fact: "swap", pool: id, caller: EMPTY, recipient: EMPTY, amount0, amount1 }];
  },
};
