import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { writeServerConfig } from "./config_files.ts";

/** A real ClickHouse server of a test's own: the engine that the product embeds, with its own HTTP interface. */
export interface ClickHouseServer {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  /** Asks as somebody else than the product would; the answer as text. */
  ask(sql: string): Promise<string>;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

const START_MS = 120_000;
const STOP_MS = 10_000;
const USER = "assay";
const SERVE = join(
  import.meta.dirname,
  import.meta.filename.endsWith(".ts") ? "../../dist/test/clickhouse/serve.js" : "serve.js",
);

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
};

export const startClickHouse = async (): Promise<ClickHouseServer> => {
  const folder = await mkdtemp(join(tmpdir(), "assay-clickhouse-"));
  const password = randomBytes(24).toString("hex");
  writeServerConfig(folder, password);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [SERVE, folder, String(port)], { stdio: ["pipe", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (text) => {
    said += text;
  });
  const ended = once(child, "exit");
  const ask = async (sql: string): Promise<string> => {
    const headers = { "x-clickhouse-user": USER, "x-clickhouse-key": password, connection: "close" };
    const response = await fetch(url, { method: "POST", headers, body: sql });
    const text = (await response.text()).trim();
    if (!response.ok) throw new Error(text);
    return text;
  };
  const answers = () =>
    ask("SELECT 1").then(
      (text) => text === "1",
      () => false, // not yet
    );
  const stop = async (): Promise<void> => {
    // What still runs would hold the end up.
    await ask(`KILL QUERY WHERE user = '${USER}' AND query_id != queryID() ASYNC`).catch(() => undefined);
    child.stdin.end();
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
    await ended;
    clearTimeout(timer);
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };
  for (const until = Date.now() + START_MS; !(await answers()); await sleep(20)) {
    if (child.exitCode === null && Date.now() < until) continue;
    await stop();
    throw new Error(`the server did not start: ${said}`);
  }
  return { url, user: USER, password, ask, stop };
};
