import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestFacts, type TestFacts, testAddress } from "../../../test/facts_store.ts";
import { fixedChain } from "../../../test/fixed_chain.ts";
import { hex, toHex } from "../../lib/bytes.ts";
import { nearestOf, typosIn } from "./closeness.ts";
import { namedOn, searchOn } from "./search.ts";

const USDC = testAddress(0x10);
const [COPY, LONG, PLAIN] = [testAddress(0x11), testAddress(0x12), testAddress(0x13)];
const [BINANCE, SECOND, MIXER, LATER] = [testAddress(0x20), testAddress(0x21), testAddress(0x22), testAddress(0x23)];

const chain = fixedChain({
  network: { stablecoins: [{ symbol: "USDC", address: hex(toHex(USDC)), peg: "USD" }] },
});

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  await store.seed({ network: "demo", from: 0, to: 3 }, {});
  const token = (address: Uint8Array, symbol: string | null, name: string | null) => ({
    ...{ network: "demo", token: address, standard: "erc20", name, symbol, decimals: 18 },
    ...{ total_supply: 1n, read_at_block: 1, has_hidden: 0 },
  });
  await store.writer.insert("tokens", [
    token(USDC, "USDC", "USD Coin"),
    token(COPY, "USDC", "USD Coin"),
    token(LONG, "aUSDC", "Savings of USDC"),
    token(PLAIN, "LTRN", "Lantern_%"),
  ]);
  const label = (address: Uint8Array, text: string, [entity, category]: readonly [string, string], valid_from = 0) => ({
    ...{ network: "demo", address, source: "list", label: text, category, entity, confidence: 0.9, evidence: "" },
    ...{ licence: "", published_on: "", valid_from, written_at: 1 },
  });
  await store.writer.insert("labels", [
    label(BINANCE, "Binance 14", ["Binance", "cex"]),
    label(SECOND, "Hot wallet", ["Binance", "cex"]),
    label(MIXER, "Tornado Cash 1 ETH", ["Tornado Cash", "mixer"]),
    label(LATER, "Binance 15", ["Binance", "cex"], 4_000_000_000),
    // Removed.
    label(testAddress(0x24), "Binance 16", ["Binance", ""]),
  ]);
});
afterAll(() => store.close());

const scopeNow = async () => {
  const { facts } = store;
  const snapshot = await facts.snapshot("demo", null);
  return { facts, chain, snapshot, signal: new AbortController().signal };
};
const find = async (text: string, most = 10) => searchOn(await scopeNow(), text, most);
const namesOf = async (text: string) =>
  (await find(text)).map(({ title, closeness, is_impersonation }) => [title, closeness, is_impersonation]);
const addressOf = (bytes: Uint8Array) => chain.formatAddress(hex(toHex(bytes)));

describe("tokens", () => {
  test("the original is first, words that contain it follow, copies are last and marked", async () => {
    expect(await namesOf("$usdc ")).toEqual([
      ["USDC", "exact", false],
      ["aUSDC", "word", false],
      ["USDC", "exact", true],
    ]);
    const [first, , last] = await find("usdc");
    expect(first).toMatchObject({ kind: "token", address: addressOf(USDC), is_original: true, source: "registry" });
    expect(last).toMatchObject({ address: addressOf(COPY), is_original: false, detail: "USD Coin" });
  });

  test("are found by the beginning of a name, and with a letter wrong", async () => {
    expect(await namesOf("lanter")).toEqual([["LTRN", "prefix", false]]);
    expect(await namesOf("ltnr")).toEqual([["LTRN", "typo", false]]);
    expect(await namesOf("lxxn")).toEqual([]);
  });

  test("a text is a text, not a pattern", async () => {
    expect(await namesOf("%")).toEqual([["LTRN", "word", false]]);
    expect(await namesOf("n_%")).toEqual([["LTRN", "part", false]]);
    expect(await namesOf("' OR 1=1 --")).toEqual([]);
    expect(await namesOf("   ")).toEqual([]);
  });
});

describe("addresses", () => {
  test("are found by label and by entity, as of the block", async () => {
    expect(await namesOf("binance")).toEqual([
      ["Binance 14", "exact", false],
      ["Hot wallet", "exact", false],
    ]);
    expect((await find("tornado")).map(({ address, category }) => [address, category])).toEqual([
      [addressOf(MIXER), "mixer"],
    ]);
    expect(await namesOf("binanse")).toEqual([
      ["Binance 14", "typo", false],
      ["Hot wallet", "typo", false],
    ]);
  });

  test("are as many as asked for", async () => {
    expect(await find("binance", 1)).toHaveLength(1);
  });
});

describe("one address", () => {
  const nameOf = async (bytes: Uint8Array) => namedOn(await scopeNow(), hex(toHex(bytes)));

  test("has the words of its token, and a copy is marked", async () => {
    expect(await nameOf(USDC)).toMatchObject({ kind: "token", title: "USDC", detail: "USD Coin", is_original: true });
    expect(await nameOf(COPY)).toMatchObject({ kind: "token", title: "USDC", is_impersonation: true });
  });

  test("has its label as of the block, and otherwise no name", async () => {
    expect(await nameOf(MIXER)).toMatchObject({ kind: "address", title: "Tornado Cash 1 ETH", category: "mixer" });
    expect([await nameOf(LATER), await nameOf(testAddress(0x99))]).toEqual([null, null]);
  });
});

test("closeness: whole word, beginning, beginning of a word, part, typos by length", () => {
  const of = (text: string, ...words: readonly (string | null)[]) => nearestOf(words, text);
  expect(of("eth", "ETH")).toBe("exact");
  expect(of("eth", "Ethereum")).toBe("prefix");
  expect(of("eth", "Wrapped Ether")).toBe("word");
  expect(of("eth", "wstETH")).toBe("part");
  expect(of("eth", "ath")).toBeNull();
  expect(of("ether", "ehter")).toBe("typo");
  expect(of("eth", null, "staked", "weth")).toBe("part");
  expect([3, 4, 7, 8, 20].map((length) => typosIn("x".repeat(length)))).toEqual([0, 1, 1, 2, 2]);
});
