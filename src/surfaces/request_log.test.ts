import { expect, test } from "vitest";
import { bench, GOOD } from "../../test/contract/bench.ts";
import { WALLET } from "../../test/contract/bench_tools.ts";
import { postMcp } from "../../test/contract/mcp_client.ts";
import { type Log, plainLine } from "../lib/log.ts";

const lines: Record<string, unknown>[] = [];
const others: string[] = [];
const note = (level: string) => (facts: object, message: string) => {
  if (message === "request" && level === "info") lines.push({ ...facts });
  else others.push(message);
};
const log: Log = { debug: note("debug"), info: note("info"), warn: note("warn"), error: note("error") };
const service = await bench({ log });

/** The line of the request that was answered with this id; it is written when the connection is done with the answer. */
const lineOf = async (headers: Headers): Promise<Record<string, unknown>> => {
  const id = headers.get("x-request-id");
  await expect.poll(() => lines.filter(({ request_id }) => request_id === id).length).toBe(1);
  const { ms, ...line } = lines.find(({ request_id }) => request_id === id) ?? {};
  expect(ms).toBeGreaterThan(0);
  return line;
};

test("A call over REST is one line: its id, route, tool, account, credits and network", async () => {
  const { headers } = await service.post("show", GOOD);
  expect(await lineOf(headers)).toEqual({
    request_id: headers.get("x-request-id"),
    method: "POST",
    route: "/api/tools/:tool_name",
    status: 200,
    account: service.customer.account.id,
    tool: "show",
    network: GOOD.network,
    credits: 3,
  });
});

test("A call over MCP is the same line on its own route", async () => {
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "show", arguments: GOOD } };
  const { headers } = await postMcp(service.url, { body: call, key: service.customer.key.secret });
  expect(await lineOf(headers)).toMatchObject({
    method: "POST",
    route: "/mcp",
    status: 200,
    tool: "show",
    network: GOOD.network,
    credits: 3,
    account: service.customer.account.id,
  });
});

test("A refunded call shows no credits, and a refusal no tool and no account", async () => {
  const failed = await service.post("fail_softly", GOOD);
  expect(await lineOf(failed.headers)).toMatchObject({ status: 200, tool: "fail_softly", credits: 0 });
  const refused = await fetch(`${service.url}/api/tools`, { headers: { authorization: "Bearer nobody" } });
  expect(await lineOf(refused.headers)).toEqual({
    request_id: refused.headers.get("x-request-id"),
    method: "GET",
    route: "/api/tools",
    status: 401,
  });
});

test("The caller's own id is logged beside ours when it is an id, and not when it is a text", async () => {
  const mine = await service.ask("/api/tools", { headers: { "x-request-id": "job-7/42:retry.1" } });
  expect(mine.headers.get("x-request-id")).not.toBe("job-7/42:retry.1");
  expect(await lineOf(mine.headers)).toMatchObject({ caller_request_id: "job-7/42:retry.1" });
  for (const text of ["two words", `x${"y".repeat(128)}`, '"quoted"']) {
    const { headers } = await service.ask("/api/tools", { headers: { "x-request-id": text } });
    expect(await lineOf(headers)).not.toHaveProperty("caller_request_id");
  }
});

test("Health checks and metrics have no line", async () => {
  const before = lines.length;
  for (const path of ["/healthz", "/readyz", "/metrics"]) await (await fetch(`${service.url}${path}`)).text();
  const { headers } = await service.ask("/api/tools");
  await lineOf(headers);
  expect(lines.slice(before).map(({ route }) => route)).toEqual(["/api/tools"]);
});

test("No line holds a key, an argument, a query or a path that is no route", async () => {
  const { secret } = service.customer.key;
  const answers = [
    await service.post("show", { ...GOOD, network: "unheard-of" }),
    await service.post("no_such_tool_here", GOOD),
    await service.ask(`/api/tools?key=${secret}`),
    await service.ask(`/nowhere/${secret}`),
    await service.ask(`/api/charts/${secret}?request_id=${secret}`),
  ];
  for (const { headers } of answers) await lineOf(headers);
  const plain = lines.map((facts) => plainLine(new Date(0), "info", { facts, message: "request" }));
  const text = `${JSON.stringify(lines)}\n${plain.join("\n")}`;
  for (const word of [secret, WALLET, "unheard-of", "no_such_tool_here", "nowhere", "Bearer", "?"])
    expect({ word, is_logged: text.includes(word) }).toEqual({ word, is_logged: false });
  expect(plain.every((line) => !line.includes("\n"))).toBe(true);
});

test("With request_log: false there are no lines", async () => {
  const written: string[] = [];
  const quiet: Log = { ...log, info: (_, message) => written.push(message) };
  const own = await bench({ log: quiet, request_log: false });
  await own.post("show", GOOD);
  await own.post("show", GOOD);
  expect(written).toEqual([]);
});
