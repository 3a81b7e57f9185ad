import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../../../test/facts_store.ts";
import { fixedChain } from "../../../../test/fixed_chain.ts";
import { NETWORKS } from "../../../chains/networks/index.ts";
import { KNOWN_TOKENS } from "../../../knowledge/tokens.gen.ts";
import { type Hex, hex } from "../../../lib/bytes.ts";
import { removeList, replaceList } from "../../../store/lists.ts";
import { impersonated, isCanonical, knownRegistry, registryOf, type TokenRegistry } from "./registry.ts";

const USDC = hex("11".repeat(20));
const WETH = hex("22".repeat(20));
const OTHER = hex("33".repeat(20));
const LISTED = hex("44".repeat(20));
/** Ethereum, as its project names it: https://wbtc.network */
const WBTC = hex("2260fac5e5542a773aa44fbcfedf7c193bc2c599");

const { network } = fixedChain({
  network: { wrapped_native: WETH, stablecoins: [{ symbol: "USDC", address: USDC, peg: "USD" }] },
});
const ethereum = NETWORKS.find(({ id }) => id === "ethereum") ?? network;

const judge =
  (registry: TokenRegistry) =>
  (symbol: string | null, name: string | null = null, more: { token?: Hex; is_traded?: boolean } = {}) =>
    impersonated(registry, { token: more.token ?? OTHER, symbol, name }, { is_traded: more.is_traded ?? false });

describe("coins of the network", () => {
  const of = judge(knownRegistry(network));

  test("a coin's symbol on another address is a copy, in any script and at any depth", () => {
    expect(of("usdc")).toMatchObject({ canonical: USDC, symbol: "USDC", copied: "symbol" });
    expect(of("USDС")?.canonical).toBe(USDC); // last letter Cyrillic
    expect(of("ＵＳＤＣ")?.canonical).toBe(USDC); // full width
    expect(of("$ USDC")?.canonical).toBe(USDC);
    expect(of("WETH")?.canonical).toBe(WETH);
    expect(of("ETH")?.canonical).toBe("");
    expect(of("USDC", null, { is_traded: true })?.canonical).toBe(USDC);
  });

  test("the coins themselves and other symbols are not copies", () => {
    expect(of("USDC", null, { token: USDC })).toBeNull();
    expect([of("USDC2"), of(null), of("", "")]).toEqual([null, null, null]);
  });
});

describe("well-known tokens of Ethereum", () => {
  const of = judge(knownRegistry(ethereum));

  test("a copy by symbol, by name or by both is an impersonation of the original's address", () => {
    expect(of("WBTC", "Wrapped BTC")).toMatchObject({ canonical: WBTC, copied: "symbol" });
    expect(of("WBTC", "Anything")?.canonical).toBe(WBTC);
    expect(of("XBT", "Wrapped BTC")).toMatchObject({ canonical: WBTC, copied: "name" });
    expect(of("W\u0412TC", "Wrapped \u0412TC")?.canonical).toBe(WBTC); // Cyrillic В
    for (const symbol of ["LINK", "UNI", "AAVE", "SHIB", "PEPE", "stETH", "wstETH", "LDO"])
      expect(of(symbol), symbol).not.toBeNull();
  });

  test("originals, homonyms of other projects, old contracts of a coin and marked bridged coins are no copies", () => {
    expect(of("WBTC", "Wrapped BTC", { token: WBTC })).toBeNull();
    // StaFi's rETH beside Rocket Pool's.
    expect(of("rETH", "StaFi", { token: hex("9559aaa82d9649c7a7b220e7c461d2e74c9a3593") })).toBeNull();
    // The proxy of TrueUSD that has the same ledger.
    expect(of("TUSD", "TrueUSD", { token: hex("8dd5fbce2f6a956c3022ba3663759011dd51e73e") })).toBeNull();
    expect(of("WBTC.e", "Wrapped BTC (bridged)")).toBeNull();
    expect(of("2WBTC", "Wrapped BTC Vault")).toBeNull();
  });

  test("with a deep market one shared word is chance, both words or disguised letters are not", () => {
    const is_traded = true;
    expect(of("UNI", "Unicorn Milk", { is_traded })).toBeNull();
    expect(of("XYZ", "Uniswap", { is_traded })).toBeNull();
    expect(of("UNI", "Uniswap", { is_traded })?.symbol).toBe("UNI");
    expect(of("UN\u0406", "Unicorn Milk", { is_traded })?.symbol).toBe("UNI"); // Cyrillic І
  });

  test("the network's coins alone are trusted", () => {
    expect(isCanonical(ethereum, WBTC)).toBe(false);
    expect(knownRegistry(ethereum).originals.has(WBTC)).toBe(true);
  });

  test("every network of the file exists, and no well-known token is a copy of another", () => {
    for (const [id, tokens] of Object.entries(KNOWN_TOKENS)) {
      const known = NETWORKS.find((one) => one.id === id);
      if (known === undefined) throw new Error(`no network ${id}`);
      const named = judge(knownRegistry(known));
      for (const [token, symbol, name] of tokens) {
        expect(named(symbol, name, { token }), `${id} ${symbol}`).toBeNull();
        expect(named(symbol, name), `a copy of ${symbol} on ${id}`).not.toBeNull();
      }
    }
  });
});

describe("tokens of imported lists", () => {
  let store: TestFacts;
  beforeAll(async () => {
    store = await openTestFacts();
    await store.seed({ network: "demo", from: 0, to: 5 }, {});
  });
  afterAll(() => store.close());

  const HEAD = { list: "mine", version: "1", format: "token-list", origin: "", licence: "", published_on: "" };
  const read = async () =>
    registryOf({
      facts: store.facts,
      chain: fixedChain({ network: {} }),
      snapshot: await store.facts.snapshot("demo", null),
    });

  test("their copies are found as long as the list is imported, on its network only", async () => {
    expect(judge(await read())("MOON", "Moon Coin")).toBeNull();
    const entry = { symbol: "MOON", name: "Moon Coin", decimals: 18, logo_uri: "" };
    const entries = [
      { ...entry, network: "demo", token: LISTED },
      { ...entry, network: "elsewhere", token: LISTED, symbol: "MARS" },
      { ...entry, network: "demo", token: hex("55".repeat(20)), symbol: "T", name: "Tea" },
    ];
    const head = { ...HEAD, kind: "tokens" } as const;
    await replaceList(store, head, { kind: "tokens", entries, now_ms: 1_700_000_000_000 });
    const of = judge(await read());
    expect(of("moon", "Moon Coin")).toMatchObject({ canonical: LISTED, copied: "symbol" });
    expect(of("MOON", "Another")?.canonical).toBe(LISTED);
    expect(of("ABC", "Moon Coin")).toMatchObject({ canonical: LISTED, copied: "name" });
    expect(of("MOON", "Moon Coin", { token: LISTED })).toBeNull();
    expect(of("MARS", "Mars")).toBeNull();
    // One letter and a short name are of many tokens, both together are of one.
    expect([of("T", "Other"), of("X", "Tea")]).toEqual([null, null]);
    expect(of("T", "Tea")).not.toBeNull();
    await removeList(store, head, 1_700_000_001_000);
    expect(judge(await read())("MOON", "Moon Coin")).toBeNull();
  });
});
