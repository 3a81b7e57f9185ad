import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import LibsqlDatabase from "libsql";
import ThreadedDatabase from "libsql/promise";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Database } from "./database.ts";
import { openSqlite } from "./sqlite.ts";

// A disk that is slow: each commit begins when the test says so.

const commitNow = ThreadedDatabase.prototype.exec;
let folder: string;
let database: Database;
let held: (() => void)[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "assay-commit-"));
  database = openSqlite(join(folder, "accounts.db"));
  await database.run("create table notes (id bigint primary key, text text)");
  held = [];
  vi.spyOn(ThreadedDatabase.prototype, "exec").mockImplementation(async function (this: unknown, sql: string) {
    await new Promise<void>((resolve) => held.push(resolve));
    return Reflect.apply(commitNow, this, [sql]);
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const write = (id: number) => database.run("insert into notes (id) values ($1)", [id]);
const count = async () => (await database.get<{ n: number }>("select count(*) as n from notes"))?.n;
const isHeld = () => expect.poll(() => held.length).toBe(1);
const release = () => held.splice(0).forEach((go) => void go());

test("while a commit waits for the disk others are served, and nothing is answered or written before its end", async () => {
  const ended: string[] = [];
  const first = write(1).then(() => ended.push("first"));
  await isHeld();
  const second = write(2).then(() => ended.push("second"));
  const revised = database.revision().then(() => ended.push("revision"));
  expect(await count()).toBe(0);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect([ended, held.length]).toEqual([[], 1]);
  release();
  await Promise.all([first, revised]);
  await isHeld();
  expect([[...ended].sort(), await count()]).toEqual([["first", "revision"], 1]);
  release();
  await second;
  expect(await count()).toBe(2);
});

test("one that fails is told, and the next one is done", async () => {
  const failing = write(1);
  await isHeld();
  vi.mocked(ThreadedDatabase.prototype.exec).mockRejectedValueOnce(
    new LibsqlDatabase.SqliteError("disk", "SQLITE_IOERR", 10),
  );
  release();
  await failing;
  const refused = write(2);
  await expect(refused).rejects.toMatchObject({ code: "SQLITE_IOERR" });
  const again = write(2);
  await isHeld();
  release();
  expect([await again, await count()]).toEqual([1, 2]);
});

test("closing waits for it", async () => {
  const written = write(1);
  await isHeld();
  let is_closed = false;
  const closing = database.close().then(() => {
    is_closed = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(is_closed).toBe(false);
  release();
  await Promise.all([written, closing]);
  database = openSqlite(join(folder, "accounts.db"));
  expect(await count()).toBe(1);
});
