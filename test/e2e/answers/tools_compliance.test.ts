import { beforeAll, expect, test } from "vitest";
import { on } from "../../../src/demo/evm/act.ts";
import { FORGOTTEN_BYSTANDER } from "../../../src/demo/evm/scenarios/issuers.ts";
import { type SharedWorldService, sharedWorld, T0 } from "../served_world.ts";
import { openTruth, type Truth } from "../truth.ts";

let stage: SharedWorldService;
let truth: Truth;
beforeAll(async () => {
  stage = await sharedWorld();
  truth = await openTruth(stage.world);
});

const comply = (name: string, more: Readonly<Record<string, unknown>> = {}) =>
  stage.ask("get_wallet_stablecoin_compliance", { address: truth.addressOf(name), network: "demo", ...more });
const iso = (seconds: number): string => new Date((T0 + seconds) * 1000).toISOString().replace(".000Z", "Z");
const charged = ({ headers }: { readonly headers: Headers }): number => Number(headers.get("x-credits-charged"));

// biome-ignore lint/suspicious/noExplicitAny: rows of an answer that was validated against the OpenAPI.
type ComplianceRow = any;
const codes = (body: ComplianceRow): readonly string[] => body.verdict_reasons.map(({ code }: ComplianceRow) => code);

test("clears carol, after seven checks and the lists", async () => {
  const answer = await comply("carol");
  expect([answer.status, charged(answer)]).toEqual([200, 40]);
  expect(answer.body).toMatchObject({
    ...{ type: "stablecoin_compliance", verdict: "clear", verdict_reasons: [], is_frozen_any: false },
    ...{ frozen_value_usd: 0, freeze_history: [], sanctions: { listed: false, matches: [], oracle_checks: [] } },
  });
  // 5,000 USDC at the start, 1,200 to frank; 2,000 USDT from the exchange, 500 to bob.
  expect(
    answer.body.holdings.map(({ symbol, balance, value_usd }: ComplianceRow) => [symbol, balance, value_usd]),
  ).toEqual([
    ["USDC", 3_800, 3_800],
    ["USDT", 1_500, 1_500],
  ]);
  expect(answer.body.counterparty_exposure).toMatchObject({ inflow_usd: 7_000, share_percent: 0, top: [] });
  expect(answer.body.checks.map(({ symbol, status }: ComplianceRow) => [symbol, status])).toEqual(
    ["BLD", "BTD", "PXD", "RPD", "TRD", "USDC", "USDT"].map((symbol) => [symbol, "ok"]),
  );
  expect(answer.body.metadata.sources).toMatchObject([{ id: "sanctions/demo-sanctions", version: "2026-08-01" }]);
});

test("blocks mallory with her frozen coins", async () => {
  const { body } = await comply("mallory");
  expect([body.verdict, codes(body), body.is_frozen_any]).toEqual(["blocked", ["frozen_now", "ever_frozen"], true]);
  // 30,000 at the start, 2,000 to ivan.
  expect(body.frozen_value_usd).toBe(28_000);
  expect(body.holdings).toMatchObject([
    { symbol: "USDC", balance_raw: "28000000000", is_frozen: true, frozen_since: iso(on(61, 14.5)) },
  ]);
  expect(body.verdict_reasons[0].evidence[0]).toEqual({
    kind: "tx",
    ref: truth.hashAt(on(61, 14.5)),
    observed_at: iso(on(61, 14.5)),
  });
});

test("blocks walter, whose funds were destroyed", async () => {
  const { body } = await comply("walter");
  expect([body.verdict, codes(body)]).toEqual(["blocked", ["frozen_now", "ever_frozen", "funds_destroyed"]]);
  expect([body.frozen_value_usd, body.holdings[0]]).toMatchObject([0, { symbol: "USDT", balance: 0, is_frozen: true }]);
  expect(body.freeze_history.map(({ event, amount, timestamp }: ComplianceRow) => [event, amount, timestamp])).toEqual([
    ["freeze", null, iso(on(50, 14.5))],
    ["destroy", 4_000, iso(on(53, 14.5))],
  ]);
});

test("recommends a review of victor, who was frozen once, and not before that week", async () => {
  const { body } = await comply("victor");
  expect([body.verdict, codes(body), body.is_frozen_any]).toEqual(["review", ["ever_frozen"], false]);
  const before = await comply("victor", { as_of_block: truth.blockAt(T0 + on(40, 14)) });
  expect([before.body.verdict, before.body.freeze_history]).toEqual(["clear", []]);
});

