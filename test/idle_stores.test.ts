import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { openTestFacts, type TestFacts, testAddress } from "./facts_store.ts";

const NETWORK = "demo";

/** Rows by table, of tables that have some. */
const filled = ({ query }: TestFacts) =>
  query("SELECT table, sum(rows) FROM system.parts WHERE active AND database = 'assay' GROUP BY table ORDER BY table");
const columns = ({ query }: TestFacts) =>
  query("SELECT table, name, type FROM system.columns WHERE database = 'assay' ORDER BY table, position");

const use = async (store: TestFacts): Promise<void> => {
  const [source, destination] = [testAddress(1), testAddress(2)];
  const scope = { network: NETWORK, block_number: 7, tx_index: 0, position: 0, time: 1_700_000_084, sender: source };
  const coins = { kind: "native", token: Buffer.alloc(0), token_id: 0n, amount: 5n, source, destination } as const;
  await store.seed({ network: NETWORK, from: 0, to: 9 }, { transfers: [{ ...scope, ...coins }] });
  expect(await store.query("SELECT count() FROM ledger")).toEqual([["2"]]);
};

test("a store that a test has used is empty for the next one, with the same tables", async () => {
  const first = await openTestFacts();
  const before = [await filled(first), await columns(first)];
  await use(first);
  await first.close();
  const second = await openTestFacts();
  expect(second.data_dir).toBe(first.data_dir);
  expect([await filled(second), await columns(second)]).toEqual(before);
  // As in a new one: earlier rows are neither doubled nor assumed to exist.
  await use(second);
  await second.close();
});

test("one whose tables were changed is not used again, nor are two of the same time the same", async () => {
  const [one, other] = await Promise.all([openTestFacts(), openTestFacts()]);
  expect(one.data_dir).not.toBe(other.data_dir);
  await one.engine.command("ALTER TABLE ledger ADD COLUMN more UInt8");
  await Promise.all([one.close(), other.close()]);
  expect([existsSync(one.data_dir), existsSync(other.data_dir)]).toEqual([false, true]);
});
