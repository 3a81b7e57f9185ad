import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually, lives } from "../../test/engine_process.ts";
import { RECORD_TABLES, recordOf, SEGMENT_TABLES, type SegmentOf, writeSegmentRows } from "../../test/segment_rows.ts";
import { type FactsStore, openFacts } from "./open.ts";
import { columnsOf, LAYOUT_TABLES, layoutSelect } from "./sums.ts";
import { TABLES } from "./tables.gen.ts";
import type { TableName } from "./writer.ts";

let data_dir: string;
let store: FactsStore;
beforeEach(async () => {
  data_dir = await mkdtemp(join(tmpdir(), "assay-final-"));
  store = await openFacts({ engine: "embedded", data_dir });
  // Each insert stays the part that it is, so that one can be taken away.
  await store.engine.command("SYSTEM STOP MERGES");
});
afterEach(async () => {
  await store.close();
  await rm(data_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

const stopEngine = async (): Promise<void> => {
  const { pid } = JSON.parse(readFileSync(join(data_dir, "engine.json"), "utf8"));
  await store.close();
  expect(await eventually(() => !lives(pid))).toBe(true);
};

const startEngine = async (): Promise<void> => {
  store = await openFacts({ engine: "embedded", data_dir });
};

const SEGMENT = { from: 96, to: 127 };
const segmentOf = (network: string): SegmentOf => ({ network, ...SEGMENT });
/** A network for every table, so that one restart of the engine tries all of them. */
const networkOf = (table: TableName): string => `hurt-${table}`;

/** Where the rows of a network lie in a table; they are one part. */
const partOf = async (table: TableName, network: string): Promise<string> => {
  const rows = await store.engine.query(
    `SELECT DISTINCT p.path FROM ${table} AS t
     INNER JOIN (SELECT name, path FROM system.parts WHERE active AND database = 'assay' AND table = '${table}') AS p ON p.name = t._part
     WHERE t.network = '${network}'`,
  );
  expect(rows, `${table} of ${network} in one part`).toHaveLength(1);
  return String(rows[0]?.[0]);
};

/** Rows and an order-free hash of a network in every table, sums of balances as sums. */
const contents = async (network: string): Promise<Record<string, unknown>> => {
  const found: Record<string, unknown> = {};
  for (const table of SEGMENT_TABLES) {
    const columns = TABLES[table].filter(([name]) => name !== "network");
    const hashed = columns.map(([name, type]) => (type.startsWith("Nullable(") ? `tuple(${name})` : name)).join(", ");
    const sums = `SELECT token, holder, sum(amount) AS amount, sum(transfers) AS transfers, min(first_block) AS first_block,
      max(last_block) AS last_block FROM ${table} WHERE network = '${network}' GROUP BY token, holder`;
    const source = table.startsWith("balances") ? `(${sums})` : `${table} WHERE network = '${network}'`;
    const [row] = await store.engine.query(`SELECT count(), toString(sum(sipHash64(${hashed}))) FROM ${source}`);
    found[table] = row;
  }
  return found;
};

/** Writes the segment into `clean` and into a network per table, each as earlier versions did: with tokens. */
const writeAll = async (tables: readonly TableName[]): Promise<void> => {
  await writeSegmentRows(store.writer, segmentOf("clean"));
  for (const table of tables) await writeSegmentRows(store.writer, segmentOf(networkOf(table)));
};

const expectClean = async (tables: readonly TableName[]): Promise<void> => {
  const clean = await contents("clean");
  for (const table of SEGMENT_TABLES) expect(clean[table], table).not.toEqual(["0", "0"]);
  for (const table of tables) expect(await contents(networkOf(table)), table).toEqual(clean);
};

const repeatAll = async (tables: readonly TableName[]): Promise<void> => {
  for (const table of tables) await writeSegmentRows(store.writer, segmentOf(networkOf(table)));
};

test("a segment that is written twice is there once, and a damaged one is whole again after a repetition", async () => {
  await writeAll([]);
  const before = await contents("clean");
  await writeSegmentRows(store.writer, segmentOf("clean"));
  expect(await contents("clean")).toEqual(before);
  // 32 blocks of 3 rows, 1 block row each.
  expect(before.transfers_final?.[0 as never]).toBe("96");
  expect(before.blocks_final?.[0 as never]).toBe("32");
});

test("whichever table has lost its last part while its token stayed, a repetition ends with a clean index", async () => {
  await writeAll(SEGMENT_TABLES);
  const parts = [];
  for (const table of SEGMENT_TABLES) parts.push(await partOf(table, networkOf(table)));
  await stopEngine();
  for (const path of parts) rmSync(path, { recursive: true });
  await startEngine();
  for (const table of SEGMENT_TABLES) expect((await contents(networkOf(table)))[table], table).toEqual(["0", "0"]);
  await repeatAll(SEGMENT_TABLES);
  await expectClean(SEGMENT_TABLES);
});

test("a list of tokens that names rows which are not there keeps nothing from being written", async () => {
  const tables = [...RECORD_TABLES, ...LAYOUT_TABLES] as const;
  await writeSegmentRows(store.writer, segmentOf("clean"));
  // As versions before wrote, with the list on: a token per insert, and the hash of the rows.
  const deduplicating = { insert_deduplicate: 1 };
  const parts = [];
  for (const table of tables) {
    const network = networkOf(table);
    await store.engine.command(`ALTER TABLE ${table} MODIFY SETTING non_replicated_deduplication_window = 1000`);
    const record = recordOf(store.writer, segmentOf(network));
    for (const base of RECORD_TABLES) {
      const settings = { ...deduplicating, insert_deduplication_token: `${network}:96-127` };
      await store.engine.insert(base, columnsOf(base), Buffer.concat(record.rows.get(base) ?? []), { settings });
    }
    const params = { network, from: "96", to: "127" };
    for (const layout of LAYOUT_TABLES)
      await store.engine.command(`INSERT INTO ${layout} (${columnsOf(layout).join(", ")})\n${layoutSelect(layout)}`, {
        params,
        settings: { ...deduplicating, insert_deduplication_token: `${network}:96-127` },
      });
    parts.push(await partOf(table, network));
  }
  await stopEngine();
  for (const path of parts) {
    expect(existsSync(join(path, "../deduplication_logs")), path).toBe(true);
    rmSync(path, { recursive: true });
  }
  await startEngine();
  // The list is believed: the same insert as before is thrown away.
  const network = networkOf("transfers_final");
  const rows = recordOf(store.writer, segmentOf(network)).rows.get("transfers_final")?.[0] ?? Buffer.alloc(0);
  const settings = { ...deduplicating, insert_deduplication_token: `${network}:96-127` };
  await store.engine.insert("transfers_final", columnsOf("transfers_final"), rows, { settings });
  expect((await contents(network)).transfers_final).toEqual(["0", "0"]);
  await repeatAll(tables);
  await expectClean(tables);
});

test("whichever list of tokens has lost its last record while the part stayed, nothing is doubled", async () => {
  for (const table of SEGMENT_TABLES)
    await store.engine.command(`ALTER TABLE ${table} MODIFY SETTING non_replicated_deduplication_window = 1000`);
  await writeAll(SEGMENT_TABLES);
  const folders = [];
  for (const table of SEGMENT_TABLES) folders.push(join(await partOf(table, networkOf(table)), ".."));
  await stopEngine();
  for (const folder of folders) {
    const logs = join(folder, "deduplication_logs");
    for (const name of existsSync(logs) ? readdirSync(logs) : []) {
      const lines = readFileSync(join(logs, name), "latin1").trimEnd().split("\n");
      writeFileSync(join(logs, name), lines.slice(0, -1).join("\n"), "latin1");
    }
  }
  await startEngine();
  await repeatAll(SEGMENT_TABLES);
  await expectClean(SEGMENT_TABLES);
});

test("a part whose file was cut is set aside by the engine and written again by a repetition", async () => {
  await writeAll(SEGMENT_TABLES);
  const files: string[] = [];
  for (const table of SEGMENT_TABLES) {
    const path = await partOf(table, networkOf(table));
    files.push(join(path, "data.bin"));
  }
  await stopEngine();
  for (const file of files) truncateSync(file, 10);
  await startEngine();
  const lost = await store.engine.query(
    "SELECT count() FROM system.detached_parts WHERE database = 'assay' AND reason = 'broken-on-start'",
  );
  expect(lost).toEqual([[String(SEGMENT_TABLES.length)]]);
  await repeatAll(SEGMENT_TABLES);
  await expectClean(SEGMENT_TABLES);
});

test("whichever table has rows twice, or other rows, a repetition leaves those that shall be there", async () => {
  const tables = SEGMENT_TABLES.filter((table) => !table.startsWith("balances"));
  await writeAll(tables);
  for (const [index, table] of tables.entries()) {
    const network = networkOf(table);
    const columns = columnsOf(table).join(", ");
    const where = `network = '${network}'`;
    const copy = `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${table} WHERE ${where}`;
    await store.engine.command(index % 2 === 0 ? copy : `${copy} AND block_number < 100`);
    if (index % 3 === 0) await store.engine.command(`DELETE FROM ${table} WHERE ${where} AND block_number = 127`);
  }
  await repeatAll(tables);
  await expectClean(tables);
});

test("sums that have entered the balances several times, or not at all, count once after a repetition", async () => {
  await writeSegmentRows(store.writer, segmentOf("clean"));
  for (const [network, copies] of [["none", 0], ["twice", 2], ["five times", 5]] as const) {
    const segment = segmentOf(network);
    await store.writer.finals.writeRecord(segment, recordOf(store.writer, segment));
    await store.writer.finals.writeLayouts(segment);
    for (const table of ["balances", "balances_by_holder"] as const) {
      const columns = columnsOf(table).join(", ");
      for (let copy = 0; copy < copies; copy += 1)
        await store.engine.command(
          `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM (SELECT * REPLACE ('${network}' AS network) FROM ${table} WHERE network = 'clean')`,
        );
    }
    await store.writer.finals.writeBalances(segment, 0);
    expect(await contents(network), network).toEqual(await contents("clean"));
  }
});

test("a deletion that was cut off is waited for before anything is compared", async () => {
  await writeSegmentRows(store.writer, segmentOf("clean"));
  await writeSegmentRows(store.writer, segmentOf("other"));
  const before = await contents("other");
  // Asked for without waiting: it runs on in the engine after the statement has ended.
  await store.engine.command("SET lightweight_deletes_sync = 0").catch(() => undefined);
  await store.engine.command(
    "ALTER TABLE ledger_final UPDATE _row_exists = 0 WHERE network = 'other' AND NOT ignore(sleepEachRow(0.01))",
  ).catch(() => store.engine.command("DELETE FROM ledger_final WHERE network = 'other'"));
  await writeSegmentRows(store.writer, segmentOf("other"));
  expect(await contents("other")).toEqual(before);
});

test("what an earlier writer is still writing is ended before a range is looked at", async () => {
  const columns = columnsOf("transfers_final").join(", ");
  await writeSegmentRows(store.writer, segmentOf("clean"));
  // 192 rows at 20 ms each: longer than the test waits.
  const slow = store.engine.command(
    `INSERT INTO transfers_final (${columns}) SELECT ${columns} FROM (
      SELECT * REPLACE ('late' AS network) FROM transfers_final WHERE network = 'clean' AND NOT ignore(sleepEachRow(0.02)))`,
    { id: "assay-write:late:1", settings: { max_block_size: 1 } },
  );
  const ended = expect(slow).rejects.toMatchObject({ code: "FACTS_UNAVAILABLE" });
  await new Promise((resolve) => setTimeout(resolve, 300));
  await writeSegmentRows(store.writer, segmentOf("late"));
  await ended;
  expect(await contents("late")).toEqual(await contents("clean"));
});

test("tables in which a writer prepared its rows are gone when the next one opens the network", async () => {
  await writeSegmentRows(store.writer, segmentOf("clean"));
  const staged = () => store.engine.query("SELECT count() FROM system.tables WHERE database = 'assay' AND startsWith(name, 'stage_')");
  expect(Number((await staged())[0]?.[0])).toBeGreaterThan(10);
  await store.writer.finals.open("another");
  expect(Number((await staged())[0]?.[0])).toBeGreaterThan(10);
  await store.writer.finals.open("clean");
  expect(await staged()).toEqual([["0"]]);
  await writeSegmentRows(store.writer, segmentOf("clean"));
});
