import { setTimeout as sleep } from "node:timers/promises";
import { AssayError } from "../lib/errors.ts";
import { bind } from "./bind.ts";
import { type Attachment, attach } from "./embedded/attach.ts";
import { type EngineMessage, unavailable, Wire } from "./http.ts";
import { type InsertTarget, insertText } from "./insert_text.ts";
import { encodeParam } from "./param.ts";
import { SERVER_WRITES, type Writes, writesFrom, writesOfParts } from "./writes.ts";

/** Where the facts are: a directory that an engine of our own serves, or a ClickHouse server. */
export type EngineTarget =
  | { readonly engine: "embedded"; readonly data_dir: string }
  | {
      readonly engine: "clickhouse";
      /** `http://host:8123` */
      readonly url: string;
      readonly user?: string;
      readonly password?: string;
      readonly database?: string;
      /** Name of a cluster in the server's configuration: the store is all its shards together. */
      readonly cluster?: string | null;
      /** Addresses of the shards in their order, where they are not `url` with the host that the cluster says. */
      readonly nodes?: readonly string[];
    };

export interface Options {
  /** Values of the `{name:Type}` places, as `encodeParam` writes them. */
  readonly params?: Readonly<Record<string, string>>;
  readonly settings?: Readonly<Record<string, string | number>>;
  readonly signal?: AbortSignal;
  /** Id of the statement while it runs (`settle`). */
  readonly id?: string;
}

export interface InsertOptions extends Options {
  /** Rows are only written when the condition holds; it may throw. */
  readonly only_if?: string;
}

/** A cell as JSONCompactEachRow writes it: 64-bit and larger integers are strings. */
export type ResultCell = string | number | boolean | null | readonly ResultCell[];

/** Servers that keep one store together (cluster/open.ts). */
export interface Cluster {
  /** The servers in the order of their shards, each with its own copy of the replicated tables. */
  readonly nodes: readonly Engine[];
  /** Each server's own rows of the distributed tables. */
  readonly shards: readonly Shard[];
  /** The one whose address was given: it answers what is served. */
  readonly near: Engine;
}

export type Shard = Pick<Engine, "database" | "query" | "command">;

/** Every engine with its own copy of the replicated tables. */
export const nodesOf = (engine: Engine): readonly Engine[] => engine.cluster?.nodes ?? [engine];

/** Every engine with rows of its own of the tables of blocks. */
export const shardsOf = (engine: Engine): readonly Shard[] => engine.cluster?.shards ?? [engine];

/** Every database that has parts. */
export const databasesOf = (engine: Engine): readonly Shard[] =>
  engine.cluster === undefined ? [engine] : [...engine.cluster.nodes, ...engine.cluster.shards];

/**
 * One store of facts, spoken to in ClickHouse SQL over HTTP. Every method throws `AssayError`: `FACTS_UNAVAILABLE`
 * (retryable) when the store does not answer, `TOO_LARGE` when a question would hold more than one may, `FACTS_QUERY` when it
 * refuses a statement.
 */
export interface Engine {
  readonly database: string;
  /** Where the store is several servers. */
  readonly cluster?: Cluster;
  query(sql: string, options?: Options): Promise<readonly (readonly ResultCell[])[]>;
  /** The same in blocks of columns (format `Native`). */
  native(sql: string, options?: Options): Promise<Buffer>;
  /** A statement without a result. */
  command(sql: string, options?: Options): Promise<void>;
  /** `rows` in RowBinary, columns in their order. */
  insert(into: InsertTarget, rows: Buffer, options?: InsertOptions): Promise<void>;
  /**
   * Stops every statement whose id begins with `prefix` and waits until none of them runs. After a statement that got
   * no answer, this guarantees that the statement changes nothing later.
   */
  settle(prefix: string): Promise<void>;
  /** Writes to each table until now, including all acknowledged ones. */
  writes(): Promise<Writes>;
  /** Lets go of the store. An embedded engine ends with its last opener. */
  close(): Promise<void>;
}

const DATABASE = "assay";
const QUERY_SECONDS_MAX = 60;
const WRITE_SECONDS_MAX = 600;

/** Longer than any statement may take. */
const ANSWER_TIMEOUT_MS = (WRITE_SECONDS_MAX + 30) * 1000;
const QUERY_BYTES_MAX = 2_000_000_000;

