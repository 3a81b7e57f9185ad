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
  const followed = new Map<string, { readonly is_plain: boolean; readonly has_rows: boolean }>();
  for (const { network, followed: mark } of snapshots) {
    if (mark === undefined) continue;
    const { is_plain = true, has_rows = false } = followed.get(network) ?? {};
    followed.set(network, {
      is_plain: is_plain && mark.is_plain,
      has_rows: has_rows || mark.addresses.length > 0,
    });
  }
  return [...followed].flatMap(([id, { is_plain, has_rows }]): Warning[] => {
    const { network, past } = chain(id);
    const { name } = network;
    const warnings: Warning[] = [];
    if (!has_rows)
      warnings.push({
        code: "HISTORY_NOT_READ",
        message: `${name} is read on demand: the answer rests on the node's state, on the blocks that it names and on lists. A figure that needs more of the network's history is unknown.`,
      });
    if (!is_plain && past !== undefined) warnings.push({ code: past.doubt.code, message: past.doubt.message(name) });
    if (LABELS.some((query) => lists.has(query)))
      warnings.push({
        code: "LABELS_NOT_DERIVED",
        message: `${name} is read on demand: labels come from lists alone, and an address without a label may be a pool, a deposit address or a copy of a known contract.`,
      });
    return warnings;
  });
};
