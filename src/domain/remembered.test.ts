import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../test/facts_store.ts";
import { addressOf, bytesOf, tokenRow } from "../../test/value_rows.ts";
import { type FactsStore, openFacts } from "../store/open.ts";
import { RememberedResults, recordStamps } from "./remembered.ts";

const network = "remembering";
const other_network = "elsewhere";
let store: TestFacts;
let served: FactsStore;

beforeAll(async () => {
  store = await openTestFacts();
  await store.seed({ network, from: 1, to: 2 }, {});
  await store.seed({ network: other_network, from: 1, to: 2 }, {});
  served = await openFacts({ engine: "embedded", data_dir: store.data_dir });
});
afterAll(async () => {
  await served.close();
  await store.close();
});

const writeToken = (symbol: string, of = network): Promise<void> =>
  store.writer.insert("tokens", [{ ...tokenRow(addressOf(7), symbol, 18), network: of, read_at_block: 1 }], {
    network: of,
  });

/** The symbol of a token as a call reads it, and whether the result was remembered. */
const symbolThrough = async (memory: RememberedResults<string>, meanwhile?: () => Promise<void>) => {
  const { facts, reads } = recordStamps(served.served);
  const snapshot = await facts.snapshot(network, null);
  const known = await memory.recall(facts, ["symbol", 7]);
  if (known !== null) return [known, "remembered"];
  const read = async () => (await facts.ask(snapshot, "tokens_among", { tokens: [addressOf(7)] }))[0]?.symbol ?? "";
  const value = await read();
  await meanwhile?.();
  await read();
  memory.keep(["symbol", 7], { value, reads, weight: 1 });
  return [value, "read"];
};

test("is remembered until a table of its queries is written on its network", async () => {
  const memory = new RememberedResults<string>(9);
  await writeToken("OLD");
  expect(await symbolThrough(memory)).toEqual(["OLD", "read"]);
  expect(await symbolThrough(memory)).toEqual(["OLD", "remembered"]);
  await writeToken("ELSE", other_network);
  expect(await symbolThrough(memory)).toEqual(["OLD", "remembered"]);
  await writeToken("NEW");
  expect(await symbolThrough(memory)).toEqual(["NEW", "read"]);
});

test("is not kept if a table was written while it was computed", async () => {
  const memory = new RememberedResults<string>(9);
  const meanwhile = async (): Promise<void> => {
    await writeToken("LATER");
    // Another call looks at the writes.
    await served.served.snapshot(network, null);
  };
  await symbolThrough(memory, meanwhile);
  expect(await symbolThrough(memory)).toEqual(["LATER", "read"]);
});

test("without versions of the tables nothing is remembered", async () => {
  const memory = new RememberedResults<number>(9);
  const { facts, reads } = recordStamps(served.facts);
  const snapshot = await facts.snapshot(network, null);
  await facts.withSignal(AbortSignal.timeout(60_000)).ask(snapshot, "tokens_among", { tokens: [addressOf(7)] });
  memory.keep("one", { value: 1, reads, weight: 1 });
  expect(await memory.recall(served.served, "one")).toBeNull();
});

const STEADY = { list: () => [] };

test("forgets the least recently used beyond its size, what is too large, and everything after a minute", async () => {
  const memory = new RememberedResults<string>(9);
  const recall = (key: string, now_ms = 0) => memory.recall(served.served, key, now_ms);
  const keep = (key: string, weight: number): void => memory.keep(key, { value: key, reads: STEADY, weight }, 0);
  for (const key of ["a", "b", "c"]) keep(key, 3);
  expect(await recall("a")).toBe("a");
  keep("d", 3);
  keep("large", 4);
  expect(await Promise.all(["a", "b", "c", "d", "large"].map((key) => recall(key)))).toEqual([
    ...["a", null, "c", "d", null],
  ]);
  expect([await recall("a", 59_999), await recall("a", 60_000), await recall("a", 0)]).toEqual(["a", null, null]);
});

test("a result is of its key", async () => {
  const memory = new RememberedResults<bigint>(9);
  memory.keep({ of: bytesOf(addressOf(1)).length, at: 1n }, { value: 5n, reads: STEADY, weight: 1 });
  expect(await memory.recall(served.served, { of: 20, at: 1 })).toBeNull();
  expect(await memory.recall(served.served, { of: 20, at: 1n })).toBe(5n);
});
