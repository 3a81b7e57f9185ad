/** Public sets of labelled tokens, by made-up sets in their forms: bench/judgement/sets. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { judgeSet } from "../../bench/judgement/sets/judge_set.ts";
import { readSet } from "../../bench/judgement/sets/read_set.ts";
import { RECIPES } from "../../bench/judgement/sets/recipes.ts";
import { compileTokens } from "../../bench/judgement/tokens/compiled.ts";
import { areaUnder, confusionOf, faultsOf } from "../../bench/judgement/tokens/judged.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-sets-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const recipeOf = (name: string) => {
  const found = RECIPES.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no recipe ${name}`);
  return found;
};

const write = (path: string, lines: readonly string[]): void => writeFileSync(join(folder, path), lines.join("\n"));
const address = (end: string): string => `0x${end.padStart(40, "0")}`;

/** Two rows of one token, rows without address or label, an unknown label, and upper and lower case. */
const CRPWARNER = [
  "address,Mint,Leak,Limit",
  `${address("A1")},1,0,0`,
  `${address("a2")},0,0,1`,
  `${address("a3")},0,0,0`,
  `${address("a3")},0,1,0`,
  `${address("a4")},0,maybe,0`,
  `${address("a5")},0`,
  "0x12,0,0,0",
  ",1,1,1",
];

describe("a set of addresses", () => {
  test("its labels become traits, and rows that cannot be read are counted by reason", () => {
    write("groundTruth.csv", CRPWARNER);
    const { tokens, refused } = readSet(recipeOf("crpwarner"), folder);
    expect(
      tokens.map(({ contract, trap, traits }) => [contract, trap !== null, traits.is_mintable, traits.is_honeypot]),
    ).toEqual([
      [address("a1"), true, true, false],
      // A way to limit sales need not be in use.
      [address("a2"), true, false, null],
      [address("a3"), false, false, false],
    ]);
    expect(tokens.every(({ traits }) => traits.has_blacklist === null)).toBe(true);
    expect(Object.fromEntries(refused)).toEqual({
      "names a token again": 1,
      "has an unknown value in leak": 2,
      "has no address": 2,
    });
  });

  test("each is judged at its address by a running service, and silence is counted", async () => {
    write("groundTruth.csv", CRPWARNER);
    const asked: unknown[] = [];
    const server = createServer((request, response) => {
      let text = "";
      request.on("data", (part) => {
        text += part;
      });
      request.on("end", () => {
        asked.push([request.url, request.headers.authorization, JSON.parse(text)]);
        const { token_address } = JSON.parse(text) as { token_address: string };
        if (token_address === address("a2")) response.writeHead(404).end("{}");
        else {
          const is_trap = token_address === address("a1");
          const risk_overview = { risk_level: is_trap ? "critical" : "low", security_score: is_trap ? 5 : 95 };
          const security_flags = { is_mintable: is_trap, is_honeypot: false, owner_can_change_balance: null };
          response.end(JSON.stringify({ data: { risk_overview, alerts: [{ code: "mintable" }], security_flags } }));
        }
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const service = { url: `http://127.0.0.1:${port}/`, key: "k", network: "bsc" };
      const { pairs, unanswered } = await judgeSet(recipeOf("crpwarner"), folder, { service });
      expect(asked[0]).toEqual([
        "/api/tools/get_token_risk_traits",
        "Bearer k",
        { token_address: address("a1"), network: "bsc" },
      ]);
      expect(Object.fromEntries(unanswered)).toEqual({ "the service answers 404": 1 });
      expect(areaUnder(pairs)).toBe(1);
      const of_trait = (name: string) => confusionOf(pairs).find(({ trait }) => trait === name);
      expect(of_trait("is_mintable")).toMatchObject({ right: 1, denied: 1, wrong: 0, missed: 0 });
      // The set knows that no owner changes balances, the answer does not.
      expect(of_trait("owner_can_change_balance")).toMatchObject({ unknown: 2, denied: 0 });
      // The set says nothing about them.
      expect(of_trait("has_blacklist")).toMatchObject({ right: 0, denied: 0, wrong: 0, missed: 0, unknown: 0 });
    } finally {
      server.close();
    }
  });

  test("a set of addresses needs a service", async () => {
    await expect(judgeSet(recipeOf("crpwarner"), folder)).rejects.toThrow("has addresses only");
  });

  test("acts of a set without powers become traps alone", () => {
    write("Dataset_v1.9.csv", [
      "id,Label,lp_avg",
      `${address("b1")},TRUE,0.1`,
      `${address("b2")},False,0`,
      `${address("b3")},,0`,
    ]);
    const { tokens, refused } = readSet(recipeOf("rugpull_prediction"), folder);
    expect(
      tokens.map(({ trap, traits }) => [trap !== null, Object.values(traits).every((one) => one === null)]),
    ).toEqual([
      [true, true],
      [false, true],
    ]);
    expect([...refused]).toEqual([["has an unknown value in label", 1]]);
  });
});

test("tokens with creation code are deployed, traded and judged", async () => {
  const codes = compileTokens();
  mkdirSync(join(folder, "codes"), { recursive: true });
  for (const name of ["MintsByNumber", "Clean"])
    writeFileSync(join(folder, "codes", `${name}.hex`), codes.get(name) ?? "");
  writeFileSync(join(folder, "codes", "Broken.hex"), "fe");
  writeFileSync(join(folder, "codes", "Odd.hex"), "0x123");
  write("tokens.csv", [
    "name,trap,is_honeypot,is_mintable,owner_can_change_balance,has_blacklist,transfer_pausable,can_take_back_ownership,tax_modifiable,per_wallet_tax,is_upgradeable",
    "MintsByNumber,true,,true,,,,,,,",
    "Clean,false,false,false,false,false,false,false,false,false,false",
    // Its creation fails.
    "Broken,true,,,,,,,,,",
    "Odd,true,,,,,,,,,",
    "../Clean,false,,,,,,,,,",
  ]);
  const { pairs, refused, unanswered } = await judgeSet(recipeOf("creation_codes"), folder);
  expect(Object.fromEntries(refused)).toEqual({ "has no creation code in hex": 2 });
  expect(Object.fromEntries(unanswered)).toEqual({ "cannot be deployed, or has no pool": 1 });
  expect(pairs.map(([token, answer]) => [token.contract, answer.level])).toEqual([
    ["MintsByNumber", "high"],
    ["Clean", "low"],
  ]);
  expect(pairs.flatMap(faultsOf)).toEqual([]);
  expect(areaUnder(pairs)).toBe(1);
});
