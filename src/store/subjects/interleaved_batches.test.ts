import { afterAll, beforeAll, expect, test } from "vitest";
import { blockHash, openTestFacts, type TestFacts, testAddress } from "../../../test/facts_store.ts";
import { toHex } from "../../lib/bytes.ts";
import type { TableRows } from "../tables.gen.ts";

/** Two batches whose blocks alternate: what is written, repaired or taken out of one leaves the other alone. */

const NETWORK = "demo";
const TIME = 1_700_000_000;
const [PAYER, FIRST, SECOND] = [testAddress(1), testAddress(2), testAddress(3)];
const EVEN = [100, 102, 104, 5_000];
const ODD = [101, 103, 4_999];

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store?.close());

const rangeOf = (blocks: readonly number[]) => ({
  network: NETWORK,
  from: blocks[0] ?? 0,
  to: blocks.at(-1) ?? 0,
  blocks,
});

/** In each block one payment of as many units as the block's number. */
const recordOf = (blocks: readonly number[], to: Uint8Array) => {
  const at = (block_number: number) => ({ network: NETWORK, block_number, tx_index: 0, time: TIME + block_number });
  const transfers = blocks.map((block): TableRows["transfers"] => ({
    ...at(block),
    ...{ position: 0, kind: "native", token: new Uint8Array(0), token_id: 0n, amount: BigInt(block) },
    ...{ sender: PAYER, source: PAYER, destination: to },
  }));
  const transactions = blocks.map((block): TableRows["transactions"] => ({
    ...at(block),
    ...{ hash: blockHash(block), sender: PAYER, recipient: to, value: BigInt(block), fee: 0n, gas_used: 1 },
    ...{ nonce: block, succeeded: 1, selector: new Uint8Array(0), created: new Uint8Array(0) },
  }));
  const { writer } = store;
  return {
    tables: ["transactions", "transfers"] as const,
    rows: new Map([
      ["transactions", { pieces: [writer.encode("transactions", transactions)], rows: blocks.length }],
      ["transfers", { pieces: [writer.encode("transfers", transfers)], rows: blocks.length }],
    ] as const),
  };
};

const write = async (blocks: readonly number[], to: Uint8Array, is_fresh: boolean): Promise<void> => {
  const { finals } = store.writer;
  await finals.writeRecord(rangeOf(blocks), recordOf(blocks, to), { is_fresh });
  await finals.writeLayouts(rangeOf(blocks), { is_fresh });
  await finals.writeBalances(rangeOf(blocks), { is_fresh });
};

/** Rows by table, and the sums of the three addresses. */
const state = async () => {
  const tables = ["transactions", "transfers", "ledger", "token_ledger", "transaction_places"];
  const counts = await store.query(
    tables.map((table) => `SELECT '${table}', count() FROM ${table}`).join(" UNION ALL "),
  );
  const sums = await store.query(
    `SELECT lower(hex(holder)), toString(sum(amount)) FROM balances WHERE holder != '' GROUP BY holder ORDER BY holder`,
  );
  return {
    counts: Object.fromEntries(counts.map(([table, count]) => [String(table), Number(count)])),
    sums: sums.map(([holder, amount]) => [holder, amount]),
  };
};

// 100 + 102 + 104 + 5,000 = 5,306; 101 + 103 + 4,999 = 5,203; both: 10,509.
const BOTH = {
  counts: { transactions: 7, transfers: 7, ledger: 14, token_ledger: 7, transaction_places: 7 },
  sums: [
    [toHex(PAYER), "-10509"],
    [toHex(FIRST), "5306"],
    [toHex(SECOND), "5203"],
  ],
};

test("batches whose blocks alternate are written side by side", async () => {
  await write(EVEN, FIRST, true);
  await write(ODD, SECOND, true);
  expect(await state()).toEqual(BOTH);
});

test("writing one again changes nothing", async () => {
  await write(EVEN, FIRST, false);
  await write(ODD, SECOND, false);
  expect(await state()).toEqual(BOTH);
});

test("rows that one lost or has twice are repaired, and the other's stay", async () => {
  await store.engine.command("DELETE FROM transfers WHERE block_number IN (101, 102)");
  await store.engine.command("DELETE FROM ledger WHERE block_number = 5000");
  await store.engine.command("INSERT INTO token_ledger SELECT * FROM token_ledger WHERE block_number IN (103, 104)");
  await write(EVEN, FIRST, false);
  // 101 is still missing, and 103 is there twice.
  expect((await state()).counts).toEqual({ ...BOTH.counts, transfers: 6, token_ledger: 8 });
  await write(ODD, SECOND, false);
  expect(await state()).toEqual(BOTH);
});

test("sums enter once however often they are added", async () => {
  const entered = await store.query(
    "SELECT count() FROM (SELECT token FROM balances WHERE holder = '' AND length(token) = 17 GROUP BY token HAVING sum(transfers) = 1)",
  );
  expect(Number(entered[0]?.[0])).toBe(2);
});
