/** Thresholds of prices, with their reasons (docs/design/pricing.md). */

/** The move whose cost `cost_to_move_usd` states. */
export const MOVE_RATIO = 0.1;

/**
 * USD that move a price by `MOVE_RATIO` for an hour. A constant-product pool with 5,000, 25,000 and 250,000 USD on the
 * priced side costs 233, 1,163 and 11,635: below the first the fees of a few transactions set the price, above the last
 * the move ties up more than most tokens could repay.
 */
export const COST_USD_MIN = { low: 230, medium: 1_150, high: 11_500 } as const;

/**
 * The native coin prices every other token, so one shallow pool must not set its price: it needs two pools, or one that
 * costs this much to move.
 */
export const REFERENCE_COST_USD_MIN = COST_USD_MIN.medium;
export const REFERENCE_POOLS_MIN = 2;

/** Counted pools further apart than this lower the confidence by one step. */
export const DISAGREEMENT_RATIO = 0.05;

/** The range whose liquidity weighs a pool. */
export const WEIGHT_RATIO = 0.02;

/** Duration of a carried price after the last qualifying pool. */
export const CARRY_S = 24 * 3600;

/** A pool whose price is further from the median than this … */
export const OUTLIER_RATIO = 0.3;
/** … and that has less than this share of all weight does not count. */
export const OUTLIER_WEIGHT_SHARE = 0.5;

/** A dollar coin may deviate this far from the others before its market price applies. */
export const PEG_TOLERANCE_RATIO = 0.005;
/** Answers warn of a dollar coin whose market price is further from a dollar than this. */
export const PEG_WARNING_RATIO = 0.01;
/**
 * Number of other coins that must exist, and agree, before a coin counts as off its peg: with one, either could be off.
 */
export const PEG_WITNESSES_MIN = 2;
