import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually, lives, openTestEngine, type TestEngine } from "../../../test/engine_process.ts";
import { openEngine } from "../engine.ts";

const MAIN = resolve(fileURLToPath(import.meta.url), "../../../../dist/src/store/embedded/main.js");
const ENGINE = resolve(dirname(MAIN), "../engine.js");

let store: TestEngine;
beforeEach(async () => {
  store = await openTestEngine();
});
afterEach(() => store.remove());

test("a second engine on the same directory is refused in words and changes nothing", async () => {
  const before = await store.readOwner();
  // As it is for a moment while the first one clears its scratch folder.
  await rm(join(store.data_dir, "inserts"), { recursive: true });
  const second = spawn(process.execPath, [MAIN, store.data_dir], { stdio: ["ignore", "ignore", "pipe"] });
  let words = "";
  second.stderr.on("data", (chunk) => {
    words += String(chunk);
  });
  const [code] = await once(second, "exit");
  expect(code).toBe(3);
  expect(words).toContain(`${store.data_dir} is already served by process ${before.pid}`);
  expect(await store.readOwner()).toEqual(before);
  expect(existsSync(join(store.data_dir, "inserts"))).toBe(false);
  expect(await store.engine.query("SELECT 1")).toEqual([[1]]);
});

const SECOND = `
const { openEngine } = await import(process.argv[1]);
const engine = await openEngine({ engine: "embedded", data_dir: process.argv[2] });
await engine.command("CREATE TABLE IF NOT EXISTS shared (a UInt64) ENGINE = MergeTree ORDER BY a");
await engine.command("INSERT INTO shared SELECT 42");
process.stdout.write("written\\n");
setInterval(() => undefined, 1000);
`;

const openSecond = async () => {
  const child = spawn(process.execPath, ["--input-type=module", "-e", SECOND, ENGINE, store.data_dir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return child;
};

test("another process joins the same engine, which lives until the last of them has gone", async () => {
  const { pid } = await store.readOwner();
  const second = await openSecond();
  expect(await store.engine.query("SELECT a FROM shared")).toEqual([["42"]]);
  expect((await store.readOwner()).pid).toBe(pid);
  await store.engine.close();
  await sleep(300);
  expect(lives(pid)).toBe(true);
  second.kill("SIGKILL");
  expect(await eventually(() => !lives(pid))).toBe(true);
  expect(existsSync(join(store.data_dir, "engine.json"))).toBe(false);
});

test("no engine is left when the process that started it is killed", async () => {
  await store.engine.close();
  const { pid: first } = await store.readOwner().catch(() => ({ pid: 0 }));
  await eventually(() => first === 0 || !lives(first));
  const owner = await openSecond();
  const { pid, socket } = await store.readOwner();
  expect(lives(pid)).toBe(true);
  owner.kill("SIGKILL");
  expect(await eventually(() => !lives(pid))).toBe(true);
  expect(existsSync(socket)).toBe(false);
});

test("Ctrl-C does not end the engine under its openers", async () => {
  const { pid } = await store.readOwner();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.kill(pid, signal);
  await sleep(100);
  expect(await store.engine.query("SELECT 1")).toEqual([[1]]);
  expect((await store.readOwner()).pid).toBe(pid);
});

test("a lock of a dead process, and one that is no lock at all, are taken over", async () => {
  for (const left of [
    JSON.stringify({ pid: 2 ** 22 + 5, host: "elsewhere", started: "1", socket: "/nowhere/sql" }),
    "",
    "{",
  ]) {
    const { pid } = await store.readOwner();
    await store.engine.close();
    await eventually(() => !lives(pid));
    const lock = join(store.data_dir, "engine.json");
    writeFileSync(lock, left);
    utimesSync(lock, 1, 1);
    store.engine = await openEngine({ engine: "embedded", data_dir: store.data_dir });
    expect(await store.engine.query("SELECT 1")).toEqual([[1]]);
  }
});

test("the socket is private, and its path fits however deep the data directory lies", async () => {
  const deep = join(store.data_dir, ...Array.from({ length: 8 }, () => "a-very-long-folder-name"), "facts");
  await mkdir(deep, { recursive: true });
  const other = await openEngine({ engine: "embedded", data_dir: deep });
  const { socket } = JSON.parse(await readFile(join(deep, "engine.json"), "utf8"));
  expect(Buffer.byteLength(socket)).toBeLessThanOrEqual(103);
  expect(statSync(socket).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(socket)).mode & 0o777).toBe(0o700);
  expect(await other.query("SELECT 1")).toEqual([[1]]);
  await other.close();
});
