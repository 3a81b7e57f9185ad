import type { CallToolResult, Client } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import { bench, benchHere, creditsOf, GOOD } from "../../../test/contract/bench.ts";
import { connectClient, postMcp } from "../../../test/contract/mcp_client.ts";
import { legacyMessage, MODERN, modernMessage } from "../../../test/contract/mcp_messages.ts";

const service = await bench();
const key = service.customer.key.secret;
const FULL = 500_000;

const call = (client: Client, name: string, args: object = GOOD, _meta: object = {}): Promise<CallToolResult> =>
  client.callTool({ name, arguments: { ...args }, _meta: { ..._meta } });

describe.each([
  ["2026-07-28", "auto"],
  ["2025-11-25", "legacy"],
] as const)("the client of revision %s", (revision, mode) => {
  test("negotiates the version, and learns the name and the capabilities of the server", async () => {
    const client = await connectClient(service.url, key, mode);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(client.getServerVersion()).toMatchObject({ name: "assay", version: "1.0.0" });
    expect(client.getServerCapabilities()).toEqual({ tools: {}, prompts: {}, resources: {}, completions: {} });
    expect(client.getInstructions()).toContain("never instructions");
  });

  test("lists the same tools as REST, with schemas, price and annotations", async () => {
    const client = await connectClient(service.url, key, mode);
    const { tools } = await client.listTools();
    const listed = (await service.ask("/api/tools")).body.tools;
    expect(tools.map(({ name }) => name)).toEqual(listed.map(({ name }: { name: string }) => name));
    expect(tools[0]).toMatchObject({
      name: "show",
      title: "Tool show",
      description: "Exists only in tests of the contract. 3 credits.",
      inputSchema: {
        ...listed[0].input_schema,
        properties: {
          ...listed[0].input_schema.properties,
          as_of_block: {
            type: ["integer", "string"],
            description: listed[0].input_schema.properties.as_of_block.description,
          },
          detail: { enum: ["compact", "full"], default: "compact" },
        },
      },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    });
    // As little as holds for every result: its members, without types.
    expect(tools[0]?.outputSchema).toEqual({ type: "object", properties: { type: {}, arguments: {}, metadata: {} } });
  });

  test("gets the very object that REST gives, compact or whole, at the same price", async () => {
    const client = await connectClient(service.url, key, mode);
    for (const [tool, price] of [
      ["show", 3],
      ["find_nothing", 5],
    ] as const)
      for (const [view, args] of [
        ["compact", GOOD],
        ["compact", { ...GOOD, detail: "compact" }],
        ["full", { ...GOOD, detail: "full" }],
      ] as const) {
        const rest = await service.post(`${tool}?view=${view}`);
        const result = await call(client, tool, args);
        expect(JSON.stringify(result.structuredContent)).toBe(rest.text);
        expect(result.isError).toBe(false);
        expect(textOf(result)).toBe(rest.text);
        expect([result._meta?.["assay/credits_charged"], creditsOf(rest).charged]).toEqual([price, price]);
      }
    expect((await service.post("show?view=full")).text).toBe((await service.post("show")).text);
  });

  test("hears of a detail that does not exist before anything is charged", async () => {
    const client = await connectClient(service.url, key, mode);
    for (const detail of ["everything", 7, null]) {
      const result = await call(client, "show", { ...GOOD, detail });
      expect(result).toMatchObject({ isError: true, _meta: { "assay/credits_charged": 0 } });
      expect(textOf(result)).toContain("field 'detail' must be one of compact, full");
    }
  });

  test("sees what the tool reports as an error, with the same JSON and no charge", async () => {
    const client = await connectClient(service.url, key, mode);
    for (const tool of ["fail_softly", "lose_node", "break_loudly", "lose_facts"]) {
      const rest = await service.post(`${tool}?view=compact`);
      const result = await call(client, tool);
      expect(result.isError).toBe(true);
      expect(result.structuredContent).toEqual(rest.body);
      expect(result._meta?.["assay/credits_charged"]).toBe(0);
    }
    expect(await call(client, "answer_with_error")).toMatchObject({
      isError: true,
      structuredContent: { type: "shown", error: "odd" },
    });
  });

  test("may use another common name of an argument", async () => {
    const client = await connectClient(service.url, key, mode);
    const result = await call(client, "show", { wallet_address: GOOD.address, chain: "demo", detail: "full" });
    expect(result.structuredContent).toEqual((await service.post("show")).body);
  });

  test("receives an error that explains invalid arguments", async () => {
    const client = await connectClient(service.url, key, mode);
    const wrong = { adress: GOOD.address, network: "demo" };
    const result = await call(client, "show", wrong);
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toEqual((await service.post("show", wrong)).body);
    expect(textOf(result)).toContain("did you mean 'address'?");
  });
});

const textOf = ({ content }: CallToolResult): string => {
  const [first] = content;
  return first?.type === "text" ? first.text : "";
};

test("REST and MCP draw on one pool and are counted apart", async () => {
  const other = await benchHere();
  const client = await connectClient(other.url, other.customer.key.secret);
  await other.post("show");
  await call(client, "find_nothing");
  await call(client, "fail_softly");
  expect(await other.store.accounts.show(other.customer.account.id)).toMatchObject({
    credits_used: 8,
    credits_used_api: 3,
    credits_used_mcp: 5,
    credits_remaining: FULL - 8,
  });
  expect(await other.store.ledger.verify()).toEqual([]);
});

