/** What was acquired at one time, in base units. `cost_usd` null: the cost is not known. */
export interface Lot {
  quantity: bigint;
  cost_usd: number | null;
  /** Unix seconds. */
  readonly since: number;
}

/** Consumed lots that are kept before the list is cut. */
const CONSUMED_MAX = 1_000;

/** Lots in the order in which they were acquired; the first to leave stands at `first`. */
export interface Lots {
  readonly list: Lot[];
  first: number;
}

export const emptyLots = (): Lots => ({ list: [], first: 0 });

/** The lots that are left, as a list of its own. */
export const copyLots = ({ list, first }: Lots): Lots => ({
  list: list.slice(first).map(({ quantity, cost_usd, since }) => ({ quantity, cost_usd, since })),
  first: 0,
});

/** Puts a lot where its time belongs, behind those of the same time. */
export const addLot = (lots: Lots, lot: Lot): void => {
  if (lot.quantity === 0n) return;
  const { list } = lots;
  let at = list.length;
  while (at > lots.first && (list[at - 1]?.since ?? 0) > lot.since) at -= 1;
  list.splice(at, 0, lot);
};

/** Takes `quantity` from the front; there must be that much. A lot that is cut keeps its cost pro rata. */
export const takeLots = (lots: Lots, quantity: bigint): readonly Lot[] => {
  const taken: Lot[] = [];
  let wanted = quantity;
  while (wanted > 0n) {
    const lot = lots.list[lots.first];
    if (lot === undefined) throw new RangeError("more was taken out of a position than lies in its lots");
    if (lot.quantity <= wanted) {
      taken.push(lot); // nobody reads it in the list any more
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
  // What was consumed is let go now and then, not at every step.
  if (lots.first > CONSUMED_MAX) {
    lots.list.splice(0, lots.first);
    lots.first = 0;
  }
  return taken;
};
