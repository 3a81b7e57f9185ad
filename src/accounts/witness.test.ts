import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Database, Instance } from "./database.ts";
import { openEngine } from "./engine.ts";
import { openAccounts } from "./open.ts";
import { openSqlite } from "./sqlite.ts";
import { type CompiledProgram, compileProgram } from "./testing/process.ts";
import { openCustomer, settingsFor } from "./testing/store.ts";
import { openTemporary, type TemporaryStore } from "./testing/temporary.ts";
import { writeLocation } from "./testing/temporary_accounts.ts";
import { openWitness } from "./witness.ts";

let compiled: CompiledProgram;
beforeAll(() => {
  compiled = compileProgram("src/accounts/testing/child.ts");
});
afterAll(() => compiled.remove());

let store: TemporaryStore;
let database: Database;
let instance: Instance;
beforeEach(async () => {
  store = await openTemporary();
  database = await store.connect();
  instance = await (await openEngine(store.place)).claimInstance(() => undefined);
});
afterEach(async () => {
  await instance.release();
  await database.close();
  await store.remove();
});

const rows = () => database.all("select nonce from witness");

test("lets processes on one store read each other's writes, and leaves no rows behind", async () => {
  const { key } = await openCustomer(store);
  const [a, b] = await Promise.all([
    compiled.start(writeLocation(store.place), key.secret),
    compiled.start(writeLocation(store.place), key.secret),
  ]);
  await instance.release();
  const found = await store.witnesses();
  expect([found.same.length, found.silent]).toEqual([2, []]);
  // This one is instance-0, the test's handle was instance-1; a check for a free name may have held a later one at that moment.
  for (const name of found.same) expect(name).toMatch(/^instance-([2-9])$/);
  expect(await rows()).toEqual([]);
  await a.kill();
  await b.close();
  let left = await store.witnesses();
  // A database server notices the death a moment later than the parent.
  while (left.silent.length > 0) left = await store.witnesses();
  expect(left).toEqual({ same: [], silent: [] });
});

test("names a live process that does not answer, and none that has ended in the meantime", async () => {
  const witness = openWitness({ database, instance, now: Date.now, answer_within_ms: 1_500 });
  // The store of this test answers as instance-0; another holder of a name reads nothing.
  const deaf = await (await openEngine(store.place)).claimInstance(() => undefined);
  expect(await witness.ask()).toEqual({ same: ["instance-0"], silent: ["instance-2"] });
  const patient = openWitness({ database, instance, now: Date.now });
  const asked = patient.ask();
  await deaf.release();
  expect(await asked).toEqual({ same: ["instance-0"], silent: [] });
});

test("answers a question only once, and deletes an abandoned one with the next", async () => {
  const at = Date.now();
  await database.run("insert into witness (nonce, instance, is_question, created_at) values ('old', 'gone', 1, $1)", [
    at - 60_001,
  ]);
  const witness = openWitness({ database, instance, now: () => at });
  await witness.answer();
  await witness.answer();
  // The store of this test may have answered as well.
  const mine = await database.all("select nonce, is_question from witness where instance = $1", [instance.name]);
  expect(mine).toEqual([{ nonce: "old", is_question: 0 }]);
  await witness.ask();
  while ((await rows()).length > 0) await witness.ask();
});

test.skipIf(process.env.TEST_ACCOUNTS_ENGINE === "postgres")(
  "reports a process whose file was replaced under its name as silent, though name and lock are the same",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "assay-witness-"));
    const path = join(folder, "accounts.db");
    const first = await openAccounts(settingsFor({ engine: "sqlite", path }));
    // As after a restore over a running service.
    for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix);
    const second = await openEngine({ engine: "sqlite", path });
    const other = await openAccounts(settingsFor({ engine: "sqlite", path }));
    const claimed = await second.claimInstance(() => undefined);
    const asking = openWitness({ database: openSqlite(path), instance: claimed, now: Date.now, answer_within_ms: 800 });
    expect(await asking.ask()).toEqual({ same: ["instance-1"], silent: ["instance-0"] });
    await Promise.all([first.close(), other.close(), claimed.release()]);
    rmSync(folder, { recursive: true, force: true });
  },
);
