import type { Hex } from "../../../lib/bytes.ts";
import type { TrialState } from "./trials.ts";

/** The effects of a call, from the state of a token before and after it. Pure. */

export type EffectKind =
  | "mints"
  | "takes_coins"
  | "drains_pool"
  | "takes_allowance"
  | "rebases"
  | "blocks_holder"
  | "stops_transfers"
  | "stops_sales"
  | "stops_purchases"
  | "raises_tax"
  | "taxes_holder"
  | "takes_ownership"
  | "replaces_code";

export interface Effect {
  readonly kind: EffectKind;
  /** For a tax: percent of a sale, purchase or transfer that does not arrive. Null for other kinds. */
  readonly percent: number | null;
}

const MILLION = 1_000_000;
/** A smaller change of a rate is rounding: 0.5 %. */
const NOTABLE_PPM = 5_000;
/** A step that loses more than this counts as stopped: 90 %. */
const STOPPED_PPM = 100_000;
/** A balance that loses a smaller part was rounded. */
const ROUNDED_PART = 1_000n;
/** A balance that grows by a smaller part of the supply, without the supply, was rounded. */
const HIDDEN_MINT_PART = 1_000_000_000n;

const plain = (kind: EffectKind): Effect => ({ kind, percent: null });
const tax = (kind: EffectKind, arrived: number): Effect => ({
  kind,
  percent: Math.round(((MILLION - arrived) / MILLION) * 10_000) / 100,
});

const works = (arrived: number | null): arrived is number => arrived !== null && arrived >= STOPPED_PPM;

type BalanceName = "caller" | "victim" | "other" | "friend" | "payee" | "token";
const BALANCES = ["caller", "victim", "other", "friend", "payee", "token"] as const satisfies readonly BalanceName[];

const changeOf = (before: TrialState, after: TrialState, name: BalanceName): bigint =>
  (after[name] ?? 0n) - (before[name] ?? 0n);

const hasLost = (before: TrialState, after: TrialState, name: BalanceName): boolean => {
  const had = before[name] ?? 0n;
  const lost = -changeOf(before, after, name);
  return lost > 0n && lost * ROUNDED_PART >= had;
};

/** All balances and the supply changed by the same ratio. */
const isRebase = (before: TrialState, after: TrialState): boolean => {
  if (before.supply === null || after.supply === null || before.supply === after.supply) return false;
  const ratio = (from: bigint, to: bigint): number => Number((to * BigInt(MILLION)) / (from === 0n ? 1n : from));
  const wanted = ratio(before.supply, after.supply);
  const alike = (name: BalanceName): boolean =>
    Math.abs(ratio(before[name] ?? 0n, after[name] ?? 0n) - wanted) <= Math.max(2, wanted / 1_000);
  const is_changed = changeOf(before, after, "victim") !== 0n && changeOf(before, after, "other") !== 0n;
  return is_changed && alike("victim") && alike("other");
};

const supplyEffects = (before: TrialState, after: TrialState): readonly Effect[] => {
  if (isRebase(before, after)) return [plain("rebases")];
  const found: Effect[] = [];
  const has_more = before.supply !== null && after.supply !== null && after.supply > before.supply;
  const gained = BALANCES.some((name) => changeOf(before, after, name) > 0n);
  const sum = BALANCES.reduce((total, name) => total + changeOf(before, after, name), 0n);
  const is_much = sum * HIDDEN_MINT_PART >= (before.supply ?? 0n);
  const from_a_known = BALANCES.some((name) => changeOf(before, after, name) < 0n);
  if (has_more || (gained && sum > 0n && is_much && !from_a_known)) found.push(plain("mints"));
  if (hasLost(before, after, "victim") || hasLost(before, after, "other")) found.push(plain("takes_coins"));
  else if (hasLost(before, after, "payee")) found.push(plain("drains_pool"));
  if (before.allowance === 0n && (after.allowance ?? 0n) > 0n) found.push(plain("takes_allowance"));
  return found;
};

/** Steps that worked before and do not now. */
const stopEffects = (before: TrialState, after: TrialState): readonly Effect[] => {
  const stopped = (step: "victim_transfer" | "other_transfer" | "sale" | "purchase"): boolean =>
    works(before[step]) && !works(after[step]);
  const [victim, other] = [stopped("victim_transfer"), stopped("other_transfer")];
  // A holder or a pool without coins has nothing to send.
  const is_emptied = (["victim", "other", "payee"] as const).some((name) => hasLost(before, after, name));
  if (is_emptied) return [];
  if (victim && other) return [plain("stops_transfers")];
  if (victim || other) return [plain("blocks_holder")];
  return [
    ...(stopped("sale") ? [plain("stops_sales")] : []),
    ...(stopped("purchase") ? [plain("stops_purchases")] : []),
  ];
};

const taxEffects = (before: TrialState, after: TrialState): readonly Effect[] => {
  const raised = (step: "victim_transfer" | "other_transfer" | "sale" | "purchase"): number | null => {
    const [was, is] = [before[step], after[step]];
    return works(was) && works(is) && was - is > NOTABLE_PPM ? is : null;
  };
  const trade = [raised("sale"), raised("purchase")].flatMap((rate) => rate ?? []);
  const [victim, other] = [raised("victim_transfer"), raised("other_transfer")];
  const of_one = (victim === null) !== (other === null);
  // Like everyone's trades: a holder that is named as a pool pays what a pool's traders pay.
  const usual = Math.min(before.sale ?? MILLION, before.purchase ?? MILLION) - NOTABLE_PPM;
  const single = victim ?? other ?? MILLION;
  const both = victim !== null && other !== null ? [victim, other] : [];
  const lowest = Math.min(...trade, ...both);
  return [
    ...(trade.length + both.length > 0 && !of_one ? [tax("raises_tax", lowest)] : []),
    ...(of_one && single < usual ? [tax("taxes_holder", single)] : []),
  ];
};

/** Effects of a trial as `caller`. `before`: the state without a call. */
export const effectsOf = (before: TrialState, after: TrialState, caller: Hex): readonly Effect[] => {
  if (after.is_replaced && !before.is_replaced) return [plain("replaces_code")];
  // A token that does not answer any more stopped; no other effect is known.
  if (before.supply !== null && after.supply === null) return stopEffects(before, after);
  const account = BigInt(`0x${caller}`);
  const takes = after.owner === account && before.owner !== account && account !== 0n;
  return [
    ...supplyEffects(before, after),
    ...stopEffects(before, after),
    ...taxEffects(before, after),
    ...(takes ? [plain("takes_ownership")] : []),
  ];
};
