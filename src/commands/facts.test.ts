import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { factsHash } from "../../test/facts_hash.ts";
import { eachNth } from "../../test/long.ts";
import { finishSegment, RECORD_TABLES } from "../../test/segment_rows.ts";
import { loadSettings } from "../config/settings.ts";
import type { FactsStore } from "../store/open.ts";
import { columnsOf, LAYOUT_TABLES } from "../store/sums.ts";
import type { TableName } from "../store/writer.ts";
import { openFactsOnly } from "../wiring/stores.ts";
import { type CommandIo, EXIT, parseArgs } from "./command.ts";
import * as facts from "./facts.ts";
import { commandNamed } from "./index.ts";

let folder: string;
let store: FactsStore;

const io = (out: string[], err: string[]): CommandIo => ({
  out: (text) => void out.push(text),
  err: (text) => void err.push(text),
  json: true,
  tty: false,
  env: {},
  checkout: folder,
  settings: () => loadSettings({ config: join(folder, "assay.config.json"), cwd: folder, home: folder, env: {} }),
  signal: new AbortController().signal,
});

const run = async (...words: string[]) => {
  const out: string[] = [];
  const err: string[] = [];
  const code = await facts.run(parseArgs(commandNamed("facts"), ["verify", ...words]), io(out, err));
  return { code, answer: JSON.parse(out.join("")), err: err.join("") };
};

const open = async (network: string): Promise<void> => {
  await store.writer.insert("networks", [
    { network, chain_id: 1, from_block: 0, from_hash: Buffer.alloc(32), is_opened: 1, written_at: 1 },
  ]);
  for (const from of [64, 32, 0]) await finishSegment(store.writer, { network, from, to: from + 31 });
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-verify-"));
  await writeFile(join(folder, "assay.config.json"), JSON.stringify({ data_dir: "data", networks: {} }));
  const { settings, data_dir } = io([], []).settings();
  store = await openFactsOnly(settings, data_dir);
  await open("clean");
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

const double = (table: TableName, where: string): Promise<void> => {
  const columns = columnsOf(table).join(", ");
  return store.engine.command(`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${table} WHERE ${where}`);
};
const lose = (table: TableName, where: string): Promise<void> =>
  store.engine.command(`DELETE FROM ${table} WHERE ${where}`);

interface FactsReport {
  readonly table: string;
  readonly from_block: number;
  readonly to_block: number;
  readonly kind: string;
  readonly part: string;
}
const told = (answer: { networks: readonly { findings: readonly FactsReport[] }[] }) =>
  answer.networks.flatMap(({ findings }) =>
    findings.map(({ table, from_block, to_block, kind }) => [table, from_block, to_block, kind]),
  );

test("reports a consistent store as consistent", async () => {
  const { code, answer } = await run("--network", "clean");
  expect([code, answer.ok, told(answer)]).toEqual([EXIT.ok, true, []]);
  expect(answer.networks[0]).toMatchObject({
    network: "clean",
    blocks: 96,
    segments: 3,
    unfinished: [],
  });
});

test("every layout that has lost or doubled rows is named with its range, and mended from the record", async () => {
  await open("layouts");
  const clean = await factsHash(store.engine, "clean", 95);
  for (const [index, table] of LAYOUT_TABLES.entries())
    await (index % 2 === 0 ? lose : double)(table, "network = 'layouts' AND block_number BETWEEN 40 AND 50");
  const { code, answer } = await run("--network", "layouts");
  expect(code).toBe(EXIT.error);
  expect(told(answer)).toEqual(
    LAYOUT_TABLES.map((table, index) => [table, 32, 63, index % 2 === 0 ? "lost" : "doubled"]),
  );
  expect(answer.networks[0].balances).toBeNull();
  expect((await run("--network", "layouts", "--repair")).code).toBe(EXIT.ok);
  expect(await factsHash(store.engine, "layouts", 95)).toEqual(clean);
});

test("sums that are wrong in either table, and segments that entered twice, are named and made what the ledger says", async () => {
  await open("balances");
  const clean = await factsHash(store.engine, "clean", 95);
  const holder = "unhex('0000000000000000000000000000000000000003')";
  await double("balances", `network = 'balances' AND holder = ${holder}`);
  await lose("balances_by_holder", `network = 'balances' AND (holder = ${holder} OR token = '')`);
  // Above 128 bits alone.
  await store.engine.command(`INSERT INTO balances (network, token, holder, amount, high, transfers, first_block, last_block)
    SELECT network, token, holder, 0, 1, 0, min(first_block), max(last_block) FROM balances
    WHERE network = 'balances' AND holder = unhex('0000000000000000000000000000000000000001') GROUP BY network, token, holder ORDER BY token LIMIT 1`);
  await store.engine.command(`INSERT INTO balances_by_holder (network, token, holder, amount, transfers, first_block, last_block)
    SELECT 'balances', unhex('77'), unhex('aa'), 5, 1, 3, 3`);
  const { code, answer } = await run("--network", "balances");
  expect(code).toBe(EXIT.error);
  const { wrong, misreaching } = answer.networks[0].balances;
  expect(wrong.map(({ table }: { table: string }) => table).sort()).toEqual(["balances", "balances_by_holder"]);
  // Its row that says how far the sums reach had token ''.
  expect(misreaching).toEqual(["balances_by_holder"]);
  const repaired = await run("--network", "balances", "--repair");
  expect(repaired.code).toBe(EXIT.ok);
  expect(repaired.err).toContain("balances: whatever else answers from this store");
  expect(await factsHash(store.engine, "balances", 95)).toEqual(clean);
});

/** In a slice some of them, transfers included: balances follow from those. `final_writer.test.ts` hurts all. */
const HURT_TABLES = eachNth(RECORD_TABLES, 2, 1);

test("every table of the record that has lost, doubled or other rows is named; without a node its range is to be read again", async () => {
  await open("record");
  const where = "network = 'record' AND block_number = 70";
  for (const [index, table] of HURT_TABLES.entries()) await (index % 2 === 0 ? lose : double)(table, where);
  const { code, answer } = await run("--network", "record");
  expect(code).toBe(EXIT.error);
  for (const [index, table] of HURT_TABLES.entries())
    expect(told(answer)).toContainEqual([table, 64, 95, index % 2 === 0 ? "lost" : "doubled"]);
  const repaired = await run("--network", "record", "--repair");
  expect(repaired.code).toBe(EXIT.error);
  expect(repaired.answer.networks[0].repair).toMatchObject({
    taken_back: [{ from: 64, to: 95 }],
    not_read: "the network is not in the configuration",
  });
  expect(repaired.err).toContain("record: blocks 64 to 95 are to be read again");
  // Damaged facts are no longer served.
  const { coverage } = await store.facts.snapshot("record", null);
  expect(coverage).toMatchObject({ from_block: 0, to_block: 63 });
});
