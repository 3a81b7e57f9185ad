import type { Outcome } from "../../lib/outcome.ts";
import { isRecord } from "../../lib/record.ts";
import type { ListVersion } from "../../store/facts.ts";

/** `metadata` whose `sources` name these lists too. A source that the tool named itself stays as it is. */
const named = (metadata: unknown, lists: readonly ListVersion[]): unknown => {
  if (!isRecord(metadata) || !Array.isArray(metadata.sources)) return metadata;
  const own: readonly unknown[] = metadata.sources;
  const ids = new Set(own.map((source) => (isRecord(source) ? source.id : undefined)));
  const more = lists.filter(({ id }) => !ids.has(id)).sort((a, b) => (a.id < b.id ? -1 : 1));
  return { ...metadata, sources: [...own, ...more] };
};

/** Names in `metadata.sources` every imported list that a run's questions read, whatever the tool says of them. */
export const nameListSources = (outcome: Outcome<unknown>, lists: readonly ListVersion[]): Outcome<unknown> => {
  if (lists.length === 0) return outcome;
  if (outcome.kind !== "data") return { ...outcome, metadata: named(outcome.metadata, lists) };
  const { data } = outcome;
  return isRecord(data) && Object.hasOwn(data, "metadata")
    ? { kind: "data", data: { ...data, metadata: named(data.metadata, lists) } }
    : outcome;
};
