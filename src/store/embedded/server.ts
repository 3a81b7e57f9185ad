import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isRead, parseRequest, renderStatement } from "./protocol.ts";
import type { Sessions } from "./sessions.ts";
import { WriteBarrier } from "./write_barrier.ts";
import { WriteCount } from "./write_count.ts";

const BODY_BYTES_MAX = 512 * 1024 * 1024;
const RESULT_BYTES_MAX = 512 * 1024 * 1024;
/** Parameters travel in the URL: a list of 100,000 addresses of any family fits. */
const URL_BYTES_MAX = 16 * 1024 * 1024;

const KILL_AGAIN_MS = 100;

/** Codes of ClickHouse (src/Common/ErrorCodes.cpp). */
const BAD_ARGUMENTS = 36;
const SUBSTITUTION_NOT_SET = 456;
const TOO_LARGE = 396;

export interface Leases {
  /** False while the engine starts or ends: openers then ask again a little later. */
  readonly isOpen: () => boolean;
  /** Called with the number of openers whenever it changes. */
  readonly onChange: (leases: number) => void;
}

class TooLarge extends Error {}

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    // A request without an encoding set yields Buffers (node:http).
    const buffer = chunk as Buffer;
    bytes += buffer.length;
    if (bytes > BODY_BYTES_MAX) throw new TooLarge(`the request body is larger than ${BODY_BYTES_MAX} bytes`);
    chunks.push(buffer);
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
};

const codeOf = (error: unknown): number => {
  if (error instanceof TooLarge) return TOO_LARGE;
  if (error instanceof RangeError) return /^Substitution/.test(error.message) ? SUBSTITUTION_NOT_SET : BAD_ARGUMENTS;
  if (typeof error === "object" && error !== null && "clickhouseCode" in error) return Number(error.clickhouseCode);
  return 0;
};

const sendError = (response: ServerResponse, error: unknown): void => {
  if (response.destroyed) return;
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  response.writeHead(code === TOO_LARGE ? 413 : 500, {
    "content-type": "text/plain; charset=utf-8",
    "x-clickhouse-exception-code": String(code),
  });
  response.end(/^Code: /.test(message) ? message : `Code: ${code}. DB::Exception: ${message}. (ASSAY_ENGINE)`);
};

/** Something that ends once, and can be waited for. */
class EndMark {
  #set: () => void = () => undefined;
  readonly #ended = new Promise<void>((resolve) => {
    this.#set = resolve;
  });

  set(): void {
    this.#set();
  }

  wait(): Promise<void> {
    return this.#ended;
  }
}

interface Http {
  readonly request: IncomingMessage;
  readonly url: URL;
  readonly response: ServerResponse;
}

/** A statement from its arrival to its end, under the id that its opener gave it. */
interface RunningStatement {
  readonly name: string;
  /** Stops it; settles when it has ended. */
  readonly end: () => Promise<void>;
}

interface ServerState {
  readonly underway: Set<RunningStatement>;
  readonly sessions: Sessions;
  readonly rows_dir: string;
  readonly writes: WriteCount;
  readonly gate: WriteBarrier;
}

/** Asks again until the statement has ended: one that has just begun is not yet in the list of those that can be stopped. */
const stop = async (sessions: Sessions, id: string, state: { readonly is_settled: boolean }): Promise<void> => {
  while (!state.is_settled) {
    await sessions.kill(id).catch((error: unknown) => process.stderr.write(`assay engine: kill: ${String(error)}\n`));
    await sleep(KILL_AGAIN_MS);
  }
};

/** Runs the statement of one request; an opener that hangs up stops it. */
const answer = async ({ underway, sessions, rows_dir, writes, gate }: ServerState, http: Http): Promise<void> => {
  const id = randomUUID();
  const ended = new EndMark();
  const name = http.url.searchParams.get("query_id") ?? id;
  const entry: RunningStatement = {
    name,
    async end() {
      // Its opener no longer waits: what has not begun does not begin, and what runs is stopped.
      http.response.destroy();
      await ended.wait();
    },
  };
  underway.add(entry);
  try {
    await answerOne({ underway, sessions, rows_dir, writes, gate }, http, id);
  } finally {
    underway.delete(entry);
    ended.set();
  }
};

