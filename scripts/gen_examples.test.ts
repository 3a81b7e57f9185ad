import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { data, failed } from "../src/lib/outcome.ts";
import { tools } from "../src/tools/index.ts";
import { exampleOf, pagesWith } from "./gen_examples.ts";

const SHOWN = '{\n  "type": "shown before",\n  "price": 7\n}\n';
const timedOut = failed("UPSTREAM_UNAVAILABLE", "The operation was aborted due to timeout");

let root = "";
let faults: string[] = [];
const complain = (message: string): void => void faults.push(message);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "assay-pages-"));
  faults = [];
  mkdirSync(join(root, "docs", "examples"), { recursive: true });
  mkdirSync(join(root, "docs", "tools"));
});
afterEach(() => rmSync(root, { recursive: true }));

const [first] = tools;
const name = first?.name ?? "";
const page = `docs/tools/${name}.md`;

test("reports the tool of a failed example and leaves its old answer unchanged", () => {
  writeFileSync(join(root, "docs", "examples", `${name}.json`), SHOWN);
  const example = exampleOf({ root, complain }, { name }, timedOut);
  expect(example).toEqual({
    name,
    path: `docs/examples/${name}.json`,
    text: SHOWN,
    answer: { type: "shown before", price: 7 },
  });
  expect(faults).toEqual([`${name}: the example answers The operation was aborted due to timeout`]);
});

test("the page of a tool whose example failed shows its previous answer", () => {
  writeFileSync(join(root, "docs", "examples", `${name}.json`), SHOWN);
  const example = exampleOf({ root, complain }, { name }, timedOut);
  const written = pagesWith(root, example === null ? [] : [example]).find(({ path }) => path === page);
  expect(written?.text).toContain("shown before");
});

test("does not overwrite an existing page with one without an answer", () => {
  expect(exampleOf({ root, complain }, { name }, timedOut)).toBeNull();
  expect(faults).toHaveLength(1);
  expect(pagesWith(root, []).some(({ path }) => path === page)).toBe(true); // no page exists yet
  writeFileSync(join(root, page), "# with an answer\n");
  expect(pagesWith(root, []).some(({ path }) => path === page)).toBe(false);
});

test("an example that answers with data replaces the shown answer, except its live fields", () => {
  writeFileSync(join(root, "docs", "examples", `${name}.json`), SHOWN);
  const example = exampleOf(
    { root, complain },
    { name, live_fields: ["price"] },
    data('{"type":"new","price":8,"worth":"5"}'),
  );
  expect(example?.answer).toMatchObject({ type: "new", price: 7 });
  expect(faults).toEqual([]);
});
