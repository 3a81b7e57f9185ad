import { beforeAll, describe, expect, test } from "vitest";
import type { Family } from "../../../src/chains/chain.ts";
import { formatAddress } from "../../../src/chains/tron/address.ts";
import { on } from "../../../src/demo/evm/act.ts";
import type { TokenName } from "../../../src/demo/solana/characters.ts";
import type { SolanaWorld } from "../../../src/demo/solana/world.ts";
import { ASSET_ID } from "../../../src/demo/tron/ledger.ts";
import type { TronDemoWorld } from "../../../src/demo/tron/world.ts";
import { hex } from "../../../src/lib/bytes.ts";
import { tools } from "../../../src/tools/index.ts";
import { EXPECTED as SOLANA_BOOKS, type SolanaLedger as SolanaBook } from "../../fixtures/solana_expected.ts";
import { type Questions, solanaQuestions } from "../../fixtures/solana_questions.ts";
import { EXPECTED as TRON_BOOKS } from "../../fixtures/tron_expected.ts";
import { tronQuestions } from "../../fixtures/tron_questions.ts";
import { eachNth, is_long } from "../../long.ts";
import { type SharedFamiliesService, sharedFamilies, T0 } from "../served_world.ts";

let solana: SolanaWorld;
let tron: TronDemoWorld;
let stage: SharedFamiliesService;
const asked: Partial<Record<Family, Questions>> = {};

beforeAll(async () => {
  stage = await sharedFamilies();
  ({ solana, tron } = stage);
  asked.solana = solanaQuestions(solana);
  asked.tron = tronQuestions(tron.stage);
  for (const family of ["solana", "tron"] as const) await analyzeNewest(family);
}, 500_000);

/** A transaction's hash follows from T0 alone, but only the chain computes it: the newest one of the requested wallet. */
const analyzeNewest = async (family: "solana" | "tron"): Promise<void> => {
  const questions = asked[family] ?? {};
  const wallet = { ...questions.get_wallet_transactions, network: `demo-${family}` };
  const { body } = await stage.ask("get_wallet_transactions", wallet);
  asked[family] = { ...questions, analyze_transaction: { tx_hash: body.data[0]?.tx_hash } };
};

const base58 = (name: string): string => formatAddress(hex(tron.stage.address(name).slice(2).toLowerCase()));

/** The demo network of a family, and every tool whose card lists the family. */
const served = (family: Family) =>
  tools
    .filter(({ families }) => families.includes(family))
    .map(({ name, input }) => [name, "network" in input.shape ? { network: `demo-${family}` } : {}] as const);

const expectData = async (family: Family, [name, where]: ReturnType<typeof served>[number]): Promise<void> => {
  const args = asked[family]?.[name];
  expect(args, `questions of the demo of ${family} have none for ${name}`).toBeDefined();
  const { status, body } = await stage.ask(name, { ...args, ...where });
  // A transaction has a status of its own.
  const answer = ["no_data", "error"].includes(body.status) ? body.status : "data";
  expect([status, answer, body.message], JSON.stringify(body).slice(0, 600)).toEqual([200, "data", undefined]);
};

// In a slice every other tool runs on Solana, and the others on Tron.
test.each(eachNth(served("solana"), 2))("%s answers with data on the demo of Solana", (...tool) =>
  expectData("solana", tool),
);

const on_solana = eachNth(served("solana"), 2).map(([name]) => name);
test.each(served("tron").filter(([name]) => is_long || !on_solana.includes(name)))(
  "%s answers with data on the demo of Tron",
  (...tool) => expectData("tron", tool),
);

/** Token -> balance in a tool's list. */
const holdingsOf = async (network: string, wallet_address: string): Promise<Record<string, string>> => {
  const { body } = await stage.ask("get_wallet_token_holdings", { wallet_address, network, include_spam: true });
  return Object.fromEntries(
    body.holdings.map((one: { token_address: string; balance_raw: string }) => [one.token_address, one.balance_raw]),
  );
};

