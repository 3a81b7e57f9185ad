// @check
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { projectPaths, ROOT } from "./project_files.ts";

/** References in texts lead to existing documents: files of `docs/`, targets of links, and no document outside the repository. */

const OWN = "test/doc_references.test.ts";
const TEXT =
  /\.(ts|tsx|mjs|js|md|sql|py|toml|sh|ya?ml|css|html|tpl|go)$|^docs\/\w+\.json$|(^|\/)(assay|Containerfile|run)$/;

const paths = projectPaths().filter((path) => TEXT.test(path) && path !== OWN && statSync(join(ROOT, path)).isFile());

const textOf = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** Each line of those texts that matches `pattern`, with its location. */
const linesOf = (chosen: readonly string[], pattern: RegExp) =>
  chosen.flatMap((path) => {
    const text = textOf(path);
    if (!pattern.test(text)) return [];
    return text.split("\n").map((line, at) => ({ path, line, where: `${path}:${at + 1}` }));
  });

/** Created in a copy of the project by test/recipes.test.ts. */
const MADE_IN_A_COPY = ["docs/tools/get_network_head.md"];

/** Paths below `docs/` that a line names, without addresses of a web site and placeholders. */
const docPathsIn = (line: string): readonly string[] =>
  [...line.matchAll(/(?<![\w/.-])(?:(?:\.\.?\/)+)?(docs\/[\w./-]*\w)(?![\w*$<{]|\/\$)/g)].map(([, path = ""]) => path);

test("finds a path below docs/ in comments, links and lists", () => {
  expect(docPathsIn("see docs/errors.md, docs/design (docs/operating/keys.md).")).toEqual([
    "docs/errors.md",
    "docs/design",
    "docs/operating/keys.md",
  ]);
  expect(docPathsIn(`get("/docs/none.html"), docs/tools/\${name}.md, https://x.test/docs/a.md`)).toEqual([]);
});

test("names only existing paths below docs/", () => {
  const lines = linesOf(paths, /docs\//);
  const named = lines.flatMap(({ line, where }) => docPathsIn(line).map((path) => ({ path, where })));
  expect(named.length).toBeGreaterThan(200);
  const missing = named.filter(({ path }) => !MADE_IN_A_COPY.includes(path) && !existsSync(join(ROOT, path)));
  expect(missing.map(({ path, where }) => `${where}: ${path}`)).toEqual([]);
});

test("links only to existing files in Markdown", () => {
  const links = linesOf(
    paths.filter((path) => path.endsWith(".md")),
    /\]\(/,
  ).flatMap(({ path, line, where }) =>
    [...line.matchAll(/\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g)]
      .map(([, link = ""]) => link)
      .filter((link) => !/^[a-z]+:/.test(link))
      .map((link) => ({ where, link, target: normalize(join(dirname(path), link)) })),
  );
  expect(links.length).toBeGreaterThan(200);
  expect(
    links.filter(({ target }) => !existsSync(join(ROOT, target))).map(({ where, link }) => `${where}: ${link}`),
  ).toEqual([]);
});

/** References such as "(03, 2.2)", "06, section 1", "decision 0040" to documents that readers do not have. */
const NUMBERED =
  /(?<![\w.,-])(?:0[1-9], (?:sections? |\d+\.\d|[A-Z]\d)|1\d, sections? \d)|(?<=\s)\(0[1-9]\)|\bdecisions?[/ ]0\d{3}\b/i;
/** A specification must be named by its format or protocol. */
const UNNAMED = /\b(?:our|the) specification\b(?! of )/i;
const NAMED = /\b(?:ABI|JSON-RPC|compose|EIP-\d+|SNS|webhooks?|Standard Webhooks|standard-webhooks)\b/i;

test("finds a reference to a numbered or unnamed document", () => {
  for (const line of ["USD prices (03, 2.2).", "the goals of 11, section 2", "refunded (01).", "decision 0040"])
    expect([line, NUMBERED.test(line)]).toEqual([line, true]);
  for (const line of ["[0.05, 0.1]", "at(10), on(09)", "header validation (14)", "2026-11-01, 3.5 s", "I1 to I9"])
    expect([line, NUMBERED.test(line)]).toEqual([line, false]);
  expect(UNNAMED.test("as the specification wants")).toBe(true);
  expect(UNNAMED.test("the specification of the compose format")).toBe(false);
});

test("refers to no document outside the repository", () => {
  const found = linesOf(paths, new RegExp(`${NUMBERED.source}|${UNNAMED.source}`, "i")).filter(
    ({ line }) => NUMBERED.test(line) || (UNNAMED.test(line) && !NAMED.test(line)),
  );
  expect(found.map(({ where, line }) => `${where}: ${line.trim().slice(0, 100)}`)).toEqual([]);
});
