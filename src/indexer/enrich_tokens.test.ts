import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts, testAddress } from "../../test/facts_store.ts";
import { fixedChain } from "../../test/fixed_chain.ts";
import { hex, toHex } from "../lib/bytes.ts";
import { TokenReader } from "./enrich_tokens.ts";
import { emptyRows } from "./rows.ts";

const TOKENS = [1, 2, 3, 4].map((number) => toHex(testAddress(number)));
const BLOCK = { number: 10, hash: hex("aa"), parent_hash: hex("bb"), time: 1_700_000_010 };
const signal = new AbortController().signal;

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

const readerOn = (network: string, loaded_max?: number) => {
  const asked: string[][] = [];
  const coins = Object.fromEntries(TOKENS.map((token) => [token, { standard: "erc20", symbol: "TOK", decimals: 6 }]));
  const chain = fixedChain({ blocks: [BLOCK], tokens: coins, network: { id: network, stablecoins: [] } });
  const counted = {
    ...chain,
    tokenMetadata: (...how: Parameters<typeof chain.tokenMetadata>) => {
      asked.push([...how[0]]);
      return chain.tokenMetadata(...how);
    },
  };
  return { reader: new TokenReader({ chain: counted, store }, loaded_max), asked };
};

const storedOn = async (network: string): Promise<unknown[]> =>
  (await store.query(`SELECT lower(hex(token)) FROM tokens WHERE network = '${network}' ORDER BY token`)).map(
    ([token]) => token,
  );

test("tokens of several parts of a range are stored together, and a process that ends before reads them again", async () => {
  const first = readerOn("together");
  for (const part of [TOKENS.slice(0, 1), TOKENS.slice(0, 2)])
    expect([...(await first.reader.standards(part, signal))]).toEqual(part.map((token) => [token, "erc20"]));
  expect(await storedOn("together")).toEqual([]);
  const second = readerOn("together");
  await second.reader.standards(TOKENS.slice(0, 1), signal);
  expect(second.asked).toEqual([TOKENS.slice(0, 1)]);
  await first.reader.read(emptyRows(), [], signal);
  expect(await storedOn("together")).toEqual(TOKENS.slice(0, 2));
  // Stored meanwhile by the first: nothing is stored twice.
  await second.reader.read(emptyRows(), [], signal);
  const rows = await store.query("SELECT count() FROM tokens WHERE network = 'together'");
  expect(rows).toEqual([["2"]]);
});

test.each([
  ["loads all stored tokens once", undefined],
  ["queries each token where more are stored than it loads", 1],
])("a new process %s, and reads only others from the node", async (name, loaded_max) => {
  const before = readerOn(name);
  await before.reader.standards(TOKENS.slice(0, 3), signal);
  await before.reader.read(emptyRows(), [], signal);
  const { reader, asked } = readerOn(name, loaded_max);
  await reader.standards(TOKENS, signal);
  expect(asked).toEqual([TOKENS.slice(3)]);
  await reader.read(emptyRows(), [], signal);
  expect(await storedOn(name)).toEqual(TOKENS);
});
