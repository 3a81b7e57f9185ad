import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../api/answer.ts";
import { CONTRACT_SUMMARY } from "./contract.ts";
import type { RowAnswer, SummaryPlan, SummaryText } from "./model.ts";
import { TOKEN_SUMMARY } from "./token.ts";
import { TRANSACTION_SUMMARY } from "./transaction.ts";
import { WALLET_SUMMARY } from "./wallet.ts";

const answered = (plan: SummaryPlan, question: string, body: JsonObject): RowAnswer => {
  const row = plan.rows.find((one) => one.question === question);
  if (row === undefined) throw new Error(`no row ${question}`);
  return row.read(body);
};

const textOf = (parts: readonly SummaryText[]): string =>
  parts.map((part) => (typeof part === "string" ? part : String(part.value))).join("");

const shown = ({ parts, tone }: RowAnswer): readonly string[] => [tone, textOf(parts)];

describe("whether a token can be sold", () => {
  const sale = (body: JsonObject) => answered(TOKEN_SUMMARY, "Can it be sold?", body);
  const simulated = (simulation: JsonObject, security_flags: JsonObject = {}, alerts: readonly JsonObject[] = []) => ({
    risk_overview: { simulation },
    security_flags,
    alerts,
  });

  test("is yes after a simulated sale, with its block", () => {
    const body = simulated({ status: "done", block_number: 870, eoa_buyer: { can_sell: true } });
    expect(shown(sale(body))).toEqual(["good", "Yes. A simulated sale succeeded at block 870"]);
  });

  test("is no for a honeypot even if a sale succeeded", () => {
    const body = simulated({ status: "done", block_number: 870, eoa_buyer: { can_sell: true } }, { is_honeypot: true });
    expect(sale(body).tone).toBe("bad");
  });

  test("is a warning where an alert limits later sales or holders are stuck", () => {
    const simulation = { status: "done", block_number: 1, eoa_buyer: { can_sell: true } };
    const alerts = [{ code: "stops_selling_later", description: "Sales fail after 300 blocks." }];
    expect(sale(simulated(simulation, {}, alerts))).toMatchObject({
      tone: "warn",
      notes: ["Sales fail after 300 blocks."],
    });
    const stuck = simulated({ ...simulation, holders_tested: 5, holders_failed: 2 });
    expect(sale(stuck)).toMatchObject({ tone: "warn", notes: ["2 of 5 tested holders could not move their tokens."] });
  });

  test("is unknown without a trial, never yes", () => {
    expect(shown(sale(simulated({ status: "no_pool" })))).toEqual([
      "unknown",
      "Unknown: no pool is deep enough for a trial",
    ]);
    expect(sale({}).tone).toBe("unknown");
  });
});

test("taxes name what is unknown and why, and none is only none where all three are known", () => {
  const body = {
    taxes: { buy_tax_percent: 0, sell_tax_percent: null, transfer_tax_percent: 0 },
    unavailable: [{ field: "taxes.sell_tax_percent", reason: "no sale could be made" }],
  };
  expect(answered(TOKEN_SUMMARY, "Taxes", body)).toEqual({
    parts: ["0 % on purchases, 0 % on transfers"],
    tone: "unknown",
    notes: ["Unknown on sales: no sale could be made."],
  });
  const none = { taxes: { buy_tax_percent: 0, sell_tax_percent: 0, transfer_tax_percent: 0 } };
  expect(shown(answered(TOKEN_SUMMARY, "Taxes", none))).toEqual(["good", "None on purchases, sales and transfers"]);
});

test("powers list what an account can do, and unknown powers are not none", () => {
  const found = {
    network: "evm",
    security_flags: { is_mintable: true, has_blacklist: null, transfer_pausable: false },
  };
  expect(answered(TOKEN_SUMMARY, "Powers over holders", found)).toEqual({
    parts: ["Can be minted"],
    tone: "warn",
    notes: ["Not known: blacklist."],
  });
  const open = { network: "evm", security_flags: { is_mintable: null } };
  expect(answered(TOKEN_SUMMARY, "Powers over holders", open).tone).toBe("unknown");
});

test("the verdict of a copied token is that it is a copy, whatever its traits are", () => {
  const bodies: Readonly<Record<string, JsonObject>> = {
    get_token_info: { symbol: "USDC", impersonates: { canonical_address: "0xc0de" }, price_usd: 1 },
    get_token_risk_traits: { risk_overview: { risk_level: "low" } },
  };
  const head = TOKEN_SUMMARY.head((tool) => bodies[tool] ?? null);
  expect(head.verdict).toEqual({ tone: "bad", text: "Copy of another token", reason: "The original is 0xc0de." });
  expect(head.figure).toEqual({ title: "Price", usd: 1, reason: null, note: null });
});

