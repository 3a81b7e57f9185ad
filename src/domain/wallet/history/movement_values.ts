import type { Hex } from "../../../lib/bytes.ts";
import { nanoUsd } from "../../../lib/nano_usd.ts";
import { hourOf } from "../../../lib/time.ts";
import { PIECE_ROWS, type Pieces } from "../../../lib/turns.ts";
import { IS_COLLECTIBLE, type MovementRange, type Movements } from "../../address/movements/movements.ts";
import { type SaleDepth, type SalePrice, unitDepth, worthOfUnits } from "../../valuation/worth.ts";

/** Value of a token in an hour. */
export interface UnitPrice extends Required<SalePrice> {
  readonly decimals: number;
  /** The price comes from a market of some depth. */
  readonly is_traded: boolean;
  /** Unix seconds of its first market: the price of an hour does not hold for its minutes before the first pool. */
  readonly since: number;
}

/** Null without a price or decimals. `hour`: its first second. */
export type UnitPriceOf = (token: Hex, hour: number) => UnitPrice | null;

/** Values of a wallet's movements by row. Rows outside the requested range have no price. */
export interface MovementValues {
  /** Whole nanodollars of what the pools of that hour pay for the movement alone; NaN without a price. */
  readonly nano_usd: Float64Array;
  readonly is_traded: Uint8Array;
  /** The pools pay less than price times amount. */
  readonly is_limited: Uint8Array;
}

/** Values movements at their hour's price, each movement alone. Collectibles have none. */
export function* valueMovements(
  movements: Movements,
  { first, end }: MovementRange,
  priceOf: UnitPriceOf,
): Pieces<MovementValues> {
  const { token, kind, time } = movements;
  const nano_usd = new Float64Array(movements.length).fill(Number.NaN);
  const is_traded = new Uint8Array(movements.length);
  const is_limited = new Uint8Array(movements.length);
  // Adjacent rows mostly share their hour.
  const hours = new Float64Array(movements.tokens.texts.length).fill(-1);
  const prices: (UnitPrice | null)[] = [];
  /** USD per base unit, and the depth in base units. */
  const units = new Float64Array(movements.tokens.texts.length);
  const depths: (SaleDepth | null)[] = [];
  for (let row = first; row < end; row += 1) {
    if (row % PIECE_ROWS === 0) yield;
    const code = token[row] ?? 0;
    const hour = hourOf(time[row] ?? 0);
    if (hours[code] !== hour) {
      hours[code] = hour;
      const price = priceOf(movements.tokens.textOf(code), hour);
      prices[code] = price;
      if (price !== null) {
        units[code] = price.price_usd / 10 ** price.decimals;
        depths[code] = unitDepth(price.sells, price.decimals);
      }
    }
    const price = prices[code] ?? null;
    if (price === null || (time[row] ?? 0) < price.since || IS_COLLECTIBLE[kind[row] ?? 0] === 1) continue;
    const [amount, unit_usd, depth] = [movements.amountNumberAt(row), units[code] ?? 0, depths[code] ?? null];
    const usd = worthOfUnits(amount, unit_usd, depth);
    nano_usd[row] = nanoUsd(usd);
    is_limited[row] = Number(usd < amount * unit_usd);
    is_traded[row] = Number(price.is_traded);
  }
  return { nano_usd, is_traded, is_limited };
}

export const isPriced = ({ nano_usd }: Pick<MovementValues, "nano_usd">, row: number): boolean =>
  !Number.isNaN(nano_usd[row] ?? Number.NaN);
