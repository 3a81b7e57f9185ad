import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** An element per key; a list repeats it. */
interface Element {
  readonly [name: string]: string | number | Element | readonly Element[];
}

const isList = (value: Element[string]): value is readonly Element[] => Array.isArray(value);

const xml = (element: Element): string =>
  Object.entries(element)
    .flatMap(([name, inner]) => (isList(inner) ? inner.map((one) => [name, one] as const) : [[name, inner] as const]))
    .map(([name, inner]) => `<${name}>${typeof inner === "object" ? xml(inner) : inner}</${name}>`)
    .join("");

/** A cluster of one replica per shard, as in the configuration of all its servers. */
export interface ClusterOfTest {
  readonly name: string;
  readonly user: string;
  /** Native ports of loopback, one per shard. */
  readonly tcp_ports: readonly number[];
}

const shardsOf = ({ user, tcp_ports }: ClusterOfTest, password: string): readonly Element[] =>
  tcp_ports.map((port) => ({ replica: { host: "127.0.0.1", port, user, password } }));

/**
 * Writes `config.xml` and `users.xml` of a server with its default limits, like an operator's server. Every user of the machine can reach a
 * loopback port, and the session that holds the server has no password, so the only handler of
 * the HTTP interface requires the secret and answers 404 without it. The native port of a cluster has no such handler:
 * a client that reaches it has that session, which is why this is for tests only.
 */
export const writeServerConfig = (folder: string, password: string, cluster: ClusterOfTest | null): void => {
  mkdirSync(join(folder, "data"), { recursive: true, mode: 0o700 });
  const write = (name: string, element: Element): void =>
    writeFileSync(join(folder, name), `<clickhouse>${xml(element)}</clickhouse>\n`, { mode: 0o600 });
  write("config.xml", {
    users_config: join(folder, "users.xml"),
    mark_cache_size: 64 << 20,
    index_mark_cache_size: 16 << 20,
    primary_index_cache_size: 64 << 20,
    keep_alive_timeout: 3,
    ...(cluster === null ? {} : { remote_servers: { [cluster.name]: { shard: shardsOf(cluster, password) } } }),
    http_handlers: {
      rule: {
        headers: { "X-ClickHouse-Key": password },
        handler: { type: "dynamic_query_handler", query_param_name: "query" },
      },
    },
  });
  const user = { networks: { ip: "127.0.0.1" }, profile: "default", quota: "default" };
  write("users.xml", {
    profiles: { default: { max_threads: 2 } },
    quotas: { default: "" },
    users: {
      default: { password: "", ...user },
      assay: {
        password_sha256_hex: createHash("sha256").update(password).digest("hex"),
        access_management: 1,
        ...user,
      },
    },
  });
};
