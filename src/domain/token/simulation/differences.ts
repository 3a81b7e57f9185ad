import type { SimulatedStep } from "./simulator_calls.ts";
import { taxOf } from "./taxes.ts";
import type { SimulatedTrade } from "./trades.ts";

/** Differences between two ways of the same trade, each of which is a finding. Pure. */

export type TradeDifference =
  | "sells_only_outside_router"
  | "sells_only_small"
  | "sells_only_without_fee"
  | "sells_only_later"
  | "sells_only_in_some_blocks"
  | "stops_selling_later"
  | "one_sale_per_wallet"
  | "tax_grows_with_amount";

/** Taxes that differ by at most this are equal, in percent. */
const ALIKE_PERCENT = 1;
/** From this sell tax on the proceeds are worthless. */
const TRAP_PERCENT = 90;

/** Done, with proceeds worth having. */
export const isSold = (step: SimulatedStep | null): boolean =>
  step?.done === true && (taxOf(step).percent ?? 0) < TRAP_PERCENT;

const isAny = (steps: readonly SimulatedStep[]): boolean => steps.some(isSold);

/** Every trade that could buy. */
const boughtIn = (trades: readonly SimulatedTrade[]): readonly SimulatedTrade[] =>
  trades.filter(({ purchase }) => purchase.done);

/** Failures, then only sales: a wait after the purchase. */
const isWait = (sold: readonly boolean[]): boolean => sold.lastIndexOf(false) < sold.indexOf(true);
/** A sale, and no other afterwards. */
const isOnce = (sold: readonly boolean[]): boolean =>
  sold.filter((one) => one).length === 1 && sold[0] === true && sold.length > 1;

/** The pattern of a trade's sales in a row of blocks. `shifted`: the same trade, bought one block later. */
export const patternOf = (
  trade: SimulatedTrade,
  shifted: SimulatedTrade | null,
): "steady" | "wait" | "once" | "some_blocks" | "none" => {
  // A taxed sale is done all the same: a tax is no wait.
  const sold = [...trade.near_sales, ...(trade.late_sale === null ? [] : [trade.late_sale])].map(({ done }) => done);
  if (sold.every((one) => one)) return "steady";
  if (!sold.some((one) => one)) return "none";
  if (isWait(sold)) return "wait";
  if (isOnce(sold)) return "once";
  // Sales in the same blocks although the purchase came later: the block decides, not the buyer's wait.
  const doneIn = (one: SimulatedTrade | null): readonly boolean[] => one?.near_sales.map(({ done }) => done) ?? [];
  const [here, there] = [doneIn(trade).slice(1), doneIn(shifted).slice(0, -1)];
  const is_of_block = shifted !== null && here.every((one, i) => one === there[i]);
  return is_of_block ? "some_blocks" : "wait";
};

/** True when the pattern needs the shifted trade. */
export const isAmbiguous = (trade: SimulatedTrade): boolean => {
  const sold = trade.near_sales.map(({ done }) => done);
  return sold.some((one) => one) && sold.some((one) => !one) && !isWait(sold);
};

export interface ComparedTrades {
  /** Sizes through the router that buyers use, or through an unknown contract. Smaller first. */
  readonly trades: readonly SimulatedTrade[];
  /** The same purchase as the second size, bought one block later; null when not needed. */
  readonly shifted: SimulatedTrade | null;
  /** The other kind of spender; null when there is no router. */
  readonly outside: SimulatedTrade | null;
  readonly far_sale: SimulatedStep | null;
  /** A sale in the block after the purchase whose transaction pays a base fee; null when not tried. */
  readonly paid_sale: SimulatedStep | null;
}

const taxesOf = (trades: readonly SimulatedTrade[]): readonly number[] =>
  trades.map(({ near_sales, late_sale, last_sale }) =>
    Math.max(0, ...[...near_sales, late_sale, last_sale].map((step) => taxOf(step).percent ?? 0)),
  );

export const differencesOf = ({
  trades,
  shifted,
  outside,
  far_sale,
  paid_sale,
}: ComparedTrades): readonly TradeDifference[] => {
  const bought = boughtIn(trades);
  const near = bought.map(({ near_sales }) => isAny(near_sales));
  const late = bought.map(({ late_sale }) => isSold(late_sale));
  const patterns = bought.map((trade) => patternOf(trade, shifted));
  const sells_now = near.some((one) => one);
  const sells = sells_now || late.some((one) => one);
  const outside_sells = outside !== null && (isAny(outside.near_sales) || isSold(outside.late_sale));
  const [small, ...larger] = bought.map((trade, i) => near[i] === true || isSold(trade.late_sale));
  const stops = !late.some((one) => one) || (far_sale !== null && !isSold(far_sale));
  const soon = bought.flatMap(({ near_sales }) => near_sales.slice(0, 1));
  const taxes = taxesOf(bought.filter((_, i) => near[i] === true));
  const rows: readonly (readonly [boolean, TradeDifference])[] = [
    [bought.length > 0 && !sells && outside_sells, "sells_only_outside_router"],
    [small === true && larger.some((one) => !one), "sells_only_small"],
    [paid_sale !== null && !isSold(paid_sale) && soon.some(isSold), "sells_only_without_fee"],
    [bought.length > 0 && !sells && isSold(far_sale), "sells_only_later"],
    [patterns.includes("some_blocks"), "sells_only_in_some_blocks"],
    [sells_now && stops && !patterns.includes("once") && !patterns.includes("some_blocks"), "stops_selling_later"],
    [patterns.length > 0 && patterns.every((pattern) => pattern === "once"), "one_sale_per_wallet"],
    [taxes.length > 1 && Math.max(...taxes) - (taxes[0] ?? 0) > ALIKE_PERCENT, "tax_grows_with_amount"],
  ];
  return rows.filter(([is_so]) => is_so).map(([, difference]) => difference);
};
