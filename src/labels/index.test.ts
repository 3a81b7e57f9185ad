import { expect, test } from "vitest";
import { RISK_CATEGORIES as RISK_WORDS } from "../domain/compliance/risk/tags.ts";
import { CATEGORIES } from "./categories.ts";
import { DERIVED_SOURCES } from "./derived_labels.ts";
import { LABEL_SOURCES, labelsFor } from "./index.ts";

test("every label is a whole address with a word of the taxonomy", () => {
  const odd = LABEL_SOURCES.flatMap(({ rows }) => rows).filter(
    ({ address, category, label, confidence }) =>
      !/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(address) ||
      !CATEGORIES.includes(category) ||
      label === "" ||
      confidence <= 0 ||
      confidence > 1,
  );
  expect(odd).toEqual([]);
});

test("no source has two labels for one address", () => {
  for (const { name, rows } of LABEL_SOURCES) {
    const keys = rows.map(({ network, address }) => `${network}:${address}`);
    expect(
      keys.filter((key, at) => keys.indexOf(key) !== at),
      name,
    ).toEqual([]);
  }
});

test("a network gets its own labels and those of every network", () => {
  const labels = labelsFor("bsc").map(({ label }) => label);
  expect(labels).toContain("Burn address (dead)");
  expect(labels).toContain("PancakeSwap v2 router");
  expect(labels).not.toContain("Uniswap v2 router");
});

test("a coin's contract names its issuer, unless only a bridge made it", () => {
  const entityOf = (network: string, address: string) =>
    labelsFor(network).find((row) => row.address === address && row.source === "issuers")?.entity;
  // USDC and USDT on Ethereum; USDbC, bridged by Base's own bridge.
  expect(entityOf("ethereum", "a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48")).toBe("Circle");
  expect(entityOf("ethereum", "dac17f958d2ee523a2206206994597c13d831ec7")).toBe("Tether");
  expect(entityOf("base", "d9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca")).toBe("");
});

test("a label can state every word that the risk model weighs, except a freeze, which is read live", () => {
  const unsaid = RISK_WORDS.filter((word) => !CATEGORIES.includes(word));
  expect(unsaid).toEqual(["issuer_frozen"]);
});

test("no source of labels has the name of a derived one", () => {
  expect(LABEL_SOURCES.filter(({ name }) => DERIVED_SOURCES.includes(name))).toEqual([]);
});
