import { afterAll, beforeAll, expect, test } from "vitest";
import { sampleOf } from "../../../scripts/gen_queries.ts";
import { type ClickHouseCluster, startCluster } from "../../../test/clickhouse/server.ts";
import { messageOf } from "../../lib/errors.ts";
import type { QueryName } from "../facts.ts";
import { type FactsStore, openFacts } from "../open.ts";
import { encodeParam } from "../param.ts";
import { QUERIES } from "../queries.gen.ts";
import { questionText } from "../question_text.ts";
import { placeholdersOf } from "../sql_text.ts";

let cluster: ClickHouseCluster;
let store: FactsStore;
beforeAll(async () => {
  cluster = await startCluster(2);
  store = await openFacts(cluster.settings);
});
afterAll(async () => {
  await store?.close();
  await cluster?.stop();
});

/** A list that is empty would take whatever hangs on it out of a question. */
const samplesOf = (type: string) => (type.startsWith("Array(") ? [sampleOf(type.slice(6, -1))] : sampleOf(type));

test("every question is understood", async () => {
  const refused: string[] = [];
  const ask = async (name: QueryName): Promise<void> => {
    const text = questionText(name);
    const params = Object.fromEntries(
      placeholdersOf(text).map(({ name: param, type }) => [param, encodeParam(samplesOf(type))]),
    );
    await store.engine.query(text, { params }).catch((error: unknown) => refused.push(`${name}: ${messageOf(error)}`));
  };
  // The keys of QUERIES are the names of questions.
  const names = Object.keys(QUERIES) as QueryName[];
  for (let at = 0; at < names.length; at += 8) await Promise.all(names.slice(at, at + 8).map(ask));
  expect(refused).toEqual([]);
});

test.each([
  ["an unknown cluster", () => ({ cluster: "unknown" }), "knows no cluster 'unknown'"],
  [
    "nodes in another order",
    () => ({ nodes: [...cluster.settings.nodes].reverse() }),
    "facts.nodes says where each is",
  ],
  ["too few nodes", () => ({ nodes: cluster.settings.nodes.slice(0, 1) }), "1 addresses for the 2 shards"],
  ["the database of a cluster for one server alone", () => ({ cluster: null, nodes: [] }), "is that of a cluster"],
])("%s is refused", async (_, wrong, message) => {
  await expect(openFacts({ ...cluster.settings, ...wrong() })).rejects.toThrow(message);
});

test("rejects a single server's database as a cluster", async () => {
  const alone = { ...cluster.settings, database: "alone" };
  await (await openFacts({ ...alone, cluster: null, nodes: [] })).close();
  await expect(openFacts(alone)).rejects.toThrow("was written by one server alone");
});

test("rows that were shared out among others are refused", async () => {
  const other = { ...cluster.settings, database: "moved" };
  await (await openFacts(other)).close();
  await cluster.nodes[1]?.ask("TRUNCATE TABLE moved_shard.share");
  await cluster.nodes[1]?.ask("INSERT INTO moved_shard.share VALUES (3, '1,1,1')");
  await expect(openFacts(other)).rejects.toThrow("this server was shard 3 of shards of weights 1,1,1, and is 2 of 1,1");
});
