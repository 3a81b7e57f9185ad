import type { Chain } from "../../chains/chain.ts";
import { formatToken, type TokenMetadata } from "../../domain/token/metadata/metadata.ts";
import type { Price } from "../../domain/valuation/prices/price_now.ts";
import type { CostBasis } from "../../domain/wallet/pnl/position.ts";
import { NEUTRAL_BAND_USD, type PnlRow } from "../../domain/wallet/pnl/rows.ts";
import { type Hex, sliceHex } from "../../lib/bytes.ts";
import { toAmount } from "../../lib/money.ts";
import { DAY_S, iso } from "../../lib/time.ts";
import type { OutputRow } from "./shape.ts";

const BASES: Readonly<Record<CostBasis, string>> = {
  average: "Average cost",
  fifo: "First in, first out",
  lifo: "Last in, first out",
  hifo: "Highest cost first",
};

export const noteOf = (basis: CostBasis): string =>
  `${BASES[basis]} over the wallet's whole indexed history. Realized PnL counts sales inside the window; unrealized PnL is at the window's end and since acquisition, not since the window's start. Native and wrapped native coin are one row. Tokens that can no longer be sold are worth 0. Tokens that are staked, lent or in a pool keep their cost; an NFT pool position is a row with its \`token_id\`, and other NFTs have no rows. Gains and losses up to ${NEUTRAL_BAND_USD} USD are neutral.`;

/**
 * The token of a bucket: for a position, the contract of its NFT. `digits`: hex digits of an address of this network; what
 * follows them in a bucket is the decimal id of an NFT, as bytes.
 */
export const tokenOf = (bucket: Hex, digits: number): Hex => sliceHex(bucket, 0, digits / 2);

const tokenIdOf = (bucket: Hex, digits: number): string | null =>
  bucket.length <= digits ? null : Buffer.from(bucket.slice(digits), "hex").toString("latin1");

export interface RowContext {
  readonly chain: Chain;
  readonly digits: number;
  readonly face: TokenMetadata;
  readonly price: Price | null;
  readonly spam_reasons: string[];
}

const isoOf = (time: number | null): string | null => (time === null ? null : iso(time));

const pnlOf = ({ realized_usd, unrealized_usd, total_usd, ...row }: PnlRow): OutputRow["pnl"] => ({
  realized_usd,
  ...(unrealized_usd === null ? {} : { unrealized_usd }),
  ...(total_usd === null ? {} : { total_usd }),
  ...(row.realized_roi_percent === null ? {} : { realized_roi_percent: row.realized_roi_percent }),
  ...(row.unrealized_roi_percent === null ? {} : { unrealized_roi_percent: row.unrealized_roi_percent }),
});

const missingOf = (row: PnlRow, { face, digits }: RowContext): OutputRow["unavailable"] => {
  const unscaled =
    tokenIdOf(row.entry.bucket, digits) === null
      ? "the token's decimals are unknown"
      : "NFT liquidity positions are not valued here";
  const unpriced = row.entry.decimals === null ? unscaled : "no price at the end of the window";
  const missing: OutputRow["unavailable"] = [];
  const add = (field: string, reason: string): number => missing.push({ field, reason });
  if (face.symbol === null) add("token_symbol", "the contract reports no symbol");
  if (row.unrealized_usd === null) add("pnl.unrealized_usd", unpriced);
  if (row.total_usd === null) add("pnl.total_usd", unpriced);
  if (row.realized_roi_percent === null) add("pnl.realized_roi_percent", "nothing with a cost was sold in the window");
  if (row.unrealized_roi_percent === null) {
    add("pnl.unrealized_roi_percent", row.unrealized_usd === null ? unpriced : "nothing with a cost is held");
  }
  if (row.entry.decimals === null) add("holdings.current_amount", unscaled);
  if (row.current_value_usd === null) add("holdings.current_value_usd", unpriced);
  return missing;
};

const tradingOf = (row: PnlRow, amountOf: (raw: bigint) => number | null): OutputRow["trading"] => {
  const { trading, position, max_balance } = row.entry;
  const priceOf = (usd: number, raw: bigint): number | null => {
    const amount = amountOf(raw);
    return amount === null || amount === 0 ? null : usd / amount;
  };
  const gas_known = trading.gas_fees_unpriced === 0 || trading.gas_fees_usd > 0;
  return {
    buy_count: trading.buy_count,
    sell_count: trading.sell_count,
    bought_amount: amountOf(trading.bought),
    bought_amount_raw: trading.bought.toString(),
    bought_usd: trading.bought_usd,
    sold_amount: amountOf(trading.sold),
    sold_amount_raw: trading.sold.toString(),
    sold_usd: trading.sold_usd,
    avg_buy_price_usd: priceOf(trading.bought_usd, trading.bought_priced),
    avg_sell_price_usd: priceOf(trading.sold_usd, trading.sold_priced),
    cost_basis_usd: position.cost_usd,
    avg_cost_usd: priceOf(position.cost_usd, position.costed),
    received_amount: amountOf(trading.received),
    received_amount_raw: trading.received.toString(),
    received_cost_usd: trading.received_cost_usd,
    income_usd: trading.income_usd,
    sent_amount: amountOf(trading.sent),
    sent_amount_raw: trading.sent.toString(),
    sent_to_exchange_amount: amountOf(trading.sent_to_exchange),
    bridged_in_amount: amountOf(trading.bridged_in),
    bridged_out_amount: amountOf(trading.bridged_out),
    borrowed_amount: amountOf(trading.borrowed),
    repaid_amount: amountOf(trading.repaid),
    uncosted_amount: amountOf(position.uncosted),
    uncosted_value_usd: row.uncosted_value_usd,
    proceeds_without_cost_usd: trading.proceeds_without_cost_usd,
    gas_fees_usd: gas_known ? trading.gas_fees_usd : null,
    first_trade_at: isoOf(trading.first_trade_at),
    last_trade_at: isoOf(trading.last_trade_at),
    avg_holding_days: trading.held_units === 0 ? null : trading.held_unit_seconds / trading.held_units / DAY_S,
    max_balance: amountOf(max_balance),
  };
};

export const outputRow = (row: PnlRow, context: RowContext): OutputRow => {
  const { chain, digits, face, price, spam_reasons } = context;
  const { decimals, position, bucket } = row.entry;
  const amountOf = (raw: bigint): number | null => (decimals === null ? null : toAmount(raw, decimals));
  const { wrapped_native } = chain.network;
  const current = amountOf(row.quantity);
  return {
    ...(face.symbol === null ? {} : { token_symbol: face.symbol }),
    token_address: formatToken(chain, tokenOf(bucket, digits)),
    wrapped_address: bucket === "" && wrapped_native !== null ? chain.formatAddress(wrapped_native) : null,
    token_id: tokenIdOf(bucket, digits),
    chain: chain.network.id,
    outcome: row.outcome?.outcome ?? null,
    outcome_reason: row.outcome?.reason ?? null,
    pnl: pnlOf(row),
    holdings: {
      ...(current === null ? {} : { current_amount: current }),
      current_amount_raw: row.quantity.toString(),
      ...(row.current_value_usd === null ? {} : { current_value_usd: row.current_value_usd }),
      last_market_value_usd: row.last_market_value_usd,
      uncosted_amount: amountOf(position.uncosted),
      price_usd: price?.price_usd ?? null,
      price_confidence: price?.confidence ?? null,
      decimals,
    },
    trading: tradingOf(row, amountOf),
    is_spam: spam_reasons.length > 0,
    spam_reasons,
    unavailable: missingOf(row, context),
  };
};
