import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { benchTools, WALLET } from "../../../../test/contract/bench_tools.ts";
import { connectClient } from "../../../../test/contract/mcp_client.ts";
import { openService } from "../../../../test/contract/service.ts";
import { assertDescribed } from "../../../../test/openapi.ts";
import { data } from "../../../lib/outcome.ts";
import { getWalletTokenHoldings } from "../../../tools/get_wallet_token_holdings/index.ts";
import { type AnyTool, defineTool } from "../../../tools/tool.ts";

// Pictures of answers that were just given, over HTTP and MCP.
const TOOL = "get_wallet_token_holdings";
const ARGS = { wallet_address: WALLET, network: "demo" };
const EXAMPLE: unknown = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../../docs/examples", `${TOOL}.json`), "utf8"),
);

/** The card with an answer that needs no chain; the tests cover only the steps after the answer. */
const pictured: AnyTool = defineTool({
  ...getWalletTokenHoldings,
  output: z.looseObject({ type: z.literal("token_holdings") }),
  view: { members: "summary holdings" },
  // The page of this tool, which its tests compare with its schema.
  run: async () => data(EXAMPLE as { type: "token_holdings" }),
});

let service: Awaited<ReturnType<typeof openService>>;
let document: Record<string, unknown>;
beforeAll(async () => {
  service = await openService({ tools: [pictured, ...benchTools] });
  document = (await (await fetch(`${service.url}/api/tools/openapi.json`)).json()) as Record<string, unknown>;
});
afterAll(() => service.close());

const post = async (headers: Record<string, string> = {}, secret = service.customer.key.secret, query = "") => {
  const response = await fetch(`${service.url}/api/tools/${TOOL}${query}`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(ARGS),
  });
  await response.text();
  return { status: response.status, request_id: response.headers.get("x-request-id") ?? "" };
};

