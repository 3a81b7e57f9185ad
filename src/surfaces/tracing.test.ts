import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Bench, benchHere, GOOD } from "../../test/contract/bench.ts";
import { benchTools } from "../../test/contract/bench_tools.ts";
import { postMcp } from "../../test/contract/mcp_client.ts";
import { modernMessage } from "../../test/contract/mcp_messages.ts";
import { serveSite } from "../../test/local_site.ts";
import { type OtlpCollector, openCollector, treeOf } from "../../test/otlp_collector.ts";
import { POOL_DEFAULTS } from "../chains/node/endpoints.ts";
import { JsonRpcEndpoint } from "../chains/node/json_rpc.ts";
import { settings } from "../config/settings.ts";
import type { CallContext } from "../domain/context.ts";
import { hex } from "../lib/bytes.ts";
import type { Log } from "../lib/log.ts";
import type { RequestTracer } from "../lib/trace.ts";
import type { AnyTool } from "../tools/tool.ts";
import { openTracing } from "../wiring/tracing.ts";

const SERVER = 2;
const CLIENT = 3;
const ERROR = 2;

/** A tool that asks the facts and a node, so that both are steps of its run. */
const lookingTool = (ask: (context: CallContext) => Promise<unknown>): AnyTool => {
  const [show] = benchTools;
  if (show === undefined) throw new Error("the bench has tools");
  const run: AnyTool["run"] = async (args, context) => {
    await ask(context);
    return show.run(args, context);
  };
  return { ...show, name: "look", run };
};

interface LoggedLine {
  readonly level: string;
  readonly facts: object;
  readonly message: string;
}

const listeningLog = (told: LoggedLine[]): Log => {
  const at = (level: string) => (facts: object, message: string) => void told.push({ level, facts, message });
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
};

/** Tracing to a collector, and a bench on it. `delivered` closes the tracing: then everything has arrived. */
const traced = async (
  collector: OtlpCollector,
  how: {
    readonly tools?: (tracing: RequestTracer) => readonly AnyTool[];
    readonly telemetry?: object;
    readonly path?: string;
  } = {},
) => {
  const { telemetry } = settings.parse({
    telemetry: { otlp_url: `${collector.url}${how.path ?? ""}`, ...how.telemetry },
  });
  const told: LoggedLine[] = [];
  const opened = await openTracing({ settings: telemetry, log: listeningLog(told), random: () => 0.5 });
  if (opened === null) throw new Error("tracing is configured");
  const { tracing } = opened;
  const tools = how.tools?.(tracing);
  const bench = await benchHere({ tracing, ...(tools === undefined ? {} : { tools }) });
  onTestFinished(() => collector.close());
  /** Without the bench's own look at the OpenAPI document. */
  const seen = () => collector.spans.filter(({ name }) => name !== "GET /api/tools/openapi.json");
  return { bench, told, seen, delivered: opened.close };
};

const callMcp = ({ url, customer }: Bench, name: string, headers: Readonly<Record<string, string>> = {}) => {
  const message = modernMessage("tools/call", { name, arguments: GOOD });
  return postMcp(url, { key: customer.key.secret, body: message.body, headers: { ...message.headers, ...headers } });
};

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";
const NODE_SECRET = "node-secret-in-the-path";

/** A node that answers every call with the same balance, behind an address full of secrets. */
const lookingBench = async () => {
  let id = 0;
  const site = await serveSite((_, response) => {
    id += 1; // as the endpoint counts
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: "0x1" }));
  });
  onTestFinished(() => site.close());
  const address = `http://user:node-password@127.0.0.1:${site.port}/v2/${NODE_SECRET}?key=node-key`;
  const collector = await openCollector();
  const tools = (tracing: RequestTracer) => {
    const endpoint = new JsonRpcEndpoint(address, { ...POOL_DEFAULTS, tracing });
    onTestFinished(() => endpoint.close());
    const asking = async ({ facts, signal }: CallContext) => {
      const snapshot = await facts.snapshot("demo", null);
      await facts.ask(snapshot, "tokens_among", { tokens: [hex("aa".repeat(20))] });
      await endpoint.ask([{ method: "eth_getBalance", params: [GOOD.address, "latest"] }], signal);
    };
    return [lookingTool(asking), ...benchTools];
  };
  return { collector, ...(await traced(collector, { tools })) };
};

const STEPS = [
  "charge",
  "facts is_current",
  "settle",
  ["tool look", ["facts snapshot", "facts tokens_among", "node eth_getBalance"]],
];

