/** The prices of some tokens in one hour, by the rules of a network that is indexed whole, from what a node tells. */
import { anchorsOf, type PricePool, poolsFor } from "../../domain/valuation/prices/pools.ts";
import { PriceCalculator } from "../../domain/valuation/prices/price_calculator.ts";
import type { HourPrice } from "../../domain/valuation/prices/quotes.ts";
import { CARRY_S } from "../../domain/valuation/prices/thresholds.ts";
import { type Hex, toHex } from "../../lib/bytes.ts";
import { HOUR_S } from "../../lib/time.ts";
import type { NodeMarket } from "./node_market.ts";

interface HourAsked {
  readonly hour: number;
  readonly tokens: readonly Hex[];
}

export interface DatedPrice {
  readonly price: HourPrice;
  /** Unix seconds of the token's first pool if the hour contains it; otherwise 0. */
  readonly since: number;
}

type HourPrices = ReadonlyMap<Hex, HourPrice>;

const isOf =
  (token: Hex) =>
  ({ token0, token1 }: PricePool): boolean =>
    token0 === token || token1 === token;

/** The book begins at `from`. */
const pricesFrom = async (
  market: NodeMarket,
  pools: readonly PricePool[],
  { hour, from }: { readonly hour: number; readonly from: number },
): Promise<HourPrices> => {
  const book = await PriceCalculator.open(market, pools, { hour: from, is_all: false });
  return (await book.advance(market, hour)).at(-1)?.prices ?? new Map();
};

/**
 * Tokens whose price of the day before may hold: those with pools that changed within it. Unchanged pools that give no price now gave none
 * then, unless the native coin lost its price meanwhile.
 */
const mayBeCarried = async (
  market: NodeMarket,
  lacking: readonly Hex[],
  { pools, from, prices }: { readonly pools: readonly PricePool[]; readonly from: number; readonly prices: HourPrices },
): Promise<readonly Hex[]> => {
  const { wrapped_native } = market.network;
  const traded = lacking.filter((token) => pools.some(isOf(token)));
  const lost = wrapped_native !== null && pools.some(isOf(wrapped_native)) && !prices.has(wrapped_native);
  if (traded.length === 0 || lost) return traded;
  const own = pools.filter((pool) => traded.some((token) => isOf(token)(pool)));
  const [start, end] = await Promise.all([market.blockBefore(from - CARRY_S), market.blockBefore(from)]);
  const changed = end === null ? [] : await market.logs(own, { from: (start ?? -1) + 1, to: end });
  const emitters = new Set(changed.map(({ address }) => toHex(address)));
  return traded.filter((token) => own.some((pool) => isOf(token)(pool) && emitters.has(pool.pool)));
};

/** Prices of tokens that no pool prices in the hour, from the day before it. */
const carriedPrices = async (
  market: NodeMarket,
  lacking: readonly Hex[],
  about: {
    readonly hour: number;
    readonly from: number;
    readonly pools: readonly PricePool[];
    readonly prices: HourPrices;
  },
): Promise<HourPrices> => {
  const carried = await mayBeCarried(market, lacking, about);
  if (carried.length === 0) return new Map();
  const pools = await poolsFor(market, carried);
  const prices = await pricesFrom(market, pools, { hour: about.hour, from: about.from - CARRY_S });
  return new Map([...prices].filter(([token]) => carried.includes(token)));
};

/** A token without a price is absent. @throws AssayError UPSTREAM_UNAVAILABLE */
export const pricesOfHour = async (
  market: NodeMarket,
  { hour, tokens }: HourAsked,
): Promise<ReadonlyMap<Hex, DatedPrice>> => {
  const pools = await poolsFor(market, tokens);
  // An hour that is not over has the market of the last sixty minutes.
  const from = market.block.time < hour + HOUR_S ? hour - HOUR_S : hour;
  const own = await pricesFrom(market, pools, { hour, from });
  const lacking = tokens.filter((token) => !own.has(token));
  const prices = new Map([...own, ...(await carriedPrices(market, lacking, { hour, from, pools, prices: own }))]);
  const before = await market.blockBefore(hour);
  const anchors = anchorsOf(market.network);
  const hasAnother = (token: Hex): boolean => anchors.has(token) || token === market.network.wrapped_native;
  const dated = tokens.map(async (token): Promise<readonly (readonly [Hex, DatedPrice])[]> => {
    const price = prices.get(token);
    if (price === undefined) return [];
    const since = hasAnother(token) ? null : await market.firstPool(token, pools.filter(isOf(token)), before);
    return [[token, { price, since: since ?? 0 }]];
  });
  return new Map((await Promise.all(dated)).flat());
};
