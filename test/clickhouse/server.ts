import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ClusterOfTest, writeServerConfig } from "./config_files.ts";

/** A real ClickHouse server for one test: the engine that the product embeds, with its own HTTP interface. */
export interface ClickHouseServer {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  /** Queries as a client other than the product; returns the answer as text. */
  ask(sql: string): Promise<string>;
  /** Stops it and removes its folder. */
  stop(): Promise<void>;
}

/**
 * One server of a cluster. It restarts after it ends by itself, as under an operator's supervisor: `libchdb` is not made to be a server, and
 * a native connection whose other end is killed in mid statement can end it (the handler's "connection reset" reaches `std::terminate`).
 */
export interface ClusterNode extends ClickHouseServer {
  /** Kills it, like a power cut. */
  kill(): Promise<void>;
  /** Starts it again with its data. */
  restart(): Promise<void>;
  /** Resolves when it answers: a killed server must have been started again. */
  ready(): Promise<void>;
}

export interface ClickHouseCluster {
  readonly name: string;
  /** In the order of their shards. */
  readonly nodes: readonly ClusterNode[];
  /** Resolves when each server answers. */
  ready(): Promise<void>;
  /** The cluster as named in the configuration, through its last server. */
  readonly settings: {
    readonly engine: "clickhouse";
    readonly url: string;
    readonly user: string;
    readonly password: string;
    readonly database: string;
    readonly cluster: string;
    readonly nodes: string[];
  };
  stop(): Promise<void>;
}

const START_MS = 120_000;
const STOP_MS = 10_000;
const USER = "assay";
const SERVE = join(
  import.meta.dirname,
  import.meta.filename.endsWith(".ts") ? "../../dist/test/clickhouse/serve.js" : "serve.js",
);

/** Different ports that were free a moment ago. */
const freePorts = async (count: number): Promise<readonly number[]> => {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  return Promise.all(
    servers.map(async (server) => {
      const address = server.address();
      server.close();
      await once(server, "close");
      if (address === null || typeof address === "string") throw new Error("no port");
      return address.port;
    }),
  );
};

/** A process that answers. */
interface RunningServer {
  /** Resolves when it has ended, to whether it ended by itself. */
  readonly ended: Promise<boolean>;
  kill(): Promise<void>;
  end(): Promise<void>;
}

interface Ports {
  readonly http: number;
  readonly tcp: number | null;
}

const run = async (folder: string, { http, tcp }: Ports, isReady: () => Promise<boolean>): Promise<RunningServer> => {
  const ports = [http, ...(tcp === null ? [] : [tcp])].map(String);
  const child = spawn(process.execPath, [SERVE, folder, ...ports], { stdio: ["pipe", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (text) => {
    said += text;
  });
  let is_asked = false;
  const ended = once(child, "exit").then(() => !is_asked);
  const kill = async (): Promise<void> => {
    is_asked = true;
    child.kill("SIGKILL");
    await ended;
  };
  const end = async (): Promise<void> => {
    is_asked = true;
    child.stdin.end();
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
    await ended;
    clearTimeout(timer);
  };
  for (const until = Date.now() + START_MS; !(await isReady()); await sleep(20)) {
    if (child.exitCode === null && child.signalCode === null && Date.now() < until) continue;
    await kill();
    throw new Error(`the server did not start: ${said}`);
  }
  return { ended, kill, end };
};

const startNode = async (password: string, ports: Ports, cluster: ClusterOfTest | null): Promise<ClusterNode> => {
  const folder = await mkdtemp(join(tmpdir(), "assay-clickhouse-"));
  writeServerConfig(folder, password, cluster);
  const url = `http://127.0.0.1:${ports.http}`;
  const ask = async (sql: string): Promise<string> => {
    const headers = { "x-clickhouse-user": USER, "x-clickhouse-key": password, connection: "close" };
    const response = await fetch(url, { method: "POST", headers, body: sql });
    const text = (await response.text()).trim();
    if (!response.ok) throw new Error(text);
    return text;
  };
  const isReady = () =>
    ask("SELECT 1").then(
      (text) => text === "1",
      () => false, // not yet
    );
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  const start = async (): Promise<RunningServer> => {
    const started = await run(folder, ports, isReady);
    void started.ended.then((is_by_itself) => {
      if (!is_by_itself) return;
      console.warn("a server of the test ended by itself and is started again");
      running = start();
      running.catch(() => undefined); // its waiters get the error
    });
    return started;
  };
  let running = start();
  await running.catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  return {
    url,
    user: USER,
    password,
    ask,
    kill: async () => (await running).kill(),
    async restart() {
      running = start();
      await running;
    },
    async ready() {
      while (!(await isReady())) {
        await running;
        await sleep(20);
      }
    },
    async stop() {
      // A running query would delay the end.
      await ask(`KILL QUERY WHERE user = '${USER}' AND query_id != queryID() ASYNC`).catch(() => undefined);
      await running.then(
        (one) => one.end(),
        () => undefined, // it did not start again
      );
      await remove();
    },
  };
};

const newPassword = (): string => randomBytes(24).toString("hex");

export const startClickHouse = async (): Promise<ClickHouseServer> => {
  const [http = 0] = await freePorts(1);
  return startNode(newPassword(), { http, tcp: null }, null);
};

/** Servers for one test, each of them one shard. */
export const startCluster = async (shards: number): Promise<ClickHouseCluster> => {
  const ports = await freePorts(2 * shards);
  const tcp_ports = ports.slice(shards);
  const password = newPassword();
  const cluster = { name: "facts", user: USER, tcp_ports };
  const started = await Promise.allSettled(
    tcp_ports.map((tcp, at) => startNode(password, { http: ports[at] ?? 0, tcp }, cluster)),
  );
  const nodes = started.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const each = async (work: (node: ClusterNode) => Promise<void>): Promise<void> => {
    await Promise.all(nodes.map(work));
  };
  const ready = () => each((node) => node.ready());
  const stop = () => each((node) => node.stop());
  const failed = started.find((one) => one.status === "rejected");
  const urls = nodes.map(({ url }) => url);
  const settings = {
    ...{ engine: "clickhouse" as const, url: urls.at(-1) ?? "", user: USER, password, database: "assay" },
    ...{ cluster: cluster.name, nodes: urls },
  };
  if (failed === undefined) return { name: cluster.name, nodes, settings, ready, stop };
  await stop();
  throw failed.reason;
};
