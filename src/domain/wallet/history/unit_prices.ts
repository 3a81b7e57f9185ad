import type { Hex } from "../../../lib/bytes.ts";
import { hourOf } from "../../../lib/time.ts";
import { inTurns, PIECE_ROWS, type Pieces } from "../../../lib/turns.ts";
import type { MovementRange, Movements } from "../../address/movements/movements.ts";
import { tradedToken } from "../../aliases.ts";
import type { SnapshotContext } from "../../context.ts";
import { readMarketStarts } from "../../token/market/market_starts.ts";
import { metadataOf, type TokenMetadata } from "../../token/metadata/metadata.ts";
import { canBePriced, priceKey, pricesAtHours, storedSpan } from "../../valuation/prices/price_now.ts";
import { type SaleDepth, storedDepth } from "../../valuation/worth.ts";
import { type MovementSelection, NAMED_MAX } from "./movement_selection.ts";
import type { UnitPrice, UnitPriceOf } from "./movement_values.ts";

interface HourPrice {
  readonly price_usd: number;
  readonly sells: SaleDepth | null;
  readonly is_traded: boolean;
  /** Unix seconds from which it holds. */
  readonly since: number;
}

/** Prices by traded token and hour. */
class HourPrices {
  readonly #tokens = new Map<Hex, Map<number, HourPrice>>();

  put(token: Hex, hour: number, price: HourPrice): void {
    const hours = this.#tokens.get(token);
    if (hours === undefined) this.#tokens.set(token, new Map([[hour, price]]));
    else hours.set(hour, price);
  }

  at(token: Hex, hour: number): HourPrice | null {
    return this.#tokens.get(token)?.get(hour) ?? null;
  }

  has(token: Hex): boolean {
    return this.#tokens.has(token);
  }
}

interface UnitPriceKey {
  readonly token: Hex;
  /** First second of the hour. */
  readonly hour: number;
}

/** Tokens with the hours in which they moved. */
function* pairsOf(movements: Movements, { first, end }: MovementRange): Pieces<readonly UnitPriceKey[]> {
  const pairs: UnitPriceKey[] = [];
  // Time never decreases from row to row, so a token's hour is new when it differs from the token's last.
  const last = new Float64Array(movements.tokens.texts.length).fill(-1);
  for (let row = first; row < end; row += 1) {
    if (row % PIECE_ROWS === 0) yield;
    const [code, hour] = [movements.token[row] ?? 0, hourOf(movements.time[row] ?? 0)];
    if (last[code] === hour) continue;
    last[code] = hour;
    pairs.push({ token: movements.tokens.textOf(code), hour });
  }
  return pairs;
}

/** Adds all stored prices of the wallet's movements, and returns the first hour without stored prices. */
const putStored = async (
  scope: SnapshotContext,
  { wallet, period, from_block }: MovementSelection,
  prices: HourPrices,
): Promise<number> => {
  const { facts, snapshot, chain } = scope;
  const { from, until } = await storedSpan({ facts, network: chain.network, snapshot });
  const [since, end] = [Math.max(from, period.since), Math.min(until, period.until)];
  if (since >= end) return until;
  const wrapped = chain.network.wrapped_native ?? "";
  const within = { ...snapshot, from_block };
  const columns = await facts.columns(within, "history/moved_prices", { wallet, wrapped, since, until: end });
  const { token, hour, price_usd, is_traded, sell_reserve, sell_payout_usd, length } = columns;
  for (let row = 0; row < length; row += 1) {
    const text = token.texts[token.codes[row] ?? 0] ?? "";
    prices.put(text, hour[row] ?? 0, {
      price_usd: price_usd[row] ?? 0,
      sells: storedDepth(sell_reserve[row] ?? 0, sell_payout_usd[row] ?? 0),
      is_traded: is_traded[row] === 1,
      since: 0,
    });
  }
  return until;
};

const tradedAs = ({ chain }: SnapshotContext, token: Hex): Hex => tradedToken(chain.network, token);

/** Prices of tokens in the hours in which a wallet moved them. */
export const readHourPrices = async (scope: SnapshotContext, moved: MovementSelection): Promise<HourPrices> => {
  const { facts, snapshot, chain } = scope;
  const prices = new HourPrices();
  if (!canBePriced({ facts, network: chain.network })) return prices;
  const pairs = await inTurns(pairsOf(moved.movements, moved.rows), scope.signal);
  const until = pairs.length > NAMED_MAX ? await putStored(scope, moved, prices) : 0;
  const named = pairs.filter(({ hour }) => hour >= until);
  const found = await pricesAtHours({ facts, network: chain.network, snapshot }, named);
  for (const { token, hour } of named) {
    const price = found.get(priceKey(token, hour));
    if (price === undefined) continue;
    const { price_usd, sells, confidence, since = 0 } = price;
    prices.put(tradedAs(scope, token), hour, { price_usd, sells, is_traded: confidence !== "low", since });
  }
  return prices;
};

/** Reads from the chain the metadata of priced tokens that the index has not described yet. */
const describe = async (
  scope: SnapshotContext,
  known: Map<Hex, TokenMetadata>,
  tokens: readonly Hex[],
): Promise<void> => {
  const unknown = tokens.filter((token) => token !== "" && !known.has(token));
  if (unknown.length === 0) return;
  for (const [token, metadata] of await metadataOf(scope, unknown)) if (token !== "") known.set(token, metadata);
};

interface PricedMovements {
  readonly movements: Movements;
  readonly prices: HourPrices;
  /** Metadata from the index; metadata from the chain is added. */
  readonly tokens: Map<Hex, TokenMetadata>;
}

/** Value of each token in the hours in which it moved. */
export const unitPrices = async (
  scope: SnapshotContext,
  { movements, prices, tokens }: PricedMovements,
): Promise<UnitPriceOf> => {
  const { native, wrapped_native } = scope.chain.network;
  const priced = movements.tokens.texts.filter((token) => prices.has(token));
  const [starts] = await Promise.all([readMarketStarts(scope, priced), describe(scope, tokens, priced)]);
  const decimalsOf = (token: Hex): number | null =>
    token === "" || token === wrapped_native ? native.decimals : (tokens.get(token)?.decimals ?? null);
  return (token, hour): UnitPrice | null => {
    const price = prices.at(tradedAs(scope, token), hour);
    const decimals = price === null ? null : decimalsOf(token);
    if (price === null || decimals === null) return null;
    // Field by field: this runs for every priced row of a wallet, and a spread copy costs more than finding the price.
    const { price_usd, sells, is_traded, since } = price;
    return { price_usd, sells, is_traded, decimals, since: Math.max(since, starts.get(token) ?? 0) };
  };
};
