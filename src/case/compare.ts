/** Compares two answers to one call at one block, byte for byte, except members known to change. */
import { isRecord } from "../lib/record.ts";
import { canonicalJson } from "./canonical.ts";
import type { JsonMembers } from "./format.ts";

/**
 * Members that describe the computation instead of its result: how much of the history was indexed and verified, which versions
 * of lists were read, and notes about both. Members derived from them are compared.
 */
export const MAY_DIFFER: readonly string[] = [
  "metadata.coverage",
  "metadata.networks[].coverage",
  "metadata.sources",
  "metadata.warnings",
];

/** Members that name the block: ignored for tools that always answer as of the newest block. */
export const BLOCK_MEMBERS: readonly string[] = ["metadata.as_of", "metadata.networks[].as_of"];

export interface AnswerComparison {
  /** JSON pointers (RFC 6901) of members that differ and must not. */
  readonly differing: readonly string[];
  /** JSON pointers of members that differ and may. */
  readonly besides: readonly string[];
}

const POINTERS_MAX = 50;

/** @param live paths of members that may differ, such as `sanctions.lists_checked[].age_hours`. */
export const compareAnswers = (kept: JsonMembers, again: JsonMembers, live: readonly string[]): AnswerComparison => {
  const without = [kept, again].map((answer) =>
    live.reduce<unknown>((left, path) => cut(left, path.split(".")), answer),
  );
  const differing = pointers(without[0], without[1]);
  const all = pointers(kept, again);
  return { differing, besides: all.filter((pointer) => !differing.includes(pointer)) };
};

/** The value without the members at a path. */
const cut = (value: unknown, path: readonly string[]): unknown => {
  const [step = "", ...rest] = path;
  if (!isRecord(value)) return value;
  const name = step.replace(/\[\]$/, "");
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      if (key !== name) return [[key, member]];
      if (rest.length === 0) return [];
      if (step !== name) return [[key, Array.isArray(member) ? member.map((item) => cut(item, rest)) : member]];
      return [[key, cut(member, rest)]];
    }),
  );
};

const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

const pointers = (a: unknown, b: unknown): readonly string[] => {
  const found: string[] = [];
  walk({ a, b, at: "" }, found);
  return found;
};

interface ValuePair {
  readonly a: unknown;
  readonly b: unknown;
  readonly at: string;
}

const walk = ({ a, b, at }: ValuePair, found: string[]): void => {
  if (found.length >= POINTERS_MAX || canonicalJson(a ?? null) === canonicalJson(b ?? null)) {
    if (found.length < POINTERS_MAX && (a === undefined) !== (b === undefined)) found.push(at);
    return;
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    for (let i = 0; i < Math.max(a.length, b.length); i++) walk({ a: a[i], b: b[i], at: `${at}/${i}` }, found);
  } else if (isRecord(a) && isRecord(b)) {
    for (const name of [...new Set([...Object.keys(a), ...Object.keys(b)])].sort()) {
      const own = (value: JsonMembers): unknown => (Object.hasOwn(value, name) ? value[name] : undefined);
      walk({ a: own(a), b: own(b), at: `${at}/${escaped(name)}` }, found);
    }
  } else found.push(at);
};
