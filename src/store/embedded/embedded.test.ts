import { once, setMaxListeners } from "node:events";
import { existsSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { connect, createServer } from "node:net";
import { dirname } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestEngine, type TestEngine } from "../../../test/engine_process.ts";
import { sized } from "../../../test/long.ts";
import { openEngine } from "../engine.ts";
import { openFacts } from "../open.ts";
import { encodeParam } from "../param.ts";
import { PARALLEL_MAX } from "./parallel.ts";

let store: TestEngine;
beforeEach(async () => {
  store = await openTestEngine();
});
afterEach(() => store.remove());

const STATEMENTS = sized({ slice: 1_000, long: 4_000 });

test("never prepends rows of a failed statement to another answer", { timeout: 120_000 }, async () => {
  // Every fifth statement fails after it has produced rows: throwIf at row 50,000 of its block stream.
  const failing =
    "SELECT 'foreign', throwIf(number = 50000) FROM numbers(60000) SETTINGS max_block_size = 1000, max_threads = 1";
  let failed = 0;
  let foreign = 0;
  const one = async (index: number): Promise<void> => {
    if (index % 5 === 0) {
      await store.engine.query(failing).catch(() => {
        failed += 1;
      });
      return;
    }
    const rows = await store.engine.query("SELECT {n:UInt64}, 'own'", { params: { n: String(index) } });
    if (rows.length !== 1 || rows[0]?.[0] !== String(index) || rows[0]?.[1] !== "own") foreign += 1;
  };
  for (let start = 0; start < STATEMENTS; start += 20) {
    await Promise.all(Array.from({ length: 20 }, (_, index) => one(start + index)));
  }
  expect({ failed, foreign }).toEqual({ failed: STATEMENTS / 5, foreign: 0 });
});

test("what one question leaves out is not left out by the next one with the same PREWHERE", async () => {
  await store.engine.command("CREATE TABLE moved (wallet UInt8, day UInt32) ENGINE = MergeTree ORDER BY wallet");
  await store.engine.command("INSERT INTO moved SELECT 1, number FROM numbers(100)");
  const since = (day: number) =>
    store.engine.query(`SELECT count() FROM moved PREWHERE wallet = 1 WHERE day >= ${day} AND day % 7 < 8`);
  expect(await since(500)).toEqual([["0"]]);
  expect(await since(50)).toEqual([["50"]]);
});

test("a setting holds for its own statement only", async () => {
  const limit = () => store.engine.query("SELECT value FROM system.settings WHERE name = 'max_result_rows'");
  await store.engine.query("SELECT 1", { settings: { max_result_rows: 7 } });
  for (let index = 0; index < 5; index += 1) expect(await limit()).toEqual([["0"]]);
  await expect(
    store.engine.query("SELECT number FROM numbers(8)", { settings: { max_result_rows: 7 } }),
  ).rejects.toThrow("396");
});