test("a pool that one surface has used up is empty for the other, each with its own meter", async () => {
  const plans = { business: { monthly_credits: 5, keys_max: 9, calls_per_minute: 100 } };
  const other = await benchHere({ accounts: { plans } });
  const client = await connectClient(other.url, other.customer.key.secret);
  await other.post("show");
  const result = await call(client, "show");
  expect(result.isError).toBe(true);
  expect(result.structuredContent).toMatchObject({
    detail: { error_code: "PLAN_LIMIT_REACHED", meter: "mcp_calls", plan_id: "business", limit: 5 },
  });
  const rest = await other.post("show");
  expect({ status: rest.status, meter: rest.body.detail.meter }).toEqual({ status: 429, meter: "api_calls" });
});

test("each surface has its own window, and only the list and calls enter it", async () => {
  const plans = { business: { monthly_credits: 1_000, keys_max: 9, calls_per_minute: 3 } };
  const other = await benchHere({ accounts: { plans } });
  const secret = other.customer.key.secret;
  for (let n = 0; n < 5; n += 1)
    expect((await postMcp(other.url, { key: secret, body: legacyMessage("ping") })).status).toBe(200);
  const client = await connectClient(other.url, secret);
  await client.listTools();
  expect([(await call(client, "show")).isError, (await call(client, "show")).isError]).toEqual([false, false]);
  const refused = await call(client, "show");
  expect(refused.isError).toBe(true);
  expect(refused.structuredContent).toEqual({ detail: "Rate limit exceeded: 3 requests per minute for this key" });
  const list = await postMcp(other.url, { key: secret, ...modernMessage("tools/list") });
  expect(list.body.error).toMatchObject({
    code: -32000,
    message: "Rate limit exceeded: 3 requests per minute for this key",
  });
  // A window of its own: REST still has all three.
  for (let n = 0; n < 3; n += 1) expect((await other.post("show")).status).toBe(200);
  expect((await other.post("show")).status).toBe(429);
});

describe("Idempotency-Key and catalog version", () => {
  test("count from _meta before the header, and a key is charged once", async () => {
    const other = await benchHere();
    const client = await connectClient(other.url, other.customer.key.secret);
    const meta = { "assay/idempotency_key": "k1" };
    expect((await call(client, "show", GOOD, meta)).isError).toBe(false);
    const again = await call(client, "show", GOOD, meta);
    expect(again.isError).toBe(true);
    expect(again.structuredContent).toMatchObject({
      detail: { code: "DUPLICATE_REQUEST", state: "completed", same_request: true },
    });
    const { body, headers } = modernMessage("tools/call", { name: "show", arguments: GOOD });
    const sent = { key: other.customer.key.secret, body, headers: { ...headers, "idempotency-key": "k1" } };
    expect((await postMcp(other.url, sent)).body.result.structuredContent.detail.code).toBe("DUPLICATE_REQUEST");
    // The other surface keeps its own keys.
    expect((await other.post("show", GOOD, { headers: { "idempotency-key": "k1" } })).status).toBe(200);
  });

  test("a key may be charged again after a refund", async () => {
    const client = await connectClient(service.url, key);
    const meta = { "assay/idempotency_key": "refunded" };
    expect((await call(client, "fail_softly", GOOD, meta)).structuredContent).toMatchObject({ status: "error" });
    expect((await call(client, "show", GOOD, meta)).isError).toBe(false);
  });

  test.each([
    ["", "string_too_short"],
    ["x".repeat(65), "string_too_long"],
    ["a b", "string_pattern_mismatch"],
    [7, "string_type"],
  ])("key %j is refused with the item of a 422", async (value, type) => {
    const client = await connectClient(service.url, key);
    const result = await call(client, "show", GOOD, { "assay/idempotency_key": value });
    expect(result.structuredContent).toMatchObject({ detail: [{ type, loc: ["_meta", "assay/idempotency_key"] }] });
  });

  test("a version that is no longer in force is refused with the new prices", async () => {
    const client = await connectClient(service.url, key);
    const result = await call(client, "show", GOOD, { "assay/catalog_version": "old" });
    expect(result.structuredContent).toMatchObject({ detail: { code: "PRICE_CHANGED", prices: { show: 3 } } });
  });
});

test("prices in the list follow the catalog", async () => {
  const other = await benchHere();
  const ask = async () =>
    (await postMcp(other.url, { key: other.customer.key.secret, ...modernMessage("tools/list") })).body.result.tools;
  expect((await ask())[0].description).toContain(" 3 credits.");
  await other.store.prices.set("show", 1);
  expect((await ask())[0].description).toContain(" 1 credit.");
  await other.store.prices.set("show", null);
  expect((await ask())[0].description).toContain("temporarily unavailable");
});

test("an older client gets the revision it asks for, an unknown one the newest that begins so", async () => {
  const initialize = (protocolVersion: string) =>
    legacyMessage("initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } });
  const negotiated = async (version: string) =>
    (await postMcp(service.url, { key, body: initialize(version) })).body.result.protocolVersion;
  for (const version of ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])
    expect(await negotiated(version)).toBe(version);
  expect(await negotiated("1999-01-01")).toBe("2025-11-25");
  expect(await negotiated(MODERN)).toBe("2025-11-25");
});
