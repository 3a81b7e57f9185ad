import { afterAll, expect, onTestFinished } from "vitest";
import { assertDescribed } from "../openapi.ts";
import { WALLET } from "./bench_tools.ts";
import { openService, type ServiceSettings } from "./service.ts";

export const GOOD = { address: WALLET, network: "demo" };

export interface ServiceReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed body; contract tests read only members that they assert. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes, each asserted where it is read.
  readonly body: any;
}

interface RequestOptions {
  readonly method?: string;
  /** JSON, unless it is a string or bytes. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The bench's key by default; null sends none. */
  readonly key?: string | null;
}

/** A whole service; every answer is compared with its own OpenAPI document. */
const openBench = async (settings: ServiceSettings = {}) => {
  const service = await openService(settings);
  const { url, customer } = service;
  // The document that this very service serves.
  const openapi = (await (await fetch(`${url}/api/tools/openapi.json`)).json()) as Record<string, unknown>;
  const ask = async (path: string, { method, body, headers, key }: RequestOptions = {}): Promise<ServiceReply> => {
    const verb = method ?? "GET";
    const sent =
      body === undefined
        ? {}
        : { body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body) };
    const authorization = key === null ? {} : { authorization: `Bearer ${key ?? customer.key.secret}` };
    const response = await fetch(`${url}${path}`, { method: verb, headers: { ...authorization, ...headers }, ...sent });
    const text = await response.text();
    const reply = {
      status: response.status,
      headers: response.headers,
      text,
      body: text === "" ? null : JSON.parse(text),
    };
    if (path.startsWith("/api")) assertApiHeaders(reply.headers);
    if (path.startsWith("/api") && verb !== "HEAD") assertDescribed(openapi, { method: verb, path }, reply);
    return reply;
  };
  const post = (
    tool: string,
    body: unknown = GOOD,
    more: Omit<RequestOptions, "method" | "body"> = {},
  ): Promise<ServiceReply> =>
    ask(`/api/tools/${tool}`, {
      ...more,
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...more.headers },
    });
  return { ...service, openapi, ask, post };
};

export type Bench = Awaited<ReturnType<typeof openBench>>;

/** A bench that is closed after the test that opens it. */
export const benchHere = async (settings: ServiceSettings = {}): Promise<Bench> => {
  const opened = await openBench(settings);
  onTestFinished(() => opened.close());
  return opened;
};

/** A bench that is closed after the file's tests. */
export const bench = async (settings: ServiceSettings = {}): Promise<Bench> => {
  const opened = await openBench(settings);
  afterAll(() => opened.close());
  return opened;
};

const assertApiHeaders = (headers: Headers): void => {
  expect(headers.get("content-type")).toBe("application/json");
  // Documents have an ETag for conditional requests.
  expect(headers.get("cache-control")).toBe(headers.has("etag") ? "private, no-cache" : "no-store");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("x-request-id")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(headers.get("access-control-allow-origin")).toBeNull();
};

/** The three credit headers as numbers and text; null where one is absent. */
export const creditsOf = ({ headers }: ServiceReply) => {
  const charged = headers.get("x-credits-charged");
  const remaining = headers.get("x-credits-remaining");
  return {
    charged: charged === null ? null : Number(charged),
    remaining: remaining === null ? null : Number(remaining),
    version: headers.get("x-credit-catalog-version"),
  };
};
