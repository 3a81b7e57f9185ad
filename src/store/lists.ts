import { fromHex, type Hex } from "../lib/bytes.ts";
import { EVERY_EVM } from "../lib/every_evm.ts";
import type { QueryRow } from "./facts.ts";
import type { FactsStore } from "./open.ts";
import { queryRows } from "./query.ts";
import type { LabelsRow, ListedDomainsRow, ListedTokensRow, SanctionsRow } from "./tables.gen.ts";

interface ListsStore extends Pick<FactsStore, "engine"> {
  readonly writer: Pick<FactsStore["writer"], "insert">;
}

export type ListHead = Omit<QueryRow<"current_lists">, "rows" | "imported_at_ms">;
export type LabelEntry = QueryRow<"labels_of_list">;
export type SanctionEntry = Omit<QueryRow<"sanctions_of_list">, "is_removed">;
export type TokenEntry = Omit<QueryRow<"tokens_of_list">, "is_removed">;
export type DomainEntry = Omit<QueryRow<"domains_of_list">, "is_removed">;

/** The rows of a list, by its kind. */
export type ListEntries =
  | { readonly kind: "labels"; readonly entries: readonly LabelEntry[] }
  | { readonly kind: "sanctions"; readonly entries: readonly SanctionEntry[] }
  | { readonly kind: "tokens"; readonly entries: readonly TokenEntry[] }
  | { readonly kind: "domains"; readonly entries: readonly DomainEntry[] };

/** How the list differed from its stored version. */
export interface ListDifference {
  /** New or changed. */
  readonly written: number;
  /** Of these, how many replace a stored row. */
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
}

const bytesOf = (hex: Hex): Uint8Array => {
  const bytes = fromHex(hex);
  if (bytes === null) throw new RangeError(`not hex: ${hex}`);
  return bytes;
};

interface Difference<T> {
  /** New, or different from the stored row of that key. */
  readonly fresh: readonly T[];
  /** Stored rows that the new list lacks. */
  readonly gone: readonly T[];
  /** Of the fresh ones, how many replace a stored row. */
  readonly changed: number;
  readonly unchanged: number;
}

interface EntryComparison<T> {
  readonly keyOf: (entry: T) => string;
  /** As returned by the store. */
  readonly asStored?: (entry: T) => T;
}

const differ = <T extends object>(
  stored: readonly T[],
  wanted: readonly T[],
  { keyOf, asStored = (entry) => entry }: EntryComparison<T>,
): Difference<T> => {
  if (stored.length === 0) return { fresh: wanted, gone: [], changed: 0, unchanged: 0 };
  const said = (entry: T) => JSON.stringify(Object.entries(asStored(entry)).sort(([a], [b]) => (a < b ? -1 : 1)));
  const before = new Map(stored.map((entry) => [keyOf(entry), entry]));
  const keys = new Set(wanted.map(keyOf));
  const fresh = wanted.filter((entry) => {
    const same = before.get(keyOf(entry));
    return same === undefined || said(same) !== said(entry);
  });
  const gone = stored.filter((entry) => !keys.has(keyOf(entry)));
  const changed = fresh.filter((entry) => before.has(keyOf(entry))).length;
  return { fresh, gone, changed, unchanged: wanted.length - fresh.length };
};

interface ListChange<T> {
  readonly entries: readonly T[];
  /** The whole list is removed. */
  readonly is_removal: boolean;
  readonly now_ms: number;
}

/** Confidence is kept as a Float32, which comes back in other digits: both sides are compared as such. */
const asStored = (entry: LabelEntry): LabelEntry => ({ ...entry, confidence: Math.fround(entry.confidence) });

const labelKeyAt = (network: string, { address, label }: LabelEntry): string => `${network} ${address} ${label}`;

const labelKey = (entry: LabelEntry): string => labelKeyAt(entry.network, entry);

/** The entries without copies: a label of every EVM network is also stored under each of these networks (indexer/label_pack.ts). */
const withoutCopies = (entries: readonly LabelEntry[]): readonly LabelEntry[] => {
  const everywhere = new Set(entries.filter(({ network }) => network === EVERY_EVM).map(labelKey));
  return entries.filter((entry) => entry.network === EVERY_EVM || !everywhere.has(labelKeyAt(EVERY_EVM, entry)));
};

