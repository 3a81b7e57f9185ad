import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as z from "zod";
import { CHECK_WORDS, CODE_WORDS } from "../src/charts/code_words.ts";
import { worded } from "../src/charts/words.ts";
import { tools } from "../src/tools/index.ts";

/** Codes in the schemas of all answers. */
const codesIn = (schema: unknown, codes = new Set<string>()): ReadonlySet<string> => {
  if (Array.isArray(schema)) for (const part of schema) codesIn(part, codes);
  if (schema === null || typeof schema !== "object" || Array.isArray(schema)) return codes;
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "enum" && Array.isArray(value)) for (const one of value) codes.add(String(one));
    else codesIn(value, codes);
  }
  return codes;
};

const schemas = tools.map(({ output }) => z.toJSONSchema(output, { io: "output", unrepresentable: "any" }));

/** Files whose codes answers carry as plain texts. */
const WRITERS = ["src/domain/wallet/history/pattern_matches.ts", "src/labels/categories.ts"];

const written = WRITERS.flatMap((path) => [
  ...readFileSync(new URL(`../${path}`, import.meta.url), "utf8").matchAll(/"([a-z][a-z0-9]*(?:_[a-z0-9]+)*)"/g),
]).flatMap(([, code]) => code ?? []);

const codes = new Set([...codesIn(schemas), ...written]);

/** Short forms that readers outside the field do not know. */
const SHORT_FORMS = /\b(cex|dex|lp|eoa|pda|dca|mev|kyc|abi|db|pnl|uri|url|spl|erc\d+|trc\d+|eip\d+)\b/;

test("every code of an answer has words without a short form", () => {
  expect(codes.size).toBeGreaterThan(200);
  expect([...codes].filter((code) => SHORT_FORMS.test(worded(code)) || worded(code).includes("_"))).toEqual([]);
});

test("the list has words of codes that answers have, and of checks that a token's answer has", () => {
  expect(Object.keys(CODE_WORDS).filter((code) => !codes.has(code))).toEqual([]);
  const traits = JSON.stringify(schemas[tools.findIndex(({ name }) => name === "get_token_risk_traits")]);
  expect(Object.keys(CHECK_WORDS).filter((flag) => !traits.includes(`"${flag}"`))).toEqual([]);
});
