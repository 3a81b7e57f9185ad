import { createClient } from "@redis/client";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eachNth } from "../../test/long.ts";
import { type Log, Secret, silentLog } from "../lib/log.ts";
import type { Limits } from "./limits.ts";
import { openSharedLimits } from "./shared_limits.ts";
import { findRedis, makeRedisServer, type RedisServer } from "./testing/redis_server.ts";

const program = findRedis();
const KEY = "assay:rate:k";

describe.skipIf(program === null)("limits in Redis", () => {
  let server: RedisServer;
  let a: Limits;
  let b: Limits;
  let now_ms: number;

  beforeEach(async () => {
    now_ms = 1_000_000;
    server = await makeRedisServer(program ?? "");
    await server.start();
    [a, b] = [open(), open()];
  });
  afterEach(async () => {
    await Promise.all([a.close(), b.close()]);
    await server.remove();
  });

  /** One of two instances. Its own clock is stopped, the one of Redis runs. */
  const open = (answer_within_ms = 2_000, log: Log = silentLog) =>
    openSharedLimits({
      redis_url: new Secret(server.url),
      instances: 2,
      monotonic: () => now_ms,
      // Long, because the machine may be busy.
      answer_within_ms,
      log,
    });

  /** The number of admitted ones among consecutive requests. */
  const knock = async (limits: Limits, count: number, limit = 10): Promise<number> => {
    let admitted = 0;
    for (let call = 0; call < count; call += 1) if (await limits.admit("k", limit)) admitted += 1;
    return admitted;
  };

  const connect = () => createClient({ url: server.url });
  const inRedis = async <T>(work: (client: ReturnType<typeof connect>) => Promise<T>): Promise<T> => {
    const client = connect();
    client.on("error", () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      client.destroy();
    }
  };

  /** Moves earlier admissions into the past (or, when negative, into the future), milliseconds. */
  const age = (ms: number) =>
    inRedis(async (client) => {
      const entries = await client.lRange(KEY, 0, -1);
      for (const [index, entry] of entries.entries()) await client.lSet(KEY, index, String(Number(entry) - ms * 1_000));
    });

  const microseconds = () =>
    inRedis(async (client) => {
      const [seconds, micros] = (await client.sendCommand(["TIME"])) as unknown as [string, string];
      return Number(seconds) * 1e6 + Number(micros);
    });

  test("admits exactly the limit over two instances, with a separate window per subject", async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? a : b).admit("k", 20)));
    expect(answers.filter((admitted) => admitted)).toHaveLength(20);
    expect(await a.admit("other", 1)).toBe(true);
    expect(await b.admit("other", 1)).toBe(false);
  });

  test("frees room 60 s after each admission, not before, and keeps rejected requests out of the window", async () => {
    expect(await knock(a, 10)).toBe(10);
    expect(await knock(b, 25)).toBe(0);
    // Half a minute old, and then more than a full one.
    await age(30_000);
    expect(await knock(b, 1)).toBe(0);
    await age(30_000);
    expect(await knock(b, 25)).toBe(10);
    expect(await inRedis((client) => client.lLen(KEY))).toBe(10);
  });

  test("neither frees room nor blocks longer when the clock of Redis was set back", async () => {
    expect(await knock(a, 10)).toBe(10);
    await age(-3_600_000);
    expect(await knock(b, 3)).toBe(0);
    const entries = await inRedis((client) => client.lRange(KEY, 0, -1));
    expect(Math.max(...entries.map(Number))).toBeLessThanOrEqual(await microseconds());
    await age(60_000);
    expect(await knock(b, 25)).toBe(10);
  });

  test("lets the keys in Redis expire", async () => {
    await knock(a, 1);
    const life_ms = await inRedis((client) => client.pTTL(KEY));
    expect(life_ms).toBeGreaterThan(0);
    expect(life_ms).toBeLessThanOrEqual(61_000);
  });

  test.each(["hangs", "is killed"])(
    "admits each instance's share when Redis %s, and applies both rules for a minute after its return",
    async (how) => {
      expect(await knock(a, 2)).toBe(2);
      expect(await knock(b, 1)).toBe(1);
      if (how === "hangs") server.signal("SIGSTOP");
      else await server.kill();
      // A share is 10 / 2; each includes its instance's earlier admissions.
      expect(await knock(a, 20)).toBe(3);
      expect(await knock(b, 20)).toBe(4);
      if (how === "hangs") server.signal("SIGCONT");
      else await server.start();
      await inRedis((client) => client.ping());
      // Redis is back, perhaps without its data: the shares still count.
      now_ms += 59_000;
      for (let call = 0; call < 30; call += 1) expect([await knock(a, 1), await knock(b, 1)]).toEqual([0, 0]);
      // A minute after the last admission there is room again.
      now_ms += 1_000;
      if (how === "hangs") await age(60_000);
      expect(await knock(a, 20)).toBe(5);
    },
  );

  /** Blocks this process for a time. */
  const beBusy = (ms: number) => {
    const until = performance.now() + ms;
    while (performance.now() < until);
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  const BUSY = [
    ["before it has sent its request", 0],
    ["while it sends its request", 1],
    ["while the response arrives", 2],
  ] as const;
  test.each(eachNth(BUSY, 3))("does not blame Redis when this process was busy %s", async (_, turns) => {
    const warned: string[] = [];
    const log = { ...silentLog, warn: (_facts: object, message: string) => void warned.push(message) };
    const c = open(300, log);
    // It connects while it is busy, too.
    const first = c.admit("k", 4);
    for (let passed = 0; passed < turns; passed += 1) await turn();
    beBusy(1_100);
    let admitted = (await first) ? 1 : 0;
    for (let call = 0; call < 4; call += 1) {
      const asked = c.admit("k", 4);
      for (let passed = 0; passed < turns; passed += 1) await turn();
      beBusy(400);
      if (await asked) admitted += 1;
    }
    // Its own share would have been 4 / 2.
    expect({ admitted, warned }).toEqual({ admitted: 4, warned: [] });
    await c.close();
  });

  test("lets Redis decide alone once it has been back for a minute", async () => {
    await server.kill();
    expect(await knock(a, 20)).toBe(5);
    await server.start();
    // The pause after a failure is over; the next request finds Redis available.
    const wait = () => new Promise((resolve) => setTimeout(resolve, 50));
    now_ms += 60_000;
    while ((await inRedis((client) => client.exists("assay:rate:probe"))) === 0) {
      now_ms += 1_000;
      await a.admit("probe", 1_000_000);
      await wait();
    }
    now_ms += 60_000;
    expect(await knock(a, 20)).toBe(10);
  });

  test("admits every caller of a Redis that never ran, also with a limit below the number of instances", async () => {
    await server.kill();
    expect(await knock(a, 20)).toBe(5);
    const c = open();
    expect(await knock(c, 5, 1)).toBe(1);
    await c.close();
  });
});
