import { isList, type Param } from "./param.ts";

/**
 * A set that a question makes of a list of hex is a query of its own: it is planned and run before the question itself, on
 * threads of its own. A short list is inlined instead; a long one is faster as a parameter.
 */
const SET = /\bIN \(SELECT unhex\(arrayJoin\(\{(\w+):Array\(String\)\}\)\)(?: AS \w+)?\)/g;

/** At 50 values the text is faster by a millisecond, at 1,000 it is slower by two. */
export const SHORT_MAX = 200;

/** Only such values are inlined. */
const HEX = /^(?:[0-9a-f]{2})*$/;

const isShort = (value: Param | undefined): value is readonly string[] =>
  value !== undefined &&
  isList(value) &&
  value.length > 0 &&
  value.length <= SHORT_MAX &&
  value.every((hex) => typeof hex === "string" && HEX.test(hex));

const bytesOf = (hex: string): string => `'${hex.replaceAll(/../g, "\\x$&")}'`;

/** The question with the values of its short lists of hex in place of the queries that would make sets of them. */
export const withShortLists = (text: string, values: Readonly<Record<string, Param>>): string =>
  text.replaceAll(SET, (whole, name: string) => {
    const list = values[name];
    return isShort(list) ? `IN (${list.map(bytesOf).join(", ")})` : whole;
  });
