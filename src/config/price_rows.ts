/** Prices in the forms in which operators have them: a table in CSV or JSON, and what price services answer. Pure. */

import * as z from "zod";
import { csvRows } from "../labels/import/csv_rows.ts";
import { DOCUMENT_BOUNDS, FILE_BOUNDS, JsonFault, readJson, readJsonOrNull } from "../lib/json_bounds.ts";

/** A price as it is written. */
export interface PriceRow {
  readonly network: string;
  /** As its network writes addresses, or `native`. */
  readonly token: string;
  readonly price_usd: number;
  /** Unix seconds. */
  readonly time: number;
}

/** Rows of one file: some years of hours of a few coins. */
const ROWS_MAX = 500_000;
/** Dearer than all there is: a wrong unit. */
const PRICE_USD_MAX = 1e12;

const price = z.coerce.number().positive().max(PRICE_USD_MAX);
const row = z.strictObject({
  network: z.string().min(1),
  token: z.string().min(1),
  price_usd: price,
  time: z.union([z.string(), z.number()]).optional(),
});

/** Fault of a price file, with its row. */
class PriceRowFault extends Error {}

/** Unix seconds of a number of seconds or of a time in ISO 8601; null for anything else. */
const secondsOf = (time: string | number): number | null => {
  if (typeof time === "number" || /^\d+$/.test(time)) return Number.isSafeInteger(Number(time)) ? Number(time) : null;
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(time)) return null;
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? null : Math.floor(ms / 1000);
};

const jsonRows = (text: string): readonly unknown[] => {
  let value: unknown;
  try {
    value = readJson(text, FILE_BOUNDS);
  } catch (error) {
    throw error instanceof JsonFault ? new PriceRowFault(error.message) : error;
  }
  if (!Array.isArray(value)) throw new PriceRowFault("it must hold a list of prices");
  return value;
};

/**
 * Rows of a table with the columns network, token, price_usd and perhaps time.
 * @param untimed unix seconds from which on a row without a time holds
 * @throws PriceRowFault
 */
export const readPriceRows = (text: string, form: "csv" | "json", untimed: number): readonly PriceRow[] => {
  const rows: PriceRow[] = [];
  for (const raw of form === "csv" ? csvRows(text) : jsonRows(text)) {
    const place = `row ${rows.length + 1}`;
    if (rows.length >= ROWS_MAX) throw new PriceRowFault(`it has more than ${ROWS_MAX} rows`);
    const read = row.safeParse(raw);
    if (!read.success) {
      const [issue] = read.error.issues;
      throw new PriceRowFault(`${place}: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "is not a price"}`);
    }
    const { network, token, price_usd, time } = read.data;
    const seconds = time === undefined || time === "" ? untimed : secondsOf(time);
    if (seconds === null)
      throw new PriceRowFault(`${place}: time is neither unix seconds nor a time like 2026-01-31T12:00:00Z`);
    rows.push({ network, token, price_usd, time: seconds });
  }
  return rows;
};

const seconds = z.number().min(0).transform(Math.floor);
/** CoinGecko, `/simple/price?vs_currencies=usd&include_last_updated_at=true`. */
const coingecko = z.record(z.string(), z.looseObject({ usd: price, last_updated_at: seconds.optional() }));
/** DefiLlama, `/prices/current/COINS`. */
const defillama = z.looseObject({
  coins: z.record(z.string(), z.looseObject({ price, timestamp: seconds.optional() })),
});

export type FeedShape = "coingecko" | "defillama";

/** Prices of a price service by its coin ids; `time` is null when it states none. Null for another shape. */
export const readFeed = (
  body: string,
  shape: FeedShape,
): ReadonlyMap<string, { readonly price_usd: number; readonly time: number | null }> | null => {
  const json = readJsonOrNull(body, DOCUMENT_BOUNDS);
  if (shape === "coingecko") {
    const read = coingecko.safeParse(json);
    if (!read.success) return null;
    const coins = Object.entries(read.data);
    return new Map(
      coins.map(([id, { usd, last_updated_at }]) => [id, { price_usd: usd, time: last_updated_at ?? null }]),
    );
  }
  const read = defillama.safeParse(json);
  if (!read.success) return null;
  const coins = Object.entries(read.data.coins);
  return new Map(coins.map(([id, coin]) => [id, { price_usd: coin.price, time: coin.timestamp ?? null }]));
};