const READ_SETTINGS = {
  output_format_json_quote_64bit_integers: 1,
  date_time_output_format: "unix_timestamp",
  // `lower(hex(token)) AS token … WHERE token = unhex(…)` means the column.
  prefer_column_name_to_alias: 1,
  // The cache stores the granules that a whole condition excludes under its PREWHERE alone: the next query with the same
  // PREWHERE and another WHERE would miss rows (docs/design/queries.md).
  use_query_condition_cache: 0,
  // Balances and the marker that says how far they reach are read as of one moment.
  enable_shared_storage_snapshot_in_query: 1,
  // A MATERIALIZED subquery runs once, however often it is used (docs/design/queries.md).
  enable_materialized_cte: 1,
  // Sorting a longer list costs more than reading the granules that it would leave out.
  use_index_for_in_with_subqueries_max_values: 200_000,
  max_execution_time: QUERY_SECONDS_MAX,
  max_memory_usage: QUERY_BYTES_MAX,
  wait_end_of_query: 1,
};
/** Server settings: a query ends with its caller and writes nothing. */
const SERVER_READ_SETTINGS = { ...READ_SETTINGS, readonly: 2, cancel_http_readonly_queries_on_client_close: 1 };
// One insert is one block, and so one part: it is stored as a whole or not at all. The engine's own
// deduplication of inserts is not used (docs/design/exactly_once.md).
const WRITE_SETTINGS = {
  async_insert: 0,
  insert_deduplicate: 0,
  max_insert_threads: 1,
  max_block_size: 1_000_000_000,
  max_insert_block_size: 1_000_000_000,
  min_insert_block_size_rows: 1_000_000_000,
  min_insert_block_size_bytes: 0,
  max_execution_time: WRITE_SECONDS_MAX,
  wait_end_of_query: 1,
};

const SETTLE_POLL_MS = 100;
/** A statement may have arrived at a server without being in its list yet: the list must be empty twice. */
const SETTLE_LOOKS = 2;

const settleOnServer = async (
  send: (sql: string, params: Record<string, string>) => Promise<Buffer>,
  prefix: string,
): Promise<void> => {
  const params = { prefix: encodeParam(prefix) };
  for (let looks = 0; looks < SETTLE_LOOKS; ) {
    await send("KILL QUERY WHERE startsWith(initial_query_id, {prefix:String}) ASYNC FORMAT Null", params);
    const left = await send(
      "SELECT count() FROM system.processes WHERE startsWith(initial_query_id, {prefix:String}) FORMAT TSV",
      params,
    );
    looks = left.toString("utf8").trim() === "0" ? looks + 1 : 0;
    if (looks < SETTLE_LOOKS) await sleep(SETTLE_POLL_MS);
  }
};

const pathOf = (database: string, options: Options, more: Readonly<Record<string, string | number>>): string => {
  const search = new URLSearchParams({ database });
  if (options.id !== undefined) search.set("query_id", options.id);
  for (const [name, value] of Object.entries({ ...more, ...options.settings })) search.set(name, String(value));
  for (const [name, value] of Object.entries(options.params ?? {})) search.set(`param_${name}`, value);
  return `/?${search}`;
};

/** A server takes 128 KiB in one parameter, in its URL or in a form, and 1 MiB of URL, unless its operator says otherwise. */
const PARAMS_LENGTH_MAX = 32_768;

/** The question to a server with its parameters beside it, or, where they are long, in its text. */
const withParameters = (sql: string, options: Options): { readonly sql: string; readonly options: Options } => {
  const params = Object.entries(options.params ?? {});
  if (params.reduce((sum, [, value]) => sum + value.length, 0) <= PARAMS_LENGTH_MAX) return { sql, options };
  const { params: _, ...rest } = options;
  const text = bind(sql, new Map(params));
  return {
    sql: text,
    options: { ...rest, settings: { ...rest.settings, max_query_size: Buffer.byteLength(text) + 1 } },
  };
};

/** Connection to the process that currently serves the facts. */
interface EngineConnection {
  wire(): Promise<Wire>;
  /** A connection broke: look for a living engine before the next message. */
  suspect(broken: Wire): void;
  close(): void;
}

const serverLine = (target: EngineTarget & { engine: "clickhouse" }): EngineConnection => {
  const { url, user = "default", password = "", cluster = null } = target;
  const wire = new Wire({ url, user, password, has_fresh_writes: cluster !== null });
  return { wire: async () => wire, suspect: () => undefined, close: () => wire.close() };
};

