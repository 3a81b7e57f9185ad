/** Caveats of answers about networks that are read on demand (docs/design/on_demand.md). */
import type { CallContext, Warning } from "../domain/context.ts";
import type { QueryName, Snapshot } from "../store/facts.ts";

const LABELS: readonly QueryName[] = ["labels_among"];

/** Facts that such a network does not have, once for each network that a run has read. */
export const warnOfOnDemand = (
  { chain }: Pick<CallContext, "chain">,
  snapshots: readonly Snapshot[],
  lists: ReadonlyMap<QueryName, unknown>,
): readonly Warning[] => {
  const followed = new Map<string, boolean>();
  for (const { network, followed: mark } of snapshots)
    if (mark !== undefined) followed.set(network, (followed.get(network) ?? true) && mark.is_plain);
  return [...followed].flatMap(([id, is_plain]): Warning[] => {
    const { network, past } = chain(id);
    const { name } = network;
    const warnings: Warning[] = [];
    if (!is_plain && past !== undefined) warnings.push({ code: past.doubt.code, message: past.doubt.message(name) });
    if (LABELS.some((query) => lists.has(query)))
      warnings.push({
        code: "LABELS_NOT_DERIVED",
        message: `${name} is read on demand: labels come from lists alone, and an address without a label may be a pool, a deposit address or a copy of a known contract.`,
      });
    return warnings;
  });
};
