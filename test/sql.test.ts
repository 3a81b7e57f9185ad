import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findQuestions, sampleOf } from "../scripts/gen_queries.ts";
import { OWN_RANGE, OWN_TAIL } from "../src/store/bounds.ts";
import { encodeParam } from "../src/store/param.ts";
import { QUERIES } from "../src/store/queries.gen.ts";
import { placeholdersOf, splitStatements } from "../src/store/sql_text.ts";
import { BLOCK_TABLES, TABLES } from "../src/store/tables.gen.ts";
import { openTestFacts, type TestFacts } from "./facts_store.ts";
import { is_long } from "./long.ts";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const questions = findQuestions(ROOT);

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  // A few rows in every table: an empty table has no plan to check.
  for (const [table, columns] of Object.entries(TABLES)) {
    const structure = columns.map(
      ([name, type]) => `${name} ${type.replace(/^SimpleAggregateFunction\(\w+, (.*)\)$/, "$1")}`,
    );
    await store.engine.command(
      `INSERT INTO ${table} (${columns.map(([name]) => name).join(", ")}) SELECT * FROM generateRandom({structure:String}, 1, 8, 2) LIMIT 20`.replace(
        "{structure:String}",
        `'${structure.join(", ").replaceAll("'", "\\'")}'`,
      ),
    );
  }
});
afterAll(() => store.close());

const samples = (text: string): Record<string, string> =>
  Object.fromEntries(
    placeholdersOf(text).map(({ name, type }) => [
      name,
      // An empty time range is detected early, and nothing is planned.
      encodeParam(
        name === "until"
          ? 2
          : type === "Array(String)"
            ? ["00", "01"]
            : type.startsWith("Array(")
              ? [1, 2]
              : sampleOf(type),
      ),
    ]),
  );

test("has queries, each under a unique name", () => {
  expect(questions.length).toBeGreaterThan(10);
  expect(new Set(questions.map(({ name }) => name)).size).toBe(questions.length);
});

test.each(questions)("$path is one SELECT that starts with a sentence", ({ text }) => {
  expect(text).toMatch(/^-- [A-Z][^\n]+/);
  expect(text.slice(0, text.search(/^(?!--)/m))).toMatch(/[.?:]\s*$/);
  expect(splitStatements(text)).toHaveLength(1);
  expect(splitStatements(text)[0]).toMatch(/^(SELECT|WITH)\b/);
});

const FRAGMENTS = readdirSync(join(ROOT, "src/store/fragments")).map((file) => `store/fragments/${file}`);

/** A file's text without its comments. */
const written = (path: string): string => readFileSync(join(ROOT, "src", path), "utf8").replaceAll(/--[^\n]*/g, "");

test.each(FRAGMENTS)("%s is used more than once", (path) => {
  const name = new RegExp(`@${basename(path, ".sql")}\\b`, "g");
  expect(questions.flatMap((question) => written(question.path).match(name) ?? []).length).toBeGreaterThan(1);
});

/** The outermost SELECT: removes text in parentheses, from the inside. */
const outermost = (text: string): string => {
  let outer = text.replaceAll(/--[^\n]*|'(?:[^'\\]|\\.)*'/g, "");
  for (let before = ""; before !== outer; ) {
    before = outer;
    outer = outer.replaceAll(/\([^()]*\)/g, "·");
  }
  return outer;
};

test.each(questions)("$path orders its rows if there can be several", ({ text }) => {
  const outer = outermost(text);
  const is_single_row = !/\bGROUP BY\b/.test(outer) && /\b(count|sum|max|min|any|arg|uniq|group)\w*·/.test(outer);
  expect(/\bORDER BY\b/.test(outer) || is_single_row).toBe(true);
});