/** Joins the engine again, or starts a new one, when the last one has died. */
const embeddedLine = (data_dir: string): EngineConnection => {
  type Joined = { readonly attachment: Attachment; readonly wire: Wire };
  let joined: Joined | null = null;
  let joining: Promise<Joined> | null = null;
  let is_suspect = false;
  let is_closed = false;
  const closed = (): AssayError => unavailable(`the facts in ${data_dir} were closed`);
  const leave = ({ attachment, wire }: Joined): void => {
    attachment.release();
    wire.close();
  };
  // The old hold is kept until there is a new one: an engine that lives after all must not end in between.
  const join = async (): Promise<Joined> => {
    const attachment = await attach(data_dir);
    const before = joined;
    joined = { attachment, wire: new Wire({ socket: attachment.socket }) };
    is_suspect = false;
    if (before !== null) leave(before);
    if (is_closed) leave(joined);
    return joined;
  };
  return {
    async wire() {
      if (is_closed) throw closed();
      if (joined === null || is_suspect || joined.attachment.isLost()) {
        joining ??= join().finally(() => {
          joining = null;
        });
        await joining;
      }
      if (is_closed || joined === null) throw closed();
      return joined.wire;
    },
    suspect(broken) {
      if (broken === joined?.wire) is_suspect = true;
    },
    close() {
      is_closed = true;
      if (joined !== null) leave(joined);
    },
  };
};

/** The connection broke, in contrast to an answer that says no. */
const isBroken = (error: unknown): boolean =>
  error instanceof AssayError && error.cause instanceof Error && "code" in error.cause;

/** Opens the store without looking at its tables (see `openFacts` for that). */
export const openEngine = async (target: EngineTarget): Promise<Engine> => {
  const line = target.engine === "embedded" ? embeddedLine(target.data_dir) : serverLine(target);
  const database = (target.engine === "clickhouse" ? target.database : undefined) ?? DATABASE;
  type Sent = Pick<EngineMessage, "path" | "body" | "is_read"> & { readonly signal?: AbortSignal | undefined };
  const send = async ({ signal, ...message }: Sent): Promise<Buffer> => {
    const wire = await line.wire();
    try {
      return await wire.send({ ...message, signal: signal ?? null, timeout_ms: ANSWER_TIMEOUT_MS });
    } catch (error) {
      if (isBroken(error)) line.suspect(wire);
      throw error;
    }
  };

  const create = `CREATE DATABASE IF NOT EXISTS \`${database}\``;
  await send({ path: pathOf("default", {}, {}), body: create }).catch((error: unknown) => {
    line.close();
    throw error;
  });
  const is_server = target.engine === "clickhouse";
  const settings = is_server ? SERVER_READ_SETTINGS : READ_SETTINGS;
  const read = (question: string, asked: Options, default_format: string): Promise<Buffer> => {
    const { sql, options } = is_server ? withParameters(question, asked) : { sql: question, options: asked };
    const path = pathOf(database, options, { ...settings, default_format });
    return send({ path, body: sql, signal: options.signal, is_read: true });
  };
  const engine: Engine = {
    database,
    async query(sql, options = {}) {
      const text = (await read(sql, options, "JSONCompactEachRow")).toString("utf8");
      // One JSON array of cells per line (ClickHouse format JSONCompactEachRow).
      return JSON.parse(`[${text.trimEnd().replaceAll("\n", ",")}]`) as ResultCell[][];
    },
    native: (sql, options = {}) => read(sql, options, "Native"),
    async command(sql, options = {}) {
      await send({ path: pathOf(database, options, WRITE_SETTINGS), body: sql, signal: options.signal });
    },
    async insert(into, rows, options = {}) {
      const query = insertText(into, options.only_if);
      await send({ path: pathOf(database, options, { ...WRITE_SETTINGS, query }), body: rows, signal: options.signal });
    },
    settle: (prefix) =>
      target.engine === "embedded"
        ? send({ path: `/settle?${new URLSearchParams({ prefix })}`, body: "" }).then(() => undefined)
        : settleOnServer((sql, params) => send({ path: pathOf(database, { params }, {}), body: sql }), prefix),
    async writes() {
      if (!is_server) return writesFrom((await send({ path: "/writes", body: "" })).toString("utf8"));
      return writesOfParts(await engine.query(SERVER_WRITES, { params: { databases: encodeParam([database]) } }));
    },
    async close() {
      line.close();
    },
  };
  return engine;
};
