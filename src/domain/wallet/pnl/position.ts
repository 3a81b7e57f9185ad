import { addLot, type CostLot, type CostLots, copyLots, emptyLots, type LotOrder, takeLots } from "./lots.ts";

/**
 * The state of one token of one wallet: `costed` base units with a known cost, `uncosted` units without one, and the
 * USD cost of the costed ones. Under average cost both leave pro rata; otherwise lots (`lots`) leave in their order.
 *
 * Quantities are exact integers. Costs are doubles: every step multiplies by a ratio of two integers, so a cost is off
 * by a few units in the 16th digit per step, and the last unit to leave takes exactly the remaining cost.
 */
export interface CostPosition {
  costed: bigint;
  uncosted: bigint;
  cost_usd: number;
  /** Quantity-weighted mean time of acquisition, unix seconds. */
  since: number;
  /** Part of the cost stems from an unvalued trade before the window. */
  has_unpriced_cost: boolean;
  /** Some units were held before the first known movement, so that `since` is at most the time of their acquisition. */
  has_opening: boolean;
  /** Null under average cost. */
  readonly lots: CostLots | null;
}

/** Units removed from a position. `missing` is the requested quantity beyond the held one. */
export interface RemovedCost {
  readonly costed: bigint;
  readonly uncosted: bigint;
  readonly cost_usd: number;
  /** Exact share of the costed part before its quantity is rounded down to whole units, 0..1. */
  readonly costed_ratio: number;
  readonly missing: bigint;
  readonly since: number;
  readonly has_unpriced_cost: boolean;
  /** As of a position. */
  readonly has_opening: boolean;
  /** The removed lots; null under average cost, and when units of one token became units of another. */
  readonly lots: readonly CostLot[] | null;
}

/** How the cost of sold units is found. */
export const COST_BASES = ["average", "fifo", "lifo", "hifo"] as const satisfies readonly ("average" | LotOrder)[];

export type CostBasis = (typeof COST_BASES)[number];

/** Names of the methods in `metadata.methodology`. */
export const PNL_METHODS: Readonly<Record<CostBasis, string>> = {
  average: "pnl/avg-cost@1",
  fifo: "pnl/fifo@1",
  lifo: "pnl/lifo@1",
  hifo: "pnl/hifo@1",
};

export const emptyPosition = (basis: CostBasis = "average"): CostPosition => ({
  costed: 0n,
  uncosted: 0n,
  cost_usd: 0,
  since: 0,
  has_unpriced_cost: false,
  has_opening: false,
  lots: basis === "average" ? null : emptyLots(basis),
});

export const copyPosition = (position: CostPosition): CostPosition => ({
  ...position,
  lots: position.lots === null ? null : copyLots(position.lots),
});

export const quantityOf = (position: Pick<CostPosition, "costed" | "uncosted">): bigint =>
  position.costed + position.uncosted;

/** `part / whole` as a double; 0 when the whole is 0. */
export const ratioOf = (part: bigint, whole: bigint): number => {
  if (whole === 0n) return 0;
  return part === whole ? 1 : Number(part) / Number(whole);
};

const age = (position: CostPosition, amount: bigint, since: number): void => {
  const before = quantityOf(position);
  position.since = before === 0n ? since : position.since + (since - position.since) * ratioOf(amount, before + amount);
};

interface AcquiredLot {
  /** Null: the cost of these units is unknown. */
  readonly cost_usd: number | null;
  readonly time: number;
  /** Held before the first known movement. */
  readonly is_opening?: boolean;
}

export const acquire = (
  position: CostPosition,
  amount: bigint,
  { cost_usd, time, is_opening = false }: AcquiredLot,
): void => {
  if (amount === 0n) return;
  age(position, amount, time);
  position.has_opening ||= is_opening;
  if (position.lots !== null) addLot(position.lots, { quantity: amount, cost_usd, since: time, is_opening });
  if (cost_usd === null) {
    position.uncosted += amount;
    return;
  }
  position.costed += amount;
  position.cost_usd += cost_usd;
};

/** Units that move in together: a part with a cost and one without. */
export type CostTransfer = Pick<RemovedCost, "costed" | "uncosted" | "cost_usd" | "since" | "has_unpriced_cost"> &
  Partial<Pick<RemovedCost, "lots" | "has_opening">>;

/**
 * Restores, or moves in, units that `remove` took out elsewhere: quantities and cost unchanged. When rounding left a
 * cost without a costed unit, one of the uncosted units carries it.
 */
