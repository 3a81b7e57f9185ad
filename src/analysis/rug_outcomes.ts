import { percentOf } from "../lib/money.ts";
import { DAY_S } from "../lib/time.ts";

/** How a launched token ended (03, section 3.8). Pure: the facts are read elsewhere. */

export const RUG_RULES = {
  version: "rug-outcome@1",
  /** All of these count within one day. */
  window_s: DAY_S,
  removal_percent_min: 80,
  sale_percent_min: 30,
  mint_percent_min: 50,
  price_fall_percent_min: 80,
  replay_fail_percent_min: 90,
  dead_after_s: 30 * DAY_S,
  /** USD on the other side of all pools; with less there is no market, and no price. */
  depth_usd_min: 500,
  too_new_s: 7 * DAY_S,
} as const;

export type TokenOutcome = "rugged" | "dead" | "alive" | "too_new";
export type RugCause = "liquidity_removal" | "creator_sale" | "hidden_mint" | "honeypot";

/** Something that linked wallets did. Amounts are in base units of one and the same token. */
export interface Deed {
  /** Unix seconds. */
  readonly time: number;
  readonly block_number: number;
  readonly tx_hash: string;
  readonly amount: bigint;
}

/** Deeds of at most one day. */
export interface Spell {
  readonly deeds: readonly Deed[];
  readonly amount: bigint;
}

const spellFrom = (deeds: readonly Deed[], first: Deed): Spell => {
  const within = deeds.filter(({ time }) => time >= first.time && time <= first.time + RUG_RULES.window_s);
  return { deeds: within, amount: within.reduce((sum, { amount }) => sum + amount, 0n) };
};

/**
 * The heaviest day that begins with one of the deeds, and the one that ends with the last: what was left is often little,
 * and all of it. `deeds` in order of time.
 */
export const heaviestSpells = (deeds: readonly Deed[]): readonly Spell[] => {
  const [first] = deeds;
  const last = deeds.at(-1);
  if (first === undefined || last === undefined) return [];
  const spells = deeds.map((deed) => spellFrom(deeds, deed));
  const heaviest = spells.reduce((best, spell) => (spell.amount > best.amount ? spell : best));
  const ending = spells.find(({ deeds: [begin] }) => (begin?.time ?? 0) + RUG_RULES.window_s >= last.time);
  return ending === undefined || ending === heaviest ? [heaviest] : [heaviest, ending];
};

/** A spell, measured: what part it was, and what the token was worth before and after it. */
export interface Blow {
  readonly cause: "liquidity_removal" | "creator_sale";
  readonly spell: Spell;
  /** Liquidity of the pool, or supply, before it. */
  readonly whole: bigint;
  /** USD; 0 = no market was left; null = not known. */
  readonly price_before: number | null;
  readonly price_after: number | null;
}

export interface Mint extends Deed {
  /** Supply before it. */
  readonly supply_before: bigint;
}

export interface TokenLife {
  readonly created_s: number;
  readonly now_s: number;
  /** False: no pool of a known exchange ever traded it. */
  readonly was_listed: boolean;
  readonly last_swap_s: number | null;
  /** USD on the other side of its pools now; null = not known. */
  readonly depth_usd: number | null;
  readonly blows: readonly Blow[];
  /** To linked wallets after the launch. */
  readonly mints: readonly Mint[];
  /** Holders whose transfer into the pool was tried without being sent; null = not tried. */
  readonly replay: { readonly tested: number; readonly failed: number } | null;
}

export interface JudgedLife {
  /** Null where it never had a market, or where its end cannot be told. */
  readonly outcome: TokenOutcome | null;
  readonly cause: RugCause | null;
  /** Unix seconds of the end; null while it lives. */
  readonly ended_s: number | null;
  /** Transactions that it stands on. */
  readonly deeds: readonly Deed[];
}

const partOf = (amount: bigint, whole: bigint): number => (whole <= 0n ? 0 : percentOf(amount, whole));

/** Null when a price is not known. */
export const priceFallPercent = ({ price_before, price_after }: Blow): number | null =>
  price_before === null || price_after === null || price_before <= 0
    ? null
    : Math.max(0, 100 * (1 - price_after / price_before));

const isHeavy = ({ cause, spell, whole }: Blow): boolean =>
  partOf(spell.amount, whole) >=
  (cause === "liquidity_removal" ? RUG_RULES.removal_percent_min : RUG_RULES.sale_percent_min);

const isRug = (blow: Blow): boolean =>
  isHeavy(blow) && (priceFallPercent(blow) ?? 0) >= RUG_RULES.price_fall_percent_min;

/** Something was done that is a rug if the price fell, and nobody knows the price. */
export const couldBeRug = ({ blows }: TokenLife): boolean =>
  blows.some((blow) => isHeavy(blow) && blow.price_before !== 0 && priceFallPercent(blow) === null);

const rugged = (cause: RugCause, deeds: readonly Deed[], ended_s: number): JudgedLife => ({
  outcome: "rugged",
  cause,
  ended_s,
  deeds,
});

/** The first rug, if there was one; then whether it is too young, dead or alive. */
export const judgeLife = (life: TokenLife): JudgedLife => {
  const blows = life.blows.filter(isRug).sort((a, b) => (a.spell.deeds[0]?.time ?? 0) - (b.spell.deeds[0]?.time ?? 0));
  const [blow] = blows;
  if (blow !== undefined) return rugged(blow.cause, blow.spell.deeds, blow.spell.deeds.at(-1)?.time ?? life.now_s);
  const mint = life.mints.find(
    ({ amount, supply_before }) => partOf(amount, supply_before) >= RUG_RULES.mint_percent_min,
  );
  if (mint !== undefined) return rugged("hidden_mint", [mint], mint.time);
  const { replay, depth_usd, now_s, created_s } = life;
  if (
    replay !== null &&
    replay.tested > 0 &&
    (100 * replay.failed) / replay.tested >= RUG_RULES.replay_fail_percent_min
  )
    return rugged("honeypot", [], now_s);
  const standing = { cause: null, ended_s: null, deeds: [] };
  if (!life.was_listed) return { outcome: null, ...standing };
  if (now_s - created_s < RUG_RULES.too_new_s) return { outcome: "too_new", ...standing };
  const quiet_since = life.last_swap_s ?? created_s;
  if (now_s - quiet_since < RUG_RULES.dead_after_s) return { outcome: "alive", ...standing };
  if (depth_usd === null) return { outcome: null, ...standing };
  return depth_usd < RUG_RULES.depth_usd_min
    ? { outcome: "dead", ...standing, ended_s: quiet_since }
    : { outcome: "alive", ...standing };
};

/** Rugged tokens among the judged, in percent; null without any. */
export const rugRatePercent = (outcomes: readonly (TokenOutcome | null)[]): number | null => {
  const judged = outcomes.filter((outcome) => outcome === "rugged" || outcome === "dead" || outcome === "alive");
  const rugs = judged.filter((outcome) => outcome === "rugged").length;
  return judged.length === 0 ? null : (100 * rugs) / judged.length;
};

export const medianOf = (values: readonly number[]): number | null => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
};
