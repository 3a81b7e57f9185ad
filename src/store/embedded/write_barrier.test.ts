import { cp } from "node:fs/promises";
import { get } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestEngine, type TestEngine } from "../../../test/engine_process.ts";
import { openEngine } from "../engine.ts";
import { snapshotFiles } from "./snapshot.ts";

let store: TestEngine;
beforeEach(async () => {
  store = await openTestEngine();
  await store.engine.command(
    "CREATE TABLE kept (a UInt64) ENGINE = MergeTree ORDER BY a SETTINGS non_replicated_deduplication_window = 100",
  );
});
afterEach(() => store.remove());

const add = (token: string) =>
  store.engine.command("INSERT INTO kept SELECT 1", {
    settings: { insert_deduplicate: 1, insert_deduplication_token: token },
  });

const count = async (): Promise<number> => Number((await store.engine.query("SELECT count() FROM kept"))[0]?.[0]);

test("answers queries while files are copied, and delays writes until then", async () => {
  await add("a");
  let is_written = false;
  let writing: Promise<void> = Promise.resolve();
  const { files, seen } = await snapshotFiles(store.data_dir, async () => {
    writing = add("b").then(() => {
      is_written = true;
    });
    const before = await count();
    return { before, after: await count(), is_written };
  });
  expect(seen).toEqual({ before: 1, after: 1, is_written: false });
  await writing;
  expect(await count()).toBe(2);
  await files.remove();
});

test("a copier that is gone lets the writers go on", async () => {
  const { socket } = await store.readOwner();
  const request = get({ socketPath: socket, path: "/quiet", agent: false });
  request.on("error", () => undefined);
  await new Promise((resolve) => request.once("response", resolve));
  const writing = add("a");
  request.destroy();
  await writing;
  expect(await count()).toBe(1);
});

test("copies a store during writes, and repeated writes are not doubled", async () => {
  const acknowledged: number[] = [];
  let is_over = false;
  const writer = (async () => {
    for (let n = 0; !is_over; n += 1) {
      await add(`t${n}`);
      acknowledged.push(n);
    }
  })();
  while (acknowledged.length < 5) await count();
  const { files, seen } = await snapshotFiles(store.data_dir, count);
  is_over = true;
  await writer;

  const copy = join(store.data_dir, "copy");
  await cp(files.folder, join(copy, "engine"), { recursive: true, verbatimSymlinks: true });
  await files.remove();
  const engine = await openEngine({ engine: "embedded", data_dir: copy });
  const rows = async () => Number((await engine.query("SELECT count() FROM kept"))[0]?.[0]);
  expect(await rows()).toBe(seen);
  for (const n of acknowledged)
    await engine.command("INSERT INTO kept SELECT 1", {
      settings: { insert_deduplicate: 1, insert_deduplication_token: `t${n}` },
    });
  expect(await rows()).toBe(acknowledged.length);
  await engine.close();
});
