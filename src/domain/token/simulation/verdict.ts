import { isSold, patternOf, type TradeDifference } from "./differences.ts";
import type { SizedRoundTrip } from "./round_trips.ts";
import type { RoundTrip, SimulatedStep } from "./simulator_calls.ts";
import { highestTax } from "./taxes.ts";
import type { SimulatedTrade } from "./trades.ts";

/** Verdict of the simulations on a token. Pure. */

/** Results of one kind of buyer, over all pools and sizes. */
export interface Buyer {
  readonly can_buy: boolean;
  /** Null when there was nothing to sell. */
  readonly can_sell: boolean | null;
  /** A sale brought proceeds worth having; null when there was nothing to sell. */
  readonly has_proceeds: boolean | null;
  /** A part could be sold where the whole could not. */
  readonly cannot_sell_all: boolean | null;
  readonly buy_tax_percent: number | null;
  readonly sell_tax_percent: number | null;
  readonly transfer_tax_percent: number | null;
  readonly rebate_or_rebase: boolean;
  /** The most gas that one trade used; null without a successful one. */
  readonly buy_gas: number | null;
  readonly sell_gas: number | null;
  /** The contract's error; null when nothing failed. */
  readonly buy_failure: string | null;
  readonly sell_failure: string | null;
}

/** Buyers are treated alike when their taxes differ by at most this. */
const ALIKE_PERCENT = 1;

const gasOf = (steps: readonly (SimulatedStep | null)[]): number | null => {
  const done = steps.flatMap((step) => (step?.done === true ? step.gas_used : []));
  return done.length === 0 ? null : Math.max(...done);
};

const failureOf = (steps: readonly (SimulatedStep | null)[]): string | null =>
  steps.find((step) => step?.done === false)?.failure ?? null;

interface RoundTripSteps {
  readonly purchases: readonly SimulatedStep[];
  readonly moves: readonly (SimulatedStep | null)[];
  /** Of the whole, or of the last remainder. */
  readonly sales: readonly (SimulatedStep | null)[];
  /** Of a part. */
  readonly parts: readonly (SimulatedStep | null)[];
}

const buyerOf = ({ purchases, moves, sales, parts }: RoundTripSteps): Buyer => {
  const [buy, sell, transfer] = [highestTax(purchases), highestTax([...sales, ...parts]), highestTax(moves)];
  const tried = [...sales, ...parts].filter((step) => step !== null);
  const can_sell = tried.length === 0 ? null : tried.some(({ done }) => done);
  return {
    can_buy: purchases.some(({ done }) => done),
    can_sell,
    has_proceeds: can_sell === null ? null : tried.some(isSold),
    cannot_sell_all: can_sell === null ? null : !sales.some((step) => step?.done === true),
    buy_tax_percent: buy.percent,
    sell_tax_percent: sell.percent,
    transfer_tax_percent: transfer.percent,
    rebate_or_rebase: buy.is_negative || sell.is_negative || transfer.is_negative,
    buy_gas: gasOf(purchases),
    sell_gas: gasOf([...sales, ...parts]),
    buy_failure: failureOf(purchases),
    sell_failure: failureOf([...sales, ...parts]),
  };
};

/** Null when no simulation could even try to buy. */
export const contractBuyer = (rehearsed: readonly SizedRoundTrip[]): Buyer | null => {
  const done = rehearsed.flatMap(({ rehearsal }): RoundTrip[] => (rehearsal === null ? [] : [rehearsal]));
  if (done.length === 0) return null;
  return buyerOf({
    purchases: done.map(({ purchase }) => purchase),
    moves: done.map(({ move }) => move),
    sales: done.map(({ sale }) => sale),
    parts: done.map(({ half }) => half),
  });
};

/** Null without a simulation. */
export const plainBuyer = (played: readonly SimulatedTrade[]): Buyer | null =>
  played.length === 0
    ? null
    : buyerOf({
        purchases: played.map(({ purchase }) => purchase),
        moves: played.map(({ move }) => move),
        sales: played.map(({ last_sale }) => last_sale),
        parts: played.flatMap(({ near_sales, late_sale }) => [...near_sales, late_sale]),
      });

/** Differences that leave a buyer without a way to sell as buyers do. */
const TRAPS: readonly TradeDifference[] = [
  "sells_only_outside_router",
  "sells_only_in_some_blocks",
  "sells_only_without_fee",
];

/** The purchase works, and no sale has proceeds worth having. Null when nothing could be bought. */
export const isHoneypot = (
  { can_buy, has_proceeds }: Buyer,
  differences: readonly TradeDifference[],
): boolean | null => {
  if (!can_buy || has_proceeds === null) return null;
  return !has_proceeds || differences.some((one) => TRAPS.includes(one));
};

/**
 * Sales fail at first and work later. `same_block`: the sale of a plain account in the block of its purchase; null when
 * not tried because the sale of a contract works, which by its nature is in that block.
 */
export const hasCooldown = (played: readonly SimulatedTrade[], same_block: SimulatedStep | null): boolean | null => {
  const sold = played.filter(({ purchase }) => purchase.done);
  if (sold.length === 0) return null;
  const waits = sold.some((trade) => patternOf(trade, null) === "wait");
  const in_one_block = sold.some(sellsSoon) && same_block?.done === false;
  return waits || in_one_block;
};

/** In the block after the purchase. */
export const sellsSoon = ({ near_sales }: SimulatedTrade): boolean => near_sales[0]?.done === true;

const differ = (a: number | null, b: number | null): boolean =>
  a !== null && b !== null && Math.abs(a - b) > ALIKE_PERCENT;

/**
 * Whether a contract and a plain account are treated differently at the same moment; a cooldown does not count. Null
 * when only one of them was tried.
 */
export const isCallerDependent = (
  contract: Buyer | null,
  played: readonly SimulatedTrade[],
  same_block: SimulatedStep | null,
): boolean | null => {
  const plain = plainBuyer(played);
  if (contract === null || plain === null) return null;
  if (contract.can_buy !== plain.can_buy) return true;
  const sold_soon = same_block?.done ?? played.some(sellsSoon);
  if (plain.can_buy && (contract.can_sell === true) !== sold_soon) return true;
  return (
    differ(contract.buy_tax_percent, plain.buy_tax_percent) ||
    differ(contract.sell_tax_percent, plain.sell_tax_percent) ||
    differ(contract.transfer_tax_percent, plain.transfer_tax_percent)
  );
};
