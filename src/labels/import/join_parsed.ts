import { labelKey } from "./label_targets.ts";
import type { ImportRefusal, ListedDomain, ListedToken, ParsedList } from "./parsed_list.ts";
import { sanctionsKey } from "./sanctions_generic.ts";

const tokenKey = ({ network, token }: ListedToken): string => `${network}:${token}`;
const domainKey = ({ domain }: ListedDomain): string => domain;

const later = (a: string, b: string): string => (a > b ? a : b);

/** Entries of both by key; the first of a key stays. */
const joined = <T>(a: readonly T[], b: readonly T[], keyOf: (entry: T) => string): readonly T[] =>
  [...new Map([...a, ...b].reverse().map((entry) => [keyOf(entry), entry])).values()].reverse();

const refusals = (all: readonly ImportRefusal[]): readonly ImportRefusal[] => {
  const reasons = new Map<string, ImportRefusal>();
  for (const one of all) {
    const seen = reasons.get(one.reason);
    reasons.set(one.reason, seen === undefined ? one : { ...seen, count: seen.count + one.count });
  }
  return [...reasons.values()];
};

const entriesOf = (a: ParsedList, b: ParsedList): Pick<ParsedList, "kind" | "entries"> => {
  if (a.kind === "labels" && b.kind === "labels")
    return { kind: a.kind, entries: joined(a.entries, b.entries, labelKey) };
  if (a.kind === "sanctions" && b.kind === "sanctions")
    return { kind: a.kind, entries: joined(a.entries, b.entries, sanctionsKey) };
  if (a.kind === "tokens" && b.kind === "tokens")
    return { kind: a.kind, entries: joined(a.entries, b.entries, tokenKey) };
  if (a.kind === "domains" && b.kind === "domains")
    return { kind: a.kind, entries: joined(a.entries, b.entries, domainKey) };
  throw new RangeError(`files of one format gave ${a.kind} and ${b.kind}`);
};

/** The contents of two files of one list. Without a version: the files are versioned by what they hold. */
export const joinParsed = (a: ParsedList, b: ParsedList): ParsedList => {
  const both = entriesOf(a, b);
  // entriesOf keeps kind and entries together.
  return {
    ...both,
    refused: refusals([...a.refused, ...b.refused]),
    duplicates: a.duplicates + b.duplicates + a.entries.length + b.entries.length - both.entries.length,
    version: "",
    published_on: later(a.published_on, b.published_on),
  } as ParsedList;
};
