import { readFileSync } from "node:fs";
import { withBounds } from "./bounds.ts";
import { QUERIES, type Queries } from "./queries.gen.ts";

const SOURCES = new URL("../", import.meta.url);

const texts = new Map<keyof Queries, string>();

/** What a question sends: the text of its `.sql` file with the snapshot's bounds. Read once. */
export const questionText = (name: keyof Queries): string => {
  const text = texts.get(name) ?? withBounds(readFileSync(new URL(QUERIES[name].path, SOURCES), "utf8").trimEnd());
  texts.set(name, text);
  return text;
};