const replaceLabels = async (
  store: ListsStore,
  list: string,
  change: ListChange<LabelEntry>,
): Promise<ListDifference> => {
  const held = (await queryRows(store.engine, "labels_of_list", { list })).filter(({ category }) => category !== "");
  const [stored, wanted] = [withoutCopies(held), withoutCopies(change.entries)];
  const { fresh, gone, changed, unchanged } = differ(stored, wanted, { keyOf: labelKey, asStored });
  // A label without a category was removed (0004_lists.sql).
  const taken_back = gone.map((entry) => ({ ...entry, category: "" }));
  const rowsAt = (entries: readonly LabelEntry[], ms: number) =>
    // Field by field: rest and spread take three times as long for thousands of rows.
    entries.map(
      ({ network, address, label, category, entity, confidence, evidence, licence, published_on }): LabelsRow => ({
        ...{ network, label, category, entity, confidence, evidence, licence, published_on },
        address: bytesOf(address),
        source: list,
        valid_from: 0,
        written_at: ms / 1000,
      }),
    );
  // Older than its replacement: for every EVM network before, for one now.
  await store.writer.insert("labels", [...rowsAt(fresh, change.now_ms), ...rowsAt(taken_back, change.now_ms - 1)]);
  return { written: fresh.length, changed, removed: gone.length, unchanged };
};

const replaceSanctions = async (
  store: ListsStore,
  { list, version, day }: { readonly list: string; readonly version: string; readonly day: string },
  change: ListChange<SanctionEntry>,
): Promise<ListDifference> => {
  const known = await queryRows(store.engine, "sanctions_of_list", { list });
  const stored = known.filter(({ is_removed }) => is_removed === 0).map(({ is_removed: _, ...entry }) => entry);
  const keyOf = ({ family, address, asset_code }: SanctionEntry) => `${family} ${address} ${asset_code}`;
  const { fresh, gone, changed, unchanged } = differ(stored, change.entries, { keyOf });
  // Entries that a list no longer has were delisted and stay as history. Only removing the list removes them.
  const left = change.is_removal ? gone : gone.filter(({ delisted_on }) => delisted_on === "");
  const rowOf =
    (said: { readonly is_removed: number }) =>
    ({ address, ...entry }: SanctionEntry): SanctionsRow => ({
      ...entry,
      ...said,
      address: bytesOf(address),
      list,
      version,
      written_at: change.now_ms / 1000,
    });
  const delisted = left.map((entry) => (change.is_removal ? entry : { ...entry, delisted_on: day }));
  const rows = [
    ...fresh.map(rowOf({ is_removed: 0 })),
    ...delisted.map(rowOf({ is_removed: change.is_removal ? 1 : 0 })),
  ];
  await store.writer.insert("sanctions", rows);
  return { written: fresh.length, changed, removed: left.length, unchanged };
};

const replaceTokens = async (
  store: ListsStore,
  list: string,
  change: ListChange<TokenEntry>,
): Promise<ListDifference> => {
  const known = await queryRows(store.engine, "tokens_of_list", { list });
  const stored = known.filter(({ is_removed }) => is_removed === 0).map(({ is_removed: _, ...entry }) => entry);
  const keyOf = ({ network, token }: TokenEntry) => `${network} ${token}`;
  const { fresh, gone, changed, unchanged } = differ(stored, change.entries, { keyOf });
  const rowOf =
    (is_removed: number) =>
    ({ token, ...entry }: TokenEntry): ListedTokensRow => ({
      ...entry,
      token: bytesOf(token),
      list,
      is_removed,
      written_at: change.now_ms / 1000,
    });
  await store.writer.insert("listed_tokens", [...fresh.map(rowOf(0)), ...gone.map(rowOf(1))]);
  return { written: fresh.length, changed, removed: gone.length, unchanged };
};

const replaceDomains = async (
  store: ListsStore,
  list: string,
  change: ListChange<DomainEntry>,
): Promise<ListDifference> => {
  const known = await queryRows(store.engine, "domains_of_list", { list });
  const stored = known.filter(({ is_removed }) => is_removed === 0).map(({ is_removed: _, ...entry }) => entry);
  const { fresh, gone, changed, unchanged } = differ(stored, change.entries, { keyOf: ({ domain }) => domain });
  const rowOf =
    (is_removed: number) =>
    (entry: DomainEntry): ListedDomainsRow => ({ ...entry, list, is_removed, written_at: change.now_ms / 1000 });
  await store.writer.insert("listed_domains", [...fresh.map(rowOf(0)), ...gone.map(rowOf(1))]);
  return { written: fresh.length, changed, removed: gone.length, unchanged };
};

type AnyListChange = ListEntries & Omit<ListChange<never>, "entries">;

