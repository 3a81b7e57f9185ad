import { INTERFACES } from "../knowledge/names.gen.ts";
import { EMPTY } from "../lib/bytes.ts";
import { addressAt, uintAt, WORD_BYTES } from "../lib/words.ts";
import { NOTHING, type Protocol } from "./protocol.ts";
import { topicAddress } from "./topics.ts";

export const v2PairCreated: Protocol = {
  name: "uniswap_v2_pair_created",
  source: "v2-core UniswapV2Factory.sol",
  event: "PairCreated(address,address,address,uint256)",
  decode({ topics, data }) {
    const [, first, second] = topics;
    if (topics.length !== 3 || data.length !== 2 * WORD_BYTES || !first || !second) return NOTHING;
    const tokens = { token0: topicAddress(first), token1: topicAddress(second) };
    const pool = addressAt(data, 0);
    return [{ fact: "pool", family: "uniswap_v2", pool, ...tokens, fee_ppm: null, tick_spacing: 0, hooks: EMPTY }];
  },
};

export const v2Swap: Protocol = {
  name: "uniswap_v2_swap",
  source: "v2-core UniswapV2Pair.sol",
  event: INTERFACES.uniswap_v2.Swap,
  decode({ topics, data }) {
    const [, caller, recipient] = topics;
    if (topics.length !== 3 || data.length !== 4 * WORD_BYTES || !caller || !recipient) return NOTHING;
    const amount0 = uintAt(data, 0) - uintAt(data, 2);
    const amount1 = uintAt(data, 1) - uintAt(data, 3);
    if (!fits(amount0) || !fits(amount1)) return NOTHING;
    return [{ fact: "swap", caller: topicAddress(caller), recipient: topicAddress(recipient), amount0, amount1 }];
  },
};

export const v2Sync: Protocol = {
  name: "uniswap_v2_sync",
  source: "v2-core UniswapV2Pair.sol",
  event: "Sync(uint112,uint112)",
  decode({ topics, data }) {
    if (topics.length !== 1 || data.length !== 2 * WORD_BYTES) return NOTHING;
    const reserves = { reserve0: uintAt(data, 0), reserve1: uintAt(data, 1) };
    if (reserves.reserve0 > UINT112_MAX || reserves.reserve1 > UINT112_MAX) return NOTHING;
    return [{ fact: "pool_state", ...reserves, sqrt_price_x96: 0n, liquidity: 0n, tick: 0 }];
  },
};

/** The pool's own Transfer log before this one has the provider and the minted shares. */
export const v2Mint: Protocol = {
  name: "uniswap_v2_mint",
  source: "v2-core UniswapV2Pair.sol",
  event: INTERFACES.uniswap_v2.Mint,
  decode({ topics, data }) {
    const [, actor] = topics;
    if (topics.length !== 2 || data.length !== 2 * WORD_BYTES || !actor) return NOTHING;
    const amounts = { amount0: uintAt(data, 0), amount1: uintAt(data, 1), liquidity: null };
    const who = { owner: EMPTY, actor: topicAddress(actor) };
    return [{ fact: "liquidity", kind: "mint", ...who, ...amounts, tick_lower: 0, tick_upper: 0 }];
  },
};

/** owner: recipient of the tokens. The pool's own Transfer log before this one has the burnt shares. */
export const v2Burn: Protocol = {
  name: "uniswap_v2_burn",
  source: "v2-core UniswapV2Pair.sol",
  event: "Burn(address,uint256,uint256,address)",
  decode({ topics, data }) {
    const [, actor, owner] = topics;
    if (topics.length !== 3 || data.length !== 2 * WORD_BYTES || !actor || !owner) return NOTHING;
    const amounts = { amount0: uintAt(data, 0), amount1: uintAt(data, 1), liquidity: null };
    const who = { owner: topicAddress(owner), actor: topicAddress(actor) };
    return [{ fact: "liquidity", kind: "burn", ...who, ...amounts, tick_lower: 0, tick_upper: 0 }];
  },
};

const UINT112_MAX = (1n << 112n) - 1n;
const INT256_LIMIT = 1n << 255n;

/** Four hostile words can differ by more than a signed column holds. */
const fits = (amount: bigint): boolean => amount >= -INT256_LIMIT && amount < INT256_LIMIT;