export const restore = (position: CostPosition, moved: CostTransfer): void => {
  age(position, quantityOf(moved), moved.since);
  const is_opening = moved.has_opening ?? false;
  position.has_opening ||= is_opening && quantityOf(moved) > 0n;
  const stand = moved.costed === 0n && moved.uncosted > 0n && moved.cost_usd > 0 ? 1n : 0n;
  const costed = moved.costed + stand;
  const uncosted = moved.uncosted - stand;
  if (position.lots !== null) {
    const plain = [
      { quantity: costed, cost_usd: moved.cost_usd, since: moved.since, is_opening },
      { quantity: uncosted, cost_usd: null, since: moved.since, is_opening },
    ];
    for (const lot of moved.lots ?? plain) addLot(position.lots, { ...lot });
  }
  position.costed += costed;
  position.uncosted += uncosted;
  position.cost_usd += moved.cost_usd;
  position.has_unpriced_cost ||= moved.has_unpriced_cost && moved.cost_usd > 0;
};

const NOTHING = {
  ...{ costed: 0n, uncosted: 0n, cost_usd: 0, costed_ratio: 0 },
  ...{ has_unpriced_cost: false, has_opening: false },
} as const;

/** Removes `amount`, at most the held quantity. */
export const remove = (position: CostPosition, amount: bigint): RemovedCost => {
  const held = quantityOf(position);
  const taken = amount < held ? amount : held;
  const { since, lots, has_unpriced_cost, has_opening } = position;
  if (taken === 0n) return { ...NOTHING, missing: amount, since, lots: lots && [] };
  const missing = taken === amount ? 0n : amount - taken;
  const part =
    lots === null ? proRata(position, { taken, held, missing }) : fromLots(takeLots(lots, taken), { taken, missing });
  const left = { ...part, has_unpriced_cost, has_opening };
  if (taken === held) position.has_opening = false;
  position.costed -= left.costed;
  if (left.uncosted !== 0n) position.uncosted -= left.uncosted;
  position.cost_usd = taken === held || position.costed === 0n ? 0 : position.cost_usd - left.cost_usd;
  if (position.cost_usd === 0) position.has_unpriced_cost = false;
  return left;
};

type RemovedPart = Omit<RemovedCost, "has_unpriced_cost" | "has_opening">;

interface LotRemoval {
  readonly taken: bigint;
  readonly missing: bigint;
}

/** Costed and uncosted units pro rata; the costed quantity is rounded down, the cost follows the exact ratio. */
const proRata = (
  { costed: known, uncosted: unknown, cost_usd: whole_usd, since }: CostPosition,
  { taken, held, missing }: LotRemoval & { readonly held: bigint },
): RemovedPart => {
  const cost_usd = whole_usd * ratioOf(taken, held);
  if (unknown === 0n) return { costed: taken, uncosted: 0n, cost_usd, costed_ratio: 1, missing, since, lots: null };
  const costed = (taken * known) / held;
  return { costed, uncosted: taken - costed, cost_usd, costed_ratio: ratioOf(known, held), missing, since, lots: null };
};

const fromLots = (lots: readonly CostLot[], { taken, missing }: LotRemoval): RemovedPart => {
  let costed = 0n;
  let cost_usd = 0;
  let since = 0;
  for (const lot of lots) {
    since += lot.since * ratioOf(lot.quantity, taken);
    if (lot.cost_usd === null) continue;
    costed += lot.quantity;
    cost_usd += lot.cost_usd;
  }
  return { costed, uncosted: taken - costed, cost_usd, costed_ratio: ratioOf(costed, taken), missing, since, lots };
};

/**
 * Shrinks the position to the `amount` that the contract reports, fewer than its movements add up to (a rebase): costed
 * and uncosted units shrink pro rata and the cost stays.
 */
export const shrink = (position: CostPosition, amount: bigint): void => {
  const held = quantityOf(position);
  if (amount >= held) return;
  const cost_usd = position.cost_usd;
  const { lots } = position;
  if (lots === null) {
    position.costed = (position.costed * amount) / held;
    position.uncosted = amount - position.costed;
    position.cost_usd = position.costed === 0n ? 0 : cost_usd;
    return;
  }
  const all = takeLots(lots, held);
  let left = amount;
  position.costed = 0n;
  position.uncosted = 0n;
  position.cost_usd = 0;
  for (const [i, lot] of all.entries()) {
    const quantity = i === all.length - 1 ? left : (lot.quantity * amount) / held;
    left -= quantity;
    if (quantity === 0n) continue;
    addLot(lots, { ...lot, quantity });
    if (lot.cost_usd === null) position.uncosted += quantity;
    else {
      position.costed += quantity;
      position.cost_usd += lot.cost_usd;
    }
  }
};
