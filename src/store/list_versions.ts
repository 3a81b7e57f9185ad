import type { Engine } from "./engine.ts";
import type { Facts, ListsAsOf, ListVersion, QueryName } from "./facts.ts";
import { queryRows } from "./query.ts";
import { questionText } from "./question_text.ts";
import { tablesRead } from "./tables_read.ts";
import type { WriteObserver } from "./write_observer.ts";

/** The table that holds the rows of each kind of list. */
const TABLES = {
  labels: "labels",
  sanctions: "sanctions",
  tokens: "listed_tokens",
  domains: "listed_domains",
} as const;
type VersionedList = keyof typeof TABLES;

/** Kinds of lists whose rows a question reads, as its text says. */
const kindsReadBy = (query: QueryName): readonly VersionedList[] => {
  const read = tablesRead(questionText(query));
  // Keys of TABLES, which Object.entries widens.
  return Object.entries(TABLES).flatMap(([kind, table]) => (read.includes(table) ? [kind as VersionedList] : []));
};

/** The imported lists, read again only after a write. */
const openHeads = (
  engine: Engine,
  looks: WriteObserver,
): ((as_of: ListsAsOf) => Promise<readonly (ListVersion & { readonly kind: string })[]>) => {
  const read = async () =>
    (await queryRows(engine, "current_lists", {})).map(({ list, kind, version, published_on }) => ({
      kind,
      id: `${kind}/${list}`,
      version,
      updated_at: published_on === "" ? null : `${published_on}T00:00:00Z`,
    }));
  let known: { readonly writes: string; readonly heads: ReturnType<typeof read> } | null = null;
  return async (as_of) => {
    const seen = (as_of === "last_look" ? looks.latest() : null) ?? (await looks.take());
    const writes = seen.of(["lists"], null);
    if (known?.writes !== writes) known = { writes, heads: read() };
    const { heads } = known;
    try {
      return await heads;
    } catch (error) {
      if (known?.heads === heads) known = null;
      throw error;
    }
  };
};

/** Tells which imported lists a question reads, in their present versions. */
export const openListVersions = (engine: Engine, looks: WriteObserver): Facts["lists"] => {
  const kinds = new Map<QueryName, readonly VersionedList[]>();
  const heads = openHeads(engine, looks);
  return async (query, as_of = "now") => {
    const read = kinds.get(query) ?? kindsReadBy(query);
    kinds.set(query, read);
    if (read.length === 0) return [];
    return (await heads(as_of))
      .filter(({ kind }) => read.some((one) => one === kind))
      .map(({ id, version, updated_at }) => ({ id, version, updated_at }));
  };
};
