/** Units acquired at one time, in base units. `cost_usd` null: the cost is unknown. */
export interface CostLot {
  quantity: bigint;
  cost_usd: number | null;
  /** Unix seconds. */
  readonly since: number;
}

/** Limit of consumed lots before the list is cut. */
const CONSUMED_MAX = 1_000;

/** Lots in the order of acquisition; `first` is the index of the next lot to leave. */
export interface CostLots {
  readonly list: CostLot[];
  first: number;
}

export const emptyLots = (): CostLots => ({ list: [], first: 0 });

/** Copies the remaining lots into an independent list. */
export const copyLots = ({ list, first }: CostLots): CostLots => ({
  list: list.slice(first).map(({ quantity, cost_usd, since }) => ({ quantity, cost_usd, since })),
  first: 0,
});

/** Inserts a lot by its time, after those of the same time. */
export const addLot = (lots: CostLots, lot: CostLot): void => {
  if (lot.quantity === 0n) return;
  const { list } = lots;
  let at = list.length;
  while (at > lots.first && (list[at - 1]?.since ?? 0) > lot.since) at -= 1;
  list.splice(at, 0, lot);
};

/**
 * Takes `quantity` from the front. A split lot keeps its cost pro rata.
 * @throws RangeError when the lots hold less.
 */
export const takeLots = (lots: CostLots, quantity: bigint): readonly CostLot[] => {
  const taken: CostLot[] = [];
  let wanted = quantity;
  while (wanted > 0n) {
    const lot = lots.list[lots.first];
    if (lot === undefined) throw new RangeError("more was taken out of a position than its lots hold");
    if (lot.quantity <= wanted) {
      taken.push(lot); // the list does not read it any more
      wanted -= lot.quantity;
      lots.first += 1;
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
