import { readdirSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eventually, lives } from "../../test/engine_process.ts";
import { emptyFacts } from "../../test/facts_store.ts";
import { sized } from "../../test/long.ts";
import {
  RECORD_TABLES,
  recordOf,
  SEGMENT_TABLES,
  type SegmentPosition,
  segmentContents,
  writeSegmentRows,
} from "../../test/segment_rows.ts";
import { type FactsStore, openFacts } from "./open.ts";
import { questionText } from "./question_text.ts";
import { columnsOf, LAYOUT_TABLES, layoutSelect, unordered } from "./sums.ts";
import { readLostParts } from "./verify/lost_parts.ts";
import type { TableName } from "./writer.ts";

let data_dir: string;
let store: FactsStore;
const begin = async (): Promise<void> => {
  data_dir = await emptyFacts();
  store = await openFacts({ engine: "embedded", data_dir });
};
const end = async (): Promise<void> => {
  await store.close();
  rmSync(data_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
};

const stopEngine = async (): Promise<void> => {
  const { pid } = JSON.parse(readFileSync(join(data_dir, "engine.json"), "utf8"));
  await store.close();
  expect(await eventually(() => !lives(pid))).toBe(true);
};

const startEngine = async () => {
  store = await openFacts({ engine: "embedded", data_dir });
};
const segmentOf = (network: string): SegmentPosition => ({ network, from: 96, to: 127 });
const BALANCES = ["balances", "balances_by_holder"] as const;
/** Damage by network: one restart of the engine tests all of them. */
const HURT: Readonly<Record<string, readonly TableName[]>> = {
  "hurt record": RECORD_TABLES,
  "hurt layouts": LAYOUT_TABLES,
  "hurt balances": BALANCES,
  "hurt everywhere": SEGMENT_TABLES,
};
/** In a slice each test hurts some of them; all of them are hurt by one test or another. */
const hurting = (...slice: readonly string[]): readonly string[] => sized({ slice, long: Object.keys(HURT) });

/** Paths of the parts that are to be hurt. */
const hurtParts = async (networks: readonly string[]) => {
  const found: { path: string; table: TableName; network: string }[] = [];
  for (const table of SEGMENT_TABLES) {
    const paths = await partsOf(table, networks);
    for (const network of networks)
      if (HURT[network]?.includes(table)) found.push({ network, table, path: paths.get(network) ?? "none" });
  }
  return found;
};

/** Position of each network's rows in a table; they are one part. */
const partsOf = async (table: TableName, networks: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const rows = await store.engine.query(
    `SELECT DISTINCT t.network, p.path FROM ${table} AS t
     INNER JOIN (SELECT name, path FROM system.parts WHERE active AND database = 'assay' AND table = '${table}') AS p ON p.name = t._part
     WHERE startsWith(t.network, 'hurt')`,
  );
  const paths = new Map(rows.map(([network, path]) => [String(network), String(path)]));
  expect([rows.length, paths.size], `one part of ${table} a network`).toEqual([networks.length, networks.length]);
  return paths;
};

const contentsOf = (asked: readonly string[]) => segmentContents(store.engine, asked);
const contents = async (network: string) => (await contentsOf([network]))[network] ?? {};

const writeAll = async (networks: readonly string[]): Promise<void> => {
  for (const network of ["clean", ...networks])
    await writeSegmentRows(store.writer, segmentOf(network), { is_fresh: true });
};

const repeatAll = async (networks: readonly string[]) => {
  for (const network of networks) await writeSegmentRows(store.writer, segmentOf(network));
};

const expectClean = async (networks: readonly string[]): Promise<void> => {
  const { clean = {}, ...others } = await contentsOf(["clean", ...networks]);
  for (const table of SEGMENT_TABLES) expect(clean[table], table).not.toEqual(["0", "0"]);
  for (const network of networks) expect(others[network], network).toEqual(clean);
};

/** As versions before wrote, with the engine's list of tokens on: a token per insert, and the hash of the rows. */
const writeWithTokens = async (network: string): Promise<void> => {
  const settings = { insert_deduplicate: 1, insert_deduplication_token: `${network}:96-127` };
  const record = recordOf(store.writer, segmentOf(network));
  for (const table of RECORD_TABLES)
    await store.engine.insert(
      { table, columns: columnsOf(table) },
      Buffer.concat(record.rows.get(table)?.pieces ?? []),
      { settings },
    );
  const params = { network, from: "96", to: "127", froms: "[96]" };
  for (const table of LAYOUT_TABLES)
    await store.engine.command(`INSERT INTO ${table} (${columnsOf(table).join(", ")})\n${layoutSelect(table)}`, {
      params,
      settings,
    });
  for (const table of BALANCES) {
    const columns = columnsOf(table).join(", ");
    const select = `SELECT ${columns} FROM (${unordered(questionText("segment_balances"))})`;
    await store.engine.command(`INSERT INTO ${table} (${columns})\n${select}`, { params, settings });
  }
};

const keepTokens = async (): Promise<void> => {
  for (const table of SEGMENT_TABLES)
    await store.engine.command(`ALTER TABLE ${table} MODIFY SETTING non_replicated_deduplication_window = 1000`);
};

const countOf = async (table: TableName, network: string): Promise<number> =>
  Number((await store.engine.query(`SELECT count() FROM ${table} WHERE network = '${network}'`))[0]?.[0]);

describe("tables damaged while the engine was stopped", () => {
  beforeEach(async () => {
    await begin();
    // Each insert stays the part that it is, so that one can be taken away.
    await store.engine.command("SYSTEM STOP MERGES");
  });
  afterEach(end);

  test("whichever tables have lost their last part, a repetition ends with a clean index", async () => {
    const networks = hurting("hurt record", "hurt layouts");
    await writeAll(networks);
    const parts = await hurtParts(networks);
    await stopEngine();
    for (const { path } of parts) rmSync(path, { recursive: true });
    await startEngine();
    const left = await contentsOf(networks);
    for (const { table, network } of parts) expect(left[network]?.[table], table).toEqual(["0", "0"]);
    await repeatAll(networks);
    await expectClean(networks);
  });

  test("tokens that the engine remembers of rows which are gone keep nothing from being written", async () => {
    const networks = hurting("hurt everywhere");
    await writeSegmentRows(store.writer, segmentOf("clean"), { is_fresh: true });
    await keepTokens();
    for (const network of networks) await writeWithTokens(network);
    const parts = await hurtParts(networks);
    await stopEngine();
    for (const { path } of parts) rmSync(path, { recursive: true });
    await startEngine();
    // The engine trusts its list and discards the earlier insert.
    await writeWithTokens("hurt everywhere");
    for (const table of SEGMENT_TABLES) expect(await countOf(table, "hurt everywhere"), table).toBe(0);
    await repeatAll(networks);
    await expectClean(networks);
  });

  test("tokens that the engine has forgotten of rows which are there double nothing", async () => {
    const networks = hurting("hurt record");
    await writeSegmentRows(store.writer, segmentOf("clean"), { is_fresh: true });
    await keepTokens();
    for (const network of networks) await writeWithTokens(network);
    const logs = (await hurtParts(networks)).map(({ path }) => join(path, "../deduplication_logs"));
    await stopEngine();
    // The networks' records of each table: whichever was the last one is gone.
    for (const log of new Set(logs)) for (const name of readdirSync(log)) truncateSync(join(log, name), 0);
    await startEngine();
    const before = await countOf("transfers", "hurt record");
    await repeatAll(networks);
    await expectClean(networks);
    // The engine has forgotten indeed: an insert of before doubles the rows.
    await writeWithTokens("hurt record");
    expect(await countOf("transfers", "hurt record")).toBe(2 * before);
  });

  test("parts whose files were cut are set aside by the engine and written again by a repetition", async () => {
    const networks = hurting("hurt everywhere");
    await writeAll(networks);
    const parts = await hurtParts(networks);
    await stopEngine();
    for (const { path } of parts) truncateSync(join(path, "data.bin"), 10);
    await startEngine();
    expect(await readLostParts(store.engine)).toHaveLength(parts.length);
    await repeatAll(networks);
    await expectClean(networks);
  });

  test("whichever tables have rows twice, or some rows twice, a repetition leaves those that shall be there", async () => {
    const networks = hurting("hurt everywhere");
    await writeAll(networks);
    for (const network of networks)
      for (const [index, table] of (HURT[network] ?? []).entries()) {
        const columns = columnsOf(table).join(", ");
        const copy = `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${table} WHERE network = '${network}'`;
        const is_part = index % 2 === 1 && !table.startsWith("balances");
        await store.engine.command(is_part ? `${copy} AND block_number < 100` : copy);
      }
    await store.engine.command("SYSTEM START MERGES");
    await repeatAll(networks);
    await expectClean(networks);
  });
});

describe("one store", () => {
  beforeAll(async () => {
    await begin();
    await writeSegmentRows(store.writer, segmentOf("clean"), { is_fresh: true });
  });
  afterAll(end);

  test("tables in which a writer that was killed had prepared its rows are gone when the next one opens the network", async () => {
    const staged = () =>
      store.engine.query("SELECT name FROM system.tables WHERE database = 'assay' AND startsWith(name, 'stage_')");
    await store.writer.finals.open("clean");
    expect(await staged()).toEqual([]);
    const left = `stage_${Buffer.from("clean").toString("hex")}_00000000_transfers_final`;
    await store.engine.command(`CREATE TABLE ${left} AS transfers ENGINE = Memory`);
    await store.writer.finals.open("another");
    expect(await staged()).toEqual([[left]]);
    await writeSegmentRows(store.writer, segmentOf("clean"));
    expect((await staged()).length).toBeGreaterThan(RECORD_TABLES.length);
    await store.writer.finals.open("clean");
    expect(await staged()).toEqual([]);
  });

  test("a segment that is written twice is there once", async () => {
    const before = await contents("clean");
    await writeSegmentRows(store.writer, segmentOf("clean"));
    expect(await contents("clean")).toEqual(before);
    // 32 blocks of 3 rows, 1 block row each.
    expect(before.transfers?.[0 as never]).toBe("96");
    expect(before.blocks?.[0 as never]).toBe("32");
  });

  test("sums that have entered the balances several times, or not at all, count once after a repetition", async () => {
    for (const copies of sized({ slice: [0, 5], long: [0, 2, 5] })) {
      const network = `${copies} times`;
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
      await store.writer.finals.writeBalances(segment);
      expect(await contents(network), network).toEqual(await contents("clean"));
    }
  });

  test("a deletion that was cut off is waited for before anything is compared", async () => {
    await writeSegmentRows(store.writer, segmentOf("other"), { is_fresh: true });
    const before = await contents("other");
    // 144 sides at 10 ms each. The caller is gone, the engine continues.
    const deletion = "DELETE FROM ledger WHERE network = 'other' AND sleepEachRow(0.01) = 0";
    await expect(store.engine.command(deletion, { signal: AbortSignal.timeout(300) })).rejects.toThrow();
    const open = "SELECT count() FROM system.mutations WHERE database = 'assay' AND table = 'ledger' AND NOT is_done";
    expect(await store.engine.query(open)).toEqual([["1"]]);
    await writeSegmentRows(store.writer, segmentOf("other"));
    expect(await contents("other")).toEqual(before);
  });

  test("ends an earlier writer's statements before reading a range", async () => {
    const columns = columnsOf("transfers").join(", ");
    // 96 rows at 20 ms each.
    const slow = store.engine.command(
      `INSERT INTO transfers (${columns}) SELECT ${columns} FROM (
        SELECT * REPLACE ('late' AS network) FROM (
          SELECT * FROM transfers WHERE network = 'clean' AND sleepEachRow(0.02) = 0))`,
      { id: "assay-write:late:1", settings: { max_block_size: 1 } },
    );
    const ended = expect(slow).rejects.toMatchObject({ code: "FACTS_UNAVAILABLE" });
    await new Promise((resolve) => setTimeout(resolve, 300));
    await writeSegmentRows(store.writer, segmentOf("late"));
    await ended;
    expect(await contents("late")).toEqual(await contents("clean"));
  });

  test("compares a segment without a begun row when rows of it exist", async () => {
    const segment = segmentOf("met");
    const record = recordOf(store.writer, segment);
    const fresh = { is_fresh: true };
    const write = async () => {
      await store.writer.finals.writeRecord(segment, record, fresh);
      await store.writer.finals.writeLayouts(segment, fresh);
      await store.writer.finals.writeBalances(segment, fresh);
    };
    await write();
    expect(await contents("met")).toEqual(await contents("clean"));
    await write();
    expect(await contents("met")).toEqual(await contents("clean"));
  });
});
