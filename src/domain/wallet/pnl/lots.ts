/** Units acquired at one time, in base units. `cost_usd` null: the cost is unknown. */
export interface CostLot {
  quantity: bigint;
  cost_usd: number | null;
  /** Unix seconds. */
  readonly since: number;
}

/** Limit of consumed lots before the list is cut. */
const CONSUMED_MAX = 1_000;

/** Which lot leaves first: the oldest, the newest, or the one with the highest cost per unit. */
export type LotOrder = "fifo" | "lifo" | "hifo";

/**
 * Remaining lots. In the order of acquisition; under `hifo` by cost per unit, the lowest first, unknown costs before all. The first lots leave
 * from the front, from `first` on, the newest and the dearest from the end.
 */
export interface CostLots {
  readonly order: LotOrder;
  readonly list: CostLot[];
  first: number;
}

export const emptyLots = (order: LotOrder): CostLots => ({ order, list: [], first: 0 });

/** Copies the remaining lots into an independent list. */
export const copyLots = ({ order, list, first }: CostLots): CostLots => ({
  order,
  list: list.slice(first).map(({ quantity, cost_usd, since }) => ({ quantity, cost_usd, since })),
  first: 0,
});

const unitCost = ({ quantity, cost_usd }: CostLot): number => (cost_usd === null ? -1 : cost_usd / Number(quantity));

/** Whether `a` comes after `b` in the list. Of lots with one cost per unit, the oldest leaves first. */
const isAfter = (order: LotOrder, a: CostLot, b: CostLot): boolean => {
  if (order !== "hifo") return a.since > b.since;
  const [cost, other] = [unitCost(a), unitCost(b)];
  return cost === other ? a.since < b.since : cost > other;
};

/** Inserts a lot in the order of the list, after its equals. */
export const addLot = (lots: CostLots, lot: CostLot): void => {
  if (lot.quantity === 0n) return;
  const { order, list } = lots;
  let [from, to] = [lots.first, list.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const known = list[middle];
    if (known !== undefined && isAfter(order, known, lot)) to = middle;
    else from = middle + 1;
  }
  list.splice(from, 0, lot);
};

const nextOf = ({ order, list, first }: CostLots): CostLot | undefined =>
  order === "fifo" ? list[first] : list[list.length - 1];

/** Drops the lot that leaves next. */
const dropNext = (lots: CostLots): void => {
  if (lots.order === "fifo") lots.first += 1;
  else lots.list.pop();
};

/**
 * Takes `quantity` in the order of the lots. A split lot keeps its cost pro rata.
 * @throws RangeError when the lots hold less.
 */
export const takeLots = (lots: CostLots, quantity: bigint): readonly CostLot[] => {
  const taken: CostLot[] = [];
  let wanted = quantity;
  while (wanted > 0n) {
    const lot = nextOf(lots);
    if (lot === undefined) throw new RangeError("more was taken out of a position than its lots hold");
    if (lot.quantity <= wanted) {
      taken.push(lot); // the list does not read it any more
      wanted -= lot.quantity;
      dropNext(lots);
      continue;
    }
    const cost = lot.cost_usd === null ? null : (lot.cost_usd * Number(wanted)) / Number(lot.quantity);
    taken.push({ quantity: wanted, cost_usd: cost, since: lot.since });
    lot.quantity -= wanted;
    if (lot.cost_usd !== null && cost !== null) lot.cost_usd -= cost;
    wanted = 0n;
  }
  // Consumed lots are dropped in batches, not at every step.
  if (lots.first > CONSUMED_MAX) {
    lots.list.splice(0, lots.first);
    lots.first = 0;
  }
  return taken;
};