test.each(questions)("$path reads final blocks and the tail each on its side of the boundary", ({ path, text }) => {
  const plain = text.replaceAll(/--[^\n]*/g, "");
  const reads = plain.match(new RegExp(`\\b(FROM|JOIN)\\s+(${BLOCK_TABLES.join("|")})\\b(?!\\s*\\()`, "g")) ?? [];
  const bounds = plain.match(/\((\w+\.)?tail = 0\) = \((\w+\.)?block_number <= \{final_block:UInt64\}\)/g) ?? [];
  const own = plain.replaceAll(/\((\w+\.)?tail = 0\)/g, "").match(new RegExp(OWN_TAIL, "g")) ?? [];
  expect(bounds.length + own.length, "one condition for each read").toBe(reads.length);
  for (const table of BLOCK_TABLES) {
    expect(text, `${table} is the name of no other rows`).not.toMatch(new RegExp(`\\b${table}\\s+AS\\s*\\(`));
  }
  const written = readFileSync(join(ROOT, "src", path), "utf8");
  expect(written, "the store adds this").not.toMatch(
    /\(tail = 0\)|BETWEEN \{from_block:UInt64\} AND \{to_block:UInt64\}/,
  );
});

// Reviewed one by one: each reads blocks outside the snapshot's range, or only a part of it, on purpose.
test("only these queries choose their blocks themselves", () => {
  const own = questions.filter(({ path, text }) => /\btail\b/.test(text) && OWN_RANGE.test(written(path)));
  const fragments = FRAGMENTS.filter((path) => OWN_RANGE.test(written(path)));
  expect([...own.map(({ name }) => name), ...fragments]).toMatchInlineSnapshot(`
    [
      "token/block_conditions",
      "developer/issued",
      "holders/daily_changes",
      "holders/held_after",
      "market/wallet_trades",
      "reading/alike_peers",
      "groups/flows",
      "groups/fresh",
      "groups/wallets",
      "flows/largest",
      "flows/parties",
      "flows/token_flows",
      "history/movement_spans",
      "final_deployments",
      "final_first_funding",
      "final_ledger",
      "final_token_ledger",
      "final_transaction_places",
      "holder_moves",
      "pair_balances",
      "segment_balances",
      "verify_balances",
      "verify_blocks",
      "verify_votes",
      "wallet_balances",
      "store/fragments/cohort_members.sql",
      "store/fragments/holder_changes.sql",
      "store/fragments/of_final_days.sql",
    ]
  `);
});

test("states how far stored sums reach in a query that reads sums and later movements", () => {
  const reads = questions.flatMap(({ name }) => {
    // Its keys are the names of the questions.
    const { params, columns } = QUERIES[name as keyof typeof QUERIES];
    return "with_sums" in params ? [{ name, above: columns.find(([column]) => column === "above")?.[1] }] : [];
  });
  expect(reads).toHaveLength(7);
  expect(reads.filter(({ above }) => above !== "UInt64")).toEqual([]);
});

