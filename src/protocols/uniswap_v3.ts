import type { EventLog } from "../chains/chain.ts";
import { INTERFACES } from "../knowledge/names.gen.ts";
import { type Bytes, EMPTY } from "../lib/bytes.ts";
import { addressAt, intAt, uintAt, WORD_BYTES } from "../lib/words.ts";
import { type Fact, NOTHING, type Protocol } from "./protocol.ts";
import { topicAddress } from "./topics.ts";

export const v3PoolCreated: Protocol = {
  name: "uniswap_v3_pool_created",
  source: "v3-core IUniswapV3Factory.sol",
  event: "PoolCreated(address,address,uint24,int24,address)",
  decode({ topics, data }) {
    const [, first, second, fee] = topics;
    if (topics.length !== 4 || data.length !== 2 * WORD_BYTES || !first || !second || !fee) return NOTHING;
    const fee_ppm = Number(uintAt(fee, 0));
    const tick_spacing = tickAt(data, 0);
    if (fee_ppm >= 2 ** 24 || tick_spacing === null) return NOTHING;
    const tokens = { token0: topicAddress(first), token1: topicAddress(second) };
    return [
      { fact: "pool", family: "uniswap_v3", pool: addressAt(data, 1), ...tokens, fee_ppm, tick_spacing, hooks: EMPTY },
    ];
  },
};

export const v3Initialize: Protocol = {
  name: "uniswap_v3_initialize",
  source: "v3-core IUniswapV3PoolEvents.sol",
  event: "Initialize(uint160,int24)",
  decode({ topics, data }) {
    const tick = tickAt(data, 1);
    if (topics.length !== 1 || data.length !== 2 * WORD_BYTES || tick === null) return NOTHING;
    return [{ fact: "pool_state", reserve0: 0n, reserve1: 0n, sqrt_price_x96: uintAt(data, 0), liquidity: 0n, tick }];
  },
};

export const v3Swap: Protocol = {
  name: "uniswap_v3_swap",
  source: "v3-core IUniswapV3PoolEvents.sol",
  event: INTERFACES.uniswap_v3.Swap,
  decode: (log) => swapOf(log, 5),
};

/** The same five words, followed by two words of protocol fees. */
export const pancakeV3Swap: Protocol = {
  name: "pancake_v3_swap",
  source: "pancake-v3-contracts IPancakeV3PoolEvents.sol",
  event: INTERFACES.pancakeswap_v3.Swap,
  decode: (log) => swapOf(log, 7),
};

export const v3Mint: Protocol = {
  name: "uniswap_v3_mint",
  source: "v3-core IUniswapV3PoolEvents.sol",
  event: "Mint(address,address,int24,int24,uint128,uint256,uint256)",
  decode({ topics, data }) {
    const position = positionOf(topics);
    if (position === null || data.length !== 4 * WORD_BYTES) return NOTHING;
    const amounts = { liquidity: uintAt(data, 1), amount0: uintAt(data, 2), amount1: uintAt(data, 3) };
    return [{ fact: "liquidity", kind: "mint", actor: addressAt(data, 0), ...position, ...amounts }];
  },
};

export const v3Burn: Protocol = {
  name: "uniswap_v3_burn",
  source: "v3-core IUniswapV3PoolEvents.sol",
  event: "Burn(address,int24,int24,uint128,uint256,uint256)",
  decode({ topics, data }) {
    const position = positionOf(topics);
    if (position === null || data.length !== 3 * WORD_BYTES) return NOTHING;
    const amounts = { liquidity: uintAt(data, 0), amount0: uintAt(data, 1), amount1: uintAt(data, 2) };
    return [{ fact: "liquidity", kind: "burn", actor: position.owner, ...position, ...amounts }];
  },
};

/** Withdrawal of burnt liquidity and fees. actor: the recipient. */
export const v3Collect: Protocol = {
  name: "uniswap_v3_collect",
  source: "v3-core IUniswapV3PoolEvents.sol",
  event: "Collect(address,address,int24,int24,uint128,uint128)",
  decode({ topics, data }) {
    const position = positionOf(topics);
    if (position === null || data.length !== 3 * WORD_BYTES) return NOTHING;
    const amounts = { liquidity: 0n, amount0: uintAt(data, 1), amount1: uintAt(data, 2) };
    return [{ fact: "liquidity", kind: "collect", actor: addressAt(data, 0), ...position, ...amounts }];
  },
};

const swapOf = ({ topics, data }: EventLog, words: number): readonly Fact[] => {
  const [, caller, recipient] = topics;
  const tick = tickAt(data, 4);
  if (topics.length !== 3 || data.length !== words * WORD_BYTES || !caller || !recipient || tick === null)
    return NOTHING;
  const amounts = { amount0: intAt(data, 0), amount1: intAt(data, 1) };
  const state = { sqrt_price_x96: uintAt(data, 2), liquidity: uintAt(data, 3), tick };
  return [
    { fact: "swap", caller: topicAddress(caller), recipient: topicAddress(recipient), ...amounts },
    { fact: "pool_state", reserve0: 0n, reserve1: 0n, ...state },
  ];
};

/** The owner and range in the three indexed fields of Mint, Burn and Collect. */
const positionOf = (topics: readonly Bytes[]) => {
  const [, owner, lower, upper] = topics;
  const tick_lower = tickAt(lower ?? EMPTY, 0);
  const tick_upper = tickAt(upper ?? EMPTY, 0);
  if (topics.length !== 4 || !owner || tick_lower === null || tick_upper === null) return null;
  return { owner: topicAddress(owner), tick_lower, tick_upper };
};

/** An int24; null when the word holds more than that. */
const tickAt = (data: Bytes, n: number): number | null => {
  const tick = intAt(data, n);
  return tick >= -(1n << 23n) && tick < 1n << 23n ? Number(tick) : null;
};
