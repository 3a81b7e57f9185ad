/**
 * The state of one token of one wallet under average cost (03, 3.1): `costed` base units whose cost is known, `uncosted`
 * units whose cost is not, and the USD cost of the costed ones.
 *
 * Quantities are exact integers. Costs are doubles: every step multiplies by a ratio of two integers, so a cost is off by
 * a few units in the 16th digit per step, and the last unit that leaves takes exactly what is left.
 */
export interface Position {
  costed: bigint;
  uncosted: bigint;
  cost_usd: number;
  /** Quantity-weighted mean time of acquisition, unix seconds. */
  since: number;
}

/** What left a position. `missing` is what was asked for beyond what was there. */
export interface Removed {
  readonly costed: bigint;
  readonly uncosted: bigint;
  readonly cost_usd: number;
  /** Exact share of the costed part before its quantity is rounded down to whole units, 0..1. */
  readonly costed_ratio: number;
  readonly missing: bigint;
  readonly since: number;
}

export const emptyPosition = (): Position => ({ costed: 0n, uncosted: 0n, cost_usd: 0, since: 0 });

export const quantityOf = (position: Pick<Position, "costed" | "uncosted">): bigint =>
  position.costed + position.uncosted;

/** `part / whole` as a double; 0 when the whole is 0. */
export const ratioOf = (part: bigint, whole: bigint): number => {
  if (whole === 0n) return 0;
  return part === whole ? 1 : Number(part) / Number(whole);
};

const age = (position: Position, amount: bigint, since: number): void => {
  const before = quantityOf(position);
  position.since = before === 0n ? since : position.since + (since - position.since) * ratioOf(amount, before + amount);
};

/** `cost_usd` null: the cost of these units is not known. */
export const acquire = (
  position: Position,
  amount: bigint,
  lot: { readonly cost_usd: number | null; readonly time: number },
): void => {
  if (amount === 0n) return;
  age(position, amount, lot.time);
  if (lot.cost_usd === null) {
    position.uncosted += amount;
    return;
  }
  position.costed += amount;
  position.cost_usd += lot.cost_usd;
};

/**
 * Puts back, or moves in, what `remove` took out elsewhere: quantities and cost unchanged. Rounding may have left a cost
 * without a costed unit; it then stands on one of the uncosted ones.
 */
export const restore = (position: Position, lot: Pick<Removed, "costed" | "uncosted" | "cost_usd" | "since">): void => {
  age(position, quantityOf(lot), lot.since);
  const stand = lot.costed === 0n && lot.uncosted > 0n && lot.cost_usd > 0 ? 1n : 0n;
  position.costed += lot.costed + stand;
  position.uncosted += lot.uncosted - stand;
  position.cost_usd += lot.cost_usd;
};

/**
 * Takes `amount` out, costed and uncosted units pro rata, at most what is there. The costed quantity is rounded down and
 * the rest of the amount is uncosted; the cost follows the exact ratio.
 */
export const remove = (position: Position, amount: bigint): Removed => {
  const held = quantityOf(position);
  const taken = amount < held ? amount : held;
  const { since } = position;
  if (taken === 0n) return { costed: 0n, uncosted: 0n, cost_usd: 0, costed_ratio: 0, missing: amount, since };
  const costed = position.uncosted === 0n ? taken : (taken * position.costed) / held;
  const uncosted = taken - costed;
  const cost_usd = position.cost_usd * ratioOf(taken, held);
  const costed_ratio = ratioOf(position.costed, held);
  position.costed -= costed;
  position.uncosted -= uncosted;
  position.cost_usd = taken === held ? 0 : position.cost_usd - cost_usd;
  return { costed, uncosted, cost_usd, costed_ratio, missing: amount - taken, since };
};
