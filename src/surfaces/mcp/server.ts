import {
  type CallToolRequest,
  type CallToolResult,
  type CompleteRequest,
  type CompleteResult,
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  type ListToolsResult,
  type McpHttpHandler,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  Server,
  type Tool,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Caller, Catalog, CreditStatus, Meter } from "../../accounts/meter.ts";
import type { Log } from "../../lib/log.ts";
import type { AnyTool } from "../../tools/tool.ts";
import type { ToolCall } from "../call/call_tool.ts";
import { Prebuilt } from "../http/cached_body.ts";
import { valuesOf } from "../http/headers.ts";
import { readJsonBody } from "../http/json_body.ts";
import { type Deadline, LATE } from "../limits/deadline.ts";
import { type Description, listed } from "../openapi/describe_tool.ts";
import { perVersion } from "../openapi/per_version.ts";
import { API_VERSION } from "../openapi/tools_document.ts";
import * as refusals from "../refusals.ts";
import type { RequestContext } from "../request_context.ts";
import type { RunSearch } from "../rest/account/search_operations.ts";
import { rateLimited } from "../retry_after.ts";
import { detailOf, type SurfaceResponse } from "../surface_response.ts";
import type { Compact } from "../view/compact.ts";
import { readDetail } from "../view/requested_view.ts";
import { readCallKeys } from "./call_keys.ts";
import { complete } from "./completion.ts";
import { lately, rpcError, toWebRequest } from "./exchange_forms.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { type Library, listResources, readResource } from "./resources.ts";
import { toResult } from "./result.ts";
import { withOwnNames } from "./synonyms.ts";
import { INSTRUCTIONS, listedTools, untrustedMembers } from "./tools.ts";
import { type ChosenTools, readToolset } from "./toolsets.ts";

export interface McpParts {
  /** The allowlist, in the order in which it is shown. */
  readonly tools: readonly AnyTool[];
  /** Their compact forms, by name. */
  readonly compact: ReadonlyMap<string, Compact>;
  /** Their descriptions, in the same order, on the networks of now. */
  readonly described: () => readonly Description[];
  readonly meter: Meter;
  /** The one path of every surface; throws when the accounts do not answer. */
  readonly call: (call: ToolCall) => Promise<SurfaceResponse>;
  /** The credits that the caller has left; null when the accounts do not answer. */
  readonly creditStatus: (caller: Caller, deadline: Deadline) => Promise<CreditStatus | null>;
  /** The sources of the resources. */
  readonly library: Library;
  /** The index of names, for completion; null without one. */
  readonly search: RunSearch | null;
  /** The answer to a throw, which is logged. */
  readonly failure: (error: unknown, request_id: string) => SurfaceResponse;
  readonly log: Log;
}

/** One authenticated POST to `/mcp`. */
export interface McpRequest {
  /** Path and query of the request line. */
  readonly url: string;
  /** Name, value, name, value … */
  readonly raw_headers: readonly string[];
  readonly caller: Caller;
  readonly context: RequestContext;
}

export interface Mcp {
  /** The HTTP answer, JSON-RPC inside; `charged` is what its tool call cost. */
  answer(request: McpRequest): Promise<SurfaceResponse>;
}

/** A request under way, and what its tool call was answered. */
interface Exchange {
  readonly request: McpRequest;
  readonly chosen: ChosenTools;
  answer: SurfaceResponse | null;
}

const IDENTITY = { name: "assay", title: "Assay", version: API_VERSION };

/** How long a client may cache lists: the list of tools contains prices. */
const LISTS_KEPT = { ttlMs: 60_000, cacheScope: "private" } as const;

/**
 * The Model Context Protocol over Streamable HTTP without sessions: revision 2026-07-28, and the earlier ones that begin
 * with `initialize`, on one URL. Every answer is one JSON body; a tool call takes the same path as one over REST.
 */
export const openMcp = (parts: McpParts): Mcp => new McpSurface(parts);

class McpSurface implements Mcp {
  readonly #parts: McpParts;
  readonly #tools: ReadonlyMap<string, { readonly tool: AnyTool; readonly untrusted: readonly string[] }>;
  readonly #list: (catalog: Catalog) => readonly Tool[];
  readonly #exchanges = new WeakMap<Request, Exchange>();
  readonly #modern: McpHttpHandler;

