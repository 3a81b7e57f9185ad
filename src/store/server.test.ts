import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ClickHouseServer, startClickHouse } from "../../test/clickhouse/server.ts";
import { openTestEngine, type TestEngine } from "../../test/engine_process.ts";
import { type Engine, openEngine } from "./engine.ts";
import { encodeParam } from "./param.ts";

// A server with the limits that ClickHouse has by default, and the embedded engine: questions mean the same to both.
let server: ClickHouseServer;
let remote: Engine;
let local: TestEngine;

beforeAll(async () => {
  [server, local] = await Promise.all([startClickHouse(), openTestEngine()]);
  const { url, user, password } = server;
  remote = await openEngine({ engine: "clickhouse", url, user, password });
});
afterAll(async () => {
  await remote?.close();
  await server?.stop();
  await local?.remove();
});

const addressOf = (i: number): string => i.toString(16).padStart(40, "0");

describe.each([
  ["a server", () => remote],
  ["the embedded engine", () => local.engine],
])("%s", (_, engineOf) => {
  test.each([1, 3_000, 12_000, 100_000])("takes %i addresses in one question", async (count) => {
    const addresses = Array.from({ length: count }, (_, i) => addressOf(i));
    const sql = "SELECT length({of:Array(String)}), {of:Array(String)}[-1], {name:String}";
    // Characters that must not be read as SQL: quotes, escapes, braces of a placeholder.
    const name = "it's {of:Array(String)} \\ \t \u0000 ☃";
    const params = { of: encodeParam(addresses), name: encodeParam(name) };
    expect(await engineOf().query(sql, { params })).toEqual([[String(count), addressOf(count - 1), name]]);
  });

  test("stops a question whose caller has gone, within a second", async () => {
    const abort = new AbortController();
    const mark = 100_000_000_000 + Math.floor(Math.random() * 1e9);
    const running = async (): Promise<number> => {
      const found = `query LIKE '%numbers(${mark})%' AND query NOT LIKE '%processes%'`;
      return Number((await engineOf().query(`SELECT count() FROM system.processes WHERE ${found}`))[0]?.[0]);
    };
    const asked = engineOf().query(`SELECT sum(sipHash64(number)) FROM numbers(${mark})`, { signal: abort.signal });
    const refused = expect(asked).rejects.toThrow("the caller has gone");
    await expect.poll(running).toBe(1);
    abort.abort(new Error("the caller has gone"));
    await refused;
    await expect.poll(running, { timeout: 1_000, interval: 20 }).toBe(0);
  });

  test("settle stops a statement and returns when it has ended", async () => {
    const id = `settled-${Math.random()}`;
    await engineOf().command("CREATE TABLE settled (a UInt64) ENGINE = MergeTree ORDER BY a");
    const write = "INSERT INTO settled SELECT sum(sipHash64(number)) FROM numbers(1000000000000)";
    // Blocks of a usual size: one is worked off before a statement hears that it was stopped.
    const asked = engineOf().command(write, { id: `${id}-1`, settings: { max_block_size: 65_536 } });
    const ended = asked.then(
      () => "done",
      () => "stopped",
    );
    const running = async (): Promise<number> => {
      const rows = await engineOf().query(
        "SELECT count() FROM system.processes WHERE query LIKE 'INSERT INTO settled%'",
      );
      return Number(rows[0]?.[0]);
    };
    await expect.poll(running).toBe(1);
    await engineOf().settle(id);
    expect([await running(), await ended]).toEqual([0, "stopped"]);
    expect(await engineOf().query("SELECT count() FROM settled")).toEqual([["0"]]);
  });

  test("does not retry a query above the memory limit of one query", async () => {
    const asked = engineOf().query("SELECT length(groupArray(number)) FROM numbers(100000000)", {
      settings: { max_memory_usage: 50_000_000 },
    });
    await expect(asked).rejects.toMatchObject({ code: "TOO_LARGE", retryable: false });
  });

  test("writes nothing for a question", async () => {
    const asked = engineOf().query("CREATE TABLE made_by_a_question (a UInt8) ENGINE = Memory");
    if (engineOf() === remote) await expect(asked).rejects.toMatchObject({ code: "FACTS_QUERY", retryable: false });
    else await asked.catch(() => undefined);
  });
});

test("what a server's own limits refuse is final", async () => {
  const long = "x".repeat(2_000_000);
  const asked = remote.query("SELECT 1", { settings: { log_comment: long } });
  await expect(asked).rejects.toMatchObject({ code: "FACTS_QUERY", retryable: false });
});

test("rejects a client without the secret permanently", async () => {
  const opening = openEngine({ engine: "clickhouse", url: server.url, user: server.user, password: "wrong" });
  await expect(opening).rejects.toMatchObject({ code: "FACTS_QUERY", retryable: false });
});
