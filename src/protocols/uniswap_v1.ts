import { type Bytes, EMPTY } from "../lib/bytes.ts";
import { uintAt } from "../lib/words.ts";
import { type Fact, NOTHING, type Protocol } from "./protocol.ts";
import { topicAddress } from "./topics.ts";

/**
 * Uniswap v1, and JustSwap (SunSwap v1). Each token has one exchange against the native coin, its first token; the
 * exchange is its own share token. The topics contain all values.
 */
const UNISWAP = "Uniswap/v1-contracts uniswap_exchange.vy";
const JUSTSWAP = "JustSwap contracts JustswapExchange.sol, JustswapFactory.sol";

const INT256_LIMIT = 1n << 255n;

interface UniswapV1Values {
  readonly who: Bytes;
  readonly first: bigint;
  readonly second: bigint;
}

/** Returns null for another layout. */
const valuesOf = (topics: readonly Bytes[], data: Bytes): UniswapV1Values | null => {
  const [, who, first, second] = topics;
  if (who === undefined || first === undefined || second === undefined || data.length > 0) return null;
  const values = { who: topicAddress(who), first: uintAt(first, 0), second: uintAt(second, 0) };
  return values.first < INT256_LIMIT && values.second < INT256_LIMIT ? values : null;
};

const decodeBy =
  (factOf: (values: UniswapV1Values) => Fact): Protocol["decode"] =>
  ({ topics, data }) => {
    const values = valuesOf(topics, data);
    return values === null ? NOTHING : [factOf(values)];
  };

/** The event does not name the recipient; usually it is the buyer. */
const swap = (buyer: Bytes, amount0: bigint, amount1: bigint): Fact => ({
  ...{ fact: "swap", caller: buyer, recipient: buyer, amount0, amount1 },
});

const soldToken = decodeBy(({ who, first, second }) => swap(who, -second, first));

/** Coins were paid. */
export const v1TokenPurchase: Protocol = {
  name: "uniswap_v1_token_purchase",
  source: UNISWAP,
  event: "TokenPurchase(address,uint256,uint256)",
  decode: decodeBy(({ who, first, second }) => swap(who, first, -second)),
};

export const v1EthPurchase: Protocol = {
  ...{ name: "uniswap_v1_eth_purchase", source: UNISWAP, event: "EthPurchase(address,uint256,uint256)" },
  decode: soldToken,
};

export const v1TrxPurchase: Protocol = {
  ...{ name: "uniswap_v1_trx_purchase", source: JUSTSWAP, event: "TrxPurchase(address,uint256,uint256)" },
  decode: soldToken,
};

/** Reserves of the exchange after a trade or a change of liquidity. Uniswap's own exchanges do not emit this event. */
export const v1Snapshot: Protocol = {
  ...{ name: "uniswap_v1_snapshot", source: JUSTSWAP, event: "Snapshot(address,uint256,uint256)" },
  decode: decodeBy(({ first, second }) => ({
    ...{ fact: "pool_state", reserve0: first, reserve1: second, sqrt_price_x96: 0n, liquidity: 0n, tick: 0 },
  })),
};

const liquidity = (kind: "mint" | "burn", { who, first, second }: UniswapV1Values): Fact => ({
  ...{ fact: "liquidity", kind, owner: who, actor: who, amount0: first, amount1: second, liquidity: null },
  ...{ tick_lower: 0, tick_upper: 0 },
});

export const v1AddLiquidity: Protocol = {
  ...{ name: "uniswap_v1_add_liquidity", source: UNISWAP, event: "AddLiquidity(address,uint256,uint256)" },
  decode: decodeBy((values) => liquidity("mint", values)),
};

export const v1RemoveLiquidity: Protocol = {
  ...{ name: "uniswap_v1_remove_liquidity", source: UNISWAP, event: "RemoveLiquidity(address,uint256,uint256)" },
  decode: decodeBy((values) => liquidity("burn", values)),
};

export const v1NewExchange: Protocol = {
  name: "uniswap_v1_new_exchange",
  source: "Uniswap/v1-contracts uniswap_factory.vy",
  event: "NewExchange(address,address)",
  decode({ topics, data }) {
    const [, token, exchange] = topics;
    if (topics.length !== 3 || data.length > 0 || token === undefined || exchange === undefined) return NOTHING;
    const tokens = { token0: EMPTY, token1: topicAddress(token) };
    const terms = { fee_ppm: null, tick_spacing: 0, hooks: EMPTY };
    return [{ fact: "pool", family: "uniswap_v2", pool: topicAddress(exchange), ...tokens, ...terms }];
  },
};
