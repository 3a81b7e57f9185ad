import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoNetwork } from "../../src/commands/demo.ts";
import { settings } from "../../src/config/settings.ts";
import type { EvmWorld } from "../../src/demo/evm/world.ts";
import { silentLog } from "../../src/lib/log.ts";
import { openService, type RunningService } from "../../src/main.ts";
import type { TableRows } from "../../src/store/tables.gen.ts";
import { kindsOf } from "../../src/surfaces/call/arguments/bind.ts";
import { tools } from "../../src/tools/index.ts";
import { startDemoWorld } from "../demo_world.ts";
import { testAddress } from "../facts_store.ts";
import { T0 } from "./served_world.ts";

/** Rows of an address that is not followed, as another address's block brings them, show in no answer. */

const STRANGER = `0x${Buffer.from(testAddress(0x5eedf00d)).toString("hex")}`;
const PEER = testAddress(0xfeed);
/** It is not read either. */
const TOKEN = testAddress(0x70cecafe);
const BLOCK = 40;
/** Digits that occur nowhere else. */
const AMOUNT = 771_177_711_777n;
const HASH = Buffer.from("7a".repeat(32), "hex");

let world: EvmWorld;
let data_dir: string;
let service: RunningService;
let key: string;

const plant = async ({ facts: { writer } }: RunningService): Promise<void> => {
  const at = { network: "demo", block_number: BLOCK, tx_index: 0, time: T0 + 1_000 };
  const stranger = testAddress(0x5eedf00d);
  const transaction: TableRows["transactions"] = {
    ...at,
    ...{ hash: HASH, sender: stranger, recipient: PEER, value: AMOUNT, fee: 0n, gas_used: 21_000, nonce: 0 },
    ...{ succeeded: 1, selector: new Uint8Array(0), created: new Uint8Array(0) },
  };
  const transfer = {
    ...at,
    position: 0,
    kind: "native",
    token: new Uint8Array(0),
    token_id: 0n,
    amount: AMOUNT,
  } as const;
  await writer.insert("blocks", [
    {
      ...{ network: "demo", block_number: BLOCK, hash: HASH, parent_hash: HASH, time: at.time, producer: PEER },
      ...{ transaction_count: 1, has_traces: 1, verified: "full" },
    },
  ]);
  await writer.insert("transactions", [transaction]);
  await writer.insert("transfers", [
    { ...transfer, sender: stranger, source: stranger, destination: PEER },
    { ...transfer, position: 1, sender: PEER, source: PEER, destination: stranger },
    { ...transfer, position: 2, kind: "erc20", token: TOKEN, sender: PEER, source: PEER, destination: stranger },
  ]);
  const range = { network: "demo", from: BLOCK, to: BLOCK, blocks: [BLOCK] };
  await writer.finals.writeLayouts(range, { is_fresh: true });
  await writer.finals.writeBalances(range, { is_fresh: true });
};

