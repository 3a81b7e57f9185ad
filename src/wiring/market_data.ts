import type { Chain } from "../chains/chain.ts";
import type { SnapshotContext } from "../domain/context.ts";
import {
  CANDLES_MAX,
  candlesIn,
  NEWEST,
  type PoolTrade,
  priceInHour,
  readCandles,
  readTokenTrades,
  readWalletTrades,
  type TradePlace,
  type TradeSide,
} from "../domain/token/market/series.ts";
import {
  formatToken,
  metadataIn,
  metadataOf,
  symbolOf,
  type TokenMetadata,
} from "../domain/token/metadata/metadata.ts";
import type { Hex } from "../lib/bytes.ts";
import { toAmount } from "../lib/money.ts";
import { DAY_S, dayStart, hourOf, iso, momentOf } from "../lib/time.ts";
import type { ContextFor } from "../surfaces/call/call_tool.ts";
import type {
  CandlesRequest,
  MarketData,
  PriceRequest,
  TradesRequest,
} from "../surfaces/rest/account/market_operations.ts";
import { getTokenMarketAnalysis } from "../tools/get_token_market_analysis/index.ts";
import { addressNamed, badField, chainNamed, readAtNewest } from "./read_networks.ts";

interface MarketParts {
  /** Every enabled network. */
  readonly chains: readonly Chain[];
  readonly contextFor: ContextFor;
}

const NATIVE = "native";

const tokenOn = (chain: Chain, text: string): Hex => (text === NATIVE ? "" : addressNamed(text, chain));

/** Unix seconds; a date alone is its first second, or with `is_end` its last one. */
const momentIn = (field: string, text: string, is_end: boolean): number => {
  const day = dayStart(text);
  const time = day === null ? momentOf(text) : day + (is_end ? DAY_S - 1 : 0);
  if (time === null || time < 0)
    throw badField(`'${field}' must be a date (2026-01-31) or a date-time (2026-01-31T12:00:00Z) from 1970 on.`);
  return time;
};

/** `block.transaction.pool` of the last row of a page. */
const placeOf = (chain: Chain, text: string): TradePlace => {
  const [block = "", index = "", pool = ""] = text.split(".");
  const hex = chain.parseAddress(pool);
  if (!/^\d{1,15}$/.test(block) || !/^\d{1,9}$/.test(index) || hex === null)
    throw badField("'before' must be the 'next' of an earlier answer.");
  return { block: Number(block), tx_index: Number(index), pool: hex };
};

const basisOf = ({ chain, snapshot }: SnapshotContext) => ({
  network: snapshot.network,
  as_of: {
    block_number: snapshot.block.number,
    block_hash: chain.formatHash(snapshot.block.hash),
    time: iso(snapshot.block.time),
  },
});

const NO_PRICE = "No verified pool with enough liquidity, and no price of the operator, had a price in this hour.";
const NOT_INDEXED = "The hour is before the first indexed block.";
const NOT_YET = "The hour is after the newest indexed block.";

const tradeRow = (chain: Chain, faces: ReadonlyMap<Hex, TokenMetadata>) => {
  const amountOf = ({ token, raw }: TradeSide) => {
    const face = metadataIn(faces, token);
    return {
      token: formatToken(chain, token),
      symbol: symbolOf(chain, face),
      amount: face.decimals === null ? null : toAmount(raw, face.decimals),
      amount_raw: String(raw),
    };
  };
  return ({ place, time, tx_hash, trader, sold, bought }: PoolTrade) => ({
    ...{ time, block_number: place.block, pool: chain.formatAddress(place.pool) },
    tx_hash: tx_hash === null ? null : chain.formatHash(tx_hash),
    trader: chain.formatAddress(trader),
    sold: amountOf(sold),
    bought: amountOf(bought),
  });
};

/** First indexed moment; null when the index has all blocks. */
const coverageFrom = async ({ facts, snapshot }: SnapshotContext): Promise<number | null> => {
  if (snapshot.from_block === 0) return null;
  const [first] = await facts.ask(snapshot, "block_times", { blocks: [snapshot.from_block] });
  return first?.time ?? null;
};

