/** The page's client of the service. Every request goes to the page's own origin. */
import { createStore } from "../store.ts";
import { answerOf, fieldsOf, isFields, type JsonObject, nothingCame, type ToolAnswer, textOf } from "./answer.ts";
import { type Credential, credential, credentialHeaders, takeCredential } from "./credential.ts";

export type { ToolAnswer as Answer } from "./answer.ts";

export interface PortalTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Null where the operator has set no price: it cannot be called. */
  readonly credits: number | null;
  readonly input_schema: JsonObject;
  readonly networks: readonly string[];
  readonly example: JsonObject;
  /** Paths of fields that may differ between two answers as of one block. */
  readonly live_fields: readonly string[];
  /** Path of a call that is no tool; null for tools. */
  readonly path: string | null;
}

export interface Catalog {
  readonly version: string;
  readonly tools: readonly PortalTool[];
  /** Calls over time. */
  readonly calls: readonly PortalTool[];
}

/** A tool, or a call over time, by its name. */
export const listedIn = ({ tools, calls }: Catalog, wanted: string): PortalTool | undefined =>
  [...tools, ...calls].find(({ name }) => name === wanted);

/** Path of a call: tools are below one path. */
export const callPath = (tool: string, path: string | null = null): string =>
  path ?? `/api/tools/${encodeURIComponent(tool)}`;

export interface ListedNetwork {
  readonly id: string;
  readonly name: string;
  readonly family: "evm" | "tron" | "solana";
  /** CAIP-2. */
  readonly chain_id: string;
  readonly native_symbol: string;
}

/** Remaining credits according to the newest answer; null before the first. */
export const remaining = createStore<number | null>(null);

const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === "AbortError";

/** Whether the session ended while its page was open, without another credential since. */
export const hasEnded = createStore(false);
credential.subscribe(() => {
  if (credential.get() !== null) hasEnded.set(false);
});

/** A session that has ended is forgotten, so that every page says so and leads to the sign-in. */
const noteEnding = (by: Credential | null): void => {
  if (by?.kind !== "session" || credential.get() !== by) return;
  takeCredential(null);
  hasEnded.set(true);
};

/** Result of a request, or why it failed. */
export const request = async (path: string, init: RequestInit): Promise<ToolAnswer> => {
  const by = credential.get();
  try {
    const response = await fetch(path, { ...init, headers: { ...init.headers, ...credentialHeaders() } });
    const body: unknown = await response.json();
    const answer = answerOf(response, body, Date.now());
    if (answer.remaining !== null) remaining.set(answer.remaining);
    if (answer.http_status === 401) noteEnding(by);
    return answer;
  } catch (error) {
    if (isAbort(error)) return nothingCame("ABORTED", "You stopped waiting for this answer.");
    return nothingCame("UNREACHABLE", "The service did not answer.");
  }
};

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** The catalog version whose prices the caller was shown: the service refuses the call when they have changed since. */
  readonly catalog_version?: string;
  /** Of a call that is no tool. */
  readonly path?: string | null;
}

/** Calls a tool once. The answer has its cost. */
export const call = async (tool: string, args: JsonObject, options: CallOptions = {}): Promise<ToolAnswer> => {
  if (credential.get() === null) return nothingCame("NO_KEY", "No key was given yet.");
  const version = options.catalog_version;
  return request(callPath(tool, options.path), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "idempotency-key": crypto.randomUUID(),
      "x-keep-answer": "1",
      ...(version === undefined ? {} : { "x-credit-catalog-version": version }),
    },
    body: JSON.stringify(args),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
};

const toolOf = (row: unknown): readonly PortalTool[] => {
  const { name, title, description, credits, input_schema, networks, example, live_fields, path } = fieldsOf(row);
  if (typeof name !== "string") return [];
  return [
    {
      name,
      title: textOf(title) ?? name,
      description: textOf(description) ?? "",
      credits: typeof credits === "number" ? credits : null,
      input_schema: fieldsOf(input_schema),
      networks: Array.isArray(networks) ? networks.map(String) : [],
      example: fieldsOf(example),
      live_fields: Array.isArray(live_fields) ? live_fields.map(String) : [],
      path: textOf(path),
    },
  ];
};

/** Tools and their prices as this caller sees them. */
export type CatalogRead = Catalog | Extract<ToolAnswer, { readonly status: "error" }>;

export const isCatalog = (read: CatalogRead): read is Catalog => "tools" in read;

let reading: { readonly by: unknown; readonly catalog: Promise<CatalogRead> } | null = null;

const readCatalog = async (): Promise<CatalogRead> => {
  if (credential.get() === null) return nothingCame("NO_KEY", "No key was given yet.");
  const answer = await request("/api/tools?view=compact", { method: "GET" });
  if (answer.status === "error") return answer;
  const { catalog_version, tools, calls } = answer.body;
  const listOf = (rows: unknown) => (Array.isArray(rows) ? rows.flatMap(toolOf) : []);
  return { version: textOf(catalog_version) ?? "", tools: listOf(tools), calls: listOf(calls) };
};

/** Read once for each credential; read again after a failure, or when it is wanted fresh. */
export const catalog = (fresh = false): Promise<CatalogRead> => {
  const by = credential.get();
  if (!fresh && reading?.by === by) return reading.catalog;
  const read = readCatalog();
  const mine = { by, catalog: read };
  reading = mine;
  void read.then((result) => {
    if (!isCatalog(result) && reading === mine) reading = null;
  });
  return read;
};

const networkOf = (row: unknown): readonly ListedNetwork[] => {
  const { id, name, family, chain_id, native_symbol } = fieldsOf(row);
  if (typeof id !== "string" || (family !== "evm" && family !== "tron" && family !== "solana")) return [];
  return [
    {
      id,
      family,
      name: textOf(name) ?? id,
      chain_id: textOf(chain_id) ?? "",
      native_symbol: textOf(native_symbol) ?? "",
    },
  ];
};

let networks_read: Promise<readonly ListedNetwork[]> | null = null;

const readNetworks = async (): Promise<readonly ListedNetwork[]> => {
  const response = await fetch("/app/networks.json");
  const body: unknown = await response.json();
  const { networks: rows } = isFields(body) ? body : {};
  return Array.isArray(rows) ? rows.flatMap(networkOf) : [];
};

/** The networks that this service answers about; needs no key. Rejects where the service cannot be reached. */
export const networks = (): Promise<readonly ListedNetwork[]> => {
  networks_read ??= readNetworks().catch((error: unknown) => {
    networks_read = null;
    throw error;
  });
  return networks_read;
};
