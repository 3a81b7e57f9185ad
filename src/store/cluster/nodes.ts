import { AssayError } from "../../lib/errors.ts";
import { type Engine, type EngineTarget, openEngine } from "../engine.ts";
import { encodeParam } from "../param.ts";

export type ServerTarget = EngineTarget & { readonly engine: "clickhouse" };

/** The servers of a cluster, one per shard. */
export interface ClusterServers {
  /** Of HTTP, in the order of the shards. */
  readonly urls: readonly string[];
  /** Which of them the address of the configuration is. */
  readonly near: number;
  /** How much of the rows each shard takes, as the servers' configuration says. */
  readonly weights: readonly number[];
}

interface Replica {
  readonly shard: number;
  readonly weight: number;
  readonly host: string;
  readonly is_local: boolean;
}

const CLUSTER = `
SELECT shard_num, shard_weight, host_name, is_local
FROM system.clusters
WHERE cluster = {cluster:String}
ORDER BY shard_num, replica_num`;

/** Checks on each server whether it reaches all the others. */
const reached = (cluster: string): string => `SELECT count() FROM cluster('${cluster}', system.one)`;

const refuse = (message: string): AssayError => new AssayError({ code: "CONFIG", message, public: message });

const readCluster = async (engine: Engine, cluster: string): Promise<readonly Replica[]> => {
  const rows = await engine.query(CLUSTER, { params: { cluster: encodeParam(cluster) } });
  return rows.map(([shard, weight, host, is_local]) => ({
    shard: Number(shard),
    weight: Number(weight),
    host: String(host),
    is_local: Number(is_local) === 1,
  }));
};

/** Index of a server's shard; -1 for a server outside the cluster. */
const indexIn = (replicas: readonly Replica[]): number => replicas.findIndex(({ is_local }) => is_local);

const urlsOf = (
  { url, nodes = [] }: ServerTarget,
  cluster: string,
  replicas: readonly Replica[],
): readonly string[] => {
  if (nodes.length === 0) return replicas.map(({ host }) => Object.assign(new URL(url), { hostname: host }).toString());
  if (nodes.length !== replicas.length)
    throw refuse(`facts.nodes: ${nodes.length} addresses for the ${replicas.length} shards of cluster ${cluster}`);
  return nodes;
};

const withEngine = async <T>(target: ServerTarget, url: string, work: (engine: Engine) => Promise<T>): Promise<T> => {
  const engine = await openEngine({ ...target, url });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
};

/** Reads the cluster from the configured server, and checks that each server agrees and reaches all others. */
export const findNodes = async (target: ServerTarget & { readonly cluster: string }): Promise<ClusterServers> => {
  const { cluster, url } = target;
  const replicas = await withEngine(target, url, (engine) => readCluster(engine, cluster));
  if (replicas.length === 0) throw refuse(`facts.cluster: the server at ${url} knows no cluster '${cluster}'`);
  if (new Set(replicas.map(({ shard }) => shard)).size !== replicas.length)
    throw refuse(`facts.cluster: '${cluster}' has more than one replica of a shard, which nothing here keeps alike`);
  const near = indexIn(replicas);
  if (near < 0) throw refuse(`facts.cluster: the server at ${url} is itself no shard of '${cluster}'`);
  const urls = urlsOf(target, cluster, replicas);
  const weights = replicas.map(({ weight }) => weight);
  await Promise.all(
    urls.map((one, at) =>
      withEngine(target, one, async (engine) => {
        const own = await readCluster(engine, cluster);
        if (indexIn(own) !== at)
          throw refuse(
            `facts.cluster: the server at ${one} is not shard ${at + 1} of '${cluster}'; facts.nodes says where each is`,
          );
        if (String(own.map(({ weight }) => weight)) !== String(weights))
          throw refuse(`facts.cluster: the servers at ${url} and ${one} say different things of '${cluster}'`);
        const [count] = await engine.query(reached(cluster));
        if (Number(count?.[0]) !== urls.length)
          throw refuse(`facts.cluster: the server at ${one} does not reach every shard of '${cluster}'`);
      }),
    ),
  );
  return { urls, near, weights };
};
