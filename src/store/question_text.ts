import { readFileSync } from "node:fs";
import { withBounds } from "./bounds.ts";
import { QUERIES, type Queries } from "./queries.gen.ts";

const SOURCES = new URL("../", import.meta.url);

/** `@name` inserts store/fragments/name.sql, which several queries share. */
const FRAGMENT = /@([a-z_]+)/g;

/** Text of a fragment without its comments. */
const fragmentText = (sources: URL, name: string): string =>
  readFileSync(new URL(`store/fragments/${name}.sql`, sources), "utf8")
    .replaceAll(/^--[^\n]*\n/gm, "")
    .trimEnd();

/** Statement of the `.sql` file at a path below `sources`: its text with fragments and the snapshot's bounds. */
export const readQuestion = (sources: URL, path: string): string => {
  const text = readFileSync(new URL(path, sources), "utf8").trimEnd();
  return withBounds(text.replaceAll(FRAGMENT, (_, name: string) => fragmentText(sources, name)));
};

const texts = new Map<keyof Queries, string>();

/** Statement of a query. Read once. */
export const questionText = (name: keyof Queries): string => {
  const text = texts.get(name) ?? readQuestion(SOURCES, QUERIES[name].path);
  texts.set(name, text);
  return text;
};
