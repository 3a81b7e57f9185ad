import { afterAll, beforeAll, expect, test } from "vitest";
import { tools } from "../../src/tools/index.ts";
import { type ClickHouseServer, startClickHouse } from "../clickhouse/server.ts";
import { openFreshWorldStage, openWorldStage, type WorldStage } from "./stage.ts";

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

/** Without times of this run: of imports, of a look at a node or a page. */
const still = (text: string): unknown =>
  JSON.parse(text.replaceAll(/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, "a moment of this run"), (name, value) =>
    name === "request_id" || name === "took_ms" ? undefined : value,
  );

test.each(tools.map(({ name, example }) => [name, example] as const))("%s answers the same", async (name, example) => {
  const [there, here] = await Promise.all([served.ask(name, { ...example }), embedded.ask(name, { ...example })]);
  expect([there.status, there.body.status]).toEqual([200, "data"]);
  expect(still(there.text)).toEqual(still(here.text));
});

test("an index on a server is sound", async () => {
  const rows = await server.ask("SELECT count() = uniqExact(block_number) AND count() > 0 FROM assay.blocks_final");
  expect(rows).toBe("1");
});
