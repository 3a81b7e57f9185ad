import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

/** A private Redis in a temporary folder, without persistence. */
export interface RedisServer {
  readonly url: string;
  start(): Promise<void>;
  signal(name: "SIGSTOP" | "SIGCONT"): void;
  kill(): Promise<void>;
  remove(): Promise<void>;
}

/** Path of the server's program; null when it is not installed. */
export const findRedis = (): string | null =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "redis-server"))
    .find((path) => existsSync(path)) ?? null;

/** A server that is not started yet. */
export const makeRedisServer = async (program: string): Promise<RedisServer> => {
  const folder = mkdtempSync(join(tmpdir(), "assay-redis-"));
  const port = await freePort();
  let child: ChildProcess | null = null;
  const server: RedisServer = {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      const options = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder];
      const started = spawn(program, options, { stdio: ["ignore", "pipe", "ignore"] });
      child = started;
      for await (const chunk of started.stdout ?? []) if (String(chunk).includes("Ready to accept connections")) break;
      if (started.exitCode !== null) throw new Error(`redis-server ended with ${started.exitCode}`);
    },
    signal: (name) => void child?.kill(name),
    async kill() {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
    async remove() {
      await server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return server;
};

const freePort = async (): Promise<number> => {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === "string") throw new Error("There is no free port.");
  return address.port;
};
