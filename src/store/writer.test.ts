import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { blockHash, blockRows, openTestFacts, type TestFacts, testAddress } from "../../test/facts_store.ts";
import { sized } from "../../test/long.ts";
import { AssayError } from "../lib/errors.ts";
import type { ContractsRow, TransactionsRow, TransfersRow } from "./tables.gen.ts";

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

const count = async (table: string, network: string): Promise<number> => {
  const rows = await store.query(`SELECT count() FROM ${table} WHERE network = '${network}'`);
  return Number(rows[0]?.[0]);
};

/** Transfer i moves i + 1 from address i mod 7 to address i mod 5; every tenth comes from the void. */
const transfers = (network: string, total: number, first_block = 100): TransfersRow[] =>
  Array.from({ length: total }, (_, i) => ({
    network,
    block_number: first_block + Math.floor(i / 100),
    tx_index: i % 100,
    position: 0,
    time: 1_700_000_000 + i,
    kind: "erc20",
    token: testAddress(0x70),
    token_id: 0n,
    source: i % 10 === 0 ? Buffer.alloc(0) : testAddress(1 + (i % 7)),
    destination: testAddress(1 + (i % 5)),
    amount: BigInt(i + 1),
    sender: testAddress(1 + (i % 7)),
  }));

/** Writes transfers as a finished range. */
const writeTransfers = async (network: string, rows: readonly TransfersRow[], range: { from: number; to: number }) => {
  const pieces = [store.writer.encode("transfers", rows)];
  const encoded = new Map([["transfers" as const, { pieces, rows: rows.length }]]);
  await store.writer.finals.writeRecord({ network, ...range }, { tables: ["transfers"], rows: encoded });
  await store.writer.finals.writeLayouts({ network, ...range });
  await store.writer.finals.writeBalances({ network, ...range });
};

test("transfers that are written twice leave no second copy, neither in the record nor in what follows from it", async () => {
  const network = "twice";
  const rows = transfers(network, 1000);
  await writeTransfers(network, rows, { from: 100, to: 109 });
  await writeTransfers(network, rows, { from: 100, to: 109 });
  expect(await count("transfers", network)).toBe(1000);
  expect(await count("token_ledger", network)).toBe(1000);
  // 2 sides per transfer, without the 100 that come from the void.
  expect(await count("ledger", network)).toBe(1900);
  // Addresses 1 to 7, the marker of what the sums reach, and the segment's own.
  expect(await count("balances", network)).toBe(9);
  expect(await count("balances_by_holder", network)).toBe(9);
  // The void gave 1 + 11 + 21 + … + 991 = 100 · (1 + 991) / 2 = 49600; everything else stays among the addresses.
  const [row] = await store.query(
    `SELECT toString(sum(amount)), max(last_block) FROM balances WHERE network = '${network}'`,
  );
  expect(row).toEqual(["49600", "109"]);
});

test("a large segment is one part in the record and one in each layout", async () => {
  const network = "large";
  await writeTransfers(network, transfers(network, 150_000), { from: 100, to: 1599 });
  for (const table of ["transfers", "ledger", "token_ledger"]) {
    const parts = await store.query(`SELECT uniqExact(_part), count() FROM ${table} WHERE network = '${network}'`);
    // 150,000 transfers; 15,000 of them come from the void and have one side only.
    expect(parts, table).toEqual([["1", table === "ledger" ? "285000" : "150000"]]);
  }
});

test("only created contracts become deployments, and a transaction's place is found by its hash", async () => {
  const network = "views";
  const contract: ContractsRow = {
    network,
    address: testAddress(0xc),
    block_number: 1,
    tx_index: 0,
    position: 0,
    time: 1_700_000_000,
    tx_hash: blockHash(1),
    event: "created",
    method: "create2",
    creator: testAddress(1),
    factory: testAddress(2),
    init_hash: blockHash(3),
    code_hash: blockHash(4),
  };
  await store.writer.insert("contracts", [contract, { ...contract, block_number: 2, event: "destroyed" }]);
  await store.writer.finals.writeLayouts({ network, from: 1, to: 2 });
  expect(await store.query(`SELECT block_number, method FROM deployments WHERE network = '${network}'`)).toEqual([
    ["1", "create2"],
  ]);
  const transaction: TransactionsRow = {
    network,
    block_number: 7,
    tx_index: 3,
    hash: blockHash(9),
    time: 1_700_000_000,
    sender: testAddress(1),
    recipient: testAddress(2),
    value: 2n ** 256n - 1n,
    fee: 21_000n,
    gas_used: 21_000n,
    nonce: 5,
    succeeded: 1,
    selector: Buffer.from("a9059cbb", "hex"),
    created: Buffer.alloc(0),
  };
  await store.writer.insert("transactions", [transaction], { is_tail: true });
  const hex = Buffer.from(blockHash(9)).toString("hex");
  expect(
    await store.query(
      `SELECT block_number, tx_index FROM transaction_places WHERE network = '${network}' AND hash_prefix = substring(unhex('${hex}'), 1, 8)`,
    ),
  ).toEqual([["7", 3]]);
  expect(await store.query(`SELECT toString(value), nonce FROM transactions WHERE network = '${network}'`)).toEqual([
    [(2n ** 256n - 1n).toString(), "5"],
  ]);
});

