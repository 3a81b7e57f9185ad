import { afterAll, beforeAll, expect, test } from "vitest";
import { blockRows, openTestFacts, type TestFacts, testAddress } from "../../../../test/facts_store.ts";
import { toHex } from "../../../lib/bytes.ts";

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

const network = "places";

const transaction = (hash: Uint8Array, block_number: number, tx_index: number) => ({
  ...{ network, block_number, tx_index, hash, time: 1_700_000_000, sender: testAddress(1), recipient: testAddress(2) },
  ...{ value: 0n, fee: 1n, gas_used: 1n, nonce: 0, succeeded: 1, selector: Buffer.alloc(0), created: Buffer.alloc(0) },
});

/** Hashes with equal first eight bytes. */
const alike = (last: number): Buffer => Buffer.concat([Buffer.alloc(8, 7), Buffer.alloc(24, last)]);

test("finds a transaction by its full hash among those with the same prefix", async () => {
  await store.seed(
    { network, from: 100, to: 109 },
    { transactions: [transaction(alike(1), 101, 3), transaction(alike(2), 101, 4), transaction(alike(3), 109, 0)] },
  );
  await store.writer.insert("blocks", blockRows({ network, from: 110, to: 111 }), { is_tail: true });
  await store.writer.insert("transactions", [transaction(alike(4), 111, 3)], { is_tail: true });
  const snapshot = await store.facts.snapshot(network, null);
  const placesOf = async (hash: Buffer) =>
    (await store.facts.ask(snapshot, "reading/place", { hash: toHex(hash) })).map((row) => Object.values(row));
  expect(await placesOf(alike(2))).toEqual([[101, 4]]);
  expect(await placesOf(alike(3))).toEqual([[109, 0]]);
  expect(await placesOf(alike(4))).toEqual([[111, 3]]);
  expect(await placesOf(alike(5))).toEqual([]);
});