// `IN arrayMap(…)` reads the whole network: only a list, a parameter, a subquery or has() uses the primary key.
test.each(questions)("$path looks for members of a set in a way that the primary key serves", ({ text }) => {
  expect(text.replaceAll(/--[^\n]*/g, "").match(/\bIN\s+(?![({])[^\n]*/g) ?? []).toEqual([]);
});

/** Text in the parentheses that end each match of `opening`. */
const bodiesOf = (text: string, opening: RegExp): readonly string[] =>
  [...text.matchAll(opening)].map((match) => {
    const from = match.index + match[0].length;
    let depth = 1;
    let to = from;
    for (; depth > 0 && to < text.length; to += 1) depth += text[to] === "(" ? 1 : text[to] === ")" ? -1 : 0;
    return text.slice(from, to - 1);
  });

// WHERE does not use the primary key there (ClickHouse 26.7), PREWHERE does. EXPLAIN shows neither.
test.each(questions)("$path reads facts of blocks for a set by PREWHERE", ({ text }) => {
  const plain = text.replaceAll(/--[^\n]*/g, "");
  const sets = bodiesOf(plain, /\bIN\s*\((?=\s*SELECT)/g);
  const named = sets.flatMap((set) =>
    [...set.matchAll(/\bFROM (\w+)/g)].flatMap(([, name]) => bodiesOf(plain, new RegExp(`\\b${name} AS \\(`, "g"))),
  );
  const read = new RegExp(
    `\\bFROM (?:${BLOCK_TABLES.join("|")})(?: AS \\w+)?\\s+(?:ARRAY JOIN [^\\n]*\\s+)?(\\w+)`,
    "g",
  );
  const reads = [...sets, ...named].flatMap((set) => [...set.matchAll(read)]);
  expect(reads.filter(([, next]) => next !== "PREWHERE").map(([all]) => all)).toEqual([]);
});

/** The native coin, the zero address and "no filter" are empty texts; lists are empty where a query checks for that. */
const emptied = (text: string): Record<string, string> => ({
  ...samples(text),
  ...Object.fromEntries(
    placeholdersOf(text).flatMap(({ name, type }) => {
      if (type === "String" && name !== "network") return [[name, encodeParam("")]];
      return text.includes(`empty({${name}:`) ? [[name, encodeParam([])]] : [];
    }),
  ),
});

// In a slice only with empty texts: the next test plans the queries with others.
test.each(questions)("$path runs, also with empty texts", async ({ text }) => {
  if (is_long) await store.engine.query(text, { params: samples(text) });
  await store.engine.query(text, { params: emptied(text) });
});

/** Reads of a plan: table, and whether the primary key cuts it down to one network. */
const readsOf = (plan: string): readonly (readonly [string, boolean])[] =>
  plan
    .split(/(?=ReadFromMergeTree \()/)
    .slice(1)
    .map(
      (read) => [/\(([\w.]+)\)/.exec(read)?.[1] ?? "", /PrimaryKey[\s\S]*?Keys:[\s\S]*?network/.test(read)] as const,
    );

/** Operator lists belong to no network, and an import compares with the list's earlier contents. */
const OF_NO_NETWORK = ["lists", "sanctions", "listed_domains", "listed_tokens", "suppressed"];
const OF_LISTS = ["labels_of_list", "indexer/listed_addresses", "indexer/networks_with_copies"];
/** An account follows addresses of all networks. The table has as many rows as there are such addresses. */
const OF_ACCOUNTS = ["subject_use"];
const ofNetwork = questions.filter(({ name }) => ![...OF_LISTS, ...OF_ACCOUNTS].includes(name));

test.each(ofNetwork)("$path finds its rows by primary key", async ({ text }) => {
  const rows = await store.engine.query(`EXPLAIN indexes = 1 ${splitStatements(text)[0]}`, { params: samples(text) });
  const plan = rows.map(([line]) => String(line)).join("\n");
  for (const [table, is_pruned] of readsOf(plan)) {
    if (!OF_NO_NETWORK.some((name) => table.endsWith(`.${name}`))) expect(is_pruned, `${table} in\n${plan}`).toBe(true);
  }
});

/**
 * Sums of which the last 256 bits are kept on purpose, or compared with stored ones, and sums of which no addend has more
 * than 128 bits, such as the high parts of the others. Trades are those of pools of known factories, in one transaction.
 */
const MAY_WRAP: readonly string[] = [
  ...["segment_balances.amount", "verify_balances.total"],
  ...["segment_balances.high", "verify_balances.total_upper", "market/ranges.net"],
  ...["market/trade_rows.amount0", "market/trade_rows.amount1"],
  ...["market/wallet_trades.amount0", "market/wallet_trades.amount1"],
];

test("returns the high part with every sum of 256 bits", () => {
  const lone = questions.flatMap(({ name, text }) => {
    // Its keys are the names of the questions.
    const { columns } = QUERIES[name as keyof typeof QUERIES];
    const names = columns.map(([column]) => column);
    return columns.flatMap(([column, type]) => {
      const is_sum = new RegExp(
        `\\bsum(If)?\\((?:[^()]|\\((?:[^()]|\\([^()]*\\))*\\))*\\)(?: OVER \\([^()]*\\))? AS ${column}\\b`,
      ).test(text);
      const is_wide = /^(SimpleAggregateFunction\(sum, )?U?Int256/.test(type) && !column.endsWith("_high");
      return is_wide && is_sum && !names.includes(`${column}_high`) ? [`${name}.${column}`] : [];
    });
  });
  expect(lone.sort()).toEqual([...MAY_WRAP].sort());
});
