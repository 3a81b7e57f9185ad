import { describe, expect, test } from "vitest";
import { bench, benchHere, GOOD } from "../../../test/contract/bench.ts";
import { postMcp } from "../../../test/contract/mcp_client.ts";
import { legacyMessage, MODERN, modernMessage } from "../../../test/contract/mcp_messages.ts";
import { rawRequest } from "../../../test/contract/raw.ts";
import { openCustomer } from "../../accounts/testing/store.ts";
import { AssayError } from "../../lib/errors.ts";

const service = await bench();
const key = service.customer.key.secret;
const showCall = { name: "show", arguments: GOOD };

describe("401 stays HTTP", () => {
  test("without a key, with the form that is expected", async () => {
    const reply = await postMcp(service.url, { body: legacyMessage("ping") });
    expect(reply.status).toBe(401);
    expect(reply.headers.get("www-authenticate")).toMatch(/^Bearer resource_metadata="http/);
    expect(reply.body.detail).toContain("Authorization: Bearer <API_KEY>");
  });

  test("with a key that has only the scope of REST, as for an unknown key", async () => {
    const account_id = service.customer.account.id;
    const rest_only = await service.store.keys.create({ account_id, scopes: ["api:call"] });
    const scoped = await postMcp(service.url, { key: rest_only.secret, ...modernMessage("tools/call", showCall) });
    const unknown = await postMcp(service.url, { key: "svc_live_x", body: legacyMessage("ping") });
    expect([scoped.status, unknown.status]).toEqual([401, 401]);
    expect(scoped.body).toEqual(unknown.body);
  });

  test("and a key of MCP alone opens no REST", async () => {
    const account_id = service.customer.account.id;
    const { secret } = await service.store.keys.create({ account_id, scopes: ["mcp:call"] });
    expect((await postMcp(service.url, { key: secret, body: legacyMessage("ping") })).status).toBe(200);
    expect((await service.post("show", GOOD, { key: secret })).status).toBe(401);
  });
});

describe("names of the service and of pages", () => {
  test("a Host that is not on the list is 403, before the key is checked", async () => {
    const text = `POST /mcp HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
    const reply = await rawRequest(service.port, text);
    expect({ status: reply.status, type: reply.headers["content-type"] }).toEqual({
      status: 403,
      type: "application/json",
    });
    expect(JSON.parse(reply.body).detail).toContain("'evil.example'");
    const key_as_host = text.replace("evil.example", `Bearer ${key}`);
    expect((await rawRequest(service.port, key_as_host)).text).not.toContain(key);
    const two = text.replace("Host: evil.example", "Host: localhost\r\nHost: localhost");
    expect([400, 403]).toContain((await rawRequest(service.port, two)).status);
  });

  test.each(["https://evil.example", "null", "http://localhost.evil.example", "http://", "file://"])(
    "the Origin %s is 403",
    async (origin) => {
      const reply = await postMcp(service.url, { key, body: legacyMessage("ping"), headers: { origin } });
      expect(reply.status).toBe(403);
      expect(reply.headers.get("access-control-allow-origin")).toBeNull();
    },
  );

  test("pages of this machine and listed names may", async () => {
    const ping = legacyMessage("ping");
    const local = { origin: "http://localhost:6274" };
    expect((await postMcp(service.url, { key, body: ping, headers: local })).status).toBe(200);
    const named = await benchHere({ mcp: { hosts: ["assay.example"], origins: ["app.example"] } });
    const body = JSON.stringify(ping);
    const head = `POST /mcp HTTP/1.1\r\nHost: assay.example:8787\r\nOrigin: https://app.example\r\nConnection: close\r\n`;
    const rest = `Authorization: Bearer ${named.customer.key.secret}\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    expect((await rawRequest(named.port, head + rest)).status).toBe(200);
  });
});

describe("what is no call", () => {
  test.each(["GET", "DELETE", "PUT", "OPTIONS"])("%s is 405: there are no sessions and no streams", async (method) => {
    const response = await fetch(`${service.url}/mcp`, { method });
    expect({ status: response.status, allow: response.headers.get("allow") }).toEqual({ status: 405, allow: "POST" });
    expect(await response.json()).toEqual({ detail: "Method Not Allowed" });
  });

  test.each([
    ["no JSON", "{", 400, -32700],
    ["a batch", [legacyMessage("ping"), legacyMessage("ping", {}, 2)], 400, -32600],
    ["a number", "7", 400, -32600],
    ["nothing", "", 400, -32600],
    ["bytes that are no text", Buffer.from([0xff, 0xfe, 0xfd]), 400, -32700],
    ["no JSON-RPC", { hello: "world" }, 400, -32600],
    ["an unknown method", legacyMessage("make/coffee"), 200, -32601],
    ["a list's second page", legacyMessage("tools/list", { cursor: "2" }), 200, -32602],
    ["an unknown tool", legacyMessage("tools/call", { name: "nothing" }), 200, -32602],
    ["a call without a name", legacyMessage("tools/call", {}), 200, -32602],
    ["arguments that are no object", legacyMessage("tools/call", { name: "show", arguments: [] }), 200, -32602],
  ])("%s is a protocol error", async (_, body, status, code) => {
    const reply = await postMcp(service.url, { key, body });
    expect({ status: reply.status, code: reply.body.error.code }).toEqual({ status, code });
    expect(reply.headers.get("content-type")).toBe("application/json");
    expect(reply.headers.get("x-credits-charged")).toBe("0");
  });

  test("an unknown tool's name is cut, and hidden tools look the same", async () => {
    const other = await benchHere({ hidden: ["show"] });
    const ask = async (name: string) =>
      (await postMcp(other.url, { key: other.customer.key.secret, body: legacyMessage("tools/call", { name }) })).body
        .error;
    expect(await ask("show")).toEqual({ code: -32602, message: "Tool 'show' not found" });
    await other.store.allowlist.set("wait", false);
    expect(await ask("wait")).toEqual({ code: -32602, message: "Tool 'wait' not found" });
    const { body } = await postMcp(other.url, { key: other.customer.key.secret, body: legacyMessage("tools/list") });
    expect(body.result.tools.map(({ name }: { name: string }) => name)).not.toContain("wait");
    expect(await ask(`a\u0000${"b".repeat(99)}`)).toEqual({
      code: -32602,
      message: `Tool 'a${"b".repeat(63)}' not found`,
    });
  });

  test("another content type is 415, a client that takes no JSON 406", async () => {
    const ping = legacyMessage("ping");
    const plain = await postMcp(service.url, { key, body: ping, headers: { "content-type": "text/plain" } });
    expect({ status: plain.status, code: plain.body.error.code }).toEqual({ status: 415, code: -32000 });
    expect((await postMcp(service.url, { key, body: ping, headers: { accept: "text/html" } })).status).toBe(406);
  });

  test("headers that contradict the message are refused", async () => {
    const { body, headers } = modernMessage("tools/call", showCall);
    for (const odd of [
      { "mcp-method": "tools/list" },
      { "mcp-name": "wait" },
      { "mcp-protocol-version": "2025-11-25" },
    ]) {
      const reply = await postMcp(service.url, { key, body, headers: { ...headers, ...odd } });
      expect({ status: reply.status, charged: reply.headers.get("x-credits-charged") }).toEqual({
        status: 400,
        charged: "0",
      });
    }
  });

  test("an unknown revision is refused with the known ones", async () => {
    const { body } = modernMessage("tools/list");
    const version = "2099-01-01";
    const _meta = { ...body.params._meta, "io.modelcontextprotocol/protocolVersion": version };
    const headers = { "mcp-protocol-version": version, "mcp-method": "tools/list" };
    const reply = await postMcp(service.url, { key, body: { ...body, params: { _meta } }, headers });
    expect(reply.status).toBe(400);
    expect(reply.body.error.data).toEqual({ supported: [MODERN], requested: version });
  });

  test("a notification is taken without a word", async () => {
    const body = { jsonrpc: "2.0", method: "notifications/initialized" };
    const reply = await postMcp(service.url, { key, body });
    expect({ status: reply.status, text: reply.text }).toEqual({ status: 202, text: "" });
  });

  test("a body beyond the cap is 413", async () => {
    const body = legacyMessage("tools/call", { name: "show", arguments: { address: "x".repeat(70_000) } });
    expect((await postMcp(service.url, { key, body })).status).toBe(413);
  });

  test("a client that listens for changes learns at once that none will come", async () => {
    const { body, headers } = modernMessage("subscriptions/listen", { notifications: { toolsListChanged: true } });
    const response = await fetch(`${service.url}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${key}`, ...headers },
      body: JSON.stringify(body),
    });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(await response.text()).toContain('"resultType":"complete"');
  });
});

test("accounts that do not answer: 503 before the message is read, an error of the call after it", async () => {
  const broken = async (): Promise<never> => {
    throw new Error("disk I/O error at /var/lib/secret.db");
  };
  const away = { detail: "The service is temporarily unavailable. Nothing is charged; try again." };
  const deaf = await benchHere({ wrap: (meter) => ({ ...meter, authenticate: broken }) });
  const reply = await postMcp(deaf.url, { key, body: legacyMessage("ping") });
  expect({ status: reply.status, body: reply.body }).toEqual({ status: 503, body: away });
  const poor = await benchHere({ wrap: (meter) => ({ ...meter, charge: broken }) });
  const call = await postMcp(poor.url, { key: poor.customer.key.secret, ...modernMessage("tools/call", showCall) });
  expect(call.body.result).toMatchObject({ isError: true, structuredContent: away });
  const shut = await benchHere({ wrap: (meter) => ({ ...meter, admit: broken }) });
  const list = await postMcp(shut.url, { key: shut.customer.key.secret, ...modernMessage("tools/list") });
  expect(list.body.error).toMatchObject({ code: -32000, message: away.detail, data: away });
});

test("accounts that stop answering after they have settled: no data, and no statement of the cost", async () => {
  const lost = new AssayError({ code: "ACCOUNTS_OUTCOME_UNKNOWN", message: "lost at /var/lib/secret.db" });
  const other = await benchHere({
    wrap: (meter) => ({ ...meter, settle: (...asked) => meter.settle(...asked).then(() => Promise.reject(lost)) }),
  });
  const reply = await postMcp(other.url, { key: other.customer.key.secret, ...modernMessage("tools/call", showCall) });
  expect(reply.body.result).toMatchObject({ isError: true, _meta: { "assay/credits_charged": null } });
  expect(JSON.stringify(reply.body)).not.toContain("secret");
  expect(reply.headers.get("x-credits-charged")).toBeNull();
  // 500,000 - 3
  expect((await other.store.accounts.show(other.customer.account.id)).credits_remaining).toBe(499_997);
});

test("over capacity a call is refused at once and charges nothing, on both surfaces together", async () => {
  const other = await benchHere({ limits: { calls_max: 1 } });
  const neighbour = await openCustomer(other.store);
  const running = other.post("wait", GOOD, { key: neighbour.key.secret });
  await new Promise((resolve) => setTimeout(resolve, 100));
  const message = modernMessage("tools/call", showCall);
  const reply = await postMcp(other.url, { key: other.customer.key.secret, ...message });
  expect(reply.body.result).toMatchObject({
    isError: true,
    structuredContent: { detail: "Too many calls are running. Nothing is charged; try again in a moment." },
    _meta: { "assay/credits_charged": 0 },
  });
  expect((await running).status).toBe(200);
});