test("a call over REST and one over MCP are each one trace of the same steps, under the caller's", async () => {
  const { bench, collector, seen, delivered } = await lookingBench();
  const traceparent = `00-${TRACE}-${PARENT}-00`;
  expect((await bench.post("look", GOOD, { headers: { traceparent } })).status).toBe(200);
  const over_mcp = await callMcp(bench, "look", { traceparent: `00-${TRACE.replace("0af", "1bf")}-${PARENT}-01` });
  expect(over_mcp.body.result.isError).toBe(false);
  await delivered();

  expect(new Set(collector.asked)).toEqual(new Set(["POST /v1/traces"]));
  const traces = [TRACE, TRACE.replace("0af", "1bf")].map((id) =>
    collector.spans.filter(({ traceId }) => traceId === id),
  );
  expect(traces.map((spans) => treeOf(spans, PARENT))).toEqual([
    [["POST /api/tools/:tool_name", STEPS]],
    [["POST /mcp", STEPS]],
  ]);
  expect(seen()).toHaveLength(traces.flat().length);
  for (const spans of traces) {
    const of = (name: string) => spans.find((span) => span.name.startsWith(name));
    expect(of("POST")).toMatchObject({ kind: SERVER, attributes: { "http.response.status_code": 200 } });
    expect(of("charge")?.attributes).toMatchObject({ "assay.tool": "look", "assay.charge": "charged" });
    expect(of("tool look")?.attributes).toMatchObject({ "assay.outcome": "data" });
    expect(of("facts tokens")).toMatchObject({ kind: CLIENT, attributes: { "assay.network": "demo" } });
    expect(of("node")).toMatchObject({ kind: CLIENT, attributes: { "server.address": "127.0.0.1" } });
    expect(of("settle")?.attributes).toMatchObject({ "assay.settled": "done", "assay.lease_lost": false });
  }
});

test("no span contains a key, an argument, an address of a node beyond its host or a word of a caller", async () => {
  const { bench, collector, delivered } = await lookingBench();
  const { secret } = bench.customer.key;
  const headers = { "idempotency-key": "callers-own-key", tracestate: "callers=state", baggage: "callers=baggage" };
  await bench.post("look", GOOD, { headers });
  await bench.post("look", { ...GOOD, colour: "callers-colour" });
  await callMcp(bench, "look", headers);
  await bench.ask(`/api/${secret}`, { key: null });
  await bench.ask(`/api/tools/${secret}?key=${secret}`, { method: "POST", body: "{}" });
  await bench.post("show", GOOD, { key: `${secret}x` });
  await bench.post("break_loudly");
  await delivered();
  expect(collector.spans.length).toBeGreaterThan(20);
  const text = collector.text().toLowerCase();
  const secrets = [secret, secret.slice(9, 25), GOOD.address, GOOD.address.slice(2, 12), "aa".repeat(20), "callers"];
  for (const word of [...secrets, NODE_SECRET, "node-password", "node-key", "the inner secret"])
    expect(text.includes(word.toLowerCase()), word).toBe(false);
});

