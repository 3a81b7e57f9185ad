import type { Hex } from "../../lib/bytes.ts";
import { hourOf } from "../../lib/time.ts";
import type { Columns } from "../../store/facts.ts";
import type { SnapshotContext } from "../context.ts";
import { readMarketStarts } from "../market/starts.ts";
import { anchorsOf } from "../prices/pools.ts";
import { priceKey, pricesAtHours, storedSpan } from "../prices/price_now.ts";
import { metadataOf, type TokenMetadata } from "../tokens/metadata.ts";
import type { Movements, Rows } from "./movements.ts";
import type { Period } from "./read_movements.ts";
import type { UnitPrice, UnitPriceOf } from "./valued.ts";

interface HourPrice {
  readonly price_usd: number;
  readonly is_traded: boolean;
}

/** Prices by the token as it is traded, and hour. */
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

/** Stored prices, and the hour from which on none is stored yet. */
export interface StoredPrices {
  readonly columns: Columns<"wallet_history/moved_prices"> | null;
  readonly until: number;
}

/** Asks for the stored prices of all that one wallet moved in a period: the movements themselves need not be known. */
export const readStoredPrices = async (place: SnapshotContext, wallet: Hex, period: Period): Promise<StoredPrices> => {
  const { facts, snapshot, chain } = place;
  const { from, until } = await storedSpan({ facts, network: chain.network, snapshot });
  const [since, end] = [Math.max(from, period.since), Math.min(until, period.until)];
  if (since >= end) return { columns: null, until };
  const wrapped = chain.network.wrapped_native ?? "";
  const columns = await facts.columns(snapshot, "wallet_history/moved_prices", { wallet, wrapped, since, until: end });
  return { columns, until };
};

/** Hours whose prices are not stored yet, by token. */
const lateOf = (movements: Movements, { first, end }: Rows, stored_until: number) => {
  const late = new Map<string, { readonly token: Hex; readonly hour: number }>();
  for (let row = end - 1; row >= first; row -= 1) {
    const hour = hourOf(movements.time[row] ?? 0);
    if (hour < stored_until) break;
    const token = movements.tokenAt(row);
    late.set(priceKey(token, hour), { token, hour });
  }
  return [...late.values()];
};

/** Of tokens that have a price and that the index has not described yet, as the chain tells. */
const describe = async (
  place: SnapshotContext,
  known: Map<Hex, TokenMetadata>,
  tokens: readonly Hex[],
): Promise<void> => {
  const unknown = tokens.filter((token) => token !== "" && !known.has(token));
  if (unknown.length === 0) return;
  for (const [token, metadata] of await metadataOf(place, unknown)) if (token !== "") known.set(token, metadata);
};

interface Priced {
  readonly movements: Movements;
  readonly rows: Rows;
  readonly stored: StoredPrices;
  /** What the index knows of the tokens; what the chain adds is put in. */
  readonly tokens: Map<Hex, TokenMetadata>;
}

/** What each token was worth in the hours in which it moved. */
export const unitPrices = async (
  place: SnapshotContext,
  { movements, rows, stored, tokens }: Priced,
): Promise<UnitPriceOf> => {
  const { facts, snapshot, chain } = place;
  const { native, wrapped_native } = chain.network;
  const tradedAs = (token: Hex): Hex => (token === "" ? (wrapped_native ?? "") : token);
  const prices = new HourPrices();
  if (stored.columns !== null) {
    const { token, hour, price_usd, is_traded, length } = stored.columns;
    for (let row = 0; row < length; row += 1) {
      const text = token.texts[token.codes[row] ?? 0] ?? "";
      prices.put(text, hour[row] ?? 0, { price_usd: price_usd[row] ?? 0, is_traded: is_traded[row] === 1 });
    }
  }
  const late = anchorsOf(chain.network).size === 0 ? [] : lateOf(movements, rows, stored.until);
  const found = await pricesAtHours({ facts, network: chain.network, snapshot }, late);
  for (const { token, hour } of late) {
    const price = found.get(priceKey(token, hour));
    if (price === undefined) continue;
    prices.put(tradedAs(token), hour, { price_usd: price.price_usd, is_traded: price.confidence !== "low" });
  }
  const priced = movements.tokens.texts.filter((token) => prices.has(token));
  const [starts] = await Promise.all([readMarketStarts(place, priced), describe(place, tokens, priced)]);
  const decimalsOf = (token: Hex): number | null =>
    token === "" || token === wrapped_native ? native.decimals : (tokens.get(token)?.decimals ?? null);
  return (token, hour): UnitPrice | null => {
    const price = prices.at(tradedAs(token), hour);
    const decimals = price === null ? null : decimalsOf(token);
    if (price === null || decimals === null) return null;
    return { ...price, decimals, since: starts.get(token) ?? 0 };
  };
};
