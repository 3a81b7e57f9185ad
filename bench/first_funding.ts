/**
 * Measures the cost and the gain of the table of first funders, and of other queries about many addresses
 * (docs/design/facts_store.md): a ledger of any size, written segment by segment as an indexer does, with the engine's
 * CPU and disk of each table; then the queries. First funders come from their table and from the ledger in turn, and
 * both answers must be the same.
 *   node dist/bench/first_funding.js [--rows 20000000] [--segment 256] [--rounds 20] [--data FOLDER]
 * `data`: folder of the facts; existing facts are reused.
 */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Engine } from "../src/store/engine.ts";
import { openFacts } from "../src/store/open.ts";
import { encodeParam, type Param } from "../src/store/param.ts";
import { questionText } from "../src/store/question_text.ts";
import { timed } from "./calls.ts";
import { loadText, mustEqual, printLine } from "./figures.ts";
import { engineSeconds, forgetConditions } from "./questions.ts";
import { NETWORK, WALLETS, WRAPPED, writeLedger } from "./wallet_rows.ts";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "20000000" },
    segment: { type: "string", default: "256" },
    rounds: { type: "string", default: "20" },
    data: { type: "string", default: "" },
  },
});
const ROWS = Number(values.rows);
const ROUNDS = Number(values.rounds);

const data_dir = values.data === "" ? await mkdtemp(join(tmpdir(), "assay-bench-")) : values.data;
const is_there = existsSync(join(data_dir, "engine"));
const store = await openFacts({ engine: "embedded", data_dir });
const { engine, facts } = store;

/** The engine's CPU seconds by the table that a statement writes; "look" is for the queries between them. */
const spent = new Map<string, number>();

const countedEngine = (): void => {
  const { command, query } = engine;
  const counting = async <T>(name: string, run: () => Promise<T>): Promise<T> => {
    const from = engineSeconds(data_dir);
    const result = await run();
    spent.set(name, (spent.get(name) ?? 0) + engineSeconds(data_dir) - from);
    return result;
  };
  const counted: Pick<Engine, "command" | "query"> = {
    command: (sql, options) =>
      counting(/^INSERT INTO (\w+)/.exec(sql)?.[1] ?? "other", () => command.call(engine, sql, options)),
    query: (sql, options) => counting("look", () => query.call(engine, sql, options)),
  };
  Object.assign(engine, counted);
};

if (!is_there) {
  const plain = { command: engine.command, query: engine.query };
  countedEngine();
  await writeLedger(store, ROWS, Number(values.segment));
  Object.assign(engine, plain);
  for (const [name, seconds] of spent) printLine(`cpu of writing ${name}: ${seconds.toFixed(2)} s`);
}
forgetConditions(engine);

const disk = await engine.query(
  `SELECT table, sum(rows), sum(bytes_on_disk), count() FROM system.parts WHERE active AND database = '${engine.database}'
   GROUP BY table HAVING sum(rows) > 100000 ORDER BY table`,
);
for (const [table, rows, bytes, parts] of disk) {
  const each = (Number(bytes) / Number(rows)).toFixed(1);
  printLine(`${table}: ${rows} rows in ${parts} parts, ${each} B a row, ${(Number(bytes) / 1e6).toFixed(0)} MB`);
}

const snapshot = await facts.snapshot(NETWORK, null);
/** As `facts.ask` binds it. */
const BOUNDS = {
  network: NETWORK,
  from_block: snapshot.from_block,
  to_block: snapshot.block.number,
  final_block: snapshot.final_block,
  block_time: snapshot.block.time,
};

const runQuery = async (sql: string, params: Readonly<Record<string, Param>>): Promise<unknown> => {
  const encoded = Object.entries({ ...BOUNDS, ...params }).map(([name, value]) => [name, encodeParam(value)] as const);
  return engine.query(sql, { params: Object.fromEntries(encoded) });
};

