import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Engine, openEngine } from "./engine.ts";
import { dumpSchema, type Migration, migrate, readMigrations } from "./migrate.ts";
import { openFacts } from "./open.ts";

let data_dir = "";
let engine: Engine;
beforeEach(async () => {
  data_dir = await mkdtemp(join(tmpdir(), "assay-migrate-"));
  engine = await openEngine({ engine: "embedded", data_dir });
});
afterEach(async () => {
  await engine.close();
  await rm(data_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

const FIRST: Migration = {
  number: 1,
  name: "0001_a.sql",
  text: "CREATE TABLE IF NOT EXISTS a (x UInt8) ENGINE = MergeTree ORDER BY x;",
};
const SECOND: Migration = {
  number: 2,
  name: "0002_b.sql",
  text: "ALTER TABLE a ADD COLUMN IF NOT EXISTS y UInt8;\n-- A view; of b.\nCREATE TABLE IF NOT EXISTS b AS a ENGINE = MergeTree ORDER BY x;",
};

test("the migrations add up to schema.sql", async () => {
  await migrate(engine);
  expect(await dumpSchema(engine)).toBe(await readFile(new URL("./schema/schema.sql", import.meta.url), "utf8"));
});

test("migrations are numbered 1, 2, 3 … without a gap", () => {
  expect(readMigrations().map(({ number }) => number)).toEqual(readMigrations().map((_, index) => index + 1));
});

test("an older data directory gets what it lacks and keeps its rows", async () => {
  await migrate(engine, [FIRST]);
  await engine.command("INSERT INTO a SELECT 7");
  await migrate(engine, [FIRST, SECOND]);
  expect(await engine.query("SELECT x, y FROM a")).toEqual([[7, 0]]);
  expect(await engine.query("SELECT count() FROM b")).toEqual([["0"]]);
});

test("a migration that was cut in the middle is finished at the next start", async () => {
  await migrate(engine, [FIRST]);
  await engine.command("ALTER TABLE a ADD COLUMN IF NOT EXISTS y UInt8");
  await migrate(engine, [FIRST, SECOND]);
  await migrate(engine, [FIRST, SECOND]);
  expect(await engine.query("SELECT number, count() FROM migrations FINAL GROUP BY number ORDER BY number")).toEqual([
    [1, "1"],
    [2, "1"],
  ]);
});

test("a data directory of a newer version is refused in words", async () => {
  await migrate(engine, [FIRST, SECOND]);
  await expect(migrate(engine, [FIRST])).rejects.toMatchObject({
    code: "FACTS_VERSION",
    message: "the facts were written by a newer version (migration 0002_b.sql); this one knows up to 1",
  });
});

test("a data directory that other migrations made is refused in words", async () => {
  await migrate(engine, [FIRST]);
  await expect(migrate(engine, [{ ...FIRST, text: FIRST.text.replace("UInt8", "UInt16") }])).rejects.toMatchObject({
    code: "FACTS_VERSION",
  });
});

test("a data directory whose migrations have other comments by now is opened", async () => {
  await migrate(engine, [FIRST, SECOND]);
  await migrate(engine, [
    { ...FIRST, text: `-- Why there is a.\n${FIRST.text.replace(" (x", "\n  -- One byte is enough; see b.\n  (x")}` },
    { ...SECOND, text: SECOND.text.replace("-- A view; of b.", "/* Another word. */") },
  ]);
});

test("quoted text that looks like a comment is part of a migration", async () => {
  const noted = (note: string): Migration => ({
    ...FIRST,
    text: `CREATE TABLE IF NOT EXISTS a (x UInt8 COMMENT '-- ${note}') ENGINE = MergeTree ORDER BY x;`,
  });
  await migrate(engine, [noted("one")]);
  await migrate(engine, [noted("one")]);
  await expect(migrate(engine, [noted("two")])).rejects.toMatchObject({ code: "FACTS_VERSION" });
});

test("a data directory that an earlier release made, which recorded comments too, is opened", async () => {
  await migrate(engine);
  // The files as release 0.1.0 had them: SHA-256 of the whole text, its first eight bytes.
  const recorded = [
    "d69dfd62cb402658",
    "eef6f47a752d2816",
    "84cc4ca9b9739d75",
    "49c1c8ec0ca458f5",
    "1a9bc127f5484ac1",
    "e9a8ba9f0352560b",
  ];
  await engine.command("TRUNCATE TABLE migrations");
  for (const [index, { name }] of readMigrations().slice(0, recorded.length).entries()) {
    const params = { number: String(index + 1), name, hash: recorded[index] ?? "" };
    await engine.command(
      "INSERT INTO migrations (number, name, hash) SELECT {number:UInt32}, {name:String}, {hash:String}",
      { params },
    );
  }
  await migrate(engine);
  expect(await engine.query("SELECT count() FROM migrations FINAL")).toEqual([[String(readMigrations().length)]]);
});

test("two processes that open a new directory together both find all tables", async () => {
  const stores = await Promise.all([
    openFacts({ engine: "embedded", data_dir }),
    openFacts({ engine: "embedded", data_dir }),
  ]);
  for (const store of stores) {
    expect(await store.engine.query("SELECT count() FROM ledger WHERE network != ''")).toEqual([["0"]]);
    await store.close();
  }
});

test("the newest rows of a wallet are read in the order of the key although the tail is empty", async () => {
  await migrate(engine);
  await engine.command(
    "INSERT INTO ledger (network, address, block_number) SELECT 'n', 'a', number FROM numbers(10000)",
  );
  const rows = await engine.query(
    `EXPLAIN indexes = 1 SELECT block_number FROM ledger
     WHERE network = 'n' AND address = 'a' AND block_number BETWEEN 0 AND 9999
       AND (tail = 0) = (block_number <= 9999)
     ORDER BY block_number DESC, tx_index DESC, position DESC, direction DESC LIMIT 20`,
  );
  expect(rows.map(([line]) => String(line).trim())).toContain("Read type: InReverseOrder");
});

test("processes that start together on a new store take turns at its tables, and all of them find the same ones", async () => {
  // Each engine here is a connection of its own, as another process has it.
  const others = await Promise.all(Array.from({ length: 3 }, () => openEngine({ engine: "embedded", data_dir })));
  try {
    await Promise.all([engine, ...others].map((one) => migrate(one)));
    expect(await dumpSchema(engine)).toBe(await readFile(new URL("./schema/schema.sql", import.meta.url), "utf8"));
    const applied = await engine.query("SELECT count(), uniqExact(number) FROM migrations");
    expect(applied).toEqual([[String(readMigrations().length), String(readMigrations().length)]]);
  } finally {
    for (const other of others) await other.close();
  }
});

test("a process that was killed in the middle of a migration keeps the next one waiting for seconds only", async () => {
  await migrate(engine, [FIRST]);
  await engine.command("CREATE TABLE migrating ENGINE = Memory AS SELECT 'killed' AS holder, toUInt64(0) AS beat");
  await migrate(engine, [FIRST, SECOND]);
  const left = "SELECT count() FROM system.tables WHERE database = {database:String} AND name = 'migrating'";
  expect(await engine.query(left, { params: { database: engine.database } })).toEqual([["0"]]);
  expect(await engine.query("SELECT count() FROM b")).toEqual([["0"]]);
});

test("a process that lost its turn changes nothing more", async () => {
  const slow: Migration = {
    number: 1,
    name: "0001_slow.sql",
    text: "SELECT sleep(2);\nSELECT sleep(2);\nCREATE TABLE IF NOT EXISTS late (x UInt8) ENGINE = MergeTree ORDER BY x;",
  };
  const running = migrate(engine, [slow]);
  const taken = "SELECT count() FROM system.tables WHERE database = {database:String} AND name = 'migrating'";
  const params = { database: engine.database };
  await expect.poll(async () => (await engine.query(taken, { params }))[0]?.[0]).toBe("1");
  await engine.command("DROP TABLE migrating SYNC");
  await engine.command("CREATE TABLE migrating ENGINE = Memory AS SELECT 'other' AS holder, toUInt64(0) AS beat");
  // The other one does it in its own way.
  await engine.command("INSERT INTO migrations (number, name, hash) SELECT 1, '0001_slow.sql', {hash:String}", {
    params: { hash: createHash("sha256").update(slow.text.replaceAll("\n", " ")).digest("hex").slice(0, 16) },
  });
  await running;
  const late = "SELECT count() FROM system.tables WHERE database = {database:String} AND name = 'late'";
  expect(await engine.query(late, { params })).toEqual([["0"]]);
});
