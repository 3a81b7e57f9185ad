import { describe, expect, test } from "vitest";
import { bench, benchHere } from "../../../test/contract/bench.ts";
import { connectClient, postMcp } from "../../../test/contract/mcp_client.ts";
import { legacyMessage } from "../../../test/contract/mcp_messages.ts";
import { tools } from "../../tools/index.ts";

const CAST = [{ network: "demo", who: "alice", address: "0x3C44", role: "trades" }];
const service = await bench({ tools, cast: CAST });
const key = service.customer.key.secret;

const JOBS = [
  ["screen_wallet", { address: "0xabc" }, "get_wallet_risk_score"],
  ["check_token", { token: "PEPE", network: "demo" }, "get_token_risk_traits"],
  ["explain_transaction", { tx_hash: "0xdef" }, "analyze_transaction"],
  ["follow_the_money", { address: "0xabc", network: "demo" }, "get_wallet_counterparties_analysis"],
  ["wallet_pnl", { address: "0xabc", from_date: "2026-01-01" }, "get_wallet_pnl"],
] as const;

describe.each([
  ["2026-07-28", "auto"],
  ["2025-11-25", "legacy"],
] as const)("the client of revision %s", (_, mode) => {
  test("finds a prompt for each usual job, with its steps in tools that exist", async () => {
    const client = await connectClient(service.url, key, mode);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(JOBS.map(([name]) => name));
    for (const [name, args, tool] of JOBS) {
      const { messages } = await client.getPrompt({ name, arguments: { ...args } });
      const [{ role, content } = { role: "", content: { type: "" } }] = messages;
      const text = "text" in content ? content.text : "";
      expect(role).toBe("user");
      expect(text).toContain(tool);
      for (const value of Object.values(args)) expect(text).toContain(value);
      for (const [mentioned] of text.matchAll(/\b(?:get|resolve|analyze|is)_[a-z_]+\b/g))
        expect(tools.map((one) => one.name)).toContain(mentioned);
      expect(text).not.toContain("undefined");
    }
  });

  test("completes an argument of a prompt, and nothing else", async () => {
    const client = await connectClient(service.url, key, mode);
    const network = { name: "network", value: "eth" };
    const { completion } = await client.complete({
      ref: { type: "ref/prompt", name: "check_token" },
      argument: network,
    });
    expect(completion).toEqual({ values: ["ethereum"], total: 1, hasMore: false });
    // This service has no index of names.
    const token = {
      ref: { type: "ref/prompt", name: "check_token" },
      argument: { name: "token", value: "usd" },
    } as const;
    expect((await client.complete(token)).completion.values).toEqual([]);
    for (const ref of [
      { type: "ref/prompt", name: "make_coffee" },
      { type: "ref/resource", uri: "assay://networks" },
    ] as const)
      await expect(client.complete({ ref, argument: network })).rejects.toMatchObject({ code: -32602 });
  });

  test("reads networks, prices and the demo's cast", async () => {
    const client = await connectClient(service.url, key, mode);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(["assay://networks", "assay://prices", "assay://demo/cast"]);
    const read = async (uri: string) => {
      const [content] = (await client.readResource({ uri })).contents;
      return JSON.parse(content !== undefined && "text" in content ? content.text : "");
    };
    const [demo] = (await read("assay://networks")).networks;
    expect(demo).toMatchObject({ id: "demo", family: "evm", indexed: 100, from_block: 0, state: "following" });
    const { catalog_version, credits } = await read("assay://prices");
    expect(credits).toEqual(Object.fromEntries(tools.map((tool) => [tool.name, tool.credits])));
    expect(catalog_version).toBe((await service.ask("/api/tools")).body.catalog_version);
    expect(await read("assay://demo/cast")).toEqual({ cast: CAST });
  });
});

test.each([
  ["prompts/get", { name: "make_coffee" }, "Prompt 'make_coffee' not found"],
  ["prompts/get", { name: "screen_wallet" }, "screen_wallet requires the argument 'address'"],
  [
    "prompts/get",
    { name: "screen_wallet", arguments: { address: "" } },
    "screen_wallet requires the argument 'address'",
  ],
  [
    "prompts/get",
    { name: "screen_wallet", arguments: { address: "0x1", colour: "red" } },
    "'colour' is not an argument of screen_wallet",
  ],
  ["prompts/list", { cursor: "2" }, "The list has one page and does not accept a cursor"],
  ["resources/list", { cursor: "2" }, "The list has one page and does not accept a cursor"],
  ["resources/templates/list", { cursor: "2" }, "The list has one page and does not accept a cursor"],
])("%s of %j is refused", async (method, params, message) => {
  const { body } = await postMcp(service.url, { key, body: legacyMessage(method, params) });
  expect(body.error).toMatchObject({ code: -32602, message: expect.stringContaining(message) });
});

test("the error for an unknown resource names its address", async () => {
  const uri = "assay://secrets";
  const { body } = await postMcp(service.url, { key, body: legacyMessage("resources/read", { uri }) });
  expect(body.error).toMatchObject({ code: -32602, data: { uri } });
});

test("arguments of a prompt are cut and cleaned", async () => {
  const client = await connectClient(service.url, key);
  const long = `0x\u202e${"a".repeat(5_000)}`;
  const { messages } = await client.getPrompt({ name: "explain_transaction", arguments: { tx_hash: long } });
  const text = JSON.stringify(messages);
  expect(text).toContain(`0x${"a".repeat(254)}`);
  expect(text).not.toContain("a".repeat(257));
  expect(text).not.toContain("\u202e");
});

test("a prompt is there as long as all its tools are public", async () => {
  const other = await benchHere({ tools });
  const names = async () =>
    (await (await connectClient(other.url, other.customer.key.secret)).listPrompts()).prompts.map(({ name }) => name);
  expect(await names()).toContain("wallet_pnl");
  await other.store.allowlist.set("get_wallet_pnl", false);
  expect(await names()).not.toContain("wallet_pnl");
  expect((await (await connectClient(other.url, other.customer.key.secret)).listResources()).resources.length).toBe(2);
});

test("reading enters the window of the key, lists and prompts do not", async () => {
  const plans = { business: { monthly_credits: 1_000, keys_max: 9, calls_per_minute: 2 } };
  const other = await benchHere({ accounts: { plans } });
  const ask = async (method: string, params: object) =>
    (await postMcp(other.url, { key: other.customer.key.secret, body: legacyMessage(method, params) })).body;
  for (let n = 0; n < 5; n += 1) expect((await ask("prompts/list", {})).result.prompts).toEqual([]);
  const uri = "assay://prices";
  for (let n = 0; n < 2; n += 1) expect((await ask("resources/read", { uri })).result.contents.length).toBe(1);
  expect((await ask("resources/read", { uri })).error.message).toContain("Rate limit exceeded");
  expect((await other.store.accounts.show(other.customer.account.id)).credits_used).toBe(0);
});
