// @long: alone
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tools } from "../../src/tools/index.ts";
import { type ClickHouseCluster, startCluster } from "../clickhouse/server.ts";
import { type Questions, solanaQuestions } from "../fixtures/solana_questions.ts";
import { tronQuestions } from "../fixtures/tron_questions.ts";
import {
  type FamiliesService,
  openDemoWorld,
  openFamilies,
  openFreshFamilies,
  openFreshWorld,
  type TestService,
  type WorldService,
} from "./served_world.ts";
import { still } from "./still.ts";

// The same demos indexed into two ClickHouse servers that share their rows out, and into the embedded engine.

let cluster: ClickHouseCluster;
beforeAll(async () => {
  cluster = await startCluster(2);
});
afterAll(() => cluster?.stop());

interface ClusterPair {
  readonly served: TestService;
  readonly embedded: TestService;
}

const expectSame = async ({ served, embedded }: ClusterPair, name: string, args: object): Promise<void> => {
  const [there, here] = await Promise.all([served.ask(name, { ...args }), embedded.ask(name, { ...args })]);
  expect([there.status, here.status, there.body.status]).toEqual([200, 200, here.body.status]);
  expect(still(there.text)).toEqual(still(here.text));
};

/** Rows of a table on each server alone, and of both together. */
const expectShared = async (database: string, table: string): Promise<void> => {
  const count = (from: string, at: number) => cluster.nodes[at]?.ask(`SELECT count() FROM ${from}.${table}`);
  const [first, second, all, there] = (
    await Promise.all([
      count(`${database}_shard`, 0),
      count(`${database}_shard`, 1),
      count(database, 0),
      count(database, 1),
    ])
  ).map(Number);
  expect([Number(first) > 0, Number(second) > 0, Number(first) + Number(second), there], table).toEqual([
    true,
    true,
    all,
    all,
  ]);
};

describe("the demo", () => {
  let served: WorldService;
  let embedded: WorldService;
  beforeAll(async () => {
    [served, embedded] = await Promise.all([openFreshWorld({ facts: cluster.settings }), openDemoWorld()]);
  });
  afterAll(() => Promise.all([served?.close(), embedded?.close()]));

  test.each(tools.map(({ name, example }) => [name, example] as const))("%s answers the same", (name, example) =>
    expectSame({ served, embedded }, name, example),
  );

  test("both servers have some of the rows", async () => {
    for (const table of ["blocks", "transactions", "transfers", "ledger", "token_ledger", "approvals", "contracts"])
      await expectShared("assay", table);
  });
});

describe("the demos of Solana and Tron", () => {
  const facts = () => ({ ...cluster.settings, database: "families" });
  let served: FamiliesService;
  let embedded: FamiliesService;
  const asked: { [family: string]: Questions } = {};
  beforeAll(async () => {
    [served, embedded] = await Promise.all([openFreshFamilies({ facts: facts() }), openFamilies()]);
    asked.solana = solanaQuestions(embedded.solana);
    asked.tron = tronQuestions(embedded.tron.stage);
    for (const family of ["solana", "tron"]) {
      const wallet = { ...asked[family]?.get_wallet_transactions, network: `demo-${family}` };
      const { body } = await embedded.ask("get_wallet_transactions", wallet);
      asked[family] = { ...asked[family], analyze_transaction: { tx_hash: body.data[0]?.tx_hash } };
    }
  });
  afterAll(() => Promise.all([served?.close(), embedded?.close()]));

  const wanted = tools.flatMap(({ name, families, input }) =>
    families
      .filter((family) => family !== "evm")
      .map((family) => [name, family, "network" in input.shape ? { network: `demo-${family}` } : {}] as const),
  );
  test.each(wanted)("%s answers the same on %s", (name, family, where) =>
    expectSame({ served, embedded }, name, { ...asked[family]?.[name], ...where }),
  );

  test("both servers have some of the rows", async () => {
    for (const table of ["blocks", "transactions", "transfers", "ledger", "token_ledger"])
      await expectShared("families", table);
  });
});
