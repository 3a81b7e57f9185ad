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
  /** Whole nanodollars of what the pools of that hour pay for the movement; NaN without a price. */
  readonly nano_usd: Float64Array;
  readonly is_traded: Uint8Array;
  /** The pools pay less than price times amount. */
  readonly is_limited: Uint8Array;
}

/**
 * Amounts that others moved to and from a wallet, and that it did not pass on itself, by token, in base units: together one sale. A
 * token that pools would take for 5,000 USD is worth no more to a wallet in a thousand small receipts than in one.
 */
class OpenReceipts {
  readonly #received: Float64Array;
  readonly #taken: Float64Array;

  constructor(tokens: number) {
    this.#received = new Float64Array(tokens);
    this.#taken = new Float64Array(tokens);
  }

  /** The wallet itself passes on what it received, or gets back what was taken. */
  answer(token: number, amount: number, is_in: boolean): void {
    const sums = is_in ? this.#taken : this.#received;
    sums[token] = Math.max(0, (sums[token] ?? 0) - amount);
  }

  /** Adds an amount; returns what there was before. */
  add(token: number, amount: number, is_in: boolean): number {
    const sums = is_in ? this.#received : this.#taken;
    const before = sums[token] ?? 0;
    sums[token] = before + amount;
    return before;
  }
}

/**
 * Values movements at their hour's price: those in transactions that the wallet signed each alone, those of others as
 * parts of one sale, from the range's first row on. Collectibles have no value.
 */
export function* valueMovements(
  movements: Movements,
  { first, end }: MovementRange,
  priceOf: UnitPriceOf,
): Pieces<MovementValues> {
  const { token, kind, time, direction, is_own } = movements;
  const nano_usd = new Float64Array(movements.length).fill(Number.NaN);
  const is_traded = new Uint8Array(movements.length);
  const is_limited = new Uint8Array(movements.length);
  const unanswered = new OpenReceipts(movements.tokens.texts.length);
  const unitAt = unitsByHour(movements, priceOf);
  for (let row = first; row < end; row += 1) {
    if (row % PIECE_ROWS === 0) yield;
    const code = token[row] ?? 0;
    const unit = unitAt(row);
    if (unit === null || (time[row] ?? 0) < unit.since || IS_COLLECTIBLE[kind[row] ?? 0] === 1) continue;
    const { unit_usd, depth } = unit;
    const [amount, is_in] = [movements.amountNumberAt(row), (direction[row] ?? 0) > 0];
    let before = 0;
    if (depth !== null && is_own[row] === 1) unanswered.answer(code, amount, is_in);
    else if (depth !== null) before = unanswered.add(code, amount, is_in);
    const usd = worthAfter(before, amount, unit);
    nano_usd[row] = nanoUsd(usd);
    is_limited[row] = Number(usd < amount * unit_usd);
    is_traded[row] = Number(unit.is_traded);
  }
  return { nano_usd, is_traded, is_limited };
}

/** The price of a base unit, with the depth in base units. */
interface HourUnit {
  readonly unit_usd: number;
  readonly depth: SaleDepth | null;
  readonly is_traded: boolean;
  readonly since: number;
}

/** Units by row. Adjacent rows mostly share their hour. */
const unitsByHour = ({ token, tokens, time }: Movements, priceOf: UnitPriceOf) => {
  const hours = new Float64Array(tokens.texts.length).fill(-1);
  const units: (HourUnit | null)[] = [];
  return (row: number): HourUnit | null => {
    const code = token[row] ?? 0;
    const hour = hourOf(time[row] ?? 0);
    if (hours[code] !== hour) {
      hours[code] = hour;
      const price = priceOf(tokens.textOf(code), hour);
      units[code] = price === null ? null : unitOf(price);
    }
    return units[code] ?? null;
  };
};

const unitOf = ({ price_usd, decimals, sells, is_traded, since }: UnitPrice): HourUnit => ({
  ...{ unit_usd: price_usd / 10 ** decimals, depth: unitDepth(sells, decimals), is_traded, since },
});

/** Worth of an amount after another one was sold. */
const worthAfter = (before: number, amount: number, { unit_usd, depth }: HourUnit): number => {
  if (before === 0) return worthOfUnits(amount, unit_usd, depth);
  const both = worthOfUnits(before + amount, unit_usd, depth);
  return Math.min(worthOfUnits(amount, unit_usd, depth), Math.max(0, both - worthOfUnits(before, unit_usd, depth)));
};

export const isPriced = ({ nano_usd }: Pick<MovementValues, "nano_usd">, row: number): boolean =>
  !Number.isNaN(nano_usd[row] ?? Number.NaN);
