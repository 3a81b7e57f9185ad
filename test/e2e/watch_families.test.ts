// @long: alone
import { afterAll, beforeAll, expect, test } from "vitest";
import { formatAddress } from "../../src/chains/tron/address.ts";
import { DOLLAR, SECONDS_A_DAY } from "../../src/demo/evm/act.ts";
import { instruction } from "../../src/demo/solana/acts.ts";
import { freeze, mint, payCoins, SOL, sendToken, UNIT } from "../../src/demo/solana/character_transactions.ts";
import { TOKENS } from "../../src/demo/solana/characters.ts";
import { makeCharacters, openSolanaScenario, type SolanaScenarioChain } from "../../src/demo/solana/scenario_chain.ts";
import { hex } from "../../src/lib/bytes.ts";
import { type FamiliesService, openFamilies, T0 } from "./served_world.ts";
import { expectPaid, isFollowed, openWatcher, SOON, WATCHING, type Watcher } from "./watcher.ts";

/** Events of watching on Solana and on Tron, and their revocations. */

const AFTER = T0 + 90 * SECONDS_A_DAY;

let stage: FamiliesService;
let solana: SolanaScenarioChain;
beforeAll(async () => {
  stage = await openFamilies({ settings: WATCHING });
  solana = await openSolanaScenario(stage.solana.facade, await makeCharacters(), AFTER);
  solana.at(AFTER + 12);
});
afterAll(() => stage?.close());

interface Watching extends Watcher {
  readonly rules: string[];
  readonly expectTypes: (rule: string, types: readonly string[]) => Promise<void>;
}

/** A separate account on a followed network. */
const watching = async (network: string): Promise<Watching> => {
  await isFollowed(stage.service, network);
  const watcher = await openWatcher(stage.service);
  const rules: string[] = [];
  return {
    ...watcher,
    rules,
    watch: async (wish) => {
      const id = await watcher.watch({ network, ...wish });
      rules.push(id);
      return id;
    },
    expectTypes: (rule, types) => expect.poll(() => watcher.types(rule), SOON).toEqual(types),
  };
};

test("watches wallets and mints on Solana, whatever accounts hold the coins, and revokes events of forks", async () => {
  const own = await watching("demo-solana");
  const { characters, mints, facade } = stage.solana;
  const wallet = await own.watch({ address: characters.bob, events: ["movement", "approval", "freeze"] });
  const dear = await own.watch({ address: characters.bob, min_usd: 1 });
  const coin = await own.watch({ token: mints.usdc, events: ["movement", "approval", "freeze"] });
  const minted = await own.watch({ token: mints.usdc, direction: "in" });
  await payCoins(solana, { from: "alice", to: "bob", amount: SOL / 10n });
  await sendToken(solana, "usdc", { from: "alice", to: "bob", amount: UNIT / 2n });
  await mint(solana, "usdc", { from: "trent", to: "bob", amount: 3n * UNIT });
  await approve(7n);
  await freeze(solana, "freeze", "bob");
  await own.expectTypes(wallet, ["movement", "movement", "movement", "approval", "freeze"]);
  await own.expectTypes(coin, ["movement", "movement", "approval", "freeze"]);
  await own.expectTypes(minted, ["movement"]);
  const all = await own.told(wallet);
  const dollars = { address: mints.usdc, symbol: "USDC", decimals: 6, standard: "spl" };
  const [bob, alice] = [characters.bob, characters.alice];
  const said = all.map(({ movement, approval, freeze: frozen }) => movement ?? approval ?? frozen);
  expect(said).toMatchObject([
    { kind: "native", amount_raw: "100000000", source: alice, destination: bob },
    { kind: "spl", token: dollars, amount_raw: "500000", source: alice, destination: bob },
    { kind: "spl", token: dollars, amount_raw: "3000000", source: null, destination: bob },
    { kind: "spl", token: dollars, amount_raw: "7", owner: bob, spender: alice, is_granted: true },
    { effect: "freeze", token: dollars, account: bob, amount_raw: null },
  ]);
  // Half a dollar is below the minimum value. A tenth of a coin: SOL is worth some 200 dollars here.
  expect((await own.told(dear)).map(({ usd }) => usd)).toEqual([expect.closeTo(20, 0), 3]);
  facade.fork(1);
  facade.seal(0, AFTER + 100);
  facade.seal(0, AFTER + 112);
  await own.expectTypes(coin, ["movement", "movement", "approval", "freeze", "retracted", "freeze"]);
  const [frozen, retracted, again] = (await own.told(coin)).slice(3);
  expect(retracted).toMatchObject({ retracts: frozen.id, block: frozen.block });
  expect(again.block.number).toBeGreaterThan(frozen.block.number);
  expect(again).toMatchObject({ transaction: frozen.transaction, freeze: frozen.freeze });
  await expectPaid(stage.service, own, own.rules);
});

