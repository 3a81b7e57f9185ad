/** Units acquired at one time, in base units. `cost_usd` null: the cost is unknown. */
export interface CostLot {
  quantity: bigint;
  cost_usd: number | null;
  /** Unix seconds. */
  readonly since: number;
  /** Held before the first known movement: acquired at `since` or earlier. */
  readonly is_opening: boolean;
}

/** Limit of consumed lots before a list is cut. */
const CONSUMED_MAX = 1_000;

/** Which lot leaves first: the oldest, the newest, or the one with the highest cost per unit. */
export type LotOrder = "fifo" | "lifo" | "hifo";

/** Lots in the order of acquisition. Those before `first` have left. */
interface LotRun {
  /** Cost per unit, -1 for an unknown one; 0 where costs do not order the lots. */
  readonly unit_cost: number;
  lots: CostLot[];
  first: number;
}

/**
 * Remaining lots. One run; under `hifo` one for each cost per unit, the lowest first and unknown costs before all. Histories have many lots
 * of one cost (of tokens without a price, of dollar coins), so that a run grows at its end.
 */
export interface CostLots {
  readonly order: LotOrder;
  readonly runs: LotRun[];
}

export const emptyLots = (order: LotOrder): CostLots => ({ order, runs: [] });

/** Copies the remaining lots into an independent list. */
export const copyLots = ({ order, runs }: CostLots): CostLots => ({
  order,
  runs: runs.map(({ unit_cost, lots, first }) => ({
    unit_cost,
    lots: lots.slice(first).map((lot) => ({ ...lot })),
    first: 0,
  })),
});

/** Lots in memory. */
export const lotsCount = ({ runs }: CostLots): number => runs.reduce((sum, { lots }) => sum + lots.length, 0);

const unitCost = ({ quantity, cost_usd }: CostLot): number => (cost_usd === null ? -1 : cost_usd / Number(quantity));

/** First place in a sorted range whose value is above `value`. */
const placeAfter = (value: number, [from, to]: readonly [number, number], valueAt: (at: number) => number): number => {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (valueAt(middle) > value) high = middle;
    else low = middle + 1;
  }
  return low;
};

const runFor = ({ order, runs }: CostLots, lot: CostLot): LotRun => {
  const unit_cost = order === "hifo" ? unitCost(lot) : 0;
  const place = placeAfter(unit_cost, [0, runs.length], (at) => runs[at]?.unit_cost ?? 0);
  const before = runs[place - 1];
  if (before?.unit_cost === unit_cost) return before;
  const fresh: LotRun = { unit_cost, lots: [], first: 0 };
  runs.splice(place, 0, fresh);
  return fresh;
};

/** Adds a lot, after those that were acquired at the same time. */
export const addLot = (lots: CostLots, lot: CostLot): void => {
  if (lot.quantity === 0n) return;
  const run = runFor(lots, lot);
  const place = placeAfter(lot.since, [run.first, run.lots.length], (at) => run.lots[at]?.since ?? 0);
  run.lots.splice(place, 0, lot);
};

/** Drops the lot that leaves next. */
const dropNext = ({ order, runs }: CostLots, run: LotRun): void => {
  if (order === "lifo") run.lots.pop();
  else run.first += 1;
  if (run.first === run.lots.length) runs.pop();
  // Consumed lots are dropped in batches, not at every step.
  else if (run.first > CONSUMED_MAX) {
    run.lots = run.lots.slice(run.first);
    run.first = 0;
  }
};

/**
 * Takes `quantity` in the order of the lots. A split lot keeps its cost pro rata.
 * @throws RangeError when the lots hold less.
 */
export const takeLots = (lots: CostLots, quantity: bigint): readonly CostLot[] => {
  const taken: CostLot[] = [];
  let wanted = quantity;
  while (wanted > 0n) {
    // Of the highest cost per unit.
    const run = lots.runs.at(-1);
    const lot = lots.order === "lifo" ? run?.lots.at(-1) : run?.lots[run.first];
    if (run === undefined || lot === undefined)
      throw new RangeError("more was taken out of a position than its lots hold");
    if (lot.quantity <= wanted) {
      taken.push(lot); // no run reads it any more
      wanted -= lot.quantity;
      dropNext(lots, run);
      continue;
    }
    const cost = lot.cost_usd === null ? null : (lot.cost_usd * Number(wanted)) / Number(lot.quantity);
    taken.push({ ...lot, quantity: wanted, cost_usd: cost });
    lot.quantity -= wanted;
    if (lot.cost_usd !== null && cost !== null) lot.cost_usd -= cost;
    wanted = 0n;
  }
  return taken;
};
