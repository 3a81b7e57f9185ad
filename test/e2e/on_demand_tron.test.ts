import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { formatAddress, parseAddress } from "../../src/chains/tron/address.ts";
import { demoTronNetwork } from "../../src/commands/demo_chains.ts";
import { settings } from "../../src/config/settings.ts";
import { startTronDemo, type TronDemoWorld } from "../../src/demo/tron/world.ts";
import { type Hex, hex } from "../../src/lib/bytes.ts";
import { readSubjects } from "../../src/store/subjects/records.ts";
import type { EnabledNetwork } from "../../src/wiring/enabled_network.ts";
import { rowsOfBlocks } from "../facts_hash.ts";
import { sized } from "../long.ts";
import { type ListingNode, startListingNode } from "../tron/listing_node.ts";
import { comparable, openOutcomes, WALLET_TOOLS } from "./on_demand_figures.ts";
import { caughtUp, openTestService, T0, type TestService } from "./served_world.ts";
import { still } from "./still.ts";

/**
 * A network of Tron that is read on demand through a service like TronGrid answers as the whole index of the same chain does. Neither has
 * a dollar coin, so that no value in USD comes between them.
 */

const ID = "demo-tron";
const KEY = "a-key-of-this-test";
const LIMITS = { page_max: 7, requests_per_second: 400, key: KEY };
/** Blocks above the newest act, so that the whole story is confirmed. */
const QUIET_BLOCKS = 8;

let world: TronDemoWorld;
let whole: TestService;
let lists: ListingNode;
let demand: TestService;

const seal = async (blocks: number): Promise<void> => {
  for (let i = 0; i < blocks; i += 1) await world.stage.together([]);
};

const networkOf = (rpc: EnabledNetwork["rpc"], index: "whole" | "on_demand"): EnabledNetwork => {
  const demo = demoTronNetwork(world);
  return { ...demo, network: { ...demo.network, stablecoins: [] }, rpc, poll_ms: 100, index };
};
const through = ({ url }: ListingNode): EnabledNetwork["rpc"] => [{ url, headers: { "TRON-PRO-API-KEY": KEY } }];

const hexOf = (name: string): Hex => hex(world.stage.address(name).slice(2).toLowerCase());
const base58 = (name: string): string => formatAddress(hexOf(name));

const on_demand = settings.parse({ on_demand: { wait_seconds: 25, follow_seconds: 0 } }).on_demand;

beforeAll(async () => {
  world = await startTronDemo(T0);
  await seal(QUIET_BLOCKS);
  const listed = [demoTronNetwork(world).network];
  whole = await openTestService({ networks: [networkOf([world.url], "whole")], listed });
  await caughtUp(whole.service);
  lists = await startListingNode(world.url, LIMITS);
  demand = await openTestService({
    networks: [networkOf(through(lists), "on_demand")],
    listed,
    settings: { on_demand },
  });
}, 500_000);
afterAll(async () => {
  await demand?.close();
  await lists?.close();
  await whole?.close();
  await world?.stop();
});

/** Payments, wages by a contract, TRC-10, stakes, wrapped coins, tokens. */
const SLICE = ["alice", "carol", "erin", "dave"];
const wallets = sized({ slice: SLICE, long: [...SLICE, "bob", "frank", "peggy", "nina", "mallory", "ivan", "victor"] });

describe.each(wallets)("the wallet of %s", (name) => {
  test.each(WALLET_TOOLS)("%s equals the whole index", async (tool, field) => {
    const asked = { [field]: base58(name), network: ID };
    const expected = await whole.ask(tool, asked);
    const ending = ({ status, body }: typeof expected) => [status, body.status ?? "data", body.message];
    await vi.waitFor(
      async () => {
        const found = await demand.ask(tool, asked);
        expect(ending(found)).toEqual(ending(expected));
        const open = openOutcomes(expected.text);
        expect(comparable(still(found.text), open)).toEqual(comparable(still(expected.text), open));
      },
      { timeout: 60_000, interval: 1_000 },
    );
  });
});

/** Tools that need more than the wallet's rows leave the rest unknown. */
const OTHER_TOOLS = [
  "get_wallet_address_profile",
  "get_wallet_risk_overview",
  "get_wallet_risk_score",
  "get_wallet_counterparties_analysis",
  "get_wallet_deployed_contracts",
  "get_wallet_account_meta",
];

test.each(OTHER_TOOLS)("%s answers", async (tool) => {
  await vi.waitFor(
    async () => {
      const { status, body } = await demand.ask(tool, { address: base58("dave"), network: ID });
      expect([status, body.code]).toEqual([200, undefined]);
    },
    { timeout: 60_000, interval: 500 },
  );
});

test("compliance is not stated, because events of issuers are not read", async () => {
  const { body } = await demand.ask("get_wallet_stablecoin_compliance", { address: base58("dave"), network: ID });
  expect(body).toMatchObject({ status: "error", code: "CHECK_INCOMPLETE" });
});