/** bob approves this many of his dollars for alice. */
const approve = (amount: bigint): Promise<void> => {
  const { bob, alice } = solana.characters;
  const data = Buffer.alloc(9);
  data.writeUInt8(4);
  data.writeBigUInt64LE(amount, 1);
  const used = [[solana.account(bob.address, "usdc"), "w"] as const, [alice.address, "r"] as const];
  const does = [instruction(TOKENS.usdc.program, [...used, [bob.address, "rs"]], data)];
  return solana.act({ by: "bob", does });
};

test("sends the same events on Tron with its names, and revokes them with their block", async () => {
  const own = await watching("demo-tron");
  const { tron } = stage;
  const at = (name: string) => formatAddress(hex(tron.stage.address(name).slice(2).toLowerCase()));
  const wallet = await own.watch({ address: at("bob"), events: ["movement", "freeze", "approval"] });
  const risk = await own.watch({ address: at("bob"), events: ["risk"] });
  const coin = await own.watch({ token: at("usdt"), events: ["movement", "freeze", "approval"] });
  const dear = await own.watch({ address: at("bob"), min_usd: 1 });
  await expect.poll(() => stage.service.accounts.watch.levels.waiting(["demo-tron"], 1), SOON).toEqual([]);
  tron.stage.at(AFTER);
  await tron.stage.act({ from: "alice", to: "bob", value: 1_000_000n, gas: 21_000 });
  await tron.stage.act({ from: "alice", to: "usdt", call: ["transfer(address,uint256)", ["@bob", DOLLAR]] });
  await tron.stage.act({ from: "bob", to: "usdt", call: ["approve(address,uint256)", ["@alice", 5n]] });
  await tron.stage.act({ from: "trent", to: "usdt", call: ["addBlackList(address)", ["@bob"]] });
  await own.expectTypes(wallet, ["movement", "movement", "approval", "freeze"]);
  await own.expectTypes(coin, ["movement", "approval", "freeze"]);
  await own.expectTypes(risk, ["risk"]);
  const [alice, bob] = [at("alice"), at("bob")];
  const dollars = { address: at("usdt"), symbol: "USDT", decimals: 6, standard: "trc20" };
  const all = await own.told(wallet);
  expect(all.map(({ movement, approval, freeze: frozen }) => movement ?? approval ?? frozen)).toMatchObject([
    { kind: "native", token: { symbol: "TRX" }, amount_raw: "1000000", source: alice, destination: bob },
    { kind: "trc20", token: dollars, amount_raw: "1000000", source: alice, destination: bob },
    { kind: "trc20", token: dollars, amount_raw: "5", owner: bob, spender: alice, is_granted: true },
    { effect: "freeze", token: dollars, account: bob, amount_raw: null },
  ]);
  // A coin of Tron is a quarter of a dollar here.
  expect((await own.told(dear)).map(({ usd }) => usd)).toEqual([1]);
  expect((await own.told(risk))[0].risk).toMatchObject({ now: "severe" });
  const head = await tron.facade.head();
  await tron.stage.rpc.call("anvil_reorg", 1, []);
  tron.facade.forget(head);
  await tron.stage.act({ from: "alice", to: "carol", value: 7n, gas: 21_000 });
  await own.expectTypes(wallet, ["movement", "movement", "approval", "freeze", "retracted"]);
  // A risk that could not be assessed while the tail was read again is retried a minute later.
  await expect.poll(() => own.types(risk), { ...SOON, timeout: 100_000 }).toEqual(["risk", "retracted", "risk"]);
  const [rise, , fall] = await own.told(risk);
  expect(fall.risk).toMatchObject({ before: "severe", now: rise.risk.before });
  await expectPaid(stage.service, own, own.rules);
});