describe("the stories' answers", () => {
  test.each(["bob", "carol", "erin", "frank", "victor", "mallory", "ivan"] as const)(
    "show %s's balances on Solana by the story",
    async (name) => {
      // Values of EXPECTED, widened.
      const { lamports, tokens } = SOLANA_BOOKS[name] as SolanaBook;
      const rows = Object.entries(tokens).map(([token, amount]) => [
        solana.mints[token as TokenName], // a key of a book
        String(amount),
      ]);
      const held = await holdingsOf("demo-solana", solana.characters[name]);
      expect(held).toEqual(Object.fromEntries([["native", String(lamports)], ...rows]));
    },
  );

  test.each(["bob", "carol", "victor", "mallory", "ivan"] as const)(
    "show %s's token balances on Tron by the story",
    async (name) => {
      const { tokens } = TRON_BOOKS[name];
      const { native, ...held } = await holdingsOf("demo-tron", base58(name));
      const rows = Object.entries(tokens).map(([token, amount]) => [
        token === "oil" ? ASSET_ID : base58(token),
        String(amount),
      ]);
      expect(held).toEqual(Object.fromEntries(rows));
      expect(BigInt(native ?? 0)).toBeGreaterThan(0n);
    },
  );

  test("show the thief's dollars on Tron as frozen since day 55, and victor's as free since day 47", async () => {
    const thief = await stage.ask("is_address_blacklisted_by_stablecoin", {
      address: base58("mallory"),
      network: "all",
    });
    const at = (day: number, hour: number) => new Date((T0 + on(day, hour)) * 1_000).toISOString().replace(".000", "");
    expect(thief.body.is_blacklisted).toBe(true);
    expect(thief.body.results[0].last_event).toMatchObject({ type: "freeze", timestamp: at(55, 9) });
    const victor = await stage.ask("is_address_blacklisted_by_stablecoin", {
      address: base58("victor"),
      network: "demo-tron",
    });
    expect(victor.body.is_blacklisted).toBe(false);
    expect(victor.body.results[0].last_event).toMatchObject({ type: "unfreeze", timestamp: at(47, 14.5) });
  });

  test("show the thief's dollars on Solana as frozen since day 55, and ivan's earlier receipts from him", async () => {
    const ask = async (tool: string, name: "mallory" | "victor" | "ivan") =>
      (await stage.ask(tool, { address: solana.characters[name], network: "demo-solana" })).body;
    const day = (n: number): string => new Date((T0 + on(n, 0)) * 1_000).toISOString().slice(0, 10);
    const thief = await ask("is_address_blacklisted_by_stablecoin", "mallory");
    expect([thief.is_blacklisted, thief.results[0].last_event.type]).toEqual([true, "freeze"]);
    expect(thief.results[0].last_event.timestamp.slice(0, 10)).toBe(day(55));
    const victor = await ask("is_address_blacklisted_by_stablecoin", "victor");
    expect([victor.is_blacklisted, victor.previously_blacklisted]).toEqual([false, true]);
    expect(victor.results[0].last_event.timestamp.slice(0, 10)).toBe(day(47));
    const ivan = await ask("get_wallet_stablecoin_compliance", "ivan");
    // 200 of the 1,000 stolen ones on day 52; the 100 of day 56 failed.
    expect(ivan.counterparty_exposure).toMatchObject({ received_from_frozen_usd: 200 });
    expect((await ask("get_wallet_risk_score", "mallory")).is_frozen).toBe(true);
  });

  test("name the demos in discovery for the tools that serve them, and only for those", async () => {
    const response = await fetch(`${stage.service.url}/api/tools`, {
      headers: { authorization: `Bearer ${stage.key}` },
    });
    // Discovery answers { tools: [{ name, networks, … }] }.
    const { tools: listed } = (await response.json()) as { tools: { name: string; networks: string[] }[] };
    for (const { name, networks } of listed) {
      const families = tools.find((tool) => tool.name === name)?.families ?? [];
      expect([name, networks.includes("demo-solana")]).toEqual([name, families.includes("solana")]);
      expect([name, networks.includes("demo-tron")]).toEqual([name, families.includes("tron")]);
    }
  });
});
