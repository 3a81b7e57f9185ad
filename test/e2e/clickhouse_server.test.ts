import { afterAll, beforeAll, expect, test } from "vitest";
import { tools } from "../../src/tools/index.ts";
import { type ClickHouseServer, startClickHouse } from "../clickhouse/server.ts";
import { type Questions, solanaQuestions } from "../fixtures/solana_questions.ts";
import { eachNth, is_long } from "../long.ts";
import {
  openFamiliesStage,
  openFreshFamiliesStage,
  openFreshWorldStage,
  openWorldStage,
  type Stage,
  type StageOptions,
} from "./stage.ts";
import { still } from "./still.ts";

// The same demo indexed into a ClickHouse server with its own defaults, and into the embedded engine.

interface Pair {
  readonly served: Stage;
  readonly embedded: Stage;
  readonly questions: Questions;
}

type Place = NonNullable<NonNullable<StageOptions["settings"]>["facts"]>;

/** The demo of EVM, with the tools' examples. */
const openExamples = async (facts: Place): Promise<Pair> => {
  const [served, embedded] = await Promise.all([openFreshWorldStage({ facts }), openWorldStage()]);
  return { served, embedded, questions: Object.fromEntries(tools.map(({ name, example }) => [name, example])) };
};

/** The smaller demos, asked about Solana. */
const openSmaller = async (facts: Place): Promise<Pair> => {
  const [served, embedded] = await Promise.all([openFreshFamiliesStage({ facts }), openFamiliesStage()]);
  const asked = Object.entries(solanaQuestions(embedded.solana));
  const questions = Object.fromEntries(asked.map(([name, args]) => [name, { ...args, network: "demo-solana" }]));
  return { served, embedded, questions };
};

/** In a slice those that are asked of one network, and about no transaction. */
const ASKED = is_long
  ? tools
  : eachNth(
      tools.filter(
        ({ name, input, families }) =>
          families.includes("solana") && "network" in input.shape && name !== "analyze_transaction",
      ),
      7,
    );

let server: ClickHouseServer;
let pair: Pair;

beforeAll(async () => {
  server = await startClickHouse();
  const { url, user, password } = server;
  const facts: Place = {
    ...{ engine: "clickhouse", nodes: [] },
    url,
    user,
    password,
    database: "assay",
    cluster: null,
  };
  pair = await (is_long ? openExamples(facts) : openSmaller(facts));
});
afterAll(async () => {
  await Promise.all([pair?.served.close(), pair?.embedded.close()]);
  await server?.stop();
});

test.each(ASKED.map(({ name }) => name))("%s answers the same", async (name) => {
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
