import { beforeAll, describe, expect, test } from "vitest";
import { DOLLAR, ETHER, on, UNLIMITED } from "../../../src/demo/evm/act.ts";
import { PROTOCOLS } from "../../../src/demo/evm/scenarios/protocols.ts";
import { BOB_SUNRISE } from "../../fixtures/evm_expected.ts";
import { type Analyst, analyst, codesOf } from "../analyzed.ts";
import { expectNear } from "../near.ts";
import { type SharedWorldService, sharedWorld, T0 } from "../served_world.ts";
import { openTruth, type Truth } from "../truth.ts";

let stage: SharedWorldService;
let truth: Truth;
let words: Analyst;

beforeAll(async () => {
  stage = await sharedWorld();
  truth = await openTruth(stage.world);
  words = analyst(stage, truth);
}, 120_000);

const at = (name: string): string => truth.addressOf(name);

describe("exchange", () => {
  test("shows bob's purchase: 1,000 USDC for the output of the constant product, at the hour's price", async () => {
    const body = await words.told(words.hashOf("bob", 1));
    expect(body).toMatchObject({
      status: "success",
      category: "swap",
      network: "demo",
      revert: null,
      truncated: false,
    });
    expect(body.method).toMatchObject({ name: "swapExactTokensForTokens", source: "signature_db" });
    expect(body.method.decoded_args[0]).toEqual({ name: null, type: "uint256", value: "1000000000" });
    const [swap] = body.actions;
    expect(swap).toMatchObject({ type: "swap", protocol: "Uniswap v2", actor: at("bob"), usd_value: 1_000 });
    expect(swap.tokens_out).toMatchObject([{ token: at("usdc"), amount: 1_000, amount_raw: "1000000000" }]);
    expect(swap.tokens_in).toMatchObject([{ token: at("sunrise"), amount_raw: BOB_SUNRISE.bought.toString() }]);
    expect(words.changesOf(body, "bob")).toEqual({
      [at("usdc")]: "-1000000000",
      [at("sunrise")]: BOB_SUNRISE.bought.toString(),
    });
    expect(words.changesOf(body, "pair_sunrise_usdc")).toEqual({
      [at("usdc")]: "1000000000",
      [at("sunrise")]: (-BOB_SUNRISE.bought).toString(),
    });
    const [sent] = truth.sentBy("bob").slice(1);
    const usd = await truth.etherUsd(T0 + on(10, 10));
    expect(body.fee.native_amount_raw).toBe(sent?.fee.toString());
    expectNear(body.fee, { usd: (Number(sent?.fee) / 1e18) * (usd ?? Number.NaN) });
    // Blocks from its own to the newest, both counted.
    expect(body.confirmations).toBe(stage.world.head.number - (sent?.block ?? 0) + 1);
    expect(body.metadata.coverage.traces).toBe(true);
    expect(body.summary_text).toContain("1,000 USDC");
    // A sentence contains no symbol that any deployer could have chosen.
    expect(body.summary_text).not.toContain("SUN");
  });

  test("finds alice between two of mallory's swaps, and marks all three", async () => {
    const times = truth.sent.filter(({ time }) => time > T0 + on(44, 17) && time < T0 + on(44, 17.1));
    const [front, victim, back] = times.slice(-3).map(({ hash }) => hash);
    const bodies = await Promise.all([front, victim, back].map((hash) => words.told(hash ?? "")));
    expect(bodies.map(({ mev }) => mev)).toEqual([
      { kind: "sandwich_attacker", related_tx: [victim, back] },
      { kind: "sandwich_victim", related_tx: [front, back] },
      { kind: "sandwich_attacker", related_tx: [front, victim] },
    ]);
    expect(words.changesOf(bodies[1], "alice").native).toBe((-ETHER).toString());
    // Another purchase of alice in the same pool, alone in its block.
    expect((await words.told(words.onDay("alice", 46, 0))).mev).toEqual({ kind: null, related_tx: [] });
  });

  test("shows how grace's position in the v3 pool is withdrawn as liquidity, then as coins", async () => {
    const [less, collected] = await Promise.all([
      words.told(words.onDay("grace", 70, 0)),
      words.told(words.onDay("grace", 70, 1)),
    ]);
    expect([less.category, collected.category]).toEqual(["remove_liquidity", "remove_liquidity"]);
    expect(less.asset_changes).toEqual([]);
    const [taken] = collected.actions;
    expect(taken).toMatchObject({ type: "collect_fees", protocol: "Uniswap v3", actor: at("grace") });
    expect(Object.keys(words.changesOf(collected, "grace")).sort()).toEqual([at("usdc"), at("weth")].sort());
  });
});