  constructor(parts: McpParts) {
    this.#parts = parts;
    const first = parts.described();
    this.#tools = new Map(
      parts.tools.map((tool, at) => [tool.name, { tool, untrusted: untrustedMembers(first[at]?.output_schema ?? {}) }]),
    );
    this.#list = perVersion(parts.described, (catalog, all) => listedTools(listed(all, catalog), catalog));
    this.#modern = createMcpHandler(({ requestInfo }) => this.#server(this.#exchangeOf(requestInfo)), {
      legacy: "reject",
      onerror: (error) => parts.log.debug({ error: error.message }, "MCP request refused"),
    });
  }

  async answer(request: McpRequest): Promise<SurfaceResponse> {
    const content_type = valuesOf(request.raw_headers, "content-type")[0];
    if (!isJsonContentType(content_type ?? null))
      return rpcError(415, -32_000, "Unsupported Media Type: Content-Type must be application/json");
    const body = readJsonBody(content_type, request.context.body);
    if (body.kind === "unreadable") return rpcError(400, ProtocolErrorCode.ParseError, "The body cannot be read");
    if (body.kind === "fault") {
      const { type, msg } = body.item;
      const code = type === "json_invalid" ? ProtocolErrorCode.ParseError : ProtocolErrorCode.InvalidRequest;
      return rpcError(400, code, `The body must be one JSON-RPC message: ${msg}`);
    }
    const chosen = readToolset(request.url, [...this.#tools.keys()], this.#parts.meter.isPublic);
    if (typeof chosen === "string") return rpcError(400, ProtocolErrorCode.InvalidParams, chosen);
    const exchange: Exchange = { request, chosen, answer: null };
    const response = await this.#respond(toWebRequest(request.raw_headers), body.value, exchange);
    const type = response.headers.get("content-type");
    return {
      status: response.status,
      body: new Prebuilt(await response.text()),
      charged: exchange.answer === null ? 0 : exchange.answer.charged,
      credit_status: exchange.answer?.credit_status ?? null,
      headers: type === null ? {} : { "content-type": type },
      ...(exchange.answer?.retract && { retract: lately(exchange.answer.retract) }),
    };
  }

  async #respond(request: Request, parsedBody: unknown, exchange: Exchange): Promise<Response> {
    this.#exchanges.set(request, exchange);
    if (!(await isLegacyRequest(request, parsedBody))) return this.#modern.fetch(request, { parsedBody });
    const server = this.#server(exchange);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, { parsedBody });
    } finally {
      await server.close();
    }
  }

  #exchangeOf(request: Request | undefined): Exchange {
    const exchange = request === undefined ? undefined : this.#exchanges.get(request);
    if (exchange === undefined) throw new Error("an MCP request came from nowhere");
    return exchange;
  }

  /** The library wants an instance for each request; with the schemas built beforehand that is cheap. */
  #server(exchange: Exchange): Server {
    const server = new Server(IDENTITY, {
      capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
      instructions: `${INSTRUCTIONS}${exchange.chosen.note}`,
      cacheHints: {
        "tools/list": LISTS_KEPT,
        "prompts/list": LISTS_KEPT,
        "resources/list": LISTS_KEPT,
        "resources/templates/list": LISTS_KEPT,
      },
    });
    server.setRequestHandler("tools/list", ({ params }) => this.#listTools(params?.cursor, exchange));
    const { library } = this.#parts;
    const isPublic = (tool: string): boolean => this.#toolOf(tool, exchange) !== undefined;
    server.setRequestHandler("prompts/list", ({ params }) => onePage(params, { prompts: [...listPrompts(isPublic)] }));
    server.setRequestHandler("prompts/get", ({ params }) => getPrompt(params, isPublic));
    server.setRequestHandler("completion/complete", ({ params }) => this.#complete(params, { exchange, isPublic }));
    server.setRequestHandler("resources/list", ({ params }) =>
      onePage(params, { resources: [...listResources(library)] }),
    );
    server.setRequestHandler("resources/templates/list", ({ params }) => onePage(params, { resourceTemplates: [] }));
    server.setRequestHandler("resources/read", ({ params }) => this.#readResource(params.uri, exchange));
    server.setRequestHandler("tools/call", ({ params }, { mcpReq }) =>
      this.#callTool({ ...params, _meta: mcpReq._meta }, exchange),
    );
    return server;
  }

  async #listTools(cursor: string | undefined, exchange: Exchange): Promise<ListToolsResult> {
    onePage({ cursor }, {});
    return this.#admitted(exchange, (catalog) => ({
      tools: this.#list(catalog).filter(({ name }) => exchange.chosen.has(name)),
    }));
  }

  #complete(
    params: CompleteRequest["params"],
    { exchange, isPublic }: { readonly exchange: Exchange; readonly isPublic: (tool: string) => boolean },
  ): Promise<CompleteResult> {
    const { library, search } = this.#parts;
    const networks = () => library.networks().map(({ id }) => id);
    return this.#admitted(exchange, () => complete(params, { networks, search, isPublic }));
  }

  /** A public tool of this connection. */
  #toolOf(name: string, { chosen }: Exchange) {
    return chosen.has(name) && this.#parts.meter.isPublic(name) ? this.#tools.get(name) : undefined;
  }

  async #readResource(uri: string, exchange: Exchange): Promise<ReadResourceResult> {
    const read = await this.#admitted(exchange, (catalog) => readResource(uri, this.#parts.library, catalog));
    if (read === null) throw new ResourceNotFoundError(uri);
    return read;
  }

  /** A request that counts in the key's window and costs nothing, with the prices in force. */
  async #admitted<T>({ request }: Exchange, answer: (catalog: Catalog) => T | Promise<T>): Promise<T> {
    const { caller, context } = request;
    const { deadline } = context;
    let refusal: SurfaceResponse | null = null;
    try {
      const admitted = await deadline.wait(this.#parts.meter.admit(caller));
      const catalog = admitted === true ? await deadline.wait(this.#parts.meter.catalog()) : LATE;
      if (catalog !== LATE) return await answer(catalog);
      refusal = admitted === false ? rateLimited(caller.limit_per_minute) : refusals.tooLate;
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      refusal = this.#parts.failure(error, context.id);
    }
    throw new ProtocolError(-32_000, detailOf(refusal), refusal.body);
  }

  async #callTool(params: CallToolRequest["params"], exchange: Exchange): Promise<CallToolResult> {
    const { caller, context } = exchange.request;
    const { deadline } = context;
    const known = this.#toolOf(params.name, exchange);
    const asked = readDetail(params.arguments ?? {});
    const keys = readCallKeys(params._meta ?? {}, exchange.request.raw_headers);
    const form = {
      pictured: keys.kind === "read" && keys.has_picture ? params.name : null,
      untrusted: known?.untrusted ?? [],
      compact: typeof asked !== "string" && asked.view === "compact" ? this.#parts.compact.get(params.name) : undefined,
    };
    try {
      const admitted = await deadline.wait(this.#parts.meter.admit(caller));
      if (admitted === LATE) exchange.answer = refusals.tooLate;
      else if (!admitted) exchange.answer = rateLimited(caller.limit_per_minute);
      else if (known === undefined)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, refusals.unknownToolText(params.name));
      else if (typeof asked === "string") exchange.answer = refusals.invalidArguments(params.name, asked);
      else if (keys.kind === "invalid") exchange.answer = refusals.invalidEnvelope(keys.items);
      else {
        const args = withOwnNames(asked.args, new Set(Object.keys(known.tool.input.shape)));
        exchange.answer = await this.#run(known.tool, { ...keys, args }, exchange);
      }
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      exchange.answer = this.#parts.failure(error, context.id);
    }
    const credit_status = exchange.answer.credit_status ?? (await this.#parts.creditStatus(caller, deadline));
    exchange.answer = { ...exchange.answer, credit_status };
    const result = toResult(exchange.answer, form);
    if (exchange.answer.retract === undefined || deadline.mayWrite()) return result;
    exchange.answer = await exchange.answer.retract();
    return toResult(exchange.answer, form);
  }

  #run(
    tool: AnyTool,
    asked: Pick<ToolCall, "args" | "idempotency_key" | "catalog_version">,
    of: Exchange,
  ): Promise<SurfaceResponse> {
    const { caller, context } = of.request;
    const { args, idempotency_key, catalog_version } = asked;
    return this.#parts.call({ tool, caller, args, idempotency_key, catalog_version, request: context });
  }
}

/** Every list has one page. */
const onePage = <T>(params: { readonly cursor?: string | undefined } | undefined, list: T): T => {
  if (params?.cursor === undefined) return list;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "The list has one page and does not accept a cursor");
};
