import { tableChangedBy } from "../embedded/write_count.ts";
import { LAYOUT, layoutOf, shardingKey } from "../schema/layout.ts";

/** Names that a statement needs. */
export interface Names {
  readonly cluster: string;
  /** Tables for queries: local copies of replicated tables, and distributed tables over the shards. */
  readonly database: string;
  /** Where a server keeps its share of the rows. */
  readonly shard_database: string;
}

/** Where a statement goes. */
export type StatementRoute =
  /** To the first server, which sends rows on to where they belong. */
  | { readonly to: "first" }
  /** To every server, each statement after the other. */
  | { readonly to: "all"; readonly statements: readonly string[] };

const CREATES = /^\s*CREATE TABLE IF NOT EXISTS (\w+)(?=\s*\()/;
const CHANGES_COLUMN = /^\s*ALTER TABLE (\w+)(?= (?:ADD COLUMN IF NOT EXISTS|MODIFY COLUMN) )/;
const VIEW = /^\s*CREATE MATERIALIZED VIEW IF NOT EXISTS /;
const INSERTS = /^\s*INSERT INTO /;
const DELETES = /^\s*DELETE FROM (\w+)/;
const DROPS_ALL = /^\s*DROP DATABASE IF EXISTS /;

const TABLE_READ = new RegExp(`\\b(FROM|JOIN)\\s+(${Object.keys(LAYOUT).join("|")})\\b`, "g");

interface MatchedStatement {
  readonly table: string;
  /** The text after the table name. */
  readonly rest: string;
}

const match = (statement: string, pattern: RegExp): MatchedStatement | null => {
  const found = pattern.exec(statement);
  return found === null ? null : { table: found[1] ?? "", rest: statement.slice(found.index + found[0].length) };
};

/** The table with the rows, and the one over all shares of it. */
const shared = ({ cluster, database, shard_database }: Names, { table, rest }: MatchedStatement, key: string) => [
  `CREATE TABLE IF NOT EXISTS \`${shard_database}\`.${table}${rest}`,
  `CREATE TABLE IF NOT EXISTS \`${database}\`.${table} AS \`${shard_database}\`.${table}
ENGINE = Distributed('${cluster}', '${shard_database}', '${table}', ${key})`,
];

const unknown = (statement: string): RangeError =>
  new RangeError(`not known where this goes in a cluster: ${statement.slice(0, 200)}`);

/** A deletion reads the tables of its condition in the database of the table that it changes, so they are named in full. */
const deleted = ({ database, shard_database }: Names, { table, rest }: MatchedStatement): string =>
  `DELETE FROM \`${shard_database}\`.${table}${rest.replaceAll(TABLE_READ, `$1 \`${database}\`.$2`)}`;

/**
 * Where a statement that was written for one server goes in a cluster, and as what. A materialized view of a table that is
 * shared out looks at what is put into the table over all shares, on whichever server that is done, and its rows go the same
 * way to the servers that they belong to. Throws RangeError for an unsupported statement.
 */
export const routeOf = (statement: string, names: Names): StatementRoute => {
  if (VIEW.test(statement)) return { to: "all", statements: [statement] };
  if (DROPS_ALL.test(statement)) {
    const databases = [names.shard_database, names.database];
    return { to: "all", statements: databases.map((database) => `DROP DATABASE IF EXISTS \`${database}\` SYNC`) };
  }
  const table = tableChangedBy(statement);
  if (table === null) throw unknown(statement);
  const layout = layoutOf(table);
  if (layout === null) return { to: "first" };
  const key = shardingKey(layout);
  if (key === null) return { to: "all", statements: [statement] };
  if (INSERTS.test(statement)) return { to: "first" };
  const creates = match(statement, CREATES);
  if (creates !== null) return { to: "all", statements: shared(names, creates, key) };
  const change = match(statement, CHANGES_COLUMN);
  if (change !== null) {
    const { shard_database, database } = names;
    const alter = (place: string) => `ALTER TABLE \`${place}\`.${change.table}${change.rest}`;
    return { to: "all", statements: [alter(shard_database), alter(database)] };
  }
  const deletes = match(statement, DELETES);
  if (deletes !== null) return { to: "all", statements: [deleted(names, deletes)] };
  throw unknown(statement);
};
