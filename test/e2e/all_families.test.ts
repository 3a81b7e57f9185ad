// @long: alone
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseAddress } from "../../src/chains/solana/address.ts";
import { formatAddress } from "../../src/chains/tron/address.ts";
import { demoNetwork } from "../../src/commands/demo.ts";
import { demoSolanaNetwork, demoTronNetwork } from "../../src/commands/demo_chains.ts";
import { SECONDS_A_DAY } from "../../src/demo/evm/act.ts";
import { ADDRESSES } from "../../src/demo/evm/characters.ts";
import type { EvmWorld } from "../../src/demo/evm/world.ts";
import { type SolanaWorld, startSolanaWorld } from "../../src/demo/solana/world.ts";
import { startTronDemo, type TronDemoWorld } from "../../src/demo/tron/world.ts";
import { hex } from "../../src/lib/bytes.ts";
import { kindsOf } from "../../src/surfaces/call/arguments/bind.ts";
import { tools } from "../../src/tools/index.ts";
import { startDemoWorld } from "../demo_world.ts";
import { caughtUp, openTestService, T0, type TestService, type ToolReply, worldIndex } from "./served_world.ts";

/** A second network of Solana: a call for an address of the family reads both. Its story began a day later. */
const SECOND = "second-solana";

let evm: EvmWorld;
let solana: SolanaWorld;
let second: SolanaWorld;
let tron: TronDemoWorld;
let stage: TestService;
let data_dir: string;

