/** Lines of `doctor` about the lists: the risks that they name, and those that none of them names. */
import { existsSync } from "node:fs";
import { NAMED_BY_LABELS } from "../domain/compliance/risk/tags.ts";
import { INDEXED_LABEL_SOURCES } from "../labels/derived_labels.ts";
import { PUBLISHED_LISTS, type PublishedList } from "../labels/published_lists.ts";
import { messageOf } from "../lib/errors.ts";
import { EVERY_EVM } from "../lib/every_evm.ts";
import { countSanctioned, currentLists } from "../store/lists.ts";
import type { FactsStore } from "../store/open.ts";
import { queryRows } from "../store/query.ts";
import { openFactsOnly } from "../wiring/stores.ts";
import type { CommandIo } from "./command.ts";
import { knownNetworks } from "./run.ts";

export interface ListedRisks {
  /** Addresses by risk category, on the enabled networks; 0 where no list names one. */
  readonly categories: Readonly<Record<string, number>>;
  /** Entries in force of all sanctions lists. */
  readonly sanctioned: number;
  /** Tokens and domains that imported lists name. */
  readonly tokens: number;
  readonly domains: number;
}

/** Null with the reason why the lists are not known. */
export type ListsFinding = { readonly lists: ListedRisks } | { readonly lists: null; readonly reason: string };

/** Counts what the lists of a store name. */
export const readListedRisks = async (
  store: Pick<FactsStore, "engine">,
  networks: readonly string[],
): Promise<ListedRisks> => {
  const [lists, rows] = await Promise.all([
    currentLists(store),
    queryRows(store.engine, "label_counts", {
      networks: [...new Set([...networks, EVERY_EVM])],
      derived: [...INDEXED_LABEL_SOURCES],
    }),
  ]);
  const named = new Map(rows.map(({ category, addresses }) => [category, addresses]));
  const of = (kind: PublishedList["kind"]) => lists.filter((list) => list.kind === kind);
  const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);
  return {
    categories: Object.fromEntries(NAMED_BY_LABELS.map((category) => [category, named.get(category) ?? 0])),
    sanctioned: sum(await Promise.all(of("sanctions").map(({ list }) => countSanctioned(store, list)))),
    tokens: sum(of("tokens").map((list) => list.rows)),
    domains: sum(of("domains").map((list) => list.rows)),
  };
};

/** Opens the store of the configuration, without making one. */
export const examineLists = async (io: CommandIo): Promise<ListsFinding> => {
  const loaded = io.settings();
  const { settings, data_dir } = loaded;
  if (settings.facts.engine === "embedded" && !existsSync(data_dir))
    return { lists: null, reason: "the instance has no data yet" };
  try {
    const store = await openFactsOnly(settings, data_dir);
    try {
      const networks = knownNetworks(loaded).map(({ id }) => id);
      return { lists: await readListedRisks(store, networks) };
    } finally {
      await store.close();
    }
  } catch (error) {
    return { lists: null, reason: messageOf(error) };
  }
};

const count = (value: number): string => value.toLocaleString("en-US");

/** A line per kind of list. */
export const listLines = (found: ListsFinding): string[] => {
  if (found.lists === null) return [`lists: not known (${found.reason})`];
  const { categories, sanctioned, tokens, domains } = found.lists;
  const named = Object.entries(categories).map(([category, addresses]) => `${category} ${count(addresses)}`);
  return [
    "lists",
    `  addresses by risk category: ${named.join(", ")}`,
    `  sanctions entries ${count(sanctioned)}, listed tokens ${count(tokens)}, domains of phishing sites ${count(domains)}`,
  ];
};

const named = (lists: readonly PublishedList[]): string => lists.map(({ name }) => name).join(" or ");

const ofKind = (kind: PublishedList["kind"]): string => named(PUBLISHED_LISTS.filter((list) => list.kind === kind));

/** Advice for each list that is missing. */
export const listAdvice = (found: ListsFinding): string[] => {
  if (found.lists === null) return [];
  const { categories, sanctioned, tokens, domains } = found.lists;
  const absent = Object.keys(categories).filter((category) => categories[category] === 0);
  const publishedFor = (category: string) => PUBLISHED_LISTS.filter((list) => list.categories.includes(category));
  const unpublished = absent.filter((category) => publishedFor(category).length === 0);
  return [
    ...(sanctioned === 0 ? [`no sanctions list is imported: run assay labels fetch ${ofKind("sanctions")}`] : []),
    ...absent.flatMap((category) => {
      const lists = publishedFor(category);
      return lists.length === 0 ? [] : [`no list names ${category} addresses: run assay labels fetch ${named(lists)}`];
    }),
    ...(unpublished.length === 0
      ? []
      : [`no list names ${unpublished.join(", ")} addresses: import one of your own with assay labels import`]),
    ...(domains === 0 ? [`no list names phishing sites: run assay labels fetch ${ofKind("domains")}`] : []),
    ...(tokens === 0 ? ["no token list is imported: run assay labels fetch uniswap-tokens"] : []),
  ];
};
