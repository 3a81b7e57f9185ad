import type { Engine } from "../src/store/engine.ts";
import { TABLES } from "../src/store/tables.gen.ts";

/** Stamps of the writing, which may differ between two ways to the same facts, and the name they stand under. */
const STAMPS = ["written_at", "version", "read_at_block", "network"];
/** Tables about the writing itself. */
const BOOKKEEPING = ["segments", "tail_drops", "networks", "freeze_watches", "balances", "balances_by_holder"];
/** Made once a day of what was final then: an index that starts later makes the newest only. */
const DAILY = ["cohorts_daily"];
/** What the operator imported: of no network. */
const OPERATOR_TABLES = ["lists", "sanctions", "listed_tokens", "suppressed"];
const REPLACING = ["openings", "openings_by_token", "pools_read", "tokens", "prices", "labels"];

/** A pool that was read because the tail came first is known by its announcement as soon as that is indexed. */
const beyond = (table: string): string =>
  table === "pools_read" ? " AND pool NOT IN (SELECT p.pool FROM pools AS p)" : "";

const columnsOf = (table: keyof typeof TABLES): string =>
  TABLES[table]
    .map(([name]) => name)
    .filter((name) => !STAMPS.includes(name))
    .join(", ");

const hashOf = (columns: string, source: string): string =>
  `SELECT count() AS rows, toString(sum(cityHash64(${columns}))) AS hash FROM (${source})`;

/**
 * Row count and order-free hash per table of everything a network's answers stand on, at its newest indexed block. The
 * two halves count as one, because where the boundary lies is no fact.
 */
export const factsHash = async (
  engine: Engine,
  network: string,
  final_block: number,
): Promise<Record<string, string>> => {
  const result: Record<string, string> = {};
  // Keys of TABLES are its table names.
  for (const table of Object.keys(TABLES) as (keyof typeof TABLES)[]) {
    const columns = columnsOf(table);
    const where = `network = '${network}'`;
    if (table.endsWith("_head") || BOOKKEEPING.includes(table)) continue;
    if (OPERATOR_TABLES.includes(table) || DAILY.includes(table)) continue;
    const name = table.replace(/_final$/, "");
    const source = table.endsWith("_final")
      ? `SELECT ${columns} FROM ${name} WHERE ${where} AND (_table = '${table}') = (block_number <= ${final_block})`
      : `SELECT ${columns} FROM ${table}${REPLACING.includes(table) ? " FINAL" : ""} WHERE ${where}${beyond(table)}`;
    const [row] = await engine.query(hashOf(columns, source));
    result[name] = `${row?.[0]} ${row?.[1]}`;
  }
  const sums = `SELECT token, holder, sum(amount) AS total FROM (
    SELECT token, holder, amount FROM balances WHERE network = '${network}' AND holder != ''
    UNION ALL SELECT token, address AS holder, toInt256(amount) * direction AS amount FROM ledger
      WHERE network = '${network}' AND _table = 'ledger_head' AND block_number > ${final_block})
    GROUP BY token, holder HAVING total != 0`;
  const [row] = await engine.query(hashOf("token, holder, total", sums));
  result.balances = `${row?.[0]} ${row?.[1]}`;
  return result;
};
