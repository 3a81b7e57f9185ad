import { afterAll, beforeAll, expect, test } from "vitest";
import { tools } from "../../src/tools/index.ts";
import { type ClickHouseServer, startClickHouse } from "../clickhouse/server.ts";
import { eachNth } from "../long.ts";
import { openFreshWorldStage, openWorldStage, T0, type WorldStage } from "./stage.ts";

// The same demo indexed into a ClickHouse server with its own defaults, and into the embedded engine.
let server: ClickHouseServer;
let served: WorldStage;
let embedded: WorldStage;

beforeAll(async () => {
  server = await startClickHouse();
  const { url, user, password } = server;
  const facts = { engine: "clickhouse", url, user, password, database: "assay" } as const;
  [served, embedded] = await Promise.all([openFreshWorldStage({ facts }), openWorldStage()]);
});
afterAll(async () => {
  await Promise.all([served?.close(), embedded?.close()]);
  await server?.stop();
});

/** The world's history ends before this, and no run of its tests began before. Unix milliseconds. */
const AFTER_THE_WORLD = (T0 + 100 * 86_400) * 1_000;
const MOMENT = /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d/;
const OF_THIS_CALL = new Set(["request_id", "took_ms", "response_ms", "age_hours"]);

/** Without what is of this run or call: when lists were imported, a node or page was looked at, and how long that took. */
const still = (text: string): unknown =>
  JSON.parse(text, (name, value) => {
    if (OF_THIS_CALL.has(name)) return null;
    return typeof value === "string" && MOMENT.test(value) && Date.parse(value) > AFTER_THE_WORLD
      ? "of this run"
      : value;
  });

test.each(eachNth(tools, 5).map(({ name, example }) => [name, example] as const))(
  "%s answers the same",
  async (name, example) => {
    const [there, here] = await Promise.all([served.ask(name, { ...example }), embedded.ask(name, { ...example })]);
    expect([there.status, here.status, there.body.status]).toEqual([200, 200, here.body.status]);
    expect(still(there.text)).toEqual(still(here.text));
  },
);

test("an index on a server is sound", async () => {
  const rows = await server.ask("SELECT count() = uniqExact(block_number) AND count() > 0 FROM assay.blocks");
  expect(rows).toBe("1");
});