test("an invalid traceparent begins a new trace, and no flag of a caller decides", async () => {
  const collector = await openCollector();
  const { bench, seen, delivered } = await traced(collector);
  const wrong = [
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
    `00-${"0".repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `ff-${TRACE}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-01-more`,
    `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`,
    "rubbish",
  ];
  for (const traceparent of wrong) await bench.ask("/api/tools", { headers: { traceparent } });
  const right = [`00-${TRACE}-${PARENT}-00`, `00-${TRACE}-${PARENT}-01`, `cc-${TRACE}-${PARENT}-00-more`];
  for (const traceparent of right) await bench.ask("/api/tools", { headers: { traceparent } });
  await delivered();
  const own = seen().filter(({ parentSpanId }) => parentSpanId === undefined || parentSpanId === "");
  expect(new Set(own.map(({ traceId }) => traceId)).size).toBe(wrong.length);
  expect(collector.spans.filter(({ traceId }) => traceId === TRACE)).toHaveLength(right.length);
});

test("refusals are spans without steps, operations have no span, and an unknown path is not shown", async () => {
  const { bench, seen, delivered } = await traced(await openCollector());
  for (const path of ["/healthz", "/readyz", "/apiary"]) await fetch(`${bench.url}${path}`);
  await bench.ask("/api/tools", { key: null });
  await bench.ask("/api/nothing");
  await bench.ask("/api/tools", { method: "DELETE" });
  await delivered();
  expect(seen().map(({ name, attributes }) => [name, attributes["http.response.status_code"]])).toEqual([
    ["GET /api/tools", 401],
    ["GET", 404],
    ["DELETE", 405],
  ]);
});

test("a failed step has its code, and a refunded call its reason", async () => {
  const collector = await openCollector();
  const { bench, delivered } = await traced(collector);
  for (const tool of ["break_loudly", "lose_facts", "fail_softly"]) await bench.post(tool);
  await delivered();
  const of = (name: string) => collector.spans.find((span) => span.name === `tool ${name}`);
  expect(of("break_loudly")).toMatchObject({ status: { code: ERROR }, attributes: { "error.type": "internal" } });
  expect(of("lose_facts")).toMatchObject({
    status: { code: ERROR },
    attributes: { "error.type": "FACTS_UNAVAILABLE" },
  });
  expect(of("fail_softly")?.attributes).toMatchObject({
    "assay.outcome": "error",
    "assay.error_code": "CHECK_INCOMPLETE",
  });
  const reasons = collector.spans.flatMap(({ attributes }) => attributes["assay.refund_reason"] ?? []);
  expect(reasons).toEqual(["internal", "facts_unavailable", "check_incomplete"]);
});

test.each(["refuse", "hang"] as const)(
  "a collector that does %s changes no answer and holds up no end",
  async (manner) => {
    const collector = await openCollector(manner);
    const { bench, told, delivered } = await traced(collector, { path: "/a-secret-path" });
    const plain = await benchHere();
    for (const tool of ["show", "find_nothing", "fail_softly"]) {
      const [with_traces, without] = [await bench.post(tool), await plain.post(tool)];
      expect([with_traces.status, with_traces.text]).toEqual([without.status, without.text]);
    }
    await delivered();
    expect(collector.asked[0]).toBe("POST /a-secret-path/v1/traces");
    expect(await bench.store.ledger.verify()).toEqual([]);
    expect(JSON.stringify(told)).not.toMatch(/a-secret-path|own words/);
    if (manner === "refuse") expect(told).toMatchObject([{ level: "warn", message: "traces could not be delivered" }]);
  },
);

test("a collector that does not listen changes nothing either", async () => {
  const collector = await openCollector();
  await collector.close();
  const { bench, delivered } = await traced(collector);
  expect((await bench.post("show")).status).toBe(200);
  await delivered();
  expect((await bench.post("show")).status).toBe(200);
});

test("the part of the requests that the settings say is recorded", async () => {
  const collector = await openCollector();
  // The draw is 0.5 each time.
  const { bench, delivered } = await traced(collector, { telemetry: { sample_ratio: 0.5 } });
  expect((await bench.post("show")).status).toBe(200);
  await delivered();
  expect(collector.spans).toEqual([]);
});

test("a run with very many steps keeps 500, and tells how many it left out", async () => {
  const many = lookingTool(async ({ facts }) => {
    for (let n = 0; n < 600; n += 1) await facts.snapshot(`n${n}`, null);
  });
  const { bench, seen, delivered } = await traced(await openCollector(), { tools: () => [many] });
  expect((await bench.post("look")).status).toBe(200);
  await delivered();
  // charge, the tool and 600 snapshots, each checked again afterwards, the last one of the answer with them, and settle.
  const root = seen().find(({ kind }) => kind === SERVER);
  expect(seen()).toHaveLength(501);
  expect(root?.attributes["assay.steps_left_out"]).toBe(1 + 1 + 601 + 601 + 1 - 500);
});

test("does not load OpenTelemetry without an address", async () => {
  expect(
    await openTracing({ settings: settings.parse({}).telemetry, log: listeningLog([]), random: () => 0 }),
  ).toBeNull();
  const script = `
    const { openTracing } = await import("./dist/src/wiring/tracing.js");
    await import("./dist/src/main.js");
    const loaded = async (otlp_url) => {
      const opened = await openTracing({ settings: { otlp_url, sample_ratio: 1, service_name: "x" }, log: {}, random: () => 0 });
      await opened?.close();
      const { _cache } = (await import("node:module")).default;
      return Object.keys(_cache).filter((path) => /@opentelemetry.(sdk|otlp|exporter|resources)/.test(path)).length;
    };
    process.stdout.write(JSON.stringify([await loaded(null), (await loaded("http://127.0.0.1:1")) > 0]));`;
  const root = join(import.meta.dirname, "../..");
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", script], { cwd: root, encoding: "utf8" });
  expect([run.stdout, run.stderr]).toEqual(["[0,true]", ""]);
});