test("integers of 64 and 256 bits come back exactly, and hostile text stays text", async () => {
  const values = {
    big: (2n ** 256n - 1n).toString(),
    word: (2n ** 64n - 1n).toString(),
    text: "' OR 1=1; DROP TABLE x -- \\ \n\t\0 é {a:String} 💥",
    list: ["a'b", "c\\d", "]", "', '"],
  };
  const [row] = await store.engine.query(
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
  await expect(store.engine.query("SELECT {absent:String}")).rejects.toThrow("Substitution `absent` is not set");
  await expect(store.engine.query("SELECT {t:Identifier}", { params: { t: "x" } })).rejects.toMatchObject({
    code: "FACTS_QUERY",
  });
});

test("accepts lists of 40,000 addresses, also in concurrent queries", async () => {
  const list = Array.from({ length: 40_000 }, (_, n) => n.toString(16).padStart(40, "0"));
  const count = () =>
    store.engine.query("SELECT length({list:Array(String)})", { params: { list: encodeParam(list) } });
  const answers = await Promise.all([count(), count(), count(), count()]);
  expect(answers).toEqual([[["40000"]], [["40000"]], [["40000"]], [["40000"]]]);
});

test("a slow question does not hold up the others", async () => {
  const slow = store.engine.query("SELECT sum(sipHash64(number + {n:UInt64})) FROM numbers(2000000000)", {
    params: { n: "1" },
    settings: { max_execution_time: 3, max_threads: 1 },
  });
  const ended = slow.then(
    () => "answered",
    () => "stopped",
  );
  let quick = 0;
  while ((await Promise.race([ended, sleep(1, "running")])) === "running" && quick < 10) {
    await store.engine.query("SELECT {n:UInt64}", { params: { n: "1" } });
    quick += 1;
  }
  expect(quick).toBe(10);
  await ended;
});

test("an aborted question is stopped in the engine", async () => {
  const abort = new AbortController();
  const slow = store.engine.query("SELECT sum(sipHash64(number)) FROM numbers(100000000000)", { signal: abort.signal });
  await sleep(150);
  abort.abort(new Error("the caller has gone"));
  await expect(slow).rejects.toThrow("the caller has gone");
  let running = [["1"]] as unknown;
  for (let tries = 0; tries < 100 && JSON.stringify(running) !== '[["0"]]'; tries += 1) {
    await sleep(20);
    running = await store.engine.query(
      "SELECT count() FROM system.processes WHERE query LIKE '%100000000000%' AND query NOT LIKE '%processes%'",
    );
  }
  expect(running).toEqual([["0"]]);
});

test("of many questions that are aborted together none runs on, those in line included", async () => {
  const abort = new AbortController();
  setMaxListeners(0, abort.signal);
  const many = Array.from({ length: 3 * PARALLEL_MAX }, () =>
    store.engine.query("SELECT sum(sipHash64(number)) FROM numbers(100000000001)", { signal: abort.signal }),
  );
  const ended = Promise.allSettled(many);
  const running = async (): Promise<number> => {
    const found = "query LIKE '%100000000001%' AND query NOT LIKE '%processes%'";
    const [row] = await store.engine.query(`SELECT count() FROM system.processes WHERE ${found}`);
    return Number(row?.[0]);
  };
  await sleep(300);
  abort.abort(new Error("the caller has gone"));
  expect((await ended).every(({ status }) => status === "rejected")).toBe(true);
  await expect.poll(running, { timeout: 20_000 }).toBe(0);
});

test("stops a slow query, which can be repeated", async () => {
  const slow = store.engine.query("SELECT sum(sipHash64(number)) FROM numbers(100000000000)", {
    settings: { max_execution_time: 0.3 },
  });
  await expect(slow).rejects.toMatchObject({ code: "FACTS_UNAVAILABLE", retryable: true });
});

test("a killed engine is started again, and calls in flight fail as retryable", async () => {
  await store.engine.command(
    "CREATE TABLE kept (a UInt64) ENGINE = MergeTree ORDER BY a SETTINGS fsync_after_insert = 1",
  );
  await store.engine.command("INSERT INTO kept SELECT 5");
  const { pid, socket } = await store.readOwner();
  const inFlight = store.engine.query("SELECT sum(sipHash64(number)) FROM numbers(100000000000)");
  await sleep(100);
  process.kill(pid, "SIGKILL");
  await expect(inFlight).rejects.toMatchObject({ code: "FACTS_UNAVAILABLE", retryable: true });
  expect(await store.engine.query("SELECT a FROM kept")).toEqual([["5"]]);
  expect((await store.readOwner()).pid).not.toBe(pid);
  expect(existsSync(dirname(socket))).toBe(false);
});

/** As a client of a ClickHouse server sends it. */
const plainHttp = async (socketPath: string, path: string, body?: string) => {
  const sent = request({ socketPath, path, method: body === undefined ? "GET" : "POST", agent: false });
  sent.end(body);
  // `response` comes with the message alone.
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return {
    status: response.statusCode,
    code: response.headers["x-clickhouse-exception-code"],
    text: await text(response),
  };
};

test("plain HTTP of a ClickHouse client is answered as by a server", async () => {
  const { socket } = await store.readOwner();
  expect(await plainHttp(socket, "/ping")).toMatchObject({ status: 200, text: "Ok.\n" });
  const create = "CREATE TABLE t (a UInt64, s String) ENGINE = MergeTree ORDER BY a";
  expect(await plainHttp(socket, "/?database=assay", create)).toMatchObject({ status: 200 });
  const row = `${JSON.stringify({ a: "18446744073709551615", s: "é'\\" })}\n`;
  const insert = new URLSearchParams({ database: "assay", query: "INSERT INTO t FORMAT JSONEachRow" });
  expect(await plainHttp(socket, `/?${insert}`, row)).toMatchObject({ status: 200 });
  const select = new URLSearchParams({
    database: "assay",
    param_s: "é\\'\\\\",
    output_format_json_quote_64bit_integers: "1",
  });
  const asked = await plainHttp(socket, `/?${select}`, "SELECT a, s FROM t WHERE s = {s:String} FORMAT JSONEachRow");
  expect(asked).toMatchObject({ status: 200, text: row });
  const wrong = await plainHttp(socket, "/?database=assay", "SELECT nosuch FROM t");
  expect(wrong.text).toMatch(/^Code: 47\. /);
  expect([wrong.status, wrong.code]).toEqual([500, "47"]);
});

test("a server that is reached by its URL answers the same, with credentials in headers", async () => {
  const { socket } = await store.readOwner();
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
  const facts_store = await openFacts({
    engine: "clickhouse",
    url: `http://127.0.0.1:${port}`,
    user: "reader",
    password: "s3cret",
  });
  await facts_store.writer.insert("networks", [
    { network: "n", chain_id: 1, from_block: 5, from_hash: "", is_opened: 1, written_at: 1 },
  ]);
  expect(await facts_store.engine.query("SELECT network, from_block FROM networks")).toEqual([["n", "5"]]);
  await expect(facts_store.facts.snapshot("n", null)).rejects.toMatchObject({ code: "COVERAGE_INCOMPLETE" });
  expect(heads[0]).toMatch(/x-clickhouse-user: reader/i);
  expect(heads[0]).toMatch(/x-clickhouse-key: s3cret/i);
  expect(heads[0]?.split("\r\n")[0]).not.toContain("s3cret");
  await facts_store.close();
  server.close();
  await expect(openEngine({ engine: "clickhouse", url: `http://127.0.0.1:${port}` })).rejects.toMatchObject({
    code: "FACTS_UNAVAILABLE",
    retryable: true,
  });
});

test("openers that hang up while they wait in line are not served", async () => {
  const blockers = Array.from({ length: PARALLEL_MAX }, () => store.engine.query("SELECT sleep(1)"));
  const abort = new AbortController();
  await sleep(100);
  const waiting = store.engine.command("CREATE TABLE unwanted (a UInt8) ENGINE = MergeTree ORDER BY a", {
    signal: abort.signal,
  });
  await sleep(100);
  abort.abort(new Error("gone"));
  await expect(waiting).rejects.toThrow("gone");
  await Promise.all(blockers);
  expect(await store.engine.query("EXISTS TABLE unwanted")).toEqual([[0]]);
  expect(await Promise.all(Array.from({ length: 40 }, () => store.engine.query("SELECT 1")))).toHaveLength(40);
});