const draw = async (query: string, { tool = TOOL, secret = service.customer.key.secret } = {}) => {
  const path = `/api/charts/${tool}${query}`;
  const response = await fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${secret}` } });
  const text = await response.text();
  const { status, headers } = response;
  const is_json = headers.get("content-type") === "application/json";
  const detail: unknown = is_json ? (JSON.parse(text) as { detail: unknown }).detail : null;
  if (is_json)
    assertDescribed(
      document,
      { method: "GET", path: "/api/charts/{tool_name}" },
      { status, body: JSON.parse(text) as unknown },
    );
  return { status, headers, text, detail };
};

describe("the picture of an answer", () => {
  test("is an SVG document of its own, costs nothing and may load nothing", async () => {
    const { request_id } = await post();
    const before = (await service.store.accounts.show(service.customer.account.id)).credits_used;
    const { status, headers, text } = await draw(`?request_id=${request_id}`);
    expect([status, headers.get("content-type")]).toEqual([200, "image/svg+xml; charset=utf-8"]);
    expect(text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" class="assay-chart" viewBox="0 0 720 /);
    expect(text).toContain("prefers-color-scheme:dark");
    expect(headers.get("content-security-policy")).toBe("default-src 'none'; style-src 'unsafe-inline'; sandbox");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect([headers.get("x-credits-charged"), headers.get("cache-control")]).toEqual(["0", "no-store"]);
    expect((await service.store.accounts.show(service.customer.account.id)).credits_used).toBe(before);
  });

  test("has the requested width, and exists for an answer in the compact form too", async () => {
    const { request_id } = await post({}, undefined, "?view=compact");
    expect((await draw(`?request_id=${request_id}&width=400`)).text).toContain('viewBox="0 0 400 ');
  });

  test("is found under the id of a repeat with the same Idempotency-Key as well", async () => {
    const first = await post({ "idempotency-key": "once" });
    const second = await post({ "idempotency-key": "once" });
    expect([first.status, second.status]).toEqual([200, 409]);
    const [a, b] = [await draw(`?request_id=${first.request_id}`), await draw(`?request_id=${second.request_id}`)];
    expect([a.status, b.status]).toEqual([200, 200]);
    expect(b.text).toBe(a.text);
  });

  test("is not visible to another account", async () => {
    const { request_id } = await post();
    const other = await service.store.accounts.create({ name: "Other", plan: "business" });
    const { secret } = await service.store.keys.create({ account_id: other.id, scopes: ["api:call"] });
    const { status, detail } = await draw(`?request_id=${request_id}`, { secret });
    expect([status, detail]).toEqual([404, expect.stringContaining("This process has no answer of this tool")]);
    expect((await draw(`?request_id=${request_id}`, { secret: "none" })).status).toBe(401);
    // Another key of the same account sees it.
    const mine = await service.store.keys.create({ account_id: service.customer.account.id, scopes: ["api:call"] });
    expect((await draw(`?request_id=${request_id}`, { secret: mine.secret })).status).toBe(200);
  });

  test("is gone after ten minutes, and the refusal says what to do", async () => {
    const { request_id } = await post();
    service.store.clock.at += 600_001;
    const { status, detail } = await draw(`?request_id=${request_id}`);
    expect(status).toBe(404);
    expect(detail).toContain("The serving process caches answers for up to 10 minutes.");
    expect(detail).toContain("--svg FILE");
  });

  test("does not exist of a tool without one, and of no unknown tool", async () => {
    expect((await draw("?request_id=a", { tool: "show" })).detail).toContain("Answers of 'show' have no picture");
    expect((await draw("?request_id=a", { tool: "no_such" })).detail).toBe("Tool 'no_such' not found");
  });

  test.each([
    ["", [{ type: "missing", loc: ["query", "request_id"] }]],
    ["?request_id=a&width=9", [{ type: "int_parsing", loc: ["query", "width"] }]],
    ["?request_id=a&width=1e3", [{ type: "int_parsing", loc: ["query", "width"] }]],
    ["?request_id=a&colour=red", [{ type: "extra_forbidden", loc: ["query", "colour"] }]],
  ])("is not drawn for the query %s", async (query, items) => {
    const { status, detail } = await draw(query);
    expect(status).toBe(422);
    expect(detail).toMatchObject(items);
  });

  test("enters the key's window like any read", async () => {
    const { account } = service.customer;
    const { secret } = await service.store.keys.create({ account_id: account.id, scopes: ["api:call"], limit: 2 });
    const statuses: number[] = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await draw("?request_id=a", { secret })).status);
    expect(statuses).toEqual([404, 404, 429]);
  });
});

describe("over MCP", () => {
  const ask = async (_meta: Record<string, unknown>, name = TOOL, args: object = ARGS) => {
    const client = await connectClient(service.url, service.customer.key.secret, "auto");
    return client.callTool({ name, arguments: { ...args }, _meta });
  };

  test("a client that asks for it in _meta gets the picture as an image for its user", async () => {
    const { content, isError } = await ask({ "assay/picture": "svg" });
    expect(isError).toBe(false);
    const image = content.find(({ type }) => type === "image");
    expect(image).toMatchObject({ mimeType: "image/svg+xml", annotations: { audience: ["user"] } });
    const drawn = image?.type === "image" ? Buffer.from(image.data, "base64").toString("utf8") : "";
    expect(drawn).toMatch(/^<svg .*<\/svg>$/s);
  });

  test("is sent only on request", async () => {
    expect((await ask({})).content.map(({ type }) => type)).toEqual(["text", "text"]);
  });

  test("a tool without one says so, and another word is refused before anything is charged", async () => {
    const { content } = await ask({ "assay/picture": "svg" }, "show", { address: WALLET, network: "demo" });
    expect(content.at(-1)).toEqual({ type: "text", text: "This answer has no picture." });
    const refused = await ask({ "assay/picture": "png" });
    expect(refused).toMatchObject({ isError: true, _meta: { "assay/credits_charged": 0 } });
  });
});
