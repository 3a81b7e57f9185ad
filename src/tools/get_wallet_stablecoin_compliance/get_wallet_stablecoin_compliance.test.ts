import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts, testAddress } from "../../../test/facts_store.ts";
import { runTool } from "../../../test/fixtures/run_tool.ts";
import {
  type FreezeCase,
  type FreezeWorld,
  freezable,
  freezeContext,
  knows,
  viewWord,
} from "../../../test/freeze_scenario.ts";
import type { ContractCall } from "../../chains/chain.ts";
import { selectorOf } from "../../domain/abi.ts";
import type { CallContext, SnapshotContext } from "../../domain/context.ts";
import { SILENT_OPERATOR } from "../../domain/operator.ts";
import { issuerCoins } from "../../labels/issuers/index.ts";
import { type Hex, toHex } from "../../lib/bytes.ts";
import { getWalletStablecoinCompliance as tool } from "./index.ts";

const IMPORTED_MS = Date.UTC(2023, 10, 15);
const HOUR_MS = 3_600_000;

let store: TestFacts;
/** Without any list. */
let bare: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  bare = await openTestFacts();
  const list = { list: "ofac", version: "7", is_removed: 0 };
  await store.writer.insert("sanctions", [
    {
      ...{ ...list, family: "evm", address: LISTED, asset_code: "ETH", entity: "Somebody", program: "P" },
      ...{ listed_on: "2022-01-02", delisted_on: "", written_at: IMPORTED_MS / 1000 },
    },
  ]);
  await store.writer.insert("lists", [
    {
      ...{ ...list, kind: "sanctions", format: "generic", origin: "test", licence: "none", published_on: "2023-11-14" },
      ...{ rows: 1, imported_at: IMPORTED_MS / 1000 },
    },
  ]);
});
afterAll(async () => {
  await store.close();
  await bare.close();
});

const [WALLET, FROZEN_PEER, LISTED] = [testAddress(0xa11), testAddress(0xbad), testAddress(0x715)];
const USDC = freezable("USDC", testAddress(0xc1), ["circle"]);
const PEER_FROZEN: FreezeCase = { coin: USDC, account: FROZEN_PEER, block: 10, effect: "freeze" };
const TRUE_VIEW = knows([toHex(FROZEN_PEER)]);

const contextOf = (facts: TestFacts, scope: SnapshotContext, now_ms = IMPORTED_MS): CallContext => ({
  facts: facts.facts,
  chain: () => scope.chain,
  networks: [scope.chain.network.id],
  operator: { ...SILENT_OPERATOR, sanctions: { max_age_hours: 24, now_ms: () => now_ms } },
  signal: new AbortController().signal,
});

const comply = async (world: FreezeWorld, how: { store?: TestFacts; now_ms?: number; args?: object } = {}) => {
  const facts = how.store ?? store;
  const scope = await freezeContext(facts, { ...world, stablecoins: [USDC] });
  const input = tool.input.parse({ address: `0x${toHex(WALLET)}`, ...how.args });
  return runTool(tool, input, contextOf(facts, scope, how.now_ms));
};

const answer = async (...asked: Parameters<typeof comply>) => {
  const outcome = await comply(...asked);
  if (outcome.kind !== "data") throw new Error(JSON.stringify(outcome));
  return tool.output.parse(outcome.data);
};

const move = (block: number, from: Uint8Array, to: Uint8Array, dollars: number) => ({ block, from, to, dollars });

test("distinguishes transfers before, after and around a freeze, and their sums add up", async () => {
  const moves = [
    move(4, FROZEN_PEER, WALLET, 1_500),
    move(12, FROZEN_PEER, WALLET, 500),
    move(13, WALLET, FROZEN_PEER, 100),
    move(14, LISTED, WALLET, 1_000),
    move(15, testAddress(0x600d), WALLET, 7_000),
  ];
  const { verdict, verdict_reasons, counterparty_exposure } = await answer({
    coins: [USDC],
    said: [PEER_FROZEN],
    answer: TRUE_VIEW,
    moves,
  });
  expect(verdict).toBe("review");
  expect(verdict_reasons.map(({ code }) => code)).toEqual([
    "frozen_counterparty_exposure",
    "sanctioned_counterparty_exposure",
  ]);
  // In: 1,500 + 500 frozen, 1,000 listed, 7,000 clean = 10,000; 3,000 of it are tainted: 30 %.
  expect(counterparty_exposure).toMatchObject({
    frozen_counterparties_count: 1,
    received_from_frozen_usd: 2_000,
    sent_to_frozen_usd: 100,
    sanctioned_counterparties_count: 1,
    received_from_sanctioned_usd: 1_000,
    inflow_usd: 10_000,
    share_percent: 30,
    top: [{ symbol: "USDC", amount_usd: 2_100, before_or_after_freeze: "both" }],
  });
});