describe("failures", () => {
  test("have a reason and a depth", async () => {
    const reasons = await Promise.all(
      [0, 1, 2, 3].map(async (n) => (await words.told(words.hashOf("frank", n))).revert),
    );
    expect(reasons).toEqual([
      // Behind the proxy of USDC.
      { reason: "Token20: balance too low", selector: "0x08c379a0", failed_at_depth: 1 },
      // The contract's own error, by its verified source. refuse(3) calls itself three times.
      { reason: "Refused(0)", selector: "0x590a5151", failed_at_depth: 3 },
      { reason: expect.stringMatching(/gas/i), selector: null, failed_at_depth: 0 },
      {
        reason: "UniswapV2Router: INSUFFICIENT_OUTPUT_AMOUNT",
        selector: "0x08c379a0",
        failed_at_depth: 0,
      },
    ]);
    const body = await words.told(words.hashOf("frank", 1));
    expect(body).toMatchObject({ status: "failed", actions: [], transfers: [], asset_changes: [], approvals: [] });
    expect(body.fee.native_amount_raw).toBe(truth.sentBy("frank")[1]?.fee.toString());
    expect(body.internal_calls.map(({ succeeded }: { succeeded: boolean }) => succeeded)).toEqual([
      false,
      false,
      false,
    ]);
  });
});

/** Net changes in both directions, by the story's amounts. */
const story = PROTOCOLS;

describe("protocols", () => {
  test.each([
    ["lend", "supply", 63, 2, { weth: -story.bridget_lends_weth, market_weth: story.bridget_lends_weth }],
    ["borrow", "borrow", 64, 0, { usdc: story.bridget_borrows_usdc }],
    ["repay", "repay", 66, 1, { usdc: -story.bridget_repays_usdc }],
    ["lend", "withdraw", 67, 0, { weth: story.bridget_takes_back_weth, market_weth: -story.bridget_takes_back_weth }],
    ["bridge", "bridge_out", 70, 1, { usdc: -story.bridget_locks_usdc }],
  ] as const)("category %s, action %s", async (category, type, day, n, changes) => {
    const body = await words.told(words.onDay("bridget", day, n));
    const [action] = body.actions;
    expect([body.category, action.type, action.actor]).toEqual([category, type, at("bridget")]);
    const expected = Object.entries(changes).map(([name, amount]) => [at(name), amount.toString()]);
    expect(words.changesOf(body, "bridget")).toEqual(Object.fromEntries(expected));
  });

  test("show coins that the bridge's owner sends from the other side to bridget", async () => {
    const body = await words.told(words.onDay("ada", 71, 0));
    expect(body.actions).toMatchObject([{ type: "bridge_in", actor: at("bridget"), usd_value: 200 }]);
    expect(words.changesOf(body, "bridget")).toEqual({ [at("usdc")]: story.ada_releases_usdc.toString() });
  });

  test("show a liquidation: 210 dollars of debt at 300 dollars per ether and a twentieth more is 0.735 ether", async () => {
    const body = await words.told(words.onDay("ada", 68, 1));
    expect(body).toMatchObject({ category: "repay", mev: { kind: "liquidation", related_tx: [] } });
    // 210 · 1.05 / 300 = 0.735
    expect(words.changesOf(body, "ada")).toEqual({ [at("usdc")]: "-210000000", [at("weth")]: "735000000000000000" });
    expect(words.changesOf(body, "bridget")).toEqual({ [at("market_weth")]: "-735000000000000000" });
  });

  test("show a ticket for half an ether", async () => {
    const body = await words.told(words.onDay("ada", 72, 2));
    expect(body.category).toBe("nft_trade");
    expect(body.actions).toMatchObject([
      {
        ...{ type: "nft_sale", protocol: "Seaport", actor: at("bridget") },
        tokens_out: [{ token: at("tickets"), token_id: "1", amount: 1 }],
        tokens_in: [{ token: "native", amount: 0.5 }],
      },
    ]);
    expect(words.changesOf(body, "ada")).toEqual({ native: (-story.ticket_wei).toString(), [at("tickets")]: "1" });
  });

  test("show the smart account's first operation, which creates it and pays its owner a quarter ether", async () => {
    const body = await words.told(words.onDay("ada", 74, 2));
    expect(body.category).toBe("user_operation");
    const types = body.actions.map(({ type }: { type: string }) => type);
    expect(types).toContain("deploy");
    expect(types.at(-1)).toBe("user_operation");
    expect(body.actions.at(-1).actor).toBe(at("bridgets_account"));
    expect(words.changesOf(body, "bridget")).toEqual({ native: story.account_pays_wei.toString() });
  });

  test("show the Safe's payment as its owners' decision", async () => {
    const body = await words.told(words.onDay("judy", 37, 0));
    expect(body).toMatchObject({ category: "multisig_exec", to: { address: at("judys_safe"), is_contract: true } });
    expect(words.changesOf(body, "judys_safe")).toEqual({ [at("usdc")]: (-250n * DOLLAR).toString() });
    // A Safe always runs its own singleton.
    expect(body.internal_calls.some(({ kind }: { kind: string }) => kind === "delegatecall")).toBe(true);
    expect(codesOf(body)).toEqual([]);
  });

  test("name a created contract", async () => {
    const body = await words.told(words.onDay("ada", 62, 0));
    expect(body).toMatchObject({ category: "deploy", to: null, method: null });
    expect(body.actions[0]).toMatchObject({ type: "deploy", actor: at("ada"), contract: at("lending_market") });
  });
});

