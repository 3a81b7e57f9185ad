/** Requests that callers may send to both surfaces: valid, nearly valid and nonsense. */
import fc from "fast-check";
import type { AnyTool } from "../../../src/tools/tool.ts";
import { MODERN, modernMessage } from "../mcp_messages.ts";
import { changedArguments, publishedInput } from "../schema_values.ts";

export interface DrawnRequest {
  /** `/api/tools/<name>` or `/mcp`. */
  readonly path: string;
  readonly body: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Draws {
  /** Any body with a client's usual headers. */
  readonly bodies: fc.Arbitrary<DrawnRequest>;
  /** Any headers with a mostly valid body. */
  readonly headers: fc.Arbitrary<DrawnRequest>;
  /** Bytes of a whole connection: calls with a piece cut out and another put in, and noise. */
  readonly raw: fc.Arbitrary<string>;
}

interface FuzzedTool {
  readonly name: string;
  readonly example: Readonly<Record<string, unknown>>;
  readonly fields: readonly string[];
}

/** Draws over these tools, with the key of a customer. */
export const drawsOver = (tools: readonly AnyTool[], secret: string): Draws => {
  const known = tools.map((tool): FuzzedTool => {
    const { name, example, properties } = publishedInput(tool);
    return { name, example, fields: Object.keys(properties) };
  });
  const tool = fc.constantFrom(...known);
  return {
    bodies: fc.oneof({ weight: 3, arbitrary: restBodies(tool) }, { weight: 1, arbitrary: mcpBodies(tool) }),
    headers: fc.oneof({ weight: 3, arbitrary: restHeaders(tool) }, { weight: 1, arbitrary: mcpHeaders(tool) }),
    raw: rawBytes(tool, secret),
  };
};

const JSON_TYPE = { "content-type": "application/json" };
const MCP_HEADERS = { ...JSON_TYPE, accept: "application/json, text/event-stream" };

const text = (value: unknown): string => JSON.stringify(value) ?? "";

const nonsense: fc.Arbitrary<string | Buffer> = fc.oneof(
  fc.json(),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
);

const argumentsOf = (tool: fc.Arbitrary<FuzzedTool>): fc.Arbitrary<{ name: string; args: unknown }> =>
  tool.chain(({ name, example, fields }) =>
    fc
      .oneof(fc.constant(example), changedArguments(example, fields), fc.dictionary(fc.string(), fc.jsonValue()))
      .map((args) => ({ name, args })),
  );

const restBodies = (tool: fc.Arbitrary<FuzzedTool>): fc.Arbitrary<DrawnRequest> => {
  const path = fc
    .oneof(
      { weight: 9, arbitrary: tool.map(({ name }) => name) },
      { weight: 1, arbitrary: fc.stringMatching(/^[^.]{1,20}$/).map(encodeURIComponent) },
    )
    .map((name) => `/api/tools/${name}`);
  const near = argumentsOf(tool).map(({ name, args }) => ({ path: `/api/tools/${name}`, body: text(args) }));
  return fc
    .oneof(near, fc.record({ path, body: nonsense }))
    .map((drawn): DrawnRequest => ({ ...drawn, headers: JSON_TYPE }));
};

const mcpBodies = (tool: fc.Arbitrary<FuzzedTool>): fc.Arbitrary<DrawnRequest> => {
  const methods = [
    "initialize",
    "ping",
    "tools/list",
    "tools/call",
    "server/discover",
    "logging/setLevel",
    "tasks/get",
  ];
  const method = fc.oneof(fc.constantFrom(...methods), fc.string({ maxLength: 20 }));
  const called = argumentsOf(tool).map(({ name, args }) => ({ name, arguments: args }));
  const odd = fc.record({ name: fc.string(), arguments: fc.jsonValue(), _meta: fc.jsonValue() }, { requiredKeys: [] });
  const message = fc.record(
    {
      jsonrpc: fc.constantFrom("2.0", "2.0", "1.0", 2),
      id: fc.oneof(fc.integer(), fc.string(), fc.constantFrom(null, true, 1.5, {})),
      method,
      params: fc.oneof(called, odd, fc.jsonValue()),
    },
    { requiredKeys: ["method"] },
  );
  const old = fc.oneof(
    message,
    fc.array(message, { maxLength: 3 }),
    fc.constant({ jsonrpc: "2.0", method: "notifications/initialized" }),
  );
  const modern = called.map(({ name, arguments: args }) => modernMessage("tools/call", { name, arguments: args }));
  return fc.oneof(
    fc.oneof(old.map(text), nonsense).map((body): DrawnRequest => ({ path: "/mcp", body, headers: MCP_HEADERS })),
    modern.map(
      ({ body, headers }): DrawnRequest => ({
        path: "/mcp",
        body: text(body),
        headers: { ...MCP_HEADERS, ...headers },
      }),
    ),
  );
};

/** Values allowed in a header: visible ASCII, inner spaces, and bytes above ASCII. */
const visible = fc.stringMatching(/^(?:[\x21-\x7e\x80-\xff](?:[\x20-\x7e\x80-\xff]{0,60}[\x21-\x7e\x80-\xff])?)?$/);

const commonHeaders = {
  authorization: fc.oneof(fc.constantFrom("Bearer", "Basic YTpi", "bearer x"), visible),
  "content-type": fc.oneof(fc.constantFrom("application/json; charset=utf-8", "text/plain"), visible),
  accept: fc.oneof(fc.constant("application/json"), visible),
  "idempotency-key": fc.oneof(fc.constantFrom("again", "and again"), visible),
  origin: visible,
  cookie: visible,
  "x-request-id": visible,
  "x-forwarded-for": visible,
  traceparent: visible,
};

/** Up to three of these lines: with more, hardly any call would still authenticate. */
const someOf = (lines: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<Record<string, string>> => {
  const each = Object.entries(lines).map(([name, value]) => value.map((text) => [name, text] as const));
  return fc.array(fc.oneof(...each), { maxLength: 3 }).map(Object.fromEntries);
};

const restHeaders = (tool: fc.Arbitrary<FuzzedTool>): fc.Arbitrary<DrawnRequest> => {
  const odd = someOf({ ...commonHeaders, "x-credit-catalog-version": visible });
  return fc.tuple(argumentsOf(tool), odd).map(([{ name, args }, headers]) => ({
    path: `/api/tools/${name}`,
    body: text(args),
    headers: { ...JSON_TYPE, ...headers },
  }));
};

const mcpHeaders = (tool: fc.Arbitrary<FuzzedTool>): fc.Arbitrary<DrawnRequest> => {
  const odd = someOf({
    ...commonHeaders,
    "mcp-protocol-version": fc.oneof(fc.constantFrom(MODERN, "2025-11-25"), visible),
    "mcp-method": fc.oneof(fc.constantFrom("tools/call", "ping"), visible),
    "mcp-name": fc.oneof(fc.constantFrom("show", "=?base64?c2hvdw==?="), visible),
    "mcp-session-id": visible,
    "last-event-id": visible,
  });
  return fc.tuple(argumentsOf(tool), odd).map(([{ name, args }, headers]) => {
    const right = modernMessage("tools/call", { name, arguments: args });
    return { path: "/mcp", body: text(right.body), headers: { ...MCP_HEADERS, ...right.headers, ...headers } };
  });
};

const rawBytes = (tool: fc.Arbitrary<FuzzedTool>, secret: string): fc.Arbitrary<string> => {
  const whole = fc
    .tuple(argumentsOf(tool), fc.boolean())
    .map(([{ name, args }, is_mcp]) =>
      is_mcp
        ? posted("/mcp", secret, text(modernMessage("tools/call", { name, arguments: args }).body))
        : posted(`/api/tools/${name}`, secret, text(args)),
    );
  const piece = fc.string({ unit: "binary", maxLength: 20 });
  const changed = fc
    .tuple(whole, fc.nat(), fc.nat(20), piece)
    .map(([call, at, cut, more]) => call.slice(0, at % call.length) + more + call.slice((at % call.length) + cut));
  const framing = fc.constantFrom(
    "Transfer-Encoding: chunked\r\n",
    "Transfer-Encoding: identity, chunked\r\n",
    "Content-Length: 7\r\n",
    "Content-Length: +7\r\n",
    "Expect: 100-continue\r\n",
    "Upgrade: h2c\r\n",
    "Connection: keep-alive\r\n",
  );
  const framed = fc.tuple(whole, framing).map(([call, line]) => call.replace("Host:", `${line}Host:`));
  const twice = fc.tuple(changed, changed).map(([a, b]) => a.replace("Connection: close\r\n", "") + b);
  return fc.oneof(
    { weight: 5, arbitrary: changed },
    { weight: 2, arbitrary: framed },
    { weight: 1, arbitrary: twice },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 200 }) },
  );
};

const posted = (path: string, secret: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${secret}\r\nAccept: application/json\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`;
