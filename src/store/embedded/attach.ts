import { spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { AssayError } from "../../lib/errors.ts";
import { isDead, readOwner } from "./lock.ts";
import type { EngineNews } from "./news.ts";
import { PARALLEL_MAX } from "./parallel.ts";

/** A hold on the engine of a data directory. It ends when the engine dies. */
export interface Attachment {
  readonly socket: string;
  readonly isLost: () => boolean;
  /** Lets go. The engine ends when its last opener has let go or died. */
  release(): void;
}

const START_TIMEOUT_MS = 30_000;
const RETRY_MS = 15;
/** By default, the library's allocator retains freed memory for five seconds (docs/design/embedded_engine.md). */
const MEMORY = "dirty_decay_ms:300";

const unavailable = (message: string): AssayError =>
  new AssayError({
    code: "FACTS_UNAVAILABLE",
    message,
    public: "The index is not available right now.",
    retryable: true,
  });

/** The compiled engine: beside this file, or in dist when this file itself runs as TypeScript (tests). */
const engineFile = (): string => {
  const here = fileURLToPath(new URL(".", import.meta.url));
  const file = import.meta.url.endsWith(".ts")
    ? resolve(here, "../../../dist/src/store/embedded/main.js")
    : join(here, "main.js");
  if (!existsSync(file)) throw unavailable(`${file} is missing: run 'node scripts/build.mjs'`);
  return file;
};

/** Null when the engine does not want openers right now (it starts or ends) or does not answer. */
const takeLease = (socket: string): Promise<Attachment | null> =>
  new Promise((done) => {
    const request = get({ socketPath: socket, path: "/lease", agent: false });
    request.once("error", () => done(null));
    request.once("response", (response: IncomingMessage) => {
      if (response.statusCode !== 200) {
        response.resume();
        done(null);
        return;
      }
      let is_lost = false;
      const lose = (): void => {
        is_lost = true;
      };
      response.once("close", lose).once("error", lose).resume();
      // An opener that forgets to let go must still be able to end.
      response.socket.unref();
      done({ socket, isLost: () => is_lost, release: () => request.destroy() });
    });
  });

interface StartedEngine {
  readonly news: EngineNews;
  /** Ends the tie that keeps the engine alive until a lease is taken. */
  readonly untie: () => void;
}

/** Starts an engine. Its output goes to `engine.log` in the data directory. */
const start = (data_dir: string): Promise<StartedEngine> => {
  const file = engineFile();
  mkdirSync(data_dir, { recursive: true, mode: 0o700 });
  const log = openSync(join(data_dir, "engine.log"), "a", 0o600);
  const child = spawn(process.execPath, [file, data_dir], {
    stdio: ["ignore", log, log, "ipc"],
    // Statements block a thread of libuv's pool; four more are for files.
    env: { JE_MALLOC_CONF: MEMORY, ...process.env, UV_THREADPOOL_SIZE: String(PARALLEL_MAX + 4) },
  });
  closeSync(log);
  const untie = (): void => {
    if (child.connected) child.disconnect();
    child.unref();
  };
  return new Promise((done) => {
    const finish = (news: EngineNews): void => done({ news, untie });
    // main.ts sends only EngineNews.
    child.once("message", (message) => finish(message as EngineNews));
    child.once("error", (error) => finish({ kind: "failed", message: error.message }));
    child.once("exit", (code, signal) =>
      finish({
        kind: "failed",
        message: `the engine ended at its start (${code ?? signal}); see ${data_dir}/engine.log`,
      }),
    );
  });
};

/**
 * Joins the engine that serves `data_dir`, or starts it. Throws `AssayError` `FACTS_UNAVAILABLE` when neither works.
 */
export const attach = async (data_dir: string): Promise<Attachment> => {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const owner = await readOwner(data_dir);
    if (owner !== null) {
      const lease = await takeLease(owner.socket);
      if (lease !== null) return lease;
      if (!(await isDead(data_dir, owner))) {
        await sleep(RETRY_MS);
        continue;
      }
    }
    const { news, untie } = await start(data_dir);
    try {
      if (news.kind === "failed") throw unavailable(news.message);
      const started = news.kind === "ready" ? await readOwner(data_dir) : null;
      const lease = started === null ? null : await takeLease(started.socket);
      if (lease !== null) return lease;
    } finally {
      untie();
    }
  }
  const owner = await readOwner(data_dir);
  throw unavailable(
    owner === null
      ? `no engine could be started on ${data_dir}; see engine.log there`
      : `${data_dir} is held by process ${owner.pid} on ${owner.host}, which does not answer on ${owner.socket}`,
  );
};
