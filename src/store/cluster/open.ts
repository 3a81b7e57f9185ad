import { AssayError } from "../../lib/errors.ts";
import { type Cluster, type Engine, type EngineTarget, nodesOf, type Options, openEngine } from "../engine.ts";
import { encodeParam } from "../param.ts";
import { layoutOf } from "../schema/layout.ts";
import { joinWrites, SERVER_WRITES, writesOfParts } from "../writes.ts";
import { type ClusterServers, findNodes, type ServerTarget } from "./nodes.ts";
import { storeShare } from "./share.ts";
import { type Names, routeOf } from "./statements.ts";

const READ_SETTINGS = {
  // Subqueries run once, on the server that received the query, and their results travel with it.
  distributed_product_mode: "global",
  prefer_global_in_and_join: 1,
  // A question that names its key goes to the server of that key alone.
  optimize_skip_unused_shards: 1,
};
const WRITE_SETTINGS = {
  ...READ_SETTINGS,
  // Answered when the rows are where they belong; nothing is left to be sent later.
  distributed_foreground_insert: 1,
  // Rows of one shared table that make rows of another one belong to other servers there.
  parallel_distributed_insert_select: 0,
};

const withSettings = (options: Options, settings: Readonly<Record<string, string | number>>): Options => ({
  ...options,
  settings: { ...settings, ...options.settings },
});

/** A server that knows of the others. */
const nodeOf = (engine: Engine): Engine => ({
  ...engine,
  query: (sql, options = {}) => engine.query(sql, withSettings(options, READ_SETTINGS)),
  native: (sql, options = {}) => engine.native(sql, withSettings(options, READ_SETTINGS)),
  command: (sql, options = {}) => engine.command(sql, withSettings(options, WRITE_SETTINGS)),
  insert: (into, rows, options = {}) => engine.insert(into, rows, withSettings(options, WRITE_SETTINGS)),
});

/** Does it on the first server last: its copy is the one that writers compare with, so it never knows what another one lacks. */
const onAll = async (nodes: readonly Engine[], work: (node: Engine) => Promise<void>): Promise<void> => {
  const [first, ...others] = nodes;
  await Promise.all(others.map(work));
  if (first !== undefined) await work(first);
};

/** The servers of a cluster as one store. */
const together = (names: Names, cluster: Cluster, opened: readonly Engine[]): Engine => {
  const { nodes } = cluster;
  const [first] = nodes;
  if (first === undefined) throw new RangeError("a cluster without servers");
  return {
    database: names.database,
    cluster,
    query: first.query,
    native: first.native,
    async command(sql, options) {
      const route = routeOf(sql, names);
      if (route.to === "first") return first.command(sql, options);
      for (const statement of route.statements) await onAll(nodes, (node) => node.command(statement, options));
    },
    async insert(into, rows, options) {
      if (layoutOf(into.table) !== "everywhere") return first.insert(into, rows, options);
      await onAll(nodes, (node) => node.insert(into, rows, options));
    },
    settle: async (prefix) => void (await Promise.all(nodes.map((node) => node.settle(prefix)))),
    async writes() {
      const params = { databases: encodeParam([names.database, names.shard_database]) };
      const rows = await Promise.all(nodes.map((node) => node.query(SERVER_WRITES, { params })));
      return joinWrites(rows.map(writesOfParts));
    },
    close: async () => void (await Promise.all(opened.map((engine) => engine.close()))),
  };
};

/**
 * Opens a store that several ClickHouse servers keep together. Throws `AssayError`: `CONFIG` when the servers are not such a
 * cluster, `FACTS_VERSION` when their rows were shared out in another way, and what `openEngine` throws.
 */
const openCluster = async (target: ServerTarget & { readonly cluster: string }): Promise<Engine> => {
  const opened: Engine[] = [];
  const open = async (one: EngineTarget): Promise<Engine> => {
    const engine = await openEngine(one);
    opened.push(engine);
    return engine;
  };
  try {
    const { urls, near, weights }: ClusterServers = await findNodes(target);
    const database = target.database ?? "assay";
    const shard_database = `${database}_shard`;
    const raw = await Promise.all(urls.map((url) => open({ ...target, url, database })));
    const shards = await Promise.all(urls.map((url) => open({ ...target, url, database: shard_database })));
    await Promise.all(shards.map((shard, at) => storeShare(shard, { shard: at + 1, weights })));
    const nodes = raw.map(nodeOf);
    const asked = nodes[near];
    if (asked === undefined) throw new RangeError("a cluster without servers");
    return together({ cluster: target.cluster, database, shard_database }, { nodes, shards, near: asked }, opened);
  } catch (error) {
    await Promise.all(opened.map((engine) => engine.close()));
    throw error;
  }
};

const KIND = "SELECT engine FROM system.tables WHERE database = {database:String} AND name = 'segments'";

/** A single server's database is not a share of a cluster's, and vice versa. */
const refuseOtherKind = async (engine: Engine, is_cluster: boolean): Promise<void> => {
  const [row] = await engine.query(KIND, { params: { database: encodeParam(engine.database) } });
  if (row === undefined || (row[0] === "Distributed") === is_cluster) return;
  throw new AssayError({
    code: "FACTS_VERSION",
    message: is_cluster
      ? `database ${engine.database} was written by one server alone; facts.cluster needs another database`
      : `database ${engine.database} is that of a cluster, which facts.cluster names`,
  });
};

/** Opens a store of any kind, without making its tables. */
export const openStore = async (target: EngineTarget): Promise<Engine> => {
  if (target.engine === "embedded") return openEngine(target);
  const { cluster = null } = target;
  const engine = cluster === null ? await openEngine(target) : await openCluster({ ...target, cluster });
  try {
    await Promise.all(nodesOf(engine).map((node) => refuseOtherKind(node, cluster !== null)));
    return engine;
  } catch (error) {
    await engine.close();
    throw error;
  }
};
