import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ERROR_CODES } from "../../lib/outcome.ts";
import { tools } from "../../tools/index.ts";
import { readExamples } from "../openapi/examples.ts";
import { LACKING, REFUSING } from "./on_demand_limits.ts";
import { generateDocs } from "./pages.ts";

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), "assay-docs-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
};

const pageOf = (path: string, ...facts: Parameters<typeof generateDocs>): string => {
  const text = generateDocs(...facts).find((file) => file.path === path)?.text;
  if (text === undefined) throw new Error(`${path} is not generated`);
  return text;
};

test("examples are the JSON files of a folder, and a folder that is missing holds none", () => {
  const path = folder();
  writeFileSync(join(path, "show.json"), '{"type":"shown"}');
  writeFileSync(join(path, "notes.txt"), "no example");
  expect(readExamples(path)).toEqual({ show: { type: "shown" } });
  expect(readExamples(join(path, "missing"))).toEqual({});
});

test("an example that is no JSON is an error, not a missing example", () => {
  const path = folder();
  writeFileSync(join(path, "show.json"), "{");
  expect(() => readExamples(path)).toThrow(SyntaxError);
});

test("every error code is explained", () => {
  const text = pageOf("docs/errors.md");
  for (const code of ERROR_CODES) expect(text).toMatch(new RegExp(`^\\| \`${code}\` \\| .{10,} \\|$`, "m"));
});

test("a page lists arguments and members of the result, and the answer only where there is one", () => {
  const [tool] = tools;
  if (tool === undefined) throw new Error("no tool is public");
  const path = `docs/tools/${tool.name}.md`;
  const plain = pageOf(path);
  for (const field of Object.keys(tool.input.shape)) expect(plain).toContain(`| \`${field}\` |`);
  expect(plain).toContain("| `metadata` | object |");
  expect(plain).not.toContain("The answer to the arguments");
  expect(pageOf(path, { examples: { [tool.name]: { type: "made" } } })).toContain('"type": "made"');
});

test("the same cards give the same documents", () => {
  expect(generateDocs()).toEqual(generateDocs());
});

test("the page of networks says which families a tool serves, as its card does", () => {
  const networks = [
    { id: "ethereum", family: "evm" },
    { id: "tron", family: "tron" },
  ];
  const page = pageOf("docs/networks.md", { networks });
  expect(page).toContain("| Tool | evm | tron |");
  for (const { name, families } of tools) {
    const cells = networks.map(({ family }) => (families.some((one) => one === family) ? "yes" : "-"));
    expect(page).toContain(`| [${name}](tools/${name}.md) | ${cells.join(" | ")} |`);
  }
});

test("a tool that does not answer on demand has a reason, and only one that answers lacks something", () => {
  const refusing = tools.filter(({ subjects }) => subjects === undefined).map(({ name }) => name);
  expect(Object.keys(REFUSING).sort()).toEqual([...refusing].sort());
  const answering = tools.filter(({ subjects }) => subjects !== undefined).map(({ name }) => name);
  expect(answering).toEqual(expect.arrayContaining(Object.keys(LACKING)));
});
