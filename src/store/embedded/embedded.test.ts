import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { Agent, type AgentOptions } from "node:http";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ClickHouseLogLevel, createClient } from "@clickhouse/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Engine, openEngine } from "../engine.ts";
import { openFacts } from "../open.ts";
import { encodeParam } from "../param.ts";
import { PARALLEL_MAX } from "./parallel.ts";

const MAIN = resolve(fileURLToPath(import.meta.url), "../../../../dist/src/store/embedded/main.js");
const ENGINE = resolve(dirname(MAIN), "../engine.js");

let data_dir = "";
let engine: Engine;
beforeEach(async () => {
  data_dir = await mkdtemp(join(tmpdir(), "assay-engine-"));
  engine = await openEngine({ engine: "embedded", data_dir });
});
afterEach(async () => {
  await engine.close();
  await rm(data_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

interface Lock {
  readonly pid: number;
  readonly socket: string;
}
const readLock = async (): Promise<Lock> => JSON.parse(await readFile(join(data_dir, "engine.json"), "utf8"));

const lives = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

const eventually = async (is_true: () => boolean): Promise<boolean> => {
  for (let tries = 0; tries < 200 && !is_true(); tries += 1) await sleep(25);
  return is_true();
};

test("rows of a statement that failed never stand before another answer", { timeout: 120_000 }, async () => {
  // Every fifth statement fails after it has produced rows: throwIf at row 50,000 of its block stream.
  const failing =
    "SELECT 'foreign', throwIf(number = 50000) FROM numbers(60000) SETTINGS max_block_size = 1000, max_threads = 1";
  let failed = 0;
  let foreign = 0;
  const one = async (index: number): Promise<void> => {
    if (index % 5 === 0) {
      await engine.query(failing).catch(() => {
        failed += 1;
      });
      return;
    }
    const rows = await engine.query("SELECT {n:UInt64}, 'own'", { params: { n: String(index) } });
    if (rows.length !== 1 || rows[0]?.[0] !== String(index) || rows[0]?.[1] !== "own") foreign += 1;
  };
  for (let start = 0; start < 4000; start += 20) {
    await Promise.all(Array.from({ length: 20 }, (_, index) => one(start + index)));
  }
  expect({ failed, foreign }).toEqual({ failed: 800, foreign: 0 });
});

test("a setting holds for its own statement only", async () => {
  const limit = () => engine.query("SELECT value FROM system.settings WHERE name = 'max_result_rows'");
  await engine.query("SELECT 1", { settings: { max_result_rows: 7 } });
  for (let index = 0; index < 5; index += 1) expect(await limit()).toEqual([["0"]]);
  await expect(engine.query("SELECT number FROM numbers(8)", { settings: { max_result_rows: 7 } })).rejects.toThrow(
    "396",
  );
});

test("integers of 64 and 256 bits come back exactly, and hostile text stays text", async () => {
  const values = {
    big: (2n ** 256n - 1n).toString(),
    word: (2n ** 64n - 1n).toString(),
    text: "' OR 1=1; DROP TABLE x -- \\ \n\t\0 é {a:String} 💥",
    list: ["a'b", "c\\d", "]", "', '"],
  };
  const [row] = await engine.query(
    "SELECT {big:UInt256}, {word:UInt64}, {text:String}, {list:Array(String)}, '{text:String}'",
    {
      params: {
        big: encodeParam(values.big),
        word: encodeParam(values.word),
        text: encodeParam(values.text),
        list: encodeParam(values.list),
      },
    },
  );
  expect(row).toEqual([values.big, values.word, values.text, values.list, "{text:String}"]);
  await expect(engine.query("SELECT {absent:String}")).rejects.toThrow("Substitution `absent` is not set");
  await expect(engine.query("SELECT {t:Identifier}", { params: { t: "x" } })).rejects.toMatchObject({
    code: "FACTS_QUERY",
  });
});

test("a slow question does not hold up the others", async () => {
  const slow = engine.query("SELECT sum(sipHash64(number + {n:UInt64})) FROM numbers(2000000000)", {
    params: { n: "1" },
    settings: { max_execution_time: 3, max_threads: 1 },
  });
  const ended = slow.then(
    () => "answered",
    () => "stopped",
  );
  let quick = 0;
  while ((await Promise.race([ended, sleep(1, "running")])) === "running" && quick < 50) {
    await engine.query("SELECT {n:UInt64}", { params: { n: "1" } });
    quick += 1;
  }
  expect(quick).toBe(50);
  await ended;
});

test("an aborted question is stopped in the engine", async () => {
  const abort = new AbortController();
  const slow = engine.query("SELECT sum(sipHash64(number)) FROM numbers(100000000000)", { signal: abort.signal });
  await sleep(150);
  abort.abort(new Error("the caller has gone"));
  await expect(slow).rejects.toThrow("the caller has gone");
  let running = [["1"]] as unknown;
  for (let tries = 0; tries < 100 && JSON.stringify(running) !== '[["0"]]'; tries += 1) {
    await sleep(20);
    running = await engine.query(
      "SELECT count() FROM system.processes WHERE query LIKE '%100000000000%' AND query NOT LIKE '%processes%'",
    );
  }
  expect(running).toEqual([["0"]]);
});

test("a question that takes too long is stopped and may be asked again", async () => {
  const slow = engine.query("SELECT sum(sipHash64(number)) FROM numbers(100000000000)", {
    settings: { max_execution_time: 0.3 },
  });
  await expect(slow).rejects.toMatchObject({ code: "FACTS_UNAVAILABLE", retryable: true });
});

test("a killed engine is started again, and calls in flight fail as retryable", async () => {
  await engine.command("CREATE TABLE kept (a UInt64) ENGINE = MergeTree ORDER BY a SETTINGS fsync_after_insert = 1");
  await engine.command("INSERT INTO kept SELECT 5");
  const { pid, socket } = await readLock();
  const inFlight = engine.query("SELECT sum(sipHash64(number)) FROM numbers(100000000000)");
  await sleep(100);
  process.kill(pid, "SIGKILL");
  await expect(inFlight).rejects.toMatchObject({ code: "FACTS_UNAVAILABLE", retryable: true });
  expect(await engine.query("SELECT a FROM kept")).toEqual([["5"]]);
  expect((await readLock()).pid).not.toBe(pid);
  expect(existsSync(dirname(socket))).toBe(false);
});

test("a second engine on the same directory is refused in words and changes nothing", async () => {
  const before = await readLock();
  const second = spawn(process.execPath, [MAIN, data_dir], { stdio: ["ignore", "ignore", "pipe"] });
  let words = "";
  second.stderr.on("data", (chunk) => {
    words += String(chunk);
  });
  const [code] = await once(second, "exit");
  expect(code).toBe(3);
  expect(words).toContain(`${data_dir} is already served by process ${before.pid}`);
  expect(await readLock()).toEqual(before);
  expect(await engine.query("SELECT 1")).toEqual([[1]]);
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
  const child = spawn(process.execPath, ["--input-type=module", "-e", SECOND, ENGINE, data_dir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return child;
};

test("another process joins the same engine, which lives until the last of them has gone", async () => {
  const { pid } = await readLock();
  const second = await openSecond();
  expect(await engine.query("SELECT a FROM shared")).toEqual([["42"]]);
  expect((await readLock()).pid).toBe(pid);
  await engine.close();
  await sleep(300);
  expect(lives(pid)).toBe(true);
  second.kill("SIGKILL");
  expect(await eventually(() => !lives(pid))).toBe(true);
  expect(existsSync(join(data_dir, "engine.json"))).toBe(false);
});

test("no engine is left when the process that started it is killed", async () => {
  await engine.close();
  const { pid: first } = await readLock().catch(() => ({ pid: 0 }));
  await eventually(() => first === 0 || !lives(first));
  const owner = await openSecond();
  const { pid, socket } = await readLock();
  expect(lives(pid)).toBe(true);
  owner.kill("SIGKILL");
  expect(await eventually(() => !lives(pid))).toBe(true);
  expect(existsSync(socket)).toBe(false);
});

test("Ctrl-C does not end the engine under its openers", async () => {
  const { pid } = await readLock();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.kill(pid, signal);
  await sleep(100);
  expect(await engine.query("SELECT 1")).toEqual([[1]]);
  expect((await readLock()).pid).toBe(pid);
});

test("a lock of a dead process, and one that is no lock at all, are taken over", async () => {
  for (const left of [
    JSON.stringify({ pid: 2 ** 22 + 5, host: "elsewhere", started: "1", socket: "/nowhere/sql" }),
    "",
    "{",
  ]) {
    const { pid } = await readLock();
    await engine.close();
    await eventually(() => !lives(pid));
    const lock = join(data_dir, "engine.json");
    writeFileSync(lock, left);
    utimesSync(lock, 1, 1);
    engine = await openEngine({ engine: "embedded", data_dir });
    expect(await engine.query("SELECT 1")).toEqual([[1]]);
  }
});

test("the socket is private, and its path fits however deep the data directory lies", async () => {
  const deep = join(data_dir, ...Array.from({ length: 8 }, () => "a-very-long-folder-name"), "facts");
  await mkdir(deep, { recursive: true });
  const other = await openEngine({ engine: "embedded", data_dir: deep });
  const { socket } = JSON.parse(await readFile(join(deep, "engine.json"), "utf8"));
  expect(Buffer.byteLength(socket)).toBeLessThanOrEqual(103);
  expect(statSync(socket).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(socket)).mode & 0o777).toBe(0o700);
  expect(await other.query("SELECT 1")).toEqual([[1]]);
  await other.close();
});

test("the official client speaks to the engine", async () => {
  const { socket } = await readLock();
  const client = createClient({
    url: "http://engine",
    database: "assay",
    // Options of an agent go on to net.connect, which knows `path`; the agent's own type does not.
    http_agent: new Agent({ socketPath: socket, keepAlive: true } as AgentOptions),
    log: { level: ClickHouseLogLevel.OFF },
  });
  expect((await client.ping()).success).toBe(true);
  await client.command({ query: "CREATE TABLE t (a UInt64, s String) ENGINE = MergeTree ORDER BY a" });
  await client.insert({ table: "t", values: [{ a: "18446744073709551615", s: "é'\\" }], format: "JSONEachRow" });
  const result = await client.query({
    query: "SELECT a, s FROM t WHERE s = {s:String}",
    query_params: { s: "é'\\" },
    format: "JSONEachRow",
    clickhouse_settings: { output_format_json_quote_64bit_integers: 1 },
  });
  expect(await result.json()).toEqual([{ a: "18446744073709551615", s: "é'\\" }]);
  await expect(client.query({ query: "SELECT nosuch FROM t" })).rejects.toMatchObject({ code: "47" });
  await client.close();
});

test("a server that is reached by its URL answers the same, with credentials in headers", async () => {
  const { socket } = await readLock();
  const heads: string[] = [];
  const server = createServer((near) => {
    const far = connect(socket);
    near.once("data", (chunk) => heads.push(chunk.toString("latin1")));
    near.pipe(far).pipe(near);
    for (const end of [near, far]) end.on("error", () => undefined);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const store = await openFacts({
    engine: "clickhouse",
    url: `http://127.0.0.1:${port}`,
    user: "reader",
    password: "s3cret",
  });
  await store.writer.insert("networks", [{ network: "n", chain_id: 1, from_block: 5, from_hash: "", written_at: 1 }]);
  expect(await store.engine.query("SELECT network, from_block FROM networks")).toEqual([["n", "5"]]);
  await expect(store.facts.snapshot("n", null)).rejects.toMatchObject({ code: "COVERAGE_INCOMPLETE" });
  expect(heads[0]).toMatch(/x-clickhouse-user: reader/i);
  expect(heads[0]).toMatch(/x-clickhouse-key: s3cret/i);
  expect(heads[0]?.split("\r\n")[0]).not.toContain("s3cret");
  await store.close();
  server.close();
  await expect(openEngine({ engine: "clickhouse", url: `http://127.0.0.1:${port}` })).rejects.toMatchObject({
    code: "FACTS_UNAVAILABLE",
    retryable: true,
  });
});

test("openers that hang up while they wait in line are not served", async () => {
  const blockers = Array.from({ length: PARALLEL_MAX }, () => engine.query("SELECT sleep(1)"));
  const abort = new AbortController();
  await sleep(100);
  const waiting = engine.command("CREATE TABLE unwanted (a UInt8) ENGINE = MergeTree ORDER BY a", {
    signal: abort.signal,
  });
  await sleep(100);
  abort.abort(new Error("gone"));
  await expect(waiting).rejects.toThrow("gone");
  await Promise.all(blockers);
  expect(await engine.query("EXISTS TABLE unwanted")).toEqual([[0]]);
  expect(await Promise.all(Array.from({ length: 40 }, () => engine.query("SELECT 1")))).toHaveLength(40);
});
