import { describe, expect, test } from "vitest";
import { bench, GOOD } from "../../../test/contract/bench.ts";
import { connectClientAt, postMcp } from "../../../test/contract/mcp_client.ts";
import { legacyMessage } from "../../../test/contract/mcp_messages.ts";
import { tools } from "../../tools/index.ts";
import { readToolset, toolsetOf } from "./toolsets.ts";

const service = await bench({ tools });
const key = service.customer.key.secret;
const NAMES = tools.map(({ name }) => name);

test("every tool is in the toolset of its subject", () => {
  const of = (set: string | null) => NAMES.filter((name) => toolsetOf(name) === set).sort();
  expect(of(null)).toEqual([]);
  expect(of("transaction")).toEqual(["analyze_transaction"]);
  expect(of("contract")).toEqual(["get_contract_creation", "get_contract_source_code"]);
  expect(of("names")).toEqual(["resolve_ens", "resolve_name", "resolve_token_symbol"]);
  // A wallet's tokens are a question about the wallet.
  expect(of("wallet")).toContain("get_wallet_token_holdings");
  expect(of("wallet")).toContain("is_address_blacklisted_by_stablecoin");
  expect(of("token")).toContain("analyze_token_developer");
  expect(of("wallet").length + of("token").length).toBe(NAMES.length - 6);
});

test.each([
  ["/mcp", NAMES.length],
  ["/mcp?other=1", NAMES.length],
  ["/mcp?tools=contract,names", 5],
  ["/mcp?tools=contract&tools=names,resolve_ens", 5],
  ["/mcp?tools=get_wallet_pnl", 1],
])("%s has %i tools", (url, count) => {
  const chosen = readToolset(url, NAMES, () => true);
  if (typeof chosen === "string") throw new Error(chosen);
  expect(NAMES.filter(chosen.has)).toHaveLength(count);
});

test("the instructions do not name tools that the operator hides", () => {
  const noteFor = (url: string): string => {
    const chosen = readToolset(url, NAMES, (tool) => tool !== "get_wallet_pnl");
    return typeof chosen === "string" ? chosen : chosen.note;
  };
  expect(noteFor("/mcp?tools=wallet")).toContain("get_wallet_stats");
  expect(noteFor("/mcp?tools=wallet")).not.toContain("get_wallet_pnl");
  expect(noteFor("/mcp?tools=get_wallet_pnl")).toBe(" This connection has only these tools: none.");
});

describe.each([
  ["2026-07-28", "auto"],
  ["2025-11-25", "legacy"],
] as const)("the client of revision %s at an address with toolsets", (_, mode) => {
  const connect = () => connectClientAt(`${service.url}/mcp?tools=token,resolve_ens`, key, mode);

  test("lists these tools only, and the prompts that need no others", async () => {
    const client = await connect();
    const listed = (await client.listTools()).tools.map(({ name }) => name);
    expect(listed).toEqual(NAMES.filter((name) => toolsetOf(name) === "token" || name === "resolve_ens"));
    expect((await client.listPrompts()).prompts).toEqual([]);
    expect(client.getInstructions()).toContain(`This connection has only these tools: ${listed.join(", ")}.`);
  });

  test("calls no other tool, free of charge", async () => {
    const client = await connect();
    await expect(client.callTool({ name: "get_wallet_pnl", arguments: GOOD })).rejects.toMatchObject({ code: -32602 });
    const wrong = await client.callTool({ name: "resolve_ens", arguments: {} });
    expect(wrong).toMatchObject({ isError: true, _meta: { "assay/credits_charged": 0 } });
  });
});

test("keeps prompts whose tools are all there", async () => {
  const client = await connectClientAt(`${service.url}/mcp?tools=transaction,wallet`, key);
  const prompts = (await client.listPrompts()).prompts.map(({ name }) => name);
  expect(prompts).toContain("follow_the_money");
  expect(prompts).not.toContain("check_token");
});

test.each([["wallets"], [""], ["wallet,,token"], ["<script>"]])(
  "refuses the toolset '%s' and names those that exist",
  async (given) => {
    const response = await fetch(`${service.url}/mcp?tools=${encodeURIComponent(given)}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
      },
      body: JSON.stringify(legacyMessage("tools/list")),
    });
    expect(response.status).toBe(400);
    // The body of a JSON-RPC error.
    const { error } = (await response.json()) as { error: { code: number; message: string } };
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("wallet, token") });
    expect((await postMcp(service.url, { key, body: legacyMessage("tools/list") })).status).toBe(200);
  },
);
