// @long: alone
import { afterAll, beforeAll, expect, test } from "vitest";
import { DOLLAR, ETHER } from "../../src/demo/evm/act.ts";
import { openDemoWorld, type WorldService } from "./served_world.ts";
import { openTruth, runMore, type Truth } from "./truth.ts";
import { expectPaid, isFollowed, openWatcher, SOON, WATCHING, type Watcher } from "./watcher.ts";

/** Every kind of event on a chain with prices, labels and issuers that freeze, assessed by the tools themselves. */

let stage: WorldService;
let truth: Truth;
let watcher: Watcher;
const rules: string[] = [];
beforeAll(async () => {
  stage = await openDemoWorld({ settings: WATCHING });
  truth = await openTruth(stage.world);
  watcher = await openWatcher(stage.service);
});
afterAll(() => stage?.close());

const watch = async (wish: object): Promise<string> => {
  const id = await watcher.watch({ network: "demo", ...wish });
  rules.push(id);
  return id;
};
const at = (name: string): string => truth.addressOf(name);
const typesOf = (rule: string) => expect.poll(() => watcher.types(rule), SOON);

test("gives a movement its hour's value, a name and the category of its counterparty", async () => {
  await isFollowed(stage.service, "demo");
  const dear = await watch({ address: at("bob"), min_usd: 1 });
  const unpriced = await watch({ address: at("bob"), min_usd: 1, include_unpriced: true });
  const from_exchange = await watch({ address: at("bob"), categories: ["exchange"] });
  const all = await watch({ address: at("bob"), direction: "in" });
  const spend = await watch({ address: at("bob"), events: ["approval"] });
  const dollars = await watch({ token: at("usdc"), events: ["movement", "approval"] });
  await runMore(stage, async (world) => {
    await world.act({ from: "alice", to: "bob", value: ETHER, gas: 21_000 });
    await world.act({ from: "alice", to: "bob", value: 1n, gas: 21_000 });
    await world.act({ from: "exchange", to: "bob", value: 2n, gas: 21_000 });
    await world.act({ from: "alice", to: "usdc", call: ["transfer(address,uint256)", ["@bob", 2n * DOLLAR]] });
    await world.act({ from: "bob", to: "usdc", call: ["approve(address,uint256)", ["@alice", 5n]] });
    await world.act({ from: "ivan", to: "spam", call: ["airdrop(address[],uint256)", [["@bob"], 7n]] });
  });
  await typesOf(all).toHaveLength(5);
  await typesOf(dear).toEqual(["movement", "movement"]);
  await typesOf(unpriced).toEqual(["movement", "movement", "movement"]);
  await typesOf(from_exchange).toEqual(["movement"]);
  await typesOf(spend).toEqual(["approval"]);
  await typesOf(dollars).toEqual(["movement", "approval"]);
  const [ether, coins] = await watcher.told(dear);
  const price = await truth.etherUsd(Math.floor(Date.parse(ether.block.time) / 1_000));
  expect(ether.usd).toBeCloseTo(price ?? 0, 2);
  expect(coins).toMatchObject({ movement: { amount_raw: "2000000", token: { symbol: "USDC", decimals: 6 } } });
  expect(coins.usd).toBeCloseTo(2, 1);
  const [, , spam] = await watcher.told(unpriced);
  expect(spam).toMatchObject({ usd: null, movement: { amount_raw: "7", token: { symbol: "CLAIM" } } });
  expect((await watcher.told(from_exchange))[0]).toMatchObject({
    movement: { amount_raw: "2" },
    counterparties: [{ label: "Harbour Exchange hot wallet", category: "exchange" }],
  });
  expect((await watcher.told(spend))[0]).toMatchObject({
    approval: {
      ...{ kind: "erc20", token: { symbol: "USDC" }, owner: at("bob"), spender: at("alice") },
      ...{ amount_raw: "5", token_id: null, is_granted: true },
    },
    counterparties: [{ address: at("alice") }],
  });
  expect((await watcher.told(dollars))[0]).toMatchObject({
    ...{ subject: { kind: "token", address: at("usdc") }, direction: "transfer" },
    counterparties: [{ address: at("alice") }, { address: at("bob") }],
  });
});

/** Waits until the first levels, with which changes are compared, are known. */
const isJudged = () => expect.poll(() => stage.service.accounts.watch.levels.waiting(["demo"], 1), SOON).toEqual([]);

test("reports a freeze to watchers of the account and of the coin; the account's risk rises, and falls with the block", async () => {
  const victim = await watch({ address: at("bob"), events: ["freeze", "risk"] });
  const coin = await watch({ token: at("usdc"), events: ["freeze"] });
  await isJudged();
  const number = await runMore(stage, (world) =>
    world.act({ from: "trent", to: "usdc", call: ["blacklist(address)", ["@bob"]] }),
  );
  await typesOf(victim).toEqual(["freeze", "risk"]);
  await typesOf(coin).toEqual(["freeze"]);
  const [freeze, risk] = await watcher.told(victim);
  expect(freeze).toMatchObject({
    ...{ block: { number, state: "tail" }, usd: null },
    freeze: { effect: "freeze", token: { symbol: "USDC" }, account: at("bob"), amount_raw: null },
  });
  // Frozen accounts score 91 or more.
  expect(risk).toMatchObject({ subject: freeze.subject, block: { number }, risk: { before: "low", now: "severe" } });
  expect(risk.risk.risk_score).toBeGreaterThanOrEqual(91);
  await stage.world.rpc.call("anvil_reorg", 1, []);
  await runMore(stage, (world) => world.act({ from: "alice", to: "carol", value: 1n, gas: 21_000 }));
  await typesOf(victim).toEqual(["freeze", "risk", "retracted", "retracted", "risk"]);
  await typesOf(coin).toEqual(["freeze", "retracted"]);
  const [, , first, second, after] = await watcher.told(victim);
  expect([first.retracts, second.retracts]).toEqual([freeze.id, risk.id]);
  expect(after.risk).toMatchObject({ before: "severe", now: "low" });
});

test("reports another risk of a token that moves after its fees were raised", async () => {
  const token = await watch({ token: at("trap_tax"), events: ["risk"] });
  const minted = await watch({ token: at("trap_tax"), direction: "in" });
  await isJudged();
  await runMore(stage, async (world) => {
    const fees = [2_500n, 2_500n, 2_500n];
    await world.act({ from: "tess", to: "trap_tax", call: ["setFees(uint256,uint256,uint256)", fees] });
    await world.act({ from: "quinn", to: "trap_tax", call: ["transfer(address,uint256)", ["@bob", 4n]] });
  });
  await typesOf(token).toEqual(["risk"]);
  const [risk] = await watcher.told(token);
  expect(risk).toMatchObject({ subject: { kind: "token", address: at("trap_tax") } });
  expect(risk.risk).toMatchObject({ before: "medium", now: "high" });
  expect(await watcher.types(minted)).toEqual([]);
});

test("charges each event once", () => expectPaid(stage.service, watcher, rules));
