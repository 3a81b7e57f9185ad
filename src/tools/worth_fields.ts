import * as z from "zod";
import { DEPTH_RATIO_MAX } from "../domain/token/holders/supply.ts";
import type { WorthLimit } from "../domain/valuation/worth.ts";

/** Beside a USD value that the pools would not pay in full. Both are absent where they would. */
export const spotValue = {
  spot_value_usd: z
    .number()
    .optional()
    .describe("Price times amount, where the verified pools would pay over 1 % less for it at once."),
  value_limit: z
    .enum(["low_liquidity", "not_sellable"])
    .optional()
    .describe("Why the value is less than spot_value_usd: the pools pay less, or nothing."),
};

/** Beside a market value. */
export const thinMarket = {
  unrealizable_market_cap_usd: z
    .number()
    .nullable()
    .describe("Circulating supply times price where market_cap_usd is null as `liquidity_too_thin`; else null."),
  depth_ratio: z
    .number()
    .nullable()
    .describe(`Circulating supply times price over liquidity; above ${DEPTH_RATIO_MAX} there is no market value.`),
};

/** The fields of `spotValue`. */
export const spotFields = (
  spot_value_usd: number | null | undefined,
  limit: WorthLimit | null | undefined,
): { spot_value_usd?: number; value_limit?: WorthLimit } =>
  limit === null || limit === undefined || spot_value_usd === null || spot_value_usd === undefined
    ? {}
    : { spot_value_usd, value_limit: limit };
