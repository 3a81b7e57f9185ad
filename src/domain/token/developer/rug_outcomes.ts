import type { Hex } from "../../../lib/bytes.ts";
import { percentOf } from "../../../lib/money.ts";
import { DAY_S } from "../../../lib/time.ts";
import type { TokenOutcome } from "../verdict/verdict.ts";

/** Outcomes of launched tokens. Pure: the facts are read elsewhere. */

export const RUG_RULES = {
  version: "rug-outcome@2",
  /** All of these count within one day. */
  window_s: DAY_S,
  removal_percent_min: 80,
  sale_percent_min: 30,
  mint_percent_min: 50,
  price_fall_percent_min: 80,
  replay_fail_percent_min: 90,
  dead_after_s: 30 * DAY_S,
  /** USD on the other side of all pools; with less, the token has no market and no price. */
  depth_usd_min: 500,
  too_new_s: 7 * DAY_S,
} as const;

export type RugCause = "liquidity_removal" | "creator_sale" | "hidden_mint" | "honeypot";

/** An action of linked wallets. Amounts are in base units of a single token. */
export interface PoolEvent {
  /** Unix seconds. */
  readonly time: number;
  readonly block_number: number;
  readonly tx_hash: Hex;
  readonly amount: bigint;
}

/** Actions within one day. */
export interface EventSpell {
  readonly events: readonly PoolEvent[];
  readonly amount: bigint;
}

const spellFrom = (events: readonly PoolEvent[], first: PoolEvent): EventSpell => {
  const within = events.filter(({ time }) => time >= first.time && time <= first.time + RUG_RULES.window_s);
  return { events: within, amount: within.reduce((sum, { amount }) => sum + amount, 0n) };
};

/**
 * The heaviest day that begins with one of the events, and the day that ends with the last: the rest of a balance is
 * often small, but all that is left. `events` are ordered by time.
 */
export const heaviestPeriods = (events: readonly PoolEvent[]): readonly EventSpell[] => {
  const [first] = events;
  const last = events.at(-1);
  if (first === undefined || last === undefined) return [];
  const spells = events.map((event) => spellFrom(events, event));
  const heaviest = spells.reduce((best, spell) => (spell.amount > best.amount ? spell : best));
  const ending = spells.find(({ events: [begin] }) => (begin?.time ?? 0) + RUG_RULES.window_s >= last.time);
  return ending === undefined || ending === heaviest ? [heaviest] : [heaviest, ending];
};

/** A period with its part of the whole, and the token's price before and after it. */
export interface RugEvent {
  readonly cause: "liquidity_removal" | "creator_sale";
  readonly spell: EventSpell;
  /** Liquidity of the pool, or supply, before it. */
  readonly whole: bigint;
  /** USD; 0 = no market was left; null = not known. */
  readonly price_before: number | null;
  readonly price_after: number | null;
}

export interface MintEvent extends PoolEvent {
  /** Supply before it. */
  readonly supply_before: bigint;
}

/** Facts that decide the outcome of a token whose history is unknown, too. */
interface TokenStanding {
  /** Its pools lost their liquidity (drained.ts). */
  readonly is_drained: boolean;
  /** It uses the symbol of another, known token. */
  readonly is_counterfeit: boolean;
}

export interface TokenRecord extends TokenStanding {
  readonly created_s: number;
  readonly now_s: number;
  /** False: no pool of a known exchange ever traded it. */
  readonly was_listed: boolean;
  readonly last_swap_s: number | null;
  /** USD on the other side of its pools now; null = not known. */
  readonly depth_usd: number | null;
  readonly rug_events: readonly RugEvent[];
  /** To linked wallets after the launch. */
  readonly mints: readonly MintEvent[];
  /** Holders whose transfer into the pool was simulated; null = not tried. */
  readonly replay: { readonly tested: number; readonly failed: number } | null;
}

export interface JudgedOutcome {
  /** Null when it never had a market, or when its end is unknown. */
  readonly outcome: TokenOutcome | null;
  readonly cause: RugCause | null;
  /** Unix seconds of the end; null while the token has not ended. */
  readonly ended_s: number | null;
  /** Transactions that support it. */
  readonly events: readonly PoolEvent[];
}