const IN_BOUNDS = `network = {network:String} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
  AND (tail = 0) = (block_number <= {final_block:UInt64})`;
const WANTED = "address IN (SELECT unhex(arrayJoin({addresses:Array(String)})) AS wanted)";

/** The same query on the ledger alone. */
const FUNDERS_OF_LEDGER = `SELECT lower(hex(address)), lower(hex(f.1)), f.2, f.3, f.4, toUnixTimestamp(f.5) FROM (
    SELECT address, argMin((peer, block_number, tx_index, amount, time), (block_number, tx_index, position)) AS f
    FROM ledger WHERE ${IN_BOUNDS} AND ${WANTED} AND token = '' AND direction = 1 AND amount > 0
      AND kind IN ('native', 'internal') AND peer != '' AND peer != address AND peer != unhex({wrapped:String})
    GROUP BY address) ORDER BY lower(hex(address))`;

/** partners.sql if each row of the ledger had its USD: no prices are joined. */
const PARTNERS_UNPRICED = `SELECT lower(hex(peer)) AS one, sum(toFloat64(amount)) AS usd FROM (
    SELECT address, peer, amount FROM ledger WHERE ${IN_BOUNDS} AND ${WANTED}
      AND kind NOT IN ('fee', 'tip', 'rent', 'wrap') AND peer != address AND NOT (token = '' AND peer = unhex({wrapped:String}))
    ORDER BY address, block_number DESC, tx_index DESC, position DESC, direction LIMIT {per_address:UInt32} BY address)
  GROUP BY peer ORDER BY usd DESC, one LIMIT {limit:UInt32}`;

const namesOf = async (sql: string): Promise<readonly string[]> =>
  (await engine.query(sql, { params: { network: NETWORK } })).map(([one]) => String(one));

/** Counterparties of a large wallet, and the addresses with the most rows of all. */
const ADDRESSES = {
  counterparties: await namesOf(`SELECT DISTINCT lower(hex(peer)) AS one FROM ledger
    WHERE network = {network:String} AND address = unhex('${WALLETS.large}') ORDER BY one LIMIT 5000`),
  busiest: await namesOf(`SELECT lower(hex(address)) AS one FROM ledger
    WHERE network = {network:String} GROUP BY address ORDER BY count() DESC, one LIMIT 500`),
} as const;

const tokens = await namesOf(
  "SELECT DISTINCT lower(hex(token)) AS one FROM prices WHERE network = {network:String} ORDER BY one",
);

const measure = async (addresses: readonly string[], of: string): Promise<void> => {
  const ask = (sql: string, params: Readonly<Record<string, Param>>) =>
    timed(ROUNDS, () => runQuery(sql, { addresses, wrapped: WRAPPED, ...params }));
  const before = await ask(FUNDERS_OF_LEDGER, {});
  const after = await ask(questionText("first_funders"), {});
  mustEqual(of, after.result, before.result);
  const partners = {
    actors: addresses,
    tokens,
    native_decimals: 18,
    per_address: 2_000,
    stored_from: 0,
    stored_until: snapshot.block.time,
    late_tokens: [],
    late_hours: [],
    late_units: [],
    limit: 200,
    offset: 0,
  };
  const times = {
    "first funders of the ledger": before,
    "of their table": after,
    dealings: await ask(questionText("risk/dealings"), { many: 5_001 }),
    partners: await ask(questionText("risk/partners"), partners),
    "partners without prices": await ask(PARTNERS_UNPRICED, partners),
  };
  const all = Object.entries(times).map(
    ([
      name,
      {
        times: { p50 },
      },
    ]) => `${name} ${p50.toFixed(1)}`,
  );
  printLine(`${of}: ${all.join(", ")} ms (${loadText()})`);
};

for (const count of [20, 200, 500])
  for (const [kind, addresses] of Object.entries(ADDRESSES))
    await measure(addresses.slice(0, count), `${count} ${kind}`);

await store.close();
if (values.data === "") await rm(data_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
