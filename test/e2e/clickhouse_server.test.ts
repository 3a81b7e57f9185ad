// @long: alone
import { afterAll, beforeAll, expect, test } from "vitest";
import { tools } from "../../src/tools/index.ts";
import { type ClickHouseServer, startClickHouse } from "../clickhouse/server.ts";
import type { Questions } from "../fixtures/solana_questions.ts";
import { openDemoWorld, openFreshWorld, type TestService, type TestSetup } from "./served_world.ts";
import { still } from "./still.ts";

// The same demo indexed into a ClickHouse server with its own defaults, and into the embedded engine.

interface ServedPair {
  readonly served: TestService;
  readonly embedded: TestService;
  readonly questions: Questions;
}

type FactsLocation = NonNullable<NonNullable<TestSetup["settings"]>["facts"]>;

/** The demo of EVM, with the tools' examples. */
const openExamples = async (facts: FactsLocation): Promise<ServedPair> => {
  const [served, embedded] = await Promise.all([openFreshWorld({ facts }), openDemoWorld()]);
  return { served, embedded, questions: Object.fromEntries(tools.map(({ name, example }) => [name, example])) };
};

let server: ClickHouseServer;
let pair: ServedPair;

beforeAll(async () => {
  server = await startClickHouse();
  const { url, user, password } = server;
  const facts: FactsLocation = {
    ...{ engine: "clickhouse", nodes: [] },
    url,
    user,
    password,
    database: "assay",
    cluster: null,
  };
  pair = await openExamples(facts);
});
afterAll(async () => {
  await Promise.all([pair?.served.close(), pair?.embedded.close()]);
  await server?.stop();
});

test.each(tools.map(({ name }) => name))("%s answers the same", async (name) => {
  const args = { ...pair.questions[name] };
  const [there, here] = await Promise.all([pair.served.ask(name, args), pair.embedded.ask(name, args)]);
  expect([there.status, here.status, there.body.status]).toEqual([200, 200, here.body.status]);
  expect(still(there.text)).toEqual(still(here.text));
});

test("an index on a server is sound", async () => {
  const rows = await server.ask(
    "SELECT count() = uniqExact((network, block_number)) AND count() > 0 FROM assay.blocks",
  );
  expect(rows).toBe("1");
});
