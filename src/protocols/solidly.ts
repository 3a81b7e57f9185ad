import { INTERFACES } from "../knowledge/names.gen.ts";
import { EMPTY } from "../lib/bytes.ts";
import { addressAt, uintAt, WORD_BYTES } from "../lib/words.ts";
import { NOTHING, type Protocol } from "./protocol.ts";
import { topicAddress } from "./topics.ts";

/** Aerodrome, Velodrome and related protocols: pools of volatile (x*y) and of stable tokens (x^3*y + y^3*x). */
const SOURCE = "aerodrome-finance/contracts Pool.sol, PoolFactory.sol";

export const solidlyPoolCreated: Protocol = {
  name: "solidly_pool_created",
  source: SOURCE,
  event: "PoolCreated(address,address,bool,address,uint256)",
  decode({ topics, data }) {
    const [, first, second, stable] = topics;
    if (topics.length !== 4 || data.length !== 2 * WORD_BYTES || !first || !second || !stable) return NOTHING;
    const flag = uintAt(stable, 0);
    if (flag > 1n) return NOTHING;
    const tokens = { token0: topicAddress(first), token1: topicAddress(second) };
    const family = flag === 1n ? "solidly_stable" : "solidly";
    return [
      { fact: "pool", family, pool: addressAt(data, 0), ...tokens, fee_ppm: null, tick_spacing: 0, hooks: EMPTY },
    ];
  },
};

export const solidlySwap: Protocol = {
  name: "solidly_swap",
  source: SOURCE,
  event: INTERFACES.solidly.Swap,
  decode({ topics, data }) {
    const [, caller, recipient] = topics;
    if (topics.length !== 3 || data.length !== 4 * WORD_BYTES || !caller || !recipient) return NOTHING;
    const amount0 = uintAt(data, 0) - uintAt(data, 2);
    const amount1 = uintAt(data, 1) - uintAt(data, 3);
    if (!fits(amount0) || !fits(amount1)) return NOTHING;
    return [{ fact: "swap", caller: topicAddress(caller), recipient: topicAddress(recipient), amount0, amount1 }];
  },
};

export const solidlySync: Protocol = {
  name: "solidly_sync",
  source: SOURCE,
  event: "Sync(uint256,uint256)",
  decode({ topics, data }) {
    if (topics.length !== 1 || data.length !== 2 * WORD_BYTES) return NOTHING;
    const reserves = { reserve0: uintAt(data, 0), reserve1: uintAt(data, 1) };
    if (reserves.reserve0 >= RESERVE_LIMIT || reserves.reserve1 >= RESERVE_LIMIT) return NOTHING;
    return [{ fact: "pool_state", ...reserves, sqrt_price_x96: 0n, liquidity: 0n, tick: 0 }];
  },
};

/** As with constant-product pools, the pool's own Transfer log before this one has the shares. */
export const solidlyBurn: Protocol = {
  name: "solidly_burn",
  source: SOURCE,
  event: "Burn(address,address,uint256,uint256)",
  decode({ topics, data }) {
    const [, actor, owner] = topics;
    if (topics.length !== 3 || data.length !== 2 * WORD_BYTES || !actor || !owner) return NOTHING;
    const amounts = { amount0: uintAt(data, 0), amount1: uintAt(data, 1), liquidity: null };
    const who = { owner: topicAddress(owner), actor: topicAddress(actor) };
    return [{ fact: "liquidity", kind: "burn", ...who, ...amounts, tick_lower: 0, tick_upper: 0 }];
  },
};

const INT256_LIMIT = 1n << 255n;
/** More than any token's supply; a larger value is not a reserve. */
const RESERVE_LIMIT = 1n << 128n;

/** Four hostile words can differ by more than a signed column holds. */
const fits = (amount: bigint): boolean => amount >= -INT256_LIMIT && amount < INT256_LIMIT;
