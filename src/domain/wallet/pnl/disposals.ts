import type { Disposal, LedgerEntry } from "./ledger.ts";
import type { LedgerStep } from "./legs.ts";
import { type RemovedCost, ratioOf } from "./position.ts";

interface Sale {
  readonly entry: LedgerEntry;
  readonly amount: bigint;
  readonly proceeds: number;
  readonly removed: RemovedCost;
}

type DisposedPart = Pick<Disposal, "amount" | "acquired_at" | "held_s" | "proceeds_usd" | "cost_usd" | "unknown">;

/** Parts by lot: each has its share of the proceeds by quantity. */
const byLot = (time: number, { amount, proceeds, removed }: Sale): readonly DisposedPart[] =>
  (removed.lots ?? []).map(({ quantity, cost_usd, since, is_opening }) => ({
    ...{ amount: quantity, cost_usd, unknown: is_opening ? "opening" : null },
    ...(is_opening ? { acquired_at: null, held_s: null } : { acquired_at: since, held_s: time - since }),
    proceeds_usd: proceeds * ratioOf(quantity, amount),
  }));

/** One part with the average cost, and one of the units without a known cost. */
const byAverage = (time: number, { amount, proceeds, removed }: Sale): readonly DisposedPart[] => {
  const { costed, uncosted, cost_usd, costed_ratio, missing, since, has_opening } = removed;
  const covered = proceeds * ratioOf(amount - missing, amount);
  const unknown = has_opening ? "opening" : null;
  const held = { acquired_at: null, held_s: has_opening ? null : time - since, unknown } as const;
  return [
    { ...held, amount: costed, proceeds_usd: covered * costed_ratio, cost_usd },
    { ...held, amount: uncosted, proceeds_usd: covered * (1 - costed_ratio), cost_usd: null },
  ];
};

/** The parts of a sale, with one for units that the wallet is not known to have had. */
export const disposalsOf = ({ time, place = null }: LedgerStep, sale: Sale): readonly Disposal[] => {
  const { entry, amount, proceeds, removed } = sale;
  const parts = removed.lots === null ? byAverage(time, sale) : byLot(time, sale);
  const unseen: DisposedPart = {
    ...{ amount: removed.missing, acquired_at: null, held_s: null, cost_usd: null, unknown: "unseen" },
    proceeds_usd: proceeds * ratioOf(removed.missing, amount),
  };
  return [...parts, unseen]
    .filter((part) => part.amount > 0n || part.proceeds_usd > 0 || (part.cost_usd ?? 0) > 0)
    .map((part) => ({ ...part, bucket: entry.bucket, disposed_at: time, place }));
};