test("reports that mallory paid ivan nearly all of his receipts before she was frozen", async () => {
  const { body } = await comply("ivan");
  expect([body.verdict, codes(body)]).toEqual(["review", ["frozen_counterparty_exposure"]]);
  // 10 USDC at the start and 2,000 from mallory.
  expect(body.counterparty_exposure).toMatchObject({
    frozen_counterparties_count: 1,
    received_from_frozen_usd: 2_000,
    sent_to_frozen_usd: 0,
    inflow_usd: 2_010,
    top: [
      {
        address: truth.addressOf("mallory"),
        symbol: "USDC",
        amount_usd: 2_000,
        frozen_at: iso(on(61, 14.5)),
        before_or_after_freeze: "before",
      },
    ],
  });
  expect(body.counterparty_exposure.share_percent).toBeCloseTo((100 * 2_000) / 2_010, 10);
});

test("clears ivan before mallory was frozen, and for days that do not reach back to her payment", async () => {
  const then = await comply("ivan", { as_of_block: truth.blockAt(T0 + on(60, 0)) });
  expect(then.body.verdict).toBe("clear");
  // She paid on day 48; the story ends on day 90.
  const lately = await comply("ivan", { lookback_days: 30 });
  expect(lately.body).toMatchObject({
    verdict: "clear",
    counterparty_exposure: { frozen_counterparties_count: 0, inflow_usd: 0, share_percent: 0 },
  });
});

test("reports felix for every issuer, and reads from the burn what Paxos' event omits", async () => {
  const { body } = await comply("felix");
  expect(body.verdict).toBe("blocked");
  // 100 BTD and 200 TRD are frozen and have no price.
  expect(body.frozen_value_usd).toBeNull();
  const destroyed = body.freeze_history.filter(({ event }: ComplianceRow) => event === "destroy");
  expect(destroyed.map(({ symbol, amount }: ComplianceRow) => [symbol, amount])).toEqual([
    ["PXD", 500],
    ["BLD", 400],
  ]);
});

test("reports olaf, who is on a sanctions list and never used a stablecoin", async () => {
  const { body } = await comply("olaf");
  expect([body.verdict, codes(body)]).toEqual(["blocked", ["sanctioned"]]);
  expect(body.sanctions.matches).toEqual([
    { list: "demo-sanctions", entity: "Olaf Trading House", program: "DEMO-EVASION", listed_on: "2026-05-04" },
  ]);
  expect(body.verdict_reasons[0].evidence).toMatchObject([{ kind: "list", ref: "demo-sanctions 2026-08-01" }]);
});

test("names the owner of token powers if the contract has one", async () => {
  const { body } = await comply("carol", { stablecoins: ["USDT", "TRD"] });
  expect(body.checks.map(({ symbol }: ComplianceRow) => symbol)).toEqual(["TRD", "USDT"]);
  expect(body.token_powers).toMatchObject([
    { symbol: "TRD", freeze: true, admin: null },
    { symbol: "USDT", freeze: true, seize_or_destroy: true, upgradeable: false, admin: truth.addressOf("trent") },
  ]);
});

test("fails with its findings, free of charge, when a contract contradicts its events", async () => {
  const answer = await comply(FORGOTTEN_BYSTANDER);
  expect(charged(answer)).toBe(0);
  expect(answer.body).toMatchObject({
    ...{ status: "error", code: "CHECK_INCOMPLETE", verdict: "blocked", is_frozen_any: true },
    counterparty_exposure: { frozen_counterparties_count: null, share_percent: null, inflow_usd: null },
    sanctions: { listed: null },
  });
  expect(answer.body.checks.filter(({ status }: ComplianceRow) => status === "failed")).toMatchObject([
    { symbol: "BLD" },
  ]);
});

test("reports an incomplete check for an unregistered coin, even beside others", async () => {
  const answer = await comply("carol", { stablecoins: ["USDC", "NOSUCHCOIN"] });
  expect(answer.body).toMatchObject({ status: "error", code: "CHECK_INCOMPLETE", verdict: null, is_frozen_any: null });
});

test("returns the same answer twice, and with `all` the same as for the network", async () => {
  const [one, two, all] = [await comply("ivan"), await comply("ivan"), await comply("ivan", { network: "all" })];
  expect(two.text).toBe(one.text);
  const { metadata: _, ...told } = one.body;
  expect(all.body).toMatchObject({ ...told, metadata: { chain: "all", networks: [{ network: "demo" }] } });
});

test.each([
  [{ address: "nobody" }, "address"],
  [{ network: "mainnet" }, "network"],
  [{ stablecoins: [] }, "stablecoins"],
  [{ stablecoins: "USDC" }, "stablecoins"],
  [{ lookback_days: 0 }, "lookback_days"],
  [{ lookback_days: 1826 }, "lookback_days"],
  [{ network: "all", as_of_block: 5 }, "as_of_block"],
])("rejects %j with a message", async (args, word) => {
  const { status, body } = await comply("carol", args);
  expect(status).toBe(422);
  expect(body.detail).toContain(word);
});
