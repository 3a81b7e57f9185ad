// @long: alone
import { spawn } from "node:child_process";
import { truncateSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { formatAddress } from "../../src/chains/tron/address.ts";
import { settings } from "../../src/config/settings.ts";
import { startTronDemo, type TronDemoWorld } from "../../src/demo/tron/world.ts";
import { hex } from "../../src/lib/bytes.ts";
import type { FactsStore } from "../../src/store/open.ts";
import { columnsOf } from "../../src/store/sums.ts";
import { openFactsOnly } from "../../src/wiring/stores.ts";
import { factsHash } from "../facts_hash.ts";
import { RECORD_TABLES, SEGMENT_TABLES } from "../segment_rows.ts";
import { CLI, ended, indexOnce, processesOf, sleep } from "./indexer_process.ts";
import { T0 } from "./served_world.ts";

const NETWORK = "demo-tron";

let tron: TronDemoWorld;
let folder: string;
let config: string;
let clean: Record<string, string>;

const withStore = async <T>(run: (store: FactsStore) => Promise<T>): Promise<T> => {
  const store = await openFactsOnly(settings.parse({}), join(folder, "data"));
  try {
    return await run(store);
  } finally {
    await store.close();
  }
};

const hash = (): Promise<Record<string, string>> =>
  withStore(async ({ engine, facts }) => factsHash(engine, NETWORK, (await facts.snapshot(NETWORK, null)).final_block));

const index = async (): Promise<void> => expect(await indexOnce(config)).toMatchObject({ code: 0 });

const verify = async (
  ...flags: string[]
): Promise<{
  code: number | null;
  answer: { networks: readonly { findings: readonly { table: string; part: string }[] }[] };
}> => {
  const child = spawn(process.execPath, [CLI, "facts", "verify", "--config", config, "--json", ...flags]);
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  const code = await ended(child);
  return { code, answer: JSON.parse(Buffer.concat(chunks).toString("utf8")) };
};

beforeAll(async () => {
  tron = await startTronDemo(T0);
  folder = await mkdtemp(join(tmpdir(), "assay-facts-verify-"));
  config = join(folder, "assay.config.json");
  const at = (name: string): string => formatAddress(hex(tron.stage.address(name).slice(2).toLowerCase()));
  const network = { rpc: [tron.url], from_block: 0, poll_ms: 50, wrapped_native: at("wtrx") };
  const networks = { [NETWORK]: { ...network, stablecoins: [{ symbol: "USDT", address: at("usdt") }] } };
  await writeFile(config, JSON.stringify({ listen: "127.0.0.1:0", data_dir: "data", networks }));
  await index();
  clean = await hash();
}, 600_000);
afterAll(async () => {
  await tron?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

/** Tables of this network that hold something. */
const filledTables = (store: FactsStore) =>
  Promise.all(
    SEGMENT_TABLES.map(async (table) => {
      const [row] = await store.engine.query(`SELECT count() FROM ${table} WHERE network = '${NETWORK}'`);
      return Number(row?.[0]) > 0 ? [table] : [];
    }),
  ).then((lists) => lists.flat());

test("a record, layouts and balances that are damaged are named, and read again from the node", async () => {
  expect((await verify()).code).toBe(0);
  const hurt = await withStore(async (store) => {
    const tables = await filledTables(store);
    for (const [at, table] of tables.entries()) {
      const columns = columnsOf(table).join(", ");
      // The newest final rows of the table.
      const is_sums = table.startsWith("balances");
      const block = is_sums ? "last_block" : "block_number";
      const final = `network = '${NETWORK}'${is_sums ? "" : " AND tail = 0"}`;
      const newest = `(SELECT max(${block}) FROM ${table} WHERE ${final} AND (${block} > 0))`;
      const where = `${final} AND ${block} = ${newest}`;
      await store.engine.command(
        at % 2 === 0
          ? `DELETE FROM ${table} WHERE ${where}`
          : `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${table} WHERE ${where}`,
      );
    }
    return tables;
  });
  expect(hurt.length).toBeGreaterThan(8);
  const { code, answer } = await verify();
  expect(code).toBe(1);
  const named = new Set(answer.networks.flatMap(({ findings }) => findings.map(({ table }) => table)));
  for (const table of hurt.filter((name) => RECORD_TABLES.some((one) => one === name)))
    expect([...named]).toContain(table);
  expect((await verify("--repair")).code).toBe(0);
  expect(await hash()).toEqual(clean);
}, 600_000);

test("files of parts that are cut while nothing runs are mended by the next start of the indexer", async () => {
  const paths = await withStore(async (store) => {
    const rows = await store.engine.query(
      `SELECT path FROM system.parts WHERE active AND database = 'assay' AND rows > 0
        AND table IN (${SEGMENT_TABLES.map((table) => `'${table}'`).join(", ")})`,
    );
    return rows.map(([path]) => String(path));
  });
  expect(paths.length).toBeGreaterThan(8);
  for (let tries = 0; tries < 200 && processesOf(folder).length > 0; tries += 1) await sleep(50);
  for (const path of paths) truncateSync(join(path, "checksums.txt"), 8);
  await index();
  expect(await hash()).toEqual(clean);
  expect((await verify()).code).toBe(0);
  // Looked for once: the next start has nothing to mend.
  const [noted] = await withStore(({ engine }) => engine.query("SELECT count() FROM parts_mended FINAL"));
  // And those that were merged away while they were cut.
  expect(Number(noted?.[0])).toBeGreaterThanOrEqual(paths.length);
}, 600_000);
