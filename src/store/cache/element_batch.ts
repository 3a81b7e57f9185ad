import { createHash } from "node:crypto";
import type { QueryName } from "../facts.ts";
import { encodeParam, type Param } from "../param.ts";
import { QUERIES } from "../queries.gen.ts";
import type { QueryValues } from "../query.ts";
import type { CacheDefinition } from "./cached_queries.ts";

/** Elements of a query by name, each with its position in the lists. */
export interface ElementBatch {
  /** Of every element's key: the question and all else that its rows depend on, apart from what was written. */
  readonly prefix: string;
  readonly elements: ReadonlyMap<string, number>;
  /** Bounds that rows depend on but the key omits: no caller needs an older value. */
  readonly ground: string;
}

/** Bounds that change with time for all callers. */
const GROUND: readonly string[] = ["from_block", "final_block"];

const DIGEST_LENGTH = 22;

/** Parameters may be long lists. */
const shortened = (text: string): string =>
  text.length <= 2 * DIGEST_LENGTH
    ? text
    : createHash("sha256").update(text).digest("base64url").slice(0, DIGEST_LENGTH);

const listOf = (values: QueryValues, name: string): readonly Param[] => {
  const list = values[name] ?? null;
  if (!Array.isArray(list)) throw new RangeError(`${name} is no list`);
  return list;
};

/** The name of an element, as lists say it and as rows do. */
export const elementName = (parts: readonly unknown[]): string => parts.join(":");

export const elementBatch = <N extends QueryName>(
  query: N,
  entry: CacheDefinition<N>,
  values: QueryValues,
): ElementBatch => {
  const lists = entry.lists.map((name) => listOf(values, name));
  const length = lists[0]?.length ?? 1;
  if (lists.some((list) => list.length !== length)) throw new RangeError(`${query}: lists of different lengths`);
  const elements = new Map<string, number>();
  for (let at = 0; at < length; at += 1) elements.set(elementName(lists.map((list) => list[at])), at);
  const others = Object.keys(QUERIES[query].params).filter(
    (name) => !entry.lists.some((list) => list === name) && name !== entry.as_of?.bound,
  );
  const text = (names: readonly string[]): string =>
    names.map((name) => `${name}=${encodeParam(values[name] ?? null)}`).join("\t");
  return {
    prefix: `${query}\t${shortened(text(others.filter((name) => !GROUND.includes(name))))}\t`,
    elements,
    ground: text(others.filter((name) => GROUND.includes(name))),
  };
};

/** The same question about some of its elements. */
export const narrowed = <N extends QueryName>(
  { lists: names }: CacheDefinition<N>,
  values: QueryValues,
  places: readonly number[],
): QueryValues => {
  const lists = names.map((name) => [name, places.map((at) => listOf(values, name)[at] ?? null)] as const);
  return { ...values, ...Object.fromEntries(lists) };
};
