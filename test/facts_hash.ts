import type { Engine } from "../src/store/engine.ts";
import { BLOCK_TABLES, TABLES } from "../src/store/tables.gen.ts";

/** Columns that may differ between two ways to write the same facts, and the column of the network. */
const STAMPS = ["written_at", "version", "read_at_block", "network"];
/** Tables about writing itself; balances are compared as sums. */
const BOOKKEEPING = [
  ...["segments", "tail_drops", "networks", "freeze_watches", "parts_mended", "balances", "balances_by_holder"],
  ...["index_epochs", "facts_identity", "recorded_gaps", "batches", "subjects", "subject_wishes"],
  // Head prices depend on when a call came.
  ...["demanded_prices", "price_wishes"],
];
/** Written per segment, and segment boundaries are not facts, so it is compared together with the tail. */
const BY_SEGMENT = ["first_funding"];
/** Computed once a day from the final blocks of that time: an index that starts later has only the newest. */
const DAILY = ["cohorts_daily"];
/** Imported by the operator; belongs to no network. */
const OPERATOR_TABLES = ["lists", "sanctions", "listed_domains", "listed_tokens", "suppressed"];
const REPLACING = ["openings", "openings_by_token", "pools_read", "tokens", "prices", "labels", "subject_blocks"];

/** A pool that was read before its announcement was indexed is later known by that announcement. */
const beyond = (table: string): string =>
  table === "pools_read" ? " AND pool NOT IN (SELECT p.pool FROM pools AS p)" : "";

const factsOf = (table: keyof typeof TABLES) => TABLES[table].filter(([name]) => !STAMPS.includes(name));

const columnsOf = (table: keyof typeof TABLES): string =>
  factsOf(table)
    .map(([name]) => name)
    .join(", ");

/** A null outside of a tuple makes the whole hash null, and a sum skips it. */
const hashedOf = (table: keyof typeof TABLES): string =>
  factsOf(table)
    .map(([name, type]) => (type.startsWith("Nullable(") ? `tuple(${name})` : name))
    .join(", ");

const hashOf = (columns: string, source: string): string =>
  `SELECT count() AS rows, toString(sum(cityHash64(${columns}))) AS hash FROM (${source})`;

/** Balances of every pair in both tables of sums and the ledger above them. */
const sumsOf = (table: "balances" | "balances_by_holder", network: string, final_block: number): string =>
  `SELECT token, holder, sum(total) AS amount, sum(upper) AS high, sum(moves) AS transfers, min(first) AS first_block, max(last) AS last_block FROM (
    SELECT token, holder, amount AS total, high AS upper, transfers AS moves, first_block AS first, last_block AS last FROM ${table}
      WHERE network = '${network}' AND holder != ''
    UNION ALL SELECT token, address AS holder, toInt256(amount) * direction AS total,
      toInt256(bitShiftRight(amount, 128)) * direction AS upper,
      toUInt64(direction = -1 OR peer != address) AS moves, block_number AS first, block_number AS last FROM ledger
      WHERE network = '${network}' AND tail != 0 AND block_number > ${final_block})
    GROUP BY token, holder`;

/** The first funder of each address, and the first other one, of final blocks and of the tail. */
const fundersOf = (network: string, final_block: number): string => {
  const order = "ORDER BY block_number, tx_index, position";
  const first = `SELECT * FROM (
    SELECT address, block_number, tx_index, position, time, funder, amount FROM first_funding
      WHERE network = '${network}' AND tail = 0 AND block_number <= ${final_block}
    UNION ALL SELECT address, block_number, tx_index, position, time, peer, amount FROM ledger
      WHERE network = '${network}' AND tail != 0 AND block_number > ${final_block} AND token = '' AND direction = 1 AND amount > 0
        AND kind IN ('native', 'internal') AND peer != '' AND peer != address)
    ${order} LIMIT 1 BY address, funder`;
  return `SELECT * FROM (${first}) ${order} LIMIT 2 BY address`;
};

/**
 * Row count and order-free hash of every table behind a network's answers, at its newest indexed block. The
 * final blocks and the tail count as one, because their boundary is no fact.
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
    if (BOOKKEEPING.includes(table) || BY_SEGMENT.includes(table)) continue;
    if (OPERATOR_TABLES.includes(table) || DAILY.includes(table)) continue;
    const source = BLOCK_TABLES.some((name) => name === table)
      ? `SELECT ${columns} FROM ${table} WHERE ${where} AND (tail = 0) = (block_number <= ${final_block})`
      : `SELECT ${columns} FROM ${table}${REPLACING.includes(table) ? " FINAL" : ""} WHERE ${where}${beyond(table)}`;
    const [row] = await engine.query(hashOf(hashedOf(table), source));
    result[table] = `${row?.[0]} ${row?.[1]}`;
  }
  for (const table of ["balances", "balances_by_holder"] as const) {
    const sums = sumsOf(table, network, final_block);
    const [row] = await engine.query(hashOf("token, holder, amount, high, transfers, first_block, last_block", sums));
    result[table] = `${row?.[0]} ${row?.[1]}`;
  }
  const columns = "address, block_number, tx_index, position, time, funder, amount";
  const [funders] = await engine.query(hashOf(columns, fundersOf(network, final_block)));
  result.first_funding = `${funders?.[0]} ${funders?.[1]}`;
  return result;
};

/** Tables of blocks in which a network has rows that the network `than` lacks, with their number, whether final or not. */
export const strayRows = async (engine: Engine, network: string, than: string): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const table of BLOCK_TABLES) {
    const rowsOf = (name: string) => `SELECT ${columnsOf(table)} FROM ${table} WHERE network = '${name}'`;
    const [row] = await engine.query(`SELECT count() FROM (${rowsOf(network)} EXCEPT ${rowsOf(than)})`);
    if (Number(row?.[0]) > 0) found.push(`${table}: ${row?.[0]}`);
  }
  return found;
};

/** Row count and order-free hash of every table of blocks but those by segment, of some blocks. */
export const rowsOfBlocks = async (
  engine: Engine,
  network: string,
  blocks: readonly number[],
): Promise<Record<string, string>> => {
  const result: Record<string, string> = {};
  for (const table of BLOCK_TABLES) {
    if (BY_SEGMENT.includes(table)) continue;
    const where = `network = '${network}' AND block_number IN (${blocks.join(", ")})`;
    const [row] = await engine.query(
      hashOf(hashedOf(table), `SELECT ${columnsOf(table)} FROM ${table} WHERE ${where}`),
    );
    result[table] = `${row?.[0]} ${row?.[1]}`;
  }
  return result;
};
