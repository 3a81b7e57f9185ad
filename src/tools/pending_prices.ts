/** Warns of prices that are still being derived, beside the reasons of a tool for missing values. */

import type { CallContext, Warning } from "../domain/context.ts";
import { PriceCache } from "../domain/valuation/prices/price_cache.ts";
import { pendingPrices } from "../domain/valuation/prices/price_now.ts";
import type { Outcome } from "../lib/outcome.ts";
import { isRecord } from "../lib/record.ts";
import { isoDay } from "../lib/time.ts";
import type { Snapshot } from "../store/facts.ts";

/** The missing prices on demand, in a warning for callers. */
const lackingOnDemand = (
  { network }: Snapshot,
  { unpriced, unread }: ReturnType<PriceCache["lackingAt"]>,
): Warning[] => {
  const sentences = [
    ...(unread ? [`The node did not tell the prices of some hours on ${network}; Assay asks again.`] : []),
    ...(unpriced
      ? [
          `${network} is read on demand: prices come from the pools of known factories against the native coin and dollar coins, and some tokens had none. Their missing value in USD is unknown, not zero, and totals in USD leave it out.`,
        ]
      : []),
  ];
  return sentences.length === 0 ? [] : [{ code: "PRICES_NOT_READ", message: sentences.join(" ") }];
};

/** Whether a run that used these kinds of memory (`Facts.own`) asked for prices. */
export const asksPrices = (kinds: ReadonlySet<object>): boolean => kinds.has(PriceCache);

/** The networks whose prices a run may have lacked, each with the days that wait for them. */
export const warnOfPendingPrices = async (
  context: Pick<CallContext, "facts" | "chain">,
  snapshots: readonly Snapshot[],
): Promise<readonly Warning[]> => {
  const newest = new Map<string, Snapshot>();
  for (const snapshot of snapshots)
    if ((newest.get(snapshot.network)?.block.number ?? -1) < snapshot.block.number)
      newest.set(snapshot.network, snapshot);
  const warnings = await Promise.all(
    [...newest.values()].map(async (snapshot): Promise<readonly Warning[]> => {
      const { network } = context.chain(snapshot.network);
      if (snapshot.followed !== undefined)
        return lackingOnDemand(snapshot, context.facts.own(PriceCache).lackingAt(snapshot));
      const pending = await pendingPrices({ facts: context.facts, network, snapshot });
      if (pending === null) return [];
      const days = `${isoDay(pending.from)} to ${isoDay(pending.until - 1)}`;
      const message = `Prices of ${network.id} from ${days} are still being derived: a value of that time that is missing here is unknown, not without a price, and a total that needs it is a lower bound. Ask again later.`;
      return [{ code: "PRICES_PENDING", message }];
    }),
  );
  return warnings.flat();
};

const warned = (metadata: unknown, more: readonly Warning[]): unknown =>
  isRecord(metadata) && Array.isArray(metadata.warnings)
    ? { ...metadata, warnings: [...metadata.warnings, ...more] }
    : metadata;

/** `outcome` with these warnings in its metadata. */
export const withWarnings = (outcome: Outcome<unknown>, warnings: readonly Warning[]): Outcome<unknown> => {
  if (warnings.length === 0) return outcome;
  if (outcome.kind !== "data") return { ...outcome, metadata: warned(outcome.metadata, warnings) };
  const { data } = outcome;
  return isRecord(data) && Object.hasOwn(data, "metadata")
    ? { kind: "data", data: { ...data, metadata: warned(data.metadata, warnings) } }
    : outcome;
};
