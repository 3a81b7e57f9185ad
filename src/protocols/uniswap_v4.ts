import { INTERFACES } from "../knowledge/names.gen.ts";
import { EMPTY } from "../lib/bytes.ts";
import { addressAt, intAt, uintAt, WORD_BYTES } from "../lib/words.ts";
import { NOTHING, type Protocol } from "./protocol.ts";
import { orVoid, topicAddress } from "./topics.ts";

/** One contract holds every pool; a pool is the 32 bytes of its key's hash. */
const SOURCE = "v4-core IPoolManager.sol";

/** A hook whose address has one of these bits may change what a swap pays (v4-core Hooks.sol, RETURNS_DELTA flags). */
const PAYS_ITSELF = 0b1100n;

export const v4Initialize: Protocol = {
  name: "uniswap_v4_initialize",
  source: SOURCE,
  event: "Initialize(bytes32,address,address,uint24,int24,address,uint160,int24)",
  decode({ topics, data }) {
    const [, pool, first, second] = topics;
    if (topics.length !== 4 || data.length !== 5 * WORD_BYTES || !pool || !first || !second) return NOTHING;
    const [fee_ppm, tick_spacing, tick] = [uintAt(data, 0), intAt(data, 1), intAt(data, 4)];
    if (pool.length !== WORD_BYTES || fee_ppm >= 1n << 24n || !isTick(tick_spacing) || !isTick(tick)) return NOTHING;
    const tokens = { token0: orVoid(topicAddress(first)), token1: topicAddress(second) };
    const family = (uintAt(data, 2) & PAYS_ITSELF) === 0n ? "uniswap_v4" : "uniswap_v4_custom";
    const hooks = orVoid(addressAt(data, 2));
    const terms = { fee_ppm: Number(fee_ppm), tick_spacing: Number(tick_spacing), hooks };
    const state = { reserve0: 0n, reserve1: 0n, sqrt_price_x96: uintAt(data, 3), liquidity: 0n, tick: Number(tick) };
    return [
      { fact: "pool", family, pool, ...tokens, ...terms },
      { fact: "pool_state", pool, ...state },
    ];
  },
};

/** Amounts are the swapper's: negative when paid. The pool's own change is the opposite. */
export const v4Swap: Protocol = {
  name: "uniswap_v4_swap",
  source: SOURCE,
  event: INTERFACES.uniswap_v4.Swap,
  decode({ topics, data }) {
    const [, pool, sender] = topics;
    const tick = intAt(data, 4);
    if (topics.length !== 3 || data.length !== 6 * WORD_BYTES || !pool || !sender || !isTick(tick)) return NOTHING;
    if (pool.length !== WORD_BYTES) return NOTHING;
    const [amount0, amount1] = [-intAt(data, 0), -intAt(data, 1)];
    if (!isInt128(amount0) || !isInt128(amount1)) return NOTHING;
    const caller = topicAddress(sender);
    const state = { sqrt_price_x96: uintAt(data, 2), liquidity: uintAt(data, 3), tick: Number(tick) };
    return [
      { fact: "swap", pool, caller, recipient: caller, amount0, amount1 },
      { fact: "pool_state", pool, reserve0: 0n, reserve1: 0n, ...state },
    ];
  },
};

/** The event does not contain the amounts: they follow from the range and the price at that moment. */
export const v4ModifyLiquidity: Protocol = {
  name: "uniswap_v4_modify_liquidity",
  source: SOURCE,
  event: INTERFACES.uniswap_v4.ModifyLiquidity,
  decode({ topics, data }) {
    const [, pool, sender] = topics;
    if (topics.length !== 3 || data.length !== 4 * WORD_BYTES || !pool || !sender) return NOTHING;
    const [lower, upper, delta] = [intAt(data, 0), intAt(data, 1), intAt(data, 2)];
    if (pool.length !== WORD_BYTES || !isTick(lower) || !isTick(upper) || !isInt128(delta)) return NOTHING;
    const liquidity = delta < 0n ? -delta : delta;
    const range = { tick_lower: Number(lower), tick_upper: Number(upper) };
    const kind = delta < 0n ? "burn" : "mint";
    const who = { owner: EMPTY, actor: topicAddress(sender) };
    return [{ fact: "liquidity", pool, kind, ...who, amount0: 0n, amount1: 0n, liquidity, ...range }];
  },
};

const INT24_LIMIT = 1n << 23n;
const INT128_LIMIT = 1n << 127n;

const isTick = (value: bigint): boolean => value >= -INT24_LIMIT && value < INT24_LIMIT;
const isInt128 = (value: bigint): boolean => value > -INT128_LIMIT && value < INT128_LIMIT;