const partOf = (amount: bigint, whole: bigint): number => (whole <= 0n ? 0 : percentOf(amount, whole));

/** Null when a price is not known. */
export const priceFallPercent = ({ price_before, price_after }: RugEvent): number | null =>
  price_before === null || price_after === null || price_before <= 0
    ? null
    : Math.max(0, 100 * (1 - price_after / price_before));

const isHeavy = ({ cause, spell, whole }: RugEvent): boolean =>
  partOf(spell.amount, whole) >=
  (cause === "liquidity_removal" ? RUG_RULES.removal_percent_min : RUG_RULES.sale_percent_min);

const isRug = (rug_event: RugEvent): boolean =>
  isHeavy(rug_event) && (priceFallPercent(rug_event) ?? 0) >= RUG_RULES.price_fall_percent_min;

/** An action that would be a rug if the price fell, at an unknown price. */
export const couldBeRug = ({ rug_events }: TokenRecord): boolean =>
  rug_events.some(
    (rug_event) => isHeavy(rug_event) && rug_event.price_before !== 0 && priceFallPercent(rug_event) === null,
  );

const rugged = (cause: RugCause, events: readonly PoolEvent[], ended_s: number): JudgedOutcome => ({
  outcome: "rugged",
  cause,
  ended_s,
  events,
});

/** The outcome of a token without a record, as far as it is known. */
export const standingOutcome = ({ is_drained, is_counterfeit }: TokenStanding): TokenOutcome | null =>
  is_drained ? "drained" : is_counterfeit ? "counterfeit" : null;

/** The first rug, if any; otherwise drained, a copy, too young, dead or alive. Every tool that shows an outcome calls it. */
export const judgeRecord = (record: TokenRecord): JudgedOutcome => {
  const rug_events = record.rug_events
    .filter(isRug)
    .sort((a, b) => (a.spell.events[0]?.time ?? 0) - (b.spell.events[0]?.time ?? 0));
  const [rug_event] = rug_events;
  if (rug_event !== undefined)
    return rugged(rug_event.cause, rug_event.spell.events, rug_event.spell.events.at(-1)?.time ?? record.now_s);
  const mint = record.mints.find(
    ({ amount, supply_before }) => partOf(amount, supply_before) >= RUG_RULES.mint_percent_min,
  );
  if (mint !== undefined) return rugged("hidden_mint", [mint], mint.time);
  const { replay, depth_usd, now_s, created_s } = record;
  if (
    replay !== null &&
    replay.tested > 0 &&
    (100 * replay.failed) / replay.tested >= RUG_RULES.replay_fail_percent_min
  )
    return rugged("honeypot", [], now_s);
  const standing = { cause: null, ended_s: null, events: [] };
  const quiet_since = record.last_swap_s ?? created_s;
  const outcome = standingOutcome(record);
  if (outcome !== null) return { outcome, ...standing, ended_s: outcome === "drained" ? quiet_since : null };
  if (!record.was_listed) return { outcome: null, ...standing };
  if (now_s - created_s < RUG_RULES.too_new_s) return { outcome: "too_new", ...standing };
  if (now_s - quiet_since < RUG_RULES.dead_after_s) return { outcome: "alive", ...standing };
  if (depth_usd === null) return { outcome: null, ...standing };
  return depth_usd < RUG_RULES.depth_usd_min
    ? { outcome: "dead", ...standing, ended_s: quiet_since }
    : { outcome: "alive", ...standing };
};

/** Outcomes of a market's life: a copy has one only if it is rugged or drained. */
const JUDGED: readonly (TokenOutcome | null)[] = ["rugged", "drained", "dead", "alive"];

/** Rugged tokens among the judged, in percent; null without any. */
export const rugRatePercent = (outcomes: readonly (TokenOutcome | null)[]): number | null => {
  const judged = outcomes.filter((outcome) => JUDGED.includes(outcome));
  const rugs = judged.filter((outcome) => outcome === "rugged").length;
  return judged.length === 0 ? null : (100 * rugs) / judged.length;
};

export const medianOf = (values: readonly number[]): number | null => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
};
