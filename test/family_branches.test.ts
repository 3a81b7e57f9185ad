// @check
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SRC = join(import.meta.dirname, "../src");
const BRANCH = /\bfamily\s*[!=]==\s*"(?:evm|solana|tron)"|"(?:evm|solana|tron)"\s*[!=]==\s*[\w.]*\bfamily\b/;

test("nothing outside chains/ and its demo branches on a network's family by name", () => {
  const found = readdirSync(SRC, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.ts$|^(chains|demo)\//.test(path))
    .filter((path) => BRANCH.test(readFileSync(join(SRC, path), "utf8")));
  expect(found).toEqual([]);
});
