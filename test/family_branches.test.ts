// @check
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";

const SRC = join(import.meta.dirname, "../src");
const BRANCH = /\bfamily\s*[!=]==\s*"(?:evm|solana|tron)"|"(?:evm|solana|tron)"\s*[!=]==\s*[\w.]*\bfamily\b/g;

/** Files that still branch, and how often. An entry may only go: what differs between families is in `chains/` (`can`, `family_traits.ts`). */
const LEFT: Readonly<Record<string, number>> = {
  "summary.ts": 1, // of domain/readings: the function that was called
  "read.ts": 2, // of domain/readings: headlines of Solana and of EVM
};

test("nothing outside chains/ and its demo branches on a network's family by name", () => {
  const found = readdirSync(SRC, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.ts$|^(chains|demo)\//.test(path))
    .flatMap((path) => {
      const times = [...readFileSync(join(SRC, path), "utf8").matchAll(BRANCH)].length;
      return times === 0 ? [] : [[basename(path), times] as const];
    });
  expect(Object.fromEntries(found)).toEqual(LEFT);
  expect(found.length).toBe(Object.keys(LEFT).length);
});