const replaceRows = (store: ListsStore, head: ListHead, change: AnyListChange): Promise<ListDifference> => {
  const { list, version } = head;
  const day = head.published_on === "" ? new Date(change.now_ms).toISOString().slice(0, 10) : head.published_on;
  if (change.kind === "labels") return replaceLabels(store, list, change);
  if (change.kind === "tokens") return replaceTokens(store, list, change);
  if (change.kind === "domains") return replaceDomains(store, list, change);
  return replaceSanctions(store, { list, version, day }, change);
};

const writeHead = (store: ListsStore, head: ListHead, said: { rows: number; is_removed: number; now_ms: number }) => {
  const { now_ms, ...row } = said;
  return store.writer.insert("lists", [{ ...head, ...row, imported_at: now_ms / 1000 }]);
};

/** Present lists, by name. */
export const currentLists = ({ engine }: Pick<ListsStore, "engine">): Promise<readonly QueryRow<"current_lists">[]> =>
  queryRows(engine, "current_lists", {});

/** Entries of a sanctions list that are in force. */
export const countSanctioned = async ({ engine }: Pick<ListsStore, "engine">, list: string): Promise<number> => {
  const rows = await queryRows(engine, "sanctions_of_list", { list });
  return rows.filter(({ is_removed, delisted_on }) => is_removed === 0 && delisted_on === "").length;
};

const isHeadOf = (held: ListHead | null, head: ListHead): boolean =>
  // The keys of a head are its columns.
  held !== null && (Object.keys(head) as (keyof ListHead)[]).every((key) => held[key] === head[key]);

/**
 * Replaces the stored list by `rows` with one atomic insert of the differences, then records its version. An unchanged list
 * writes only the time of its confirmation, and not even that when its head equals `unless`.
 */
export const replaceList = async (
  store: ListsStore,
  head: ListHead,
  rows: ListEntries & { readonly now_ms: number; readonly unless?: ListHead | null },
): Promise<ListDifference> => {
  const replaced = await replaceRows(store, head, { ...rows, is_removal: false });
  const is_new = replaced.written + replaced.removed > 0;
  if (!is_new && isHeadOf(rows.unless ?? null, head)) return replaced;
  await writeHead(store, head, { rows: rows.entries.length, is_removed: 0, now_ms: rows.now_ms });
  return replaced;
};

/** How rows differ from the stored list; nothing is written. */
export const compareList = (
  { engine }: Pick<ListsStore, "engine">,
  head: ListHead,
  rows: ListEntries & { readonly now_ms: number },
): Promise<ListDifference> =>
  replaceRows({ engine, writer: { insert: async () => undefined } }, head, { ...rows, is_removal: false });

/** A label of another source for an address of a list. */
export type LabelBeside = QueryRow<"labels_beside">;

/** Addresses of one query. */
const BESIDE_MAX = 2_000;

/** Labels that other sources give the addresses of these labels. */
export const labelsBeside = async (
  { engine }: Pick<ListsStore, "engine">,
  { list, networks }: { readonly list: string; readonly networks: readonly string[] },
  entries: readonly Pick<LabelEntry, "address">[],
): Promise<readonly LabelBeside[]> => {
  const addresses = [...new Set(entries.map(({ address }) => address))];
  const found: LabelBeside[] = [];
  for (let at = 0; at < addresses.length; at += BESIDE_MAX)
    found.push(
      ...(await queryRows(engine, "labels_beside", {
        ...{ list, networks: [...networks], addresses: addresses.slice(at, at + BESIDE_MAX) },
      })),
    );
  return found;
};

/** An address of which no personal records are shown, or are shown again. */
export interface SuppressedAddress {
  readonly family: string;
  readonly address: Hex;
  readonly reason: string;
  readonly is_removed: boolean;
}

/** Notes which addresses are suppressed. */
export const suppress = (store: ListsStore, rows: readonly SuppressedAddress[], now_ms: number): Promise<void> =>
  store.writer.insert(
    "suppressed",
    rows.map(({ family, address, reason, is_removed }) => ({
      family,
      address: bytesOf(address),
      reason,
      is_removed: is_removed ? 1 : 0,
      written_at: now_ms / 1000,
    })),
  );

/** Removes a list. Its head is removed first, so that checks against it fail closed at once. */
export const removeList = async (store: ListsStore, head: ListHead, now_ms: number): Promise<ListDifference> => {
  await writeHead(store, head, { rows: 0, is_removed: 1, now_ms });
  return replaceRows(store, head, { kind: head.kind, entries: [], is_removal: true, now_ms });
};