beforeAll(async () => {
  world = await startDemoWorld({ placement: "demo", t0: T0 });
  data_dir = await mkdtemp(join(tmpdir(), "assay-strangers-"));
  const on_demand = { wait_seconds: 0, addresses_per_account: 1_000 };
  service = await openService({
    settings: settings.parse({
      listen: "127.0.0.1:0",
      on_demand,
      plans: { wide: { monthly_credits: 1e8, keys_max: 9, calls_per_minute: 1e6 } },
    }),
    data_dir,
    networks: [{ ...demoNetwork(world), index: "on_demand" }],
    // Nothing is read: the planted rows are all there is.
    ...{ surfaces: true, indexing: false, once: false },
    log: silentLog,
    examples: {},
  });
  await plant(service);
  const account = await service.accounts.accounts.create({ name: "tests", plan: "wide" });
  key = (await service.accounts.keys.create({ account_id: account.id, scopes: ["api:call"] })).secret;
});
afterAll(async () => {
  await service?.close();
  await world?.stop();
  await rm(data_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

const ask = async (tool: string, args: object) => {
  const response = await fetch(`${service.url}/api/tools/${tool}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(args),
  });
  const text = await response.text();
  // An answer of the interface.
  return {
    text,
    charged: response.headers.get("x-credits-charged"),
    body: JSON.parse(text) as { status?: string; code?: string; message?: string },
  };
};

const argumentsFor = ({ input, example }: (typeof tools)[number]): Record<string, unknown> => {
  const args: Record<string, unknown> = { ...example };
  for (const [field, kind] of kindsOf(input)) {
    if (["address", "any_address", "name_or_address"].includes(kind) || (kind === "token" && field in args))
      args[field] = STRANGER;
    if (kind === "hash") args[field] = `0x${HASH.toString("hex")}`;
    if (kind === "network" || kind === "networks") args[field] = "demo";
  }
  return args;
};

test("the planted rows are there", async () => {
  const rows = await service.facts.engine.query("SELECT count(), sum(amount) FROM ledger WHERE network = 'demo'");
  expect(rows[0]?.map(String)).toEqual(["6", String(6n * AMOUNT)]);
});

test.each(["get_token_flows", "get_token_holders_traders"])("%s waits until the token is read", async (tool) => {
  const token_address = `0x${Buffer.from(TOKEN).toString("hex")}`;
  const { text, body } = await ask(tool, { token_address, network: "demo" });
  expect(body).toMatchObject({ status: "error", code: "READING" });
  expect(text).not.toContain(String(AMOUNT));
});

test("no tool shows them, and each says why", async () => {
  const told: Record<string, string> = {};
  for (const tool of tools) {
    const { text, body } = await ask(tool.name, argumentsFor(tool));
    expect(text.replaceAll(/[,._]/g, ""), tool.name).not.toContain("7711777");
    told[tool.name] = body.status === "error" ? (body.code ?? "") : (body.status ?? "data");
  }
  expect(told).toMatchInlineSnapshot(`
    {
      "analyze_token_developer": "NOT_ON_DEMAND",
      "analyze_token_website": "WEB_FETCH_DISABLED",
      "analyze_transaction": "COVERAGE_INCOMPLETE",
      "get_contract_creation": "NOT_A_CONTRACT",
      "get_contract_source_code": "NOT_A_CONTRACT",
      "get_token_flow_intelligence": "NOT_ON_DEMAND",
      "get_token_flows": "READING",
      "get_token_holders_traders": "READING",
      "get_token_info": "NOT_A_TOKEN",
      "get_token_market_analysis": "NOT_ON_DEMAND",
      "get_token_risk_traits": "NOT_A_TOKEN",
      "get_wallet_account_meta": "READING",
      "get_wallet_address_profile": "READING",
      "get_wallet_counterparties": "READING",
      "get_wallet_counterparties_analysis": "READING",
      "get_wallet_deployed_contracts": "READING",
      "get_wallet_osint_record": "CHECK_INCOMPLETE",
      "get_wallet_pnl": "READING",
      "get_wallet_portfolio_breakdown": "READING",
      "get_wallet_risk_overview": "READING",
      "get_wallet_risk_score": "READING",
      "get_wallet_stablecoin_compliance": "READING",
      "get_wallet_stats": "READING",
      "get_wallet_token_holdings": "READING",
      "get_wallet_transaction_patterns": "READING",
      "get_wallet_transactions": "READING",
      "is_address_blacklisted_by_stablecoin": "data",
      "resolve_ens": "data",
      "resolve_name": "no_data",
      "resolve_token_symbol": "READING",
    }
  `);
});

test("each tool names inputs of its own as its subjects", () => {
  const strange = tools.flatMap(({ name, subjects = [], input }) =>
    subjects.filter((field: string) => !Object.hasOwn(input.shape, field)).map((field: string) => `${name}: ${field}`),
  );
  expect(strange).toEqual([]);
});
