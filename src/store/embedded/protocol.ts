import { bind, sqlString } from "../bind.ts";

/** A parsed HTTP request of the ClickHouse protocol. */
export interface EngineRequest {
  readonly query: string;
  readonly database: string;
  /** Format of the result where the query names none. */
  readonly format: string;
  readonly params: ReadonlyMap<string, string>;
  readonly settings: ReadonlyMap<string, string>;
  /** Rows for an INSERT; null when the body was the query. */
  readonly body: Buffer | null;
}

/** URL parameters of the protocol that are not settings of a query. */
const TRANSPORT = new Set(
  "query query_id database default_format user password role quota_key session_id session_timeout session_check close_session compress decompress buffer_size wait_end_of_query enable_http_compression http_zlib_compression_level send_progress_in_http_headers http_headers_progress_interval_ms client_protocol_version stacktrace log_comment".split(
    " ",
  ),
);

const INSERT_BODY = /^\s*(INSERT\s+INTO\s+(?:TABLE\s+)?[\w.`]+\s*(?:\([^)]*\))?)\s*FORMAT\s+(\w+)\s*;?\s*$/i;

/** Rows of the body under a condition. ClickHouse calls them `input('structure')`. */
const INSERT_INPUT =
  /^\s*(INSERT\s+INTO\s+(?:TABLE\s+)?[\w.`]+\s*\([^)]*\))\s*(SELECT\s[^';]+?\sFROM\s+)input\(('(?:[^'\\]|\\.)*')\)([\s\S]*?)\s*FORMAT\s+(\w+)\s*;?\s*$/i;

/** The body of such a statement is rows. */
const ROWS_FOLLOW = /^\s*INSERT\b[\s\S]*\bFORMAT\s+\w+\s*;?\s*$/i;

const INSERT_SELECT =
  /^(?:\s+|--[^\n]*\n)*INSERT\s+INTO\s+(?:TABLE\s+)?[\w.`]+\s*(?:\([^)]*\))?(?=\s+(?:SELECT|WITH)\b)/i;

/** Statements that may carry settings. Behind a CREATE they would be stored with the table or the view. */
const READS = /^(?:\s+|--[^\n]*\n|\()*(?:SELECT|WITH|DESCRIBE|DESC|EXPLAIN|SHOW)\b/i;

export const isRead = (sql: string): boolean => READS.test(sql);

/** Throws RangeError when the request cannot be understood. */
export const parseRequest = (url: URL, body: Buffer): EngineRequest => {
  const params = new Map<string, string>();
  const settings = new Map<string, string>();
  for (const [name, value] of url.searchParams) {
    if (name.startsWith("param_")) params.set(name.slice("param_".length), value);
    else if (!TRANSPORT.has(name)) settings.set(name, value);
  }
  const in_url = url.searchParams.get("query");
  const text = body.toString("utf8");
  const is_insert = in_url !== null && (INSERT_BODY.test(in_url) || INSERT_INPUT.test(in_url));
  // Its rows would be lost without a word.
  if (in_url !== null && !is_insert && ROWS_FOLLOW.test(in_url))
    throw new RangeError("not an INSERT that is understood");
  return {
    query: is_insert ? in_url : (in_url ?? "") + (in_url === null ? text : text === "" ? "" : `\n${text}`),
    database: checkedName(url.searchParams.get("database") ?? "default"),
    format: checkedName(url.searchParams.get("default_format") ?? "TabSeparated"),
    params,
    settings,
    body: is_insert ? body : null,
  };
};

const checkedName = (name: string): string => {
  if (!/^\w+$/.test(name)) throw new RangeError(`not a name: ${name}`);
  return name;
};

/** Settings as a clause: through the library they would stick to the session. */
const settingsClause = (settings: ReadonlyMap<string, string>): string =>
  `SETTINGS ${[...settings].map(([name, value]) => `${checkedName(name)} = ${sqlString(value)}`).join(", ")}`;

/**
 * The statement for the engine. `rows_path` is the file that holds the body of an INSERT: the library takes text only,
 * so binary rows go through a file. Throws RangeError for a missing parameter.
 */
export const renderStatement = (request: EngineRequest, id: string, rows_path: string | null): string => {
  const clause = settingsClause(new Map([...request.settings, ["log_comment", id]]));
  if (request.body !== null) {
    return renderInsert(request, clause, rows_path);
  }
  const sql = bind(request.query.replace(/[\s;]+$/, ""), request.params);
  const insert = INSERT_SELECT.exec(sql);
  if (insert !== null) return `${insert[0]} ${clause}${sql.slice(insert[0].length)}`;
  return isRead(sql) ? `${sql}\n${clause}` : sql;
};

const renderInsert = ({ query, params }: EngineRequest, clause: string, rows_path: string | null): string => {
  const [, target, format] = INSERT_BODY.exec(query) ?? [];
  if (rows_path !== null && target !== undefined && format !== undefined) {
    return `${target} ${clause} SELECT * FROM file(${sqlString(rows_path)}, ${sqlString(format)})`;
  }
  const [, into, select, structure, rest, of] = INSERT_INPUT.exec(bind(query, params)) ?? [];
  if (rows_path === null || into === undefined || of === undefined) throw new RangeError("not an INSERT");
  return `${into} ${clause} ${select}file(${sqlString(rows_path)}, ${sqlString(of)}, ${structure})${rest}`;
};