test("a transaction is explained as by the whole index", async () => {
  const [[hash] = [""]] = await whole.service.facts.engine.query(
    `SELECT lower(hex(hash)) FROM transactions WHERE network = '${ID}' AND recipient = unhex('${hexOf("disperser")}') ORDER BY block_number LIMIT 1`,
  );
  const asked = { tx_hash: String(hash).toLowerCase(), network: ID };
  const expected = await whole.ask("analyze_transaction", asked);
  await vi.waitFor(
    async () => {
      const found = await demand.ask("analyze_transaction", asked);
      expect(found.body.summary_text).toBe(expected.body.summary_text);
      expect(found.body.summary_text).toMatch(/\w+ \w+/);
    },
    { timeout: 60_000, interval: 500 },
  );
});

test("prices are not read, and answers say so", async () => {
  const priced = { ...demoTronNetwork(world), rpc: through(lists), poll_ms: 100, index: "on_demand" as const };
  const service = await openTestService({ networks: [priced], settings: { on_demand } });
  try {
    await vi.waitFor(
      async () => {
        const asked = { wallet_address: base58("bob"), network: ID };
        const { status, body } = await service.ask("get_wallet_token_holdings", asked);
        expect([status, body.code]).toEqual([200, undefined]);
        const values = new Map(
          body.holdings.map((row: { symbol: string; usd_value: number | null }) => [row.symbol, row.usd_value]),
        );
        expect(values.get("BCN")).toBeNull();
        expect(body.metadata.warnings.map(({ code }: { code: string }) => code)).toContain("PRICES_NOT_READ");
      },
      { timeout: 60_000, interval: 500 },
    );
  } finally {
    await service.close();
  }
});

test("rows of the stored blocks are those of the whole index, each once", async () => {
  const query = `SELECT block_number FROM blocks WHERE network = '${ID}' ORDER BY block_number`;
  const blocks = (await demand.service.facts.engine.query(query)).map(([number]) => Number(number));
  expect(new Set(blocks).size).toBe(blocks.length);
  expect(blocks.length).toBeGreaterThan(30);
  const [found, expected] = await Promise.all(
    [demand, whole].map(({ service }) => rowsOfBlocks(service.facts.engine, ID, blocks)),
  );
  expect(found).toEqual(expected);
});

test("movements of TRX, TRC-10 and TRC-20 add up to the confirmed balances", async () => {
  const records = await readSubjects(demand.service.facts.engine, ID, wallets.map(hexOf));
  expect(records.map(({ state, is_plain, is_balanced }) => [state, is_plain, is_balanced])).toEqual(
    wallets.map(() => ["read", true, true]),
  );
  const { body } = await demand.ask("get_wallet_stats", { address: base58("carol"), network: ID });
  expect(body.metadata.coverage).toMatchObject({ from_block: 0, complete: true });
});

test("a contract is read, and never called complete", async () => {
  const { body } = await demand.ask("get_wallet_stats", { address: base58("disperser"), network: ID });
  expect(body.metadata.warnings.map(({ code }: { code: string }) => code)).toContain("HISTORY_NOT_PROVEN");
  expect(body.metadata.coverage.complete).toBe(false);
});

test("a list that leaves out a payment by a contract does not add up", async () => {
  const leaves_out = `41${hexOf("carol")}`;
  const partial = await startListingNode(world.url, { ...LIMITS, leaves_out });
  const service = await openTestService({
    networks: [networkOf(through(partial), "on_demand")],
    settings: { on_demand },
  });
  try {
    const { body } = await service.ask("get_wallet_stats", { address: base58("carol"), network: ID });
    expect(body.metadata.coverage).toMatchObject({ from_block: 0, complete: false });
    const [record] = await readSubjects(service.service.facts.engine, ID, [parseAddress(base58("carol")) ?? ""]);
    expect(record).toMatchObject({ state: "read", is_plain: false, is_balanced: false });
    const codes = body.metadata.warnings.map(({ code }: { code: string }) => code);
    expect(codes).toContain("HISTORY_NOT_PROVEN");
    // Nothing of bob's is left out.
    const other = await service.ask("get_wallet_stats", { address: base58("bob"), network: ID });
    expect(other.body.metadata.coverage.complete).toBe(true);
  } finally {
    await service.close();
    await partial.close();
  }
});

test("a followed wallet gets its new confirmed blocks", async () => {
  await world.stage.act({ from: "frank", to: "erin", value: 4_660n, gas: 21_000 });
  const block = await world.facade.head();
  await seal(QUIET_BLOCKS);
  await vi.waitFor(
    async () => {
      const [record] = await readSubjects(demand.service.facts.engine, ID, [hexOf("erin")]);
      expect(record?.to_block).toBeGreaterThanOrEqual(block);
      expect([record?.is_plain, record?.is_balanced]).toEqual([true, true]);
    },
    { timeout: 30_000, interval: 200 },
  );
  const { body } = await demand.ask("get_wallet_transactions", {
    address: base58("erin"),
    network: ID,
    records_per_page: 1,
  });
  expect(body.data[0]).toMatchObject({ direction: "in", amount_raw: "4660" });
});