const headOf = (scope: SnapshotContext, covered: number | null) => ({
  ...basisOf(scope),
  coverage_from: covered === null ? null : iso(covered),
});

const gapAt = ({ snapshot }: SnapshotContext, covered: number | null, time: number): string | null => {
  if (hourOf(time) > snapshot.block.time) return NOT_YET;
  return covered !== null && hourOf(time) < covered ? NOT_INDEXED : null;
};

const readPrice = async (scope: SnapshotContext, { token: text, at }: Pick<PriceRequest, "token" | "at">) => {
  const token = tokenOn(scope.chain, text);
  const time = at === null ? scope.snapshot.block.time : momentIn("at", at, true);
  const covered = await coverageFrom(scope);
  const gap = gapAt(scope, covered, time);
  const price = gap === null ? await priceInHour(scope, token, time) : null;
  return {
    ...headOf(scope, covered),
    ...{ token: formatToken(scope.chain, token), hour: iso(hourOf(time)), price_usd: price?.price_usd ?? null },
    ...{ method: price?.method ?? null, confidence: price?.confidence ?? null },
    cost_to_move_usd: price?.cost_to_move_usd ?? null,
    reason: price === null ? (gap ?? NO_PRICE) : null,
  };
};

const readCandleList = async (scope: SnapshotContext, { token: text, from, to, interval }: CandlesRequest) => {
  const token = tokenOn(scope.chain, text);
  const since = momentIn("from", from, false);
  const until = to === null ? scope.snapshot.block.time : momentIn("to", to, true);
  if (until < since) throw badField("'from' must not be after 'to', nor after the newest indexed block.");
  const count = candlesIn({ since, until }, interval);
  if (count > CANDLES_MAX)
    throw badField(`The window has ${count} candles of ${interval}; at most ${CANDLES_MAX} fit.`);
  const covered = await coverageFrom(scope);
  const candles = [...(await readCandles(scope, token, { since, until, interval, covered }))];
  return { ...headOf(scope, covered), token: formatToken(scope.chain, token), interval, candles };
};

const readTradePage = async (scope: SnapshotContext, { token, wallet, before, limit }: TradesRequest) => {
  const { chain } = scope;
  const page = { before: before === null ? NEWEST : placeOf(chain, before), limit };
  const window = { since: 0, until: scope.snapshot.block.time };
  const { trades, next } =
    wallet === null
      ? await readTokenTrades(scope, tokenOn(chain, token ?? NATIVE), { ...window, ...page })
      : await readWalletTrades(scope, addressNamed(wallet, chain), page);
  const tokens = [...new Set(trades.flatMap(({ sold, bought }) => [sold.token, bought.token]))];
  const [faces, covered] = await Promise.all([metadataOf(scope, tokens), coverageFrom(scope)]);
  return {
    ...headOf(scope, covered),
    trades: trades.map(tradeRow(chain, faces)),
    next: next === null ? null : `${next.block}.${next.tx_index}.${chain.formatAddress(next.pool)}`,
  };
};

/** Market data of the indexed networks. On networks that are read on demand, pools have no history: AssayError NOT_ON_DEMAND. */
export const openMarketData = ({ chains, contextFor }: MarketParts): MarketData => {
  const reading = <T>(
    network: string,
    signal: AbortSignal,
    read: (scope: SnapshotContext) => Promise<T>,
  ): Promise<T> => {
    const chain = chainNamed(network, chains);
    const { facts } = contextFor(getTokenMarketAnalysis, signal);
    return readAtNewest(facts, network, (snapshot) => read({ facts, chain, snapshot, signal }));
  };
  return {
    price: async (request, signal) => reading(request.network, signal, (scope) => readPrice(scope, request)),
    candles: async (request, signal) => reading(request.network, signal, (scope) => readCandleList(scope, request)),
    trades: async (request, signal) => reading(request.network, signal, (scope) => readTradePage(scope, request)),
  };
};