test("an unsellable token of a lesser level has a bad verdict, which names the sale", () => {
  const traits = { risk_overview: { risk_level: "medium", simulation: {} }, security_flags: { cannot_buy: true } };
  const head = TOKEN_SUMMARY.head((tool) => (tool === "get_token_risk_traits" ? traits : null));
  expect(head.verdict).toEqual({ tone: "bad", text: "Medium risk", reason: "It cannot even be bought." });
});

describe("the risk of a wallet", () => {
  const risk = (body: JsonObject) => answered(WALLET_SUMMARY, "Risk", body);

  test("names the largest exposure of either direction, with its share and distance", () => {
    const categories = [
      { category: "mixer", exposure_in_usd: 100, exposure_out_usd: 0, share_in_percent: 1, min_hops: 1 },
      { category: "non_kyc_exchange", exposure_in_usd: 5, exposure_out_usd: 900, share_out_percent: 12.5, min_hops: 3 },
    ];
    const body = { risk_level: "moderate", risk_score: 40, score_range: { min: 40, max: 55 }, categories };
    expect(shown(risk(body))).toEqual([
      "warn",
      "Moderate, 40 of 100; largest exposure: $900.00 of its payments reach exchange that does not identify customers (12.5 %, 3 steps away)",
    ]);
    expect(risk(body).notes).toEqual(["Up to 55 if all that is unknown were bad."]);
  });

  test("puts a sanction before the score, and is not good where the level is unknown", () => {
    expect(shown(risk({ risk_level: "low", risk_score: 3, sanctions: { listed: true } }))).toEqual([
      "bad",
      "It is on a sanctions list",
    ]);
    expect(risk({ risk_level: "unknown", risk_score: null }).tone).toBe("unknown");
  });

  test("says that a part of the history is missing", () => {
    const body = { risk_level: "low", risk_score: 0, coverage_percent: 40, tracing: { is_complete: false } };
    expect(risk(body).notes).toEqual(["Only 40 % of its history is indexed.", "Tracing left out a part of the money."]);
  });
});

test("a wallet without names is not named, and a worth without prices is unknown with its reason", () => {
  expect(shown(answered(WALLET_SUMMARY, "Who is it?", { identity: { account_type: "eoa" } }))).toEqual([
    "plain",
    "No imported list and no name service names it · plain account",
  ]);
  const body = {
    wealth: { total_value_usd: null },
    unavailable: [{ field: "wealth.total_value_usd", reason: "nothing of it has a price" }],
  };
  const worth = answered(WALLET_SUMMARY, "Net worth", body);
  expect(worth.tone).toBe("unknown");
  expect(worth.parts[0]).toEqual({ kind: "usd", value: null, reason: "nothing of it has a price" });
});

describe("a transaction", () => {
  test("shows what the acting account gained and lost, and counts the others", () => {
    const row = (address: string, symbol: string, amount: number, usd_value: number | null) => ({
      ...{ address, symbol, token: symbol, token_id: null, amount, usd_value },
    });
    const asset_changes = [row("A", "ETH", -1, -2000), row("A", "HRB", 500, null), row("P", "ETH", 1, 2000)];
    const answer = answered(TRANSACTION_SUMMARY, "What moved", { from: { address: "A" }, asset_changes });
    expect(textOf(answer.parts)).toBe("A: −1 ETH ($2,000.00), +500 HRB (value unknown)");
    expect(answer.notes[0]).toBe("1 other address gained or lost: see the details.");
  });

  test("counts a sandwich against the trader, and the gravest flag decides", () => {
    const signs = (body: JsonObject) => answered(TRANSACTION_SUMMARY, "Signs of risk", body);
    expect(shown(signs({ risk_flags: [], mev: { kind: "sandwich_victim" } }))).toEqual([
      "warn",
      "Victim of a sandwich attack",
    ]);
    const flags = [
      { code: "drain_pattern", severity: "critical", description: "V lost all." },
      { code: "approval_to_fresh_contract", severity: "medium", description: "B is new." },
    ];
    expect(signs({ risk_flags: flags })).toEqual({
      parts: ["The wallet was drained (critical), approval to a new contract (medium)"],
      tone: "bad",
      notes: ["V lost all.", "B is new."],
    });
    expect(signs({ risk_flags: [] }).tone).toBe("good");
  });

  test("that failed is no success without signs", () => {
    const body = { status: "failed", risk_flags: [], revert: { reason: "TransferHelper: too little" } };
    expect(TRANSACTION_SUMMARY.head(() => body).verdict).toEqual({
      tone: "bad",
      text: "Failed",
      reason: "The contract's reason: TransferHelper: too little",
    });
  });
});

test("published source is no good verdict, and unknown is not unpublished", () => {
  const verdict = (body: JsonObject) => CONTRACT_SUMMARY.head(() => body).verdict;
  expect(verdict({ is_verified: true })?.tone).toBe("plain");
  expect(verdict({ is_verified: false })?.tone).toBe("warn");
  expect(verdict({ is_verified: null })).toEqual({
    tone: "unknown",
    text: "Source unknown",
    reason: "The answer gives no reason",
  });
});