describe("rights and risks", () => {
  test("report approvals to a young contract and to an unverified one as findings with evidence", async () => {
    const hash = words.onDay("bridget", 63, 1);
    const body = await words.told(hash);
    expect(body.approvals).toMatchObject([
      {
        ...{ token: at("weth"), owner: at("bridget"), spender: at("lending_market"), kind: "erc20" },
        ...{ is_unlimited: true, amount_raw: UNLIMITED.toString() },
      },
    ]);
    // The market's source is verified, and it is a day old.
    expect(codesOf(body)).toEqual(["approval_to_fresh_contract"]);
    const proof = { kind: "tx", ref: hash, observed_at: body.timestamp };
    expect(body.risk_flags[0].evidence).toEqual([proof]);
    // The router is no contract of this project, and nine days old.
    expect(codesOf(await words.told(words.hashOf("bob", 0)))).toEqual(["unlimited_approval_to_unverified"]);
    // The exact one of day 66 is four days later and not unlimited.
    expect(codesOf(await words.told(words.onDay("bridget", 66, 0)))).toEqual(["approval_to_fresh_contract"]);
  });

  test("report permits by signature, through a hub, and their revocation", async () => {
    const [signed, granted, closed] = await Promise.all([
      words.told(words.onDay("ada", 69, 0)),
      words.told(words.onDay("bridget", 73, 0)),
      words.told(words.onDay("bridget", 73, 1)),
    ]);
    expect(signed.approvals).toMatchObject([
      { kind: "permit", owner: at("bridget"), spender: at("ada"), amount: 25, is_unlimited: false },
    ]);
    expect(granted.approvals).toMatchObject([{ kind: "permit2", token: at("usdc"), is_unlimited: true }]);
    expect(closed.approvals).toMatchObject([{ kind: "permit2", token: at("usdc"), amount: 0, is_unlimited: false }]);
    expect(closed.actions).toMatchObject([{ type: "revoke", protocol: "Permit2" }]);
    expect([signed.category, granted.category, closed.category]).toEqual(["approval", "approval", "approval"]);
  });

  test("report that bridget's account delegates to unverified code", async () => {
    const body = await words.told(words.onDay("ada", 76, 1));
    const code = await truth.read("account_factory", "accountImplementation() view returns (address)", {});
    expect(body.actions).toMatchObject([
      { type: "delegate_code", protocol: "EIP-7702", actor: at("bridget"), contract: code },
    ]);
    expect(codesOf(body)).toEqual(["eip7702_delegation_to_unverified"]);
  });

  test("report two emptied tokens as a drain, and name foreign code that ran as the account's own", async () => {
    const swept = await words.told(words.onDay("ada", 80, 1));
    // 10,000 + 1,000 - 400 - 500 + 200 dollars; 4 - 3 + 1 wrapped ether.
    expect(words.changesOf(swept, "bridget")).toEqual({
      [at("usdc")]: (-10_300n * DOLLAR).toString(),
      [at("weth")]: (-2n * ETHER).toString(),
    });
    expect(codesOf(swept)).toEqual(["drain_pattern"]);
    // First code with verified source, then unverified code.
    expect(codesOf(await words.told(words.onDay("ada", 80, 2)))).toEqual([]);
    expect(codesOf(await words.told(words.onDay("ada", 80, 3)))).toEqual(["delegatecall_to_unverified"]);
  });

  test("report poisoned history and the payment that fell for it", async () => {
    expect(codesOf(await words.told(words.onDay("ivan", 33, 1)))).toEqual(["zero_value_poisoning"]);
    const paid = await words.told(words.onDay("heidi", 41, 0));
    expect(codesOf(paid)).toEqual(["lookalike_recipient"]);
    // The evidence is the payment to the imitated address.
    expect(paid.risk_flags[0].evidence[1].ref).toBe(words.onDay("heidi", 33, 0));
    expect(codesOf(await words.told(words.onDay("heidi", 33, 0)))).toEqual([]);
  });

  test("report a party as frozen from the issuer's transaction on, not before", async () => {
    const [before, after] = await Promise.all([
      words.told(words.onDay("mallory", 48, 0)),
      words.told(words.onDay("mallory", 61, 0)),
    ]);
    expect(codesOf(before)).toEqual([]);
    expect(codesOf(after)).toEqual(["issuer_frozen_party"]);
    expect(after.risk_flags[0].evidence).toMatchObject([{ kind: "tx", ref: words.onDay("trent", 61, 0) }]);
  });
});

