import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { type Need, usesOf } from "../src/surfaces/generated_docs/node_requirements.ts";
import { tools } from "../src/tools/index.ts";

const SRC = join(import.meta.dirname, "../src");
/** Imports that load code. */
const IMPORT = /^(?:import|export)\s(?!type\s)(?:[^;"]*?\sfrom\s+)?"(\.[^"]+\.ts)";/gm;

/** Text of code that uses a need of a tool. */
const LOOKS: Readonly<Record<Need, RegExp>> = {
  traces: /coverage\.traces\b|\{[^}\n]*\btraces\b[^}\n]*\} = [^\n]*coverage|\bmined\.trace\b|\bhas_traces\b/,
  archive: /\bcan\.archive\b/,
  simulations: /\.simulate\(|\.callOverridden\(/,
};
const NEEDS = Object.keys(LOOKS) as Need[]; // the keys are the needs

const texts = new Map<string, string>();
const textOf = (path: string): string => {
  const text = texts.get(path) ?? readFileSync(path, "utf8");
  texts.set(path, text);
  return text;
};

/** Every file that `path` loads, itself included. */
const loaded = (path: string, seen = new Set<string>()): ReadonlySet<string> => {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const [, target = ""] of textOf(path).matchAll(IMPORT)) {
    const found = join(dirname(path), target);
    if (existsSync(found)) loaded(found, seen);
  }
  return seen;
};

const fileOf = (tool: string): string =>
  [join(SRC, "tools", `${tool}.ts`), join(SRC, "tools", tool, "index.ts")].find(existsSync) ?? tool;

const looksIn = (files: Iterable<string>): readonly Need[] =>
  NEEDS.filter((need) => [...files].some((path) => LOOKS[need].test(textOf(path))));

test("declares no node method that a tool's code does not use", () => {
  const faults = tools.flatMap(({ name }) => {
    const looked = looksIn(loaded(fileOf(name)));
    return usesOf(name)
      .filter((need) => !looked.includes(need))
      .map((need) => `${name}: ${need}`);
  });
  expect(faults).toEqual([]);
});

test("declares the node methods that a tool's own files use, and those that windows of blocks need for warnings", () => {
  const own = (name: string): string[] =>
    [...loaded(fileOf(name))].filter(
      (path) => path === fileOf(name) || path.startsWith(join(SRC, "tools", name)) || path.endsWith("window/gaps.ts"),
    );
  // It shows the state of the newest block if old state is not available, so nothing is missing.
  const live: readonly string[] = ["get_contract_source_code: archive"];
  const faults = tools.flatMap(({ name }) =>
    looksIn(own(name))
      .filter((need) => !usesOf(name).includes(need))
      .map((need) => `${name}: ${need}`),
  );
  expect(faults.filter((fault) => !live.includes(fault))).toEqual([]);
});

test("declares changed states for the one tool that simulates trades", () => {
  expect(tools.filter(({ name }) => usesOf(name).includes("simulations")).map(({ name }) => name)).toEqual([
    "get_token_risk_traits",
  ]);
});