beforeAll(async () => {
  data_dir = await worldIndex();
  [evm, solana, second, tron] = await Promise.all([
    startDemoWorld({ placement: "demo", t0: T0 }),
    startSolanaWorld(T0),
    startSolanaWorld(T0 + SECONDS_A_DAY),
    startTronDemo(T0),
  ]);
  const other = demoSolanaNetwork(second);
  // A custom network states itself which programs run its pools.
  const factory = parseAddress("CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C") ?? "";
  const venues = [{ venue: "raydium_cpmm", family: "vault_product" as const, factory, network: SECOND, fee_ppm: null }];
  const enabled = [
    demoNetwork(evm),
    demoSolanaNetwork(solana),
    { ...other, venues, network: { ...other.network, id: SECOND, name: SECOND, chain_id: 105 } },
    demoTronNetwork(tron),
    // No blocks are mined here, and a check of a stopped node would delay the next one.
  ].map((one) => ({ ...one, poll_ms: 2_000 }));
  stage = await openTestService({ networks: enabled, listed: enabled.map(({ network }) => network), data_dir });
  await caughtUp(stage.service);
}, 500_000);
afterAll(async () => {
  await stage?.close();
  for (const world of [tron, second, solana, evm]) await world?.stop();
  await rm(data_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

const addresses = () => ({
  evm: ADDRESSES.alice,
  solana: solana.characters.alice,
  tron: formatAddress(hex(ADDRESSES.alice.slice(2).toLowerCase())),
});

/** Tools that take `all` and one address. */
const TOOLS_FOR_ALL = tools.flatMap(({ name, families, input }) => {
  const kinds = kindsOf(input);
  const field = kinds.find(([, kind]) => kind === "address")?.[0];
  const takes_all = kinds.some(([, kind]) => kind === "networks");
  return takes_all && field !== undefined ? [{ name, families, field }] : [];
});

const networksOf = ({ body }: ToolReply): string[] =>
  body.metadata.networks.map(({ network }: { network: string }) => network);

test("has tools that take all networks", () => {
  expect(TOOLS_FOR_ALL.length).toBeGreaterThan(7);
});

test.each(TOOLS_FOR_ALL)(
  "$name reads with `all` the networks of the address's form, and no others",
  async ({ name, families, field }) => {
    const expected = { evm: ["demo"], solana: ["demo-solana", SECOND], tron: ["demo-tron"] } as const;
    for (const family of families) {
      const answer = await stage.ask(name, { [field]: addresses()[family], network: "all" });
      expect([answer.status, answer.body.status ?? "data"]).toEqual([200, "data"]);
      expect([family, networksOf(answer)]).toEqual([family, expected[family]]);
    }
    // One network rejects another family's address, free of charge.
    const [address] = families.includes("solana") ? [addresses().evm] : [addresses().solana];
    const network = families.includes("solana") ? "demo-solana" : "demo";
    const refused = await stage.ask(name, { [field]: address, network });
    expect([refused.status, Number(refused.headers.get("x-credits-charged"))]).toEqual([422, 0]);
  },
);

test("leaves the other families out with `evm`, and rejects an address of theirs", async () => {
  const holdings = "get_wallet_token_holdings";
  const mine = await stage.ask(holdings, { wallet_address: addresses().evm, network: "evm" });
  expect(networksOf(mine)).toEqual(["demo"]);
  for (const wallet_address of [addresses().solana, addresses().tron]) {
    const { status, headers } = await stage.ask(holdings, { wallet_address, network: "evm" });
    expect([status, Number(headers.get("x-credits-charged"))]).toEqual([422, 0]);
  }
});

describe("answers over several networks", () => {
  interface Met {
    readonly peer: { readonly address: string };
    readonly interaction_count: number;
  }
  const counterparties = async (more: object): Promise<{ data: Met[]; pagination: { has_more_data: boolean } }> => {
    const address = solana.characters.alice;
    const { body } = await stage.ask("get_wallet_counterparties", { address, sort_by: "count", ...more });
    return body;
  };
  const shown = ({ data }: { data: readonly Met[] }) =>
    data.map(({ peer, interaction_count }) => [peer.address, interaction_count]);

  test("list each address once with the sums of both networks, and their pages are that list in parts", async () => {
    const whole = await counterparties({ network: "all", records_per_page: 100 });
    const [first, other] = await Promise.all(
      ["demo-solana", SECOND].map((network) => counterparties({ network, records_per_page: 100 })),
    );
    // The story is the same on both, so each count is twice that of one network.
    expect(shown(other ?? whole)).toEqual(shown(first ?? whole));
    const twice = (first?.data ?? []).map((met) => ({ ...met, interaction_count: 2 * met.interaction_count }));
    expect(shown(whole)).toEqual(shown({ data: twice }));
    expect(twice.length).toBeGreaterThan(3);
    const pages: (readonly (string | number)[])[] = [];
    for (let page = 1; page <= Math.ceil(twice.length / 2); page += 1) {
      const part = await counterparties({ network: "all", records_per_page: 2, page });
      expect(part.pagination.has_more_data).toBe(page * 2 < twice.length);
      pages.push(...shown(part));
    }
    expect(pages).toEqual(shown(whole));
  });

  test("look a symbol up on every family", async () => {
    const { body } = await stage.ask("resolve_token_symbol", { symbol: "USDC", network: "all" });
    const found = body.matches.map(({ network }: { network: string }) => network);
    expect(new Set(found)).toEqual(new Set(["demo", "demo-solana", SECOND]));
    expect(networksOf({ body } as ToolReply)).toEqual(["demo", "demo-solana", SECOND, "demo-tron"]);
    const dollars = await stage.ask("resolve_token_symbol", { symbol: "USDT", network: "all" });
    const places = dollars.body.matches.map(({ network }: { network: string }) => network);
    expect(new Set(places)).toEqual(new Set(["demo", "demo-tron"]));
  });
});

describe("with stopped nodes", () => {
  const gone = () => ({ error: { code: -32_603, message: "Internal error" } });
  const meta = (address: string) => stage.ask("get_wallet_account_meta", { address, network: "all" });

  test("of one of two networks, returns the other's answer, and reports which one is missing", async () => {
    second.facade.fault = gone;
    const { status, body } = await meta(solana.characters.alice);
    second.facade.fault = null;
    expect([status, body.status ?? "data"]).toEqual([200, "data"]);
    expect(body.accounts.map(({ network }: { network: string }) => network)).toEqual(["demo-solana"]);
    expect(body.metadata.warnings).toContainEqual(
      expect.objectContaining({ code: "NETWORK_UNAVAILABLE", message: expect.stringContaining(SECOND) }),
    );
    expect(body.metadata.networks).toContainEqual(
      expect.objectContaining({ network: SECOND, as_of: null, coverage: null }),
    );
  });

  test("of one of two networks, when the other knows nothing, fails with a refund instead of an empty list", async () => {
    second.facade.fault = gone;
    const { status, body, headers } = await meta("9".repeat(43));
    second.facade.fault = null;
    expect([status, body.status, body.code]).toEqual([200, "error", "UPSTREAM_UNAVAILABLE"]);
    expect(Number(headers.get("x-credits-charged"))).toBe(0);
  });

  test("of a whole family, fails, and still answers from indexed facts", async () => {
    await tron.facade.stop();
    const { body, headers } = await meta(addresses().tron);
    expect([body.status, body.code]).toEqual(["error", "UPSTREAM_UNAVAILABLE"]);
    expect(Number(headers.get("x-credits-charged"))).toBe(0);
    const asked = { address: addresses().tron, network: "all" };
    const stats = await stage.ask("get_wallet_stats", asked);
    expect([stats.status, stats.body.status ?? "data"]).toEqual([200, "data"]);
    expect(networksOf(stats)).toEqual(["demo-tron"]);
    // The other families are not affected.
    expect((await meta(addresses().evm)).body.accounts).toHaveLength(1);
  });
});