test("cutting the tail removes whole partitions from the block on, of one network only", async () => {
  // Partitions of 32 blocks: 64-95, 96-127, 128-159.
  for (const network of ["tail", "tail_other"]) {
    await store.writer.insert("blocks", blockRows({ network, from: 90, to: 130 }), { is_tail: true });
    await store.writer.insert("transfers", transfers(network, 41 * 100, 90), { is_tail: true });
  }
  expect(await store.writer.dropHead("tail", 100)).toBe(96);
  const left = await store.query(
    "SELECT min(block_number), max(block_number) FROM blocks WHERE tail != 0 AND network = 'tail'",
  );
  expect(left).toEqual([["90", "95"]]);
  expect(await count("transfers", "tail")).toBe(600);
  expect(await count("token_ledger", "tail")).toBe(600);
  expect(await count("ledger", "tail")).toBe(1140);
  expect(await count("blocks", "tail_other")).toBe(41);
  expect(await count("transfers", "tail_other")).toBe(4100);
});

test("promotion drops only partitions that lie wholly below the boundary", async () => {
  const network = "promoted";
  await store.writer.insert("blocks", blockRows({ network, from: 64, to: 130 }), { is_tail: true });
  await store.writer.dropPromoted(network, 126);
  expect(await store.query(`SELECT min(block_number) FROM blocks WHERE tail != 0 AND network = '${network}'`)).toEqual([
    ["96"],
  ]);
  await store.writer.dropPromoted(network, 127);
  expect(await store.query(`SELECT min(block_number) FROM blocks WHERE tail != 0 AND network = '${network}'`)).toEqual([
    ["128"],
  ]);
});

test("a row without a column is refused before anything is sent", async () => {
  const [row] = transfers("missing", 1);
  const { amount: _, ...rest } = row ?? {};
  // The compiler rejects this row; the test covers callers that bypass it.
  const broken = rest as TransfersRow;
  await expect(store.writer.insert("transfers", [broken])).rejects.toThrow("transfers.amount is missing");
});

const enginePid = async (): Promise<number> =>
  Number(JSON.parse(await readFile(join(store.data_dir, "engine.json"), "utf8")).pid);

/** The engine is killed once in each. */
const SEGMENTS = sized({ slice: 6, long: 20 });
const KILL_STEP_MS = sized({ slice: 21, long: 7 });

test("whatever moment the engine is killed at, writing again ends with the same rows", async () => {
  const segments = Array.from({ length: SEGMENTS }, (_, index) => ({ from: 1000 + index * 20, to: 1019 + index * 20 }));
  const write = async (network: string, segment: { from: number; to: number }): Promise<void> => {
    const moved = store.writer.encode("transfers", transfers(network, 2000, segment.from));
    const blocks = store.writer.encode("blocks", blockRows({ network, ...segment }));
    const rows = new Map([
      ["transfers" as const, { pieces: [moved], rows: 2000 }],
      ["blocks" as const, { pieces: [blocks], rows: 20 }],
    ]);
    const tables = ["transfers", "blocks"] as const;
    await store.writer.finals.writeRecord({ network, ...segment }, { tables, rows });
    await store.writer.finals.writeLayouts({ network, ...segment });
    await store.writer.finals.writeBalances({ network, ...segment });
  };
  for (const segment of segments) await write("calm", segment);
  let kills = 0;
  for (const [index, segment] of segments.entries()) {
    const pid = await enginePid();
    const killer = sleep((index * KILL_STEP_MS) % 110).then(() => process.kill(pid, "SIGKILL"));
    for (let is_written = false; !is_written; ) {
      try {
        await write("killed", segment);
        is_written = true;
      } catch (error) {
        expect(error).toBeInstanceOf(AssayError);
        expect(error).toMatchObject({ code: "FACTS_UNAVAILABLE", retryable: true });
        kills += 1;
      }
    }
    await killer;
    // One call may meet the dead connection; the one after it finds the new engine.
    await store.query("SELECT 1").catch(() => store.query("SELECT 1"));
  }
  expect(kills).toBeGreaterThan(sized({ slice: 1, long: 5 }));
  for (const table of ["transfers", "ledger", "token_ledger", "blocks"]) {
    const columns = await store.query(
      `SELECT groupArray(name) FROM system.columns WHERE database = 'assay' AND table = '${table}' AND name != 'network'`,
    );
    const sum = (network: string) =>
      store.query(
        `SELECT count(), toString(sum(cityHash64(${String(columns[0]?.[0])}))) FROM ${table} WHERE network = '${network}'`,
      );
    expect(await sum("killed"), table).toEqual(await sum("calm"));
  }
  for (const table of ["balances", "balances_by_holder"]) {
    const sums = (network: string) =>
      store.query(
        `SELECT hex(token), hex(holder), toString(sum(amount)), sum(transfers), min(first_block), max(last_block)
         FROM ${table} WHERE network = '${network}' GROUP BY token, holder ORDER BY token, holder`,
      );
    expect(await sums("killed"), table).toEqual(await sums("calm"));
  }
});
