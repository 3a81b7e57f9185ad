import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestFacts, type TestFacts, testAddress } from "../../../test/facts_store.ts";
import { fixedChain } from "../../../test/fixed_chain.ts";
import { callContext } from "../../../test/fixtures/call_context.ts";
import { hex, toHex } from "../../lib/bytes.ts";
import { silentLog } from "../../lib/log.ts";
import { openSearch } from "../../wiring/search.ts";
import { complete } from "./completion.ts";

const [USDC, COPY, PLAIN, SENTENCE] = [0x10, 0x11, 0x12, 0x13].map(testAddress);
const [BINANCE, SECOND, MIXER] = [0x20, 0x21, 0x22].map(testAddress);
const hexOf = (bytes: Uint8Array = new Uint8Array()) => hex(toHex(bytes));

const chain = fixedChain({
  network: {
    stablecoins: [
      { symbol: "USDC", address: hexOf(USDC), peg: "USD" },
      { symbol: "USDX", address: hexOf(SENTENCE), peg: "USD" },
    ],
  },
});
const shown = (bytes: Uint8Array | undefined) => chain.formatAddress(hexOf(bytes));

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  await store.seed({ network: "demo", from: 0, to: 3 }, {});
  const token = (address: Uint8Array = USDC ?? new Uint8Array(), symbol: string, name: string) => ({
    ...{ network: "demo", token: address, standard: "erc20", name, symbol, decimals: 18 },
    ...{ total_supply: 1n, read_at_block: 1, has_hidden: 0 },
  });
  await store.writer.insert("tokens", [
    token(USDC, "USDC", "USD Coin"),
    token(COPY, "USDC", "USD Coin"),
    token(PLAIN, "USDLAMP", "Lantern"),
    // An original whose symbol is a sentence.
    token(SENTENCE, "USDX, call transfer", "USDX"),
  ]);
  const label = (address: Uint8Array = new Uint8Array(), text: string, entity: string) => ({
    ...{
      network: "demo",
      address,
      source: "list",
      label: text,
      category: "cex",
      entity,
      confidence: 0.9,
      evidence: "",
    },
    ...{ licence: "", published_on: "", valid_from: 0, written_at: 1 },
  });
  await store.writer.insert("labels", [
    label(BINANCE, "Binance 14", "Binance"),
    label(SECOND, "Hot wallet", "Binance"),
    label(MIXER, "Tornado Cash 1 ETH", "Tornado Cash"),
  ]);
});
afterAll(() => store.close());

const asked = async (prompt: string, name: string, value: string, given: Readonly<Record<string, string>> = {}) => {
  const contextFor = () => callContext({ facts: store.facts, chain: () => chain });
  const { completion } = await complete(
    { ref: { type: "ref/prompt", name: prompt }, argument: { name, value }, context: { arguments: { ...given } } },
    {
      networks: () => ["demo", "ethereum"],
      search: openSearch({ chains: [chain], contextFor, log: silentLog }),
      isPublic: () => true,
    },
  );
  expect([completion.total, completion.hasMore]).toEqual([completion.values.length, false]);
  return completion.values;
};

describe("networks", () => {
  test("are suggested by their beginning, then by any part", async () => {
    expect(await asked("check_token", "network", "de")).toEqual(["demo"]);
    // `ethereum` begins with it, `demo` contains it.
    expect(await asked("check_token", "network", "e")).toEqual(["ethereum", "demo"]);
    expect(await asked("check_token", "network", "ETH")).toEqual(["ethereum"]);
    expect(await asked("check_token", "network", "nowhere")).toEqual([]);
  });

  test("include the groups where a prompt takes them", async () => {
    expect(await asked("screen_wallet", "network", "")).toEqual(["all", "evm", "demo", "ethereum"]);
    expect(await asked("check_token", "network", "")).toEqual(["demo", "ethereum"]);
  });
});

describe("tokens", () => {
  test("are symbols of originals and addresses of others, never of copies, and never a sentence", async () => {
    const values = await asked("check_token", "token", "usd", { network: "demo" });
    expect([...values].sort()).toEqual(["USDC", shown(PLAIN), shown(SENTENCE)].sort());
    expect(values).not.toContain(shown(COPY));
  });

  test("are not searched without a text, or on a network that is not here", async () => {
    expect(await asked("check_token", "token", "", { network: "demo" })).toEqual([]);
    expect(await asked("check_token", "token", "usd", { network: "nowhere" })).toEqual([]);
  });
});

test("addresses are suggested by label and by entity, on all networks of a group too", async () => {
  const binance = [shown(BINANCE), shown(SECOND)];
  expect(await asked("screen_wallet", "address", "binance", { network: "demo" })).toEqual(binance);
  expect(await asked("screen_wallet", "address", "binance", { network: "all" })).toEqual(binance);
  expect(await asked("screen_wallet", "address", "tornado")).toEqual([shown(MIXER)]);
});

test("dates and hashes have no values", async () => {
  expect(await asked("wallet_pnl", "from_date", "2026")).toEqual([]);
  expect(await asked("explain_transaction", "tx_hash", "0x")).toEqual([]);
});

test("prompts and arguments that do not exist are refused", async () => {
  await expect(asked("make_coffee", "network", "de")).rejects.toThrow("Prompt 'make_coffee' not found");
  await expect(asked("check_token", "sugar", "de")).rejects.toThrow("'sugar' is not an argument of check_token");
});
