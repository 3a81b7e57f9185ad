import { expect, test } from "vitest";
import { readMigrations } from "../migrate.ts";
import { LAYOUT, shardingKey } from "../schema/layout.ts";
import { splitStatements } from "../sql_text.ts";
import { routeOf } from "./statements.ts";

const NAMES = { cluster: "facts", database: "assay", shard_database: "assay_shard" };
const statements = readMigrations().flatMap(({ text }) => splitStatements(text));
const routes = statements.map((statement) => ({ statement, route: routeOf(statement, NAMES) }));
const made = routes.flatMap(({ route }) => (route.to === "all" ? route.statements : []));

test("each migration names its servers", () => {
  const first = routes.filter(({ route }) => route.to === "first").map(({ statement }) => statement.slice(0, 27));
  expect(first).toEqual(["INSERT INTO facts_identity "]);
});

test("a table that is shared out is two: one with the rows, one over all shares", () => {
  const ledger = made.filter((statement) => statement.includes("EXISTS `assay") && statement.includes("`.ledger"));
  expect(ledger).toHaveLength(2);
  expect(ledger[0]).toMatch(
    /^CREATE TABLE IF NOT EXISTS `assay_shard`\.ledger \(\n {2}network [\s\S]* ENGINE = MergeTree PARTITION BY/,
  );
  expect(ledger[1]).toBe(
    "CREATE TABLE IF NOT EXISTS `assay`.ledger AS `assay_shard`.ledger\nENGINE = Distributed('facts', 'assay_shard', 'ledger', cityHash64(network, address))",
  );
});

test("creates replicated tables and views unchanged", () => {
  for (const { statement, route } of routes)
    if (/EXISTS (?:balances|labels|feed_\w+)\b/.test(statement))
      expect(route).toEqual({ to: "all", statements: [statement] });
});

test("every table of the migrations has a layout, and every layout a table", () => {
  const tables = statements.flatMap((statement) => /^CREATE TABLE IF NOT EXISTS (\w+)/.exec(statement)?.[1] ?? []);
  expect([...tables, "migrations"].sort()).toEqual(Object.keys(LAYOUT).sort());
});

test("a table that is shared out is shared by columns that it has", () => {
  for (const [table, layout] of Object.entries(LAYOUT)) {
    if (typeof layout === "string") continue;
    const text = statements.find((statement) => statement.startsWith(`CREATE TABLE IF NOT EXISTS ${table} (`)) ?? "";
    for (const column of layout.by)
      expect(text, table).toMatch(new RegExp(`\\b${column.match(/\w+(?=,)|^\w+$/)?.[0]} `));
  }
  expect([shardingKey("everywhere"), shardingKey("first")]).toEqual([null, "0"]);
});

test("runs a deletion on each shard, with a condition over the whole tables", () => {
  expect(
    routeOf("DELETE FROM ledger WHERE (a = 1) AND (SELECT max(epoch) FROM index_epochs WHERE b) = 2", NAMES),
  ).toEqual({
    to: "all",
    statements: [
      "DELETE FROM `assay_shard`.ledger WHERE (a = 1) AND (SELECT max(epoch) FROM `assay`.index_epochs WHERE b) = 2",
    ],
  });
});

test.each([
  ["INSERT INTO ledger (a) SELECT 1", "first"],
  ["INSERT INTO segments (a) SELECT 1", "first"],
  ["INSERT INTO labels (a) SELECT 1", "all"],
  ["DELETE FROM balances WHERE a = 1", "all"],
  ["TRUNCATE TABLE stage_00_ledger", "first"],
  ["CREATE TABLE IF NOT EXISTS stage_00_ledger AS ledger ENGINE = Memory", "first"],
  ["DROP DATABASE IF EXISTS assay SYNC", "all"],
])("%s goes to %s", (statement, to) => {
  expect(routeOf(statement, NAMES).to).toBe(to);
});

test.each([
  "ALTER TABLE ledger ADD COLUMN a UInt8",
  "OPTIMIZE TABLE ledger",
  "SYSTEM STOP MERGES",
  "TRUNCATE TABLE ledger",
])("rejects %s, whose target is undefined", (statement) => {
  expect(() => routeOf(statement, NAMES)).toThrow(RangeError);
});
