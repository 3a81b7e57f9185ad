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
import { AssayError } from "../lib/errors.ts";
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

interface MarketParts {
  /** Every enabled network. */
  readonly chains: readonly Chain[];
  readonly contextFor: ContextFor;
}

const refuse = (message: string): AssayError => new AssayError({ code: "BAD_FIELD", message, public: message });

const NATIVE = "native";

const tokenOn = (chain: Chain, text: string): Hex => {
  const token = text === NATIVE ? "" : chain.parseAddress(text);
  if (token === null) throw refuse(`'${text}' is not an address of ${chain.network.id}, nor 'native'.`);
  return token;
};

const walletOn = (chain: Chain, text: string): Hex => {
  const wallet = chain.parseAddress(text);
  if (wallet === null) throw refuse(`'${text}' is not an address of ${chain.network.id}.`);
  return wallet;
};

/** Unix seconds; a date alone is its first second, or with `is_end` its last one. */
const momentIn = (field: string, text: string, is_end: boolean): number => {
  const day = dayStart(text);
  const time = day === null ? momentOf(text) : day + (is_end ? DAY_S - 1 : 0);
  if (time === null || time < 0)
    throw refuse(`'${field}' must be a date (2026-01-31) or a date-time (2026-01-31T12:00:00Z) from 1970 on.`);
  return time;
};

/** `block.transaction.pool` of the last row of a page. */
const placeOf = (chain: Chain, text: string): TradePlace => {
  const [block = "", index = "", pool = ""] = text.split(".");
  const hex = chain.parseAddress(pool);
  if (!/^\d{1,15}$/.test(block) || !/^\d{1,9}$/.test(index) || hex === null)
    throw refuse("'before' must be the 'next' of an earlier answer.");
  return { block: Number(block), tx_index: Number(index), pool: hex };
};

const basisOf = ({ snapshot }: SnapshotContext) => ({
  network: snapshot.network,
  as_of: {
    block_number: snapshot.block.number,
    block_hash: snapshot.block.hash,
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

const headOf = async (scope: SnapshotContext) => {
  const from = await coverageFrom(scope);
  return { ...basisOf(scope), coverage_from: from === null ? null : iso(from) };
};

const gapAt = async (scope: SnapshotContext, time: number): Promise<string | null> => {
  if (hourOf(time) > scope.snapshot.block.time) return NOT_YET;
  const from = await coverageFrom(scope);
  return from !== null && time < from ? NOT_INDEXED : null;
};

const readPrice = async (scope: SnapshotContext, { token: text, at }: Pick<PriceRequest, "token" | "at">) => {
  const token = tokenOn(scope.chain, text);
  const time = at === null ? scope.snapshot.block.time : momentIn("at", at, true);
  const gap = await gapAt(scope, time);
  const price = gap === null ? await priceInHour(scope, token, time) : null;
  return {
    ...(await headOf(scope)),
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
  if (until < since) throw refuse("'from' must not be after 'to', nor after the newest indexed block.");
  const count = candlesIn({ since, until }, interval);
  if (count > CANDLES_MAX) throw refuse(`The window has ${count} candles of ${interval}; at most ${CANDLES_MAX} fit.`);
  const candles = [...(await readCandles(scope, token, { since, until, interval }))];
  return { ...(await headOf(scope)), token: formatToken(scope.chain, token), interval, candles };
};

const readTradePage = async (scope: SnapshotContext, { token, wallet, before, limit }: TradesRequest) => {
  const { chain } = scope;
  const page = { before: before === null ? NEWEST : placeOf(chain, before), limit };
  const window = { since: 0, until: scope.snapshot.block.time };
  const { trades, next } =
    wallet === null
      ? await readTokenTrades(scope, tokenOn(chain, token ?? NATIVE), { ...window, ...page })
      : await readWalletTrades(scope, walletOn(chain, wallet), page);
  const tokens = [...new Set(trades.flatMap(({ sold, bought }) => [sold.token, bought.token]))];
  const faces = await metadataOf(scope, tokens);
  return {
    ...(await headOf(scope)),
    trades: trades.map(tradeRow(chain, faces)),
    next: next === null ? null : `${next.block}.${next.tx_index}.${chain.formatAddress(next.pool)}`,
  };
};

/** Market data of the indexed networks. On networks that are read on demand, pools have no history: AssayError NOT_ON_DEMAND. */
export const openMarketData = ({ chains, contextFor }: MarketParts): MarketData => {
  const scopeOf = async (id: string, signal: AbortSignal): Promise<SnapshotContext> => {
    const chain = chains.find(({ network }) => network.id === id);
    const ids = chains.map(({ network }) => network.id).join(", ");
    if (chain === undefined) throw refuse(`'${id}' is not a network of this service; these are: ${ids}.`);
    const { facts } = contextFor(getTokenMarketAnalysis, signal);
    return { facts, chain, snapshot: await facts.snapshot(id, null), signal };
  };
  return {
    price: async (request, signal) => readPrice(await scopeOf(request.network, signal), request),
    candles: async (request, signal) => readCandleList(await scopeOf(request.network, signal), request),
    trades: async (request, signal) => readTradePage(await scopeOf(request.network, signal), request),
  };
};