const answerOne = async ({ sessions, rows_dir, writes, gate }: ServerState, http: Http, id: string): Promise<void> => {
  const request = parseRequest(http.url, await readBody(http.request));
  const rows_path = request.body === null ? null : join(rows_dir, `${id}.rows`);
  const state = { is_settled: false };
  http.response.once("close", () => {
    if (!state.is_settled) void stop(sessions, id, state);
  });
  try {
    const sql = renderStatement(request, id, rows_path);
    if (rows_path !== null && request.body !== null) await writeFile(rows_path, request.body);
    const isWanted = (): boolean => !http.response.destroyed;
    const statement = { sql, database: request.database, format: request.format, id, isWanted };
    const named = { sql: request.query, id: http.url.searchParams.get("query_id") ?? "" };
    const run = () => writes.around(named, () => sessions.run(statement));
    const bytes = await (isRead(request.query) ? run() : gate.pass(run));
    if (bytes.length > RESULT_BYTES_MAX) throw new TooLarge(`the result is larger than ${RESULT_BYTES_MAX} bytes`);
    http.response.writeHead(200, {
      "content-type": "application/octet-stream",
      "content-length": bytes.length,
      "x-clickhouse-query-id": http.url.searchParams.get("query_id") ?? id,
    });
    http.response.end(bytes);
  } finally {
    state.is_settled = true;
    if (rows_path !== null) await rm(rows_path, { force: true });
  }
};

/** Ends every statement whose name begins with the prefix, and answers when the last of them has ended. */
const settle = async ({ underway }: ServerState, { url, response }: Http): Promise<void> => {
  const prefix = url.searchParams.get("prefix") ?? "";
  if (prefix === "") throw new RangeError("the prefix is missing");
  await Promise.all([...underway].filter(({ name }) => name.startsWith(prefix)).map((entry) => entry.end()));
  response.end("settled\n");
};

/** A request that stays open as long as its opener lives: the kernel closes it even after SIGKILL. */
const openLeases = (leases: Leases) => {
  const held = new Set<ServerResponse>();
  return (response: ServerResponse): void => {
    if (!leases.isOpen()) {
      response.writeHead(503).end("not now\n");
      return;
    }
    held.add(response);
    leases.onChange(held.size);
    response.once("close", () => {
      held.delete(response);
      leases.onChange(held.size);
    });
    response.writeHead(200, { "content-type": "text/plain" });
    response.write("held\n");
  };
};

/** The part of the ClickHouse HTTP protocol that its clients use, `/lease`, `/writes` (see `WriteCount`), `/quiet` (`WriteBarrier`) and `/settle`. */
export const createEngineServer = (sessions: Sessions, rows_dir: string, leases: Leases): Server => {
  const hold = openLeases(leases);
  const work: ServerState = {
    underway: new Set(),
    sessions,
    rows_dir,
    writes: new WriteCount(),
    gate: new WriteBarrier(),
  };
  const server = createServer(
    { maxHeaderSize: URL_BYTES_MAX, keepAliveTimeout: 0, requestTimeout: 0 },
    (request, response) => {
      const url = new URL(request.url ?? "/", "http://engine");
      if (url.pathname === "/ping") response.end("Ok.\n");
      else if (url.pathname === "/lease") hold(response);
      else if (url.pathname === "/writes") response.end(String(work.writes));
      else if (url.pathname === "/quiet") work.gate.keep(response);
      else if (url.pathname === "/settle") {
        settle(work, { request, url, response }).catch((error: unknown) => sendError(response, error));
      } else answer(work, { request, url, response }).catch((error: unknown) => sendError(response, error));
    },
  );
  server.headersTimeout = 0;
  server.timeout = 0;
  return server;
};
