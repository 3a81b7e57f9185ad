import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Database } from "./database.ts";
import { migrate, readMigrations } from "./migrate.ts";
import { openSqlite } from "./sqlite.ts";

// The file has one lock for all transactions.
const ANY = { lock: "", proof: null };

let folder: string;
let path: string;
let database: Database;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "assay-sqlite-"));
  path = join(folder, "deeper", "accounts.db");
  database = openSqlite(path, 1_500);
  await database.run("create table notes (id bigint primary key, text text)");
});
afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const write = (id: number, text = "x") => database.run("insert into notes (id, text) values ($1, $2)", [id, text]);
const ids = async () => (await database.all<{ id: number }>("select id from notes order by id")).map((row) => row.id);

test("accepts placeholders in any order and more than once", async () => {
  expect(await database.get("select $2 as b, $1 as a, $2 as c", ["A", "B"])).toEqual({ a: "A", b: "B", c: "B" });
  expect(await database.get("select $1 as a, $10 as j", ["A", 2, 3, 4, 5, 6, 7, 8, 9, "J"])).toEqual({
    a: "A",
    j: "J",
  });
  expect(await database.get("select id from notes")).toBeNull();
});

test("returns current times in milliseconds as numbers", async () => {
  await write(1_795_000_000_123);
  expect(await ids()).toEqual([1_795_000_000_123]);
});

test("rolls back only the throwing one of transactions that share a commit", async () => {
  const results = await Promise.allSettled([
    write(1),
    database.transaction(ANY, async (within) => {
      await within.run("insert into notes (id) values (2)");
      throw new Error("changed my mind");
    }),
    write(1),
    write(3),
  ]);
  expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
  expect(results[1]).toMatchObject({ reason: { message: "changed my mind" } });
  expect(results[2]).toMatchObject({ reason: { code: "SQLITE_CONSTRAINT_PRIMARYKEY" } });
  expect(await ids()).toEqual([1, 3]);
});

test("hides a transaction from others until it is answered", async () => {
  let seen: readonly number[] | null = null;
  await database.transaction(ANY, async (within) => {
    await within.run("insert into notes (id) values (1)");
    seen = await ids();
  });
  expect(seen).toEqual([]);
  expect(await ids()).toEqual([1]);
});

test("waits for another process's transaction, and fails with a message after its time", async () => {
  const other = openSqlite(path);
  const hold = () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    return { done: other.transaction(ANY, () => held), release };
  };
  const first = hold();
  await sleep(20);
  const waiting = write(1);
  await sleep(50);
  first.release();
  await Promise.all([first.done, waiting]);
  const second = hold();
  await sleep(20);
  await expect(write(2)).rejects.toMatchObject({ code: "ACCOUNTS_BUSY", retryable: true });
  second.release();
  await second.done;
  await write(3);
  expect(await ids()).toEqual([1, 3]);
  await other.close();
});

test("changes the revision with other connections' commits and not with its own", async () => {
  const other = openSqlite(path);
  const before = await database.revision();
  await write(1);
  expect(await database.revision()).toBe(before);
  await other.run("insert into notes (id) values (2)");
  expect(await database.revision()).not.toBe(before);
  await other.close();
});

test("waits for running work when closing, and rejects later work with a message", async () => {
  const other = openSqlite(path);
  const late = other.run("insert into notes (id) values (7)");
  await other.close();
  await late;
  await expect(other.run("insert into notes (id) values (8)")).rejects.toMatchObject({ code: "ACCOUNTS_CLOSED" });
  expect(await ids()).toEqual([7]);
});

test("makes the files of the store readable by their owner only", () => {
  for (const suffix of ["", "-wal", "-shm"]) expect(statSync(path + suffix).mode & 0o777).toBe(0o600);
});

test("reads a consistent snapshot during concurrent writes", async () => {
  await write(1);
  const seen = await database.snapshot(async (within) => {
    const before = await within.all("select id from notes");
    await write(2);
    return [before, await within.all("select id from notes")];
  });
  expect(seen).toEqual([[{ id: 1 }], [{ id: 1 }]]);
  expect(await ids()).toEqual([1, 2]);
});

test("lets a transaction end while another connection reads for long", async () => {
  await write(1);
  const ends: string[] = [];
  // A few seconds of counting.
  const long =
    "with recursive n (i) as (select 1 union all select i + 1 from n where i < 8000000) select count(*) as c from n";
  const counted = database.snapshot(async (within) => {
    const row = await within.get<{ c: number }>(long);
    ends.push("read");
    return row?.c;
  });
  await write(2);
  ends.push("written");
  expect(await counted).toBe(8_000_000);
  expect(ends).toEqual(["written", "read"]);
});

test("reports the error of a failing statement in a snapshot, and the next snapshot works", async () => {
  const failing = database.snapshot((within) => within.all("select id from nowhere"));
  await expect(failing).rejects.toThrow("no such table: nowhere");
  await expect(database.snapshot((within) => within.run("delete from notes"))).rejects.toThrow("only reads");
  expect(await database.snapshot((within) => within.get("select 7 as seven"))).toEqual({ seven: 7 });
});

test("rejects a file that is no database, with a message, and leaves it unchanged", () => {
  const strange = join(folder, "strange.db");
  writeFileSync(
    strange,
    "this is a letter to my aunt, long enough to be read as the header of a database file".repeat(9),
  );
  expect(() => openSqlite(strange)).toThrow(/accounts file .*strange\.db cannot be opened/);
});

test("migrates an older store step by step, each step once", async () => {
  const first = {
    number: 1,
    name: "0001_a.sql",
    statements: ["create table a (id bigint)", "insert into a values (1)"],
  };
  const second = { number: 2, name: "0002_b.sql", statements: ["update a set id = id + 1"] };
  await migrate(database, 5, [first]);
  await migrate(database, 6, [first, second]);
  await migrate(database, 7, [first, second]);
  expect(await database.all("select id from a")).toEqual([{ id: 2 }]);
  expect(await database.all("select number, name, applied_at from schema_migrations order by number")).toEqual([
    { number: 1, name: "0001_a.sql", applied_at: 5 },
    { number: 2, name: "0002_b.sql", applied_at: 6 },
  ]);
});

test.each(["sqlite", "postgres"] as const)("has unique step numbers for %s", (engine) => {
  const numbers = readMigrations(engine).map(({ number }) => number);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
});

test("leaves the store unchanged after a failed step", async () => {
  const bad = {
    number: 1,
    name: "0001_bad.sql",
    statements: ["create table a (id bigint)", "insert into nowhere values (1)"],
  };
  await expect(migrate(database, 5, [bad])).rejects.toThrow(/nowhere/);
  expect(await database.all("select name from sqlite_master where name in ('a', 'schema_migrations')")).toEqual([]);
});

test("rejects a store of a newer release, with a message, and leaves it unchanged", async () => {
  await migrate(database, 5, readMigrations("sqlite"));
  await database.run("insert into schema_migrations (number, name, applied_at) values (9999, 'future', 0)");
  await expect(migrate(database, 6, readMigrations("sqlite"))).rejects.toMatchObject({ code: "ACCOUNTS_TOO_NEW" });
});

test("migrates a fresh store once when two processes open it concurrently", async () => {
  const other = openSqlite(path);
  const files = readMigrations("sqlite");
  await Promise.all([migrate(database, 5, files), migrate(other, 5, files)]);
  expect(await database.all("select number from schema_migrations")).toHaveLength(files.length);
  await other.close();
});
