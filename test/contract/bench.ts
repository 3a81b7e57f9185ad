import { afterAll, expect, onTestFinished } from "vitest";
import type { Meter } from "../../src/accounts/meter.ts";
import type { AccountsSettings } from "../../src/accounts/open.ts";
import { openCustomer } from "../../src/accounts/testing/store.ts";
import { openTemporary } from "../../src/accounts/testing/temporary.ts";
import { silentLog } from "../../src/lib/log.ts";
import type { Status } from "../../src/lib/status.ts";
import type { Facts } from "../../src/store/facts.ts";
import { openRest, type RestParts } from "../../src/surfaces/rest.ts";
import type { RestLimits } from "../../src/surfaces/rest_limits.ts";
import { SILENT_OPERATOR } from "../../src/tools/operator.ts";
import type { AnyTool } from "../../src/tools/tool.ts";
import { fixedChain } from "../fixed_chain.ts";
import { fixedFacts } from "../fixed_facts.ts";
import { assertDescribed } from "../openapi.ts";
import { benchTools, WALLET } from "./bench_tools.ts";

export const GOOD = { address: WALLET, network: "demo" };

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed; contract tests read what they asserted. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes, each asserted where it is read.
  readonly body: any;
}

interface Ask {
  readonly method?: string;
  /** JSON, unless it is a string or bytes. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The bench's key by default; null sends none. */
  readonly key?: string | null;
}

export interface BenchSettings {
  readonly plan?: string;
  readonly accounts?: Partial<AccountsSettings>;
  readonly limits?: Partial<RestLimits>;
  readonly tools?: readonly AnyTool[];
  readonly hidden?: readonly string[];
  /** Puts faults between surfaces and the real accounts. */
  readonly wrap?: (meter: Meter) => Meter;
  readonly isCurrent?: Facts["isCurrent"];
  readonly status?: () => Promise<Status>;
  readonly mcp?: RestParts["mcp"];
  readonly tracing?: RestParts["tracing"];
}

const READY: Status = {
  accounts: true,
  facts: true,
  networks: {
    demo: {
      head: 101,
      indexed: 100,
      lag_blocks: 1,
      from_block: 0,
      state: "following",
      blocks_per_second: null,
      remaining_blocks: null,
      problem: null,
    },
  },
};

/** A whole service on a free port: real HTTP, real accounts in SQLite, tools that end in every way. */
const openBench = async (settings: BenchSettings = {}) => {
  const tools = settings.tools ?? benchTools;
  const priced = tools.map(({ name, credits }) => ({ name, credits }));
  const store = await openTemporary({ tools: priced, monotonic: () => performance.now(), ...settings.accounts });
  const customer = await openCustomer(store, settings.plan ?? "business");
  const chains = [
    fixedChain(),
    fixedChain({ network: { id: "ethereum", name: "Ethereum", chain_id: 1, caip2: "eip155:1" } }),
  ];
  const facts = fixedFacts(settings.isCurrent);
  const rest = openRest({
    tools: tools.filter(({ name }) => !settings.hidden?.includes(name)),
    meter: settings.wrap?.(store.meter) ?? store.meter,
    chains,
    contextFor: (tool, signal) => ({
      facts,
      chain: (id) => chains.find(({ network }) => network.id === id) ?? fixedChain(),
      networks: chains.filter(({ network }) => tool.families.includes(network.family)).map(({ network }) => network.id),
      operator: SILENT_OPERATOR,
      signal,
    }),
    status: settings.status ?? (async () => READY),
    log: silentLog,
    now_ms: () => store.clock.at,
    ...(settings.limits && { limits: settings.limits }),
    ...(settings.mcp && { mcp: settings.mcp }),
    ...(settings.tracing && { tracing: settings.tracing }),
  });
  const url = await rest.listen({ host: "127.0.0.1", port: 0 });
  // The document that this very service serves.
  const openapi = (await (await fetch(`${url}/api/tools/openapi.json`)).json()) as Record<string, unknown>;
  const ask = async (path: string, { method, body, headers, key }: Ask = {}): Promise<Reply> => {
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
  const post = (tool: string, body: unknown = GOOD, more: Omit<Ask, "method" | "body"> = {}): Promise<Reply> =>
    ask(`/api/tools/${tool}`, {
      ...more,
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...more.headers },
    });
  const close = async () => {
    await rest.close();
    await store.remove();
  };
  return { url, port: Number(new URL(url).port), rest, store, customer, openapi, ask, post, close };
};

export type Bench = Awaited<ReturnType<typeof openBench>>;

/** A bench that is closed after the test that opens it. */
export const benchHere = async (settings: BenchSettings = {}): Promise<Bench> => {
  const opened = await openBench(settings);
  onTestFinished(() => opened.close());
  return opened;
};

/** A bench that is closed after the file's tests. */
export const bench = async (settings: BenchSettings = {}): Promise<Bench> => {
  const opened = await openBench(settings);
  afterAll(() => opened.close());
  return opened;
};

const assertApiHeaders = (headers: Headers): void => {
  expect(headers.get("content-type")).toBe("application/json");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("x-request-id")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(headers.get("access-control-allow-origin")).toBeNull();
};

/** The three credit headers as numbers and text; null where one is absent. */
export const creditsOf = ({ headers }: Reply) => {
  const charged = headers.get("x-credits-charged");
  const remaining = headers.get("x-credits-remaining");
  return {
    charged: charged === null ? null : Number(charged),
    remaining: remaining === null ? null : Number(remaining),
    version: headers.get("x-credit-catalog-version"),
  };
};