describe("the network of a hash", () => {
  test("is found without a network, with every candidate listed and the same answer", async () => {
    const hash = words.hashOf("bob", 1);
    const [named, searched] = await Promise.all([
      words.analyze(hash),
      stage.ask("analyze_transaction", { tx_hash: hash.toUpperCase().replace("0X", "0x") }),
    ]);
    const { block_number, timestamp } = named.body;
    const candidates = [{ network: "demo", status: "success", block_number, timestamp }];
    expect(searched.body).toEqual({ ...named.body, candidates });
    expect(Number(named.headers.get("x-credits-charged"))).toBe(40);
  });

  test("has no data for an unknown hash on a fully indexed chain, or for a later one", async () => {
    const unknown = await words.analyze(`0x${"ab".repeat(32)}`);
    expect(unknown.body).toMatchObject({ status: "no_data", type: "transaction_analysis" });
    expect(Number(unknown.headers.get("x-credits-charged"))).toBe(40);
    const sent = truth.sentBy("bob")[1];
    const earlier = await words.analyze(sent?.hash ?? "", { as_of_block: (sent?.block ?? 0) - 1 });
    expect(earlier.body).toMatchObject({ status: "no_data" });
    const then = await words.analyze(sent?.hash ?? "", { as_of_block: sent?.block });
    expect(then.body).toMatchObject({ status: "success", confirmations: 1 });
  });

  test("rejects an invalid hash, and a block without a network, before anything is charged", async () => {
    const answers = await Promise.all([
      words.analyze("0x1234"),
      stage.ask("analyze_transaction", { tx_hash: words.hashOf("bob", 1), as_of_block: 5 }),
      stage.ask("analyze_transaction", { hash: words.hashOf("bob", 1) }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422]);
    expect(answers[2]?.body.detail).toContain("tx_hash");
  });

  test("is answered twice with the same bytes", async () => {
    const hash = words.onDay("ada", 74, 2);
    expect((await words.analyze(hash)).text).toBe((await words.analyze(hash)).text);
  });
});