test("dealings after the freeze only are called so", async () => {
  const moves = [move(12, FROZEN_PEER, WALLET, 5_000)];
  const { counterparty_exposure } = await answer({ coins: [USDC], said: [PEER_FROZEN], answer: TRUE_VIEW, moves });
  expect(counterparty_exposure.top).toMatchObject([{ before_or_after_freeze: "after" }]);
});

test("a wallet that received nothing has a share of nothing, and is clear", async () => {
  expect(await answer({ coins: [USDC] })).toMatchObject({
    verdict: "clear",
    counterparty_exposure: { inflow_usd: 0, share_percent: 0, top: [] },
    sanctions: { listed: false, matches: [], oracle_checks: [] },
  });
});

test("a listed wallet is blocked", async () => {
  expect(await answer({ coins: [USDC] }, { args: { address: `0x${toHex(LISTED)}` } })).toMatchObject({
    verdict: "blocked",
    sanctions: { listed: true, matches: [{ list: "ofac", entity: "Somebody", program: "P", listed_on: "2022-01-02" }] },
  });
});

test.each([
  ["a view that does not answer", { answer: () => ({ ok: false, data: "" as const }) }, {}],
  ["a node that does not answer", { down: true }, {}],
  ["an index that begins later", { from: 3 }, {}],
  ["a view that knows more than the events", { answer: knows([toHex(WALLET)]) }, {}],
  ["an unreadable event", { said: [{ coin: USDC, account: "", block: 8, effect: "unreadable" } as const] }, {}],
  ["a sanctions list that is too old", {}, { now_ms: IMPORTED_MS + 25 * HOUR_MS }],
])("%s makes the check incomplete", async (_, fault, how) => {
  const outcome = await comply({ coins: [USDC], ...fault }, how);
  expect(outcome).toMatchObject({ kind: "error", code: "CHECK_INCOMPLETE" });
  const partial = outcome.kind === "error" ? outcome.partial : null;
  // Nothing in it may read as clean.
  expect(partial).toMatchObject({ sanctions: { listed: null }, counterparty_exposure: { share_percent: null } });
  expect(JSON.stringify(partial)).not.toContain('"clear"');
  expect(partial).not.toMatchObject({ is_frozen_any: false });
});

test("a sanctions oracle of the network is a second opinion: it asks for a look and never clears or blocks alone", async () => {
  const coins = issuerCoins({ id: "celo" });
  const oracle = selectorOf("isSanctioned(address)");
  const flags =
    (data: Hex) =>
    (call: ContractCall): { ok: boolean; data: Hex } =>
      call.data.startsWith(oracle) ? { ok: true, data } : knows([])(call);
  const flagged = await answer({ coins, network: "celo", answer: flags(viewWord(true)) });
  expect([flagged.verdict, flagged.verdict_reasons.map(({ code }) => code)]).toEqual(["review", ["oracle_flag"]]);
  expect(flagged.sanctions).toMatchObject({
    listed: false,
    oracle_checks: [
      {
        oracle: "chainalysis",
        network: "celo",
        contract: "0x40C57923924B5c5c5455c48D93317139ADDaC8fb",
        is_sanctioned: true,
      },
    ],
  });
});

test("warns about a silent oracle without changing the verdict", async () => {
  const coins = issuerCoins({ id: "optimism" });
  const silent = await answer({ coins, network: "optimism" });
  expect(silent.verdict).toBe("clear");
  expect(silent.sanctions.oracle_checks).toMatchObject([{ is_sanctioned: null }]);
  expect(silent.metadata.warnings.map(({ code }) => code)).toContain("ORACLE_SILENT");
  // DAI exists and cannot freeze accounts.
  expect(silent.checks.find(({ symbol }) => symbol === "DAI")).toMatchObject({ status: "not_supported" });
});

test("without any sanctions list the check is incomplete, and a frozen wallet is still called so", async () => {
  const said: FreezeCase[] = [{ ...PEER_FROZEN, account: WALLET }];
  expect(await comply({ coins: [USDC], said, answer: knows([toHex(WALLET)]) }, { store: bare })).toMatchObject({
    kind: "error",
    code: "CHECK_INCOMPLETE",
    partial: { verdict: "blocked", is_frozen_any: true, sanctions: { listed: null } },
  });
});
