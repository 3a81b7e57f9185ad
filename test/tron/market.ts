/**
 * A small market on Tron, written by hand: SunSwap v2 with two pools, traders, burnt tokens and a blacklisted thief.
 */

import { DOLLAR, ETHER, FOREVER, UNLIMITED } from "../../src/demo/evm/act.ts";
import { projectCode, theirs } from "../../src/demo/evm/artifacts.ts";
import { type HexText, quantity } from "../../src/demo/evm/rpc.ts";
import { type EvmScenarioChain, openScenarioChain } from "../../src/demo/evm/scenario_chain.ts";
import type { Facade } from "../../src/demo/tron/facade.ts";
import { setOwners } from "../../src/demo/tron/ledger.ts";
import { startTronNode } from "../../src/demo/tron/node.ts";
import { createWtrx } from "../../src/demo/tron/wtrx.ts";
import { venuesOf } from "../../src/protocols/venues.ts";
import type { TronWorld } from "./traffic.ts";

const TRX = 1_000_000n;
const HOUR = 3_600;
/** Trading begins two days after the first block, so that there are whole days before it. */
const OPENING = 48 * HOUR;
/** Blocks become final in the index by spans of 32. */
const FINAL_SPAN = 64;
/** Unix seconds of the first block: a midnight. */
const MARKET_START = Date.UTC(2026, 0, 1) / 1_000;
/** Burn addresses: the customary neighbour of the zero address, and Tron's own black hole. */
export const DEAD: HexText = `0x${"0".repeat(36)}dead`;
export const BLACK_HOLE: HexText = "0x77944d19c052b73ee2286823aa83f8138cb7032f";
/** SunSwap v2's factory on Tron. */
const SUNSWAP_V2: HexText = `0x${[...venuesOf("tron").values()].find(({ venue }) => venue === "sunswap_v2")?.factory}`;

const PEOPLE = ["alice", "bob", "carol", "dave", "mallory"] as const;
const ADD =
  "addLiquidity(address,address,uint256,uint256,uint256,uint256,address,uint256) returns (uint256,uint256,uint256)";
const SWAP = "swapExactTokensForTokens(uint256,uint256,address[],address,uint256) returns (uint256[])";

const send = (stage: EvmScenarioChain, token: string, [from, to]: readonly [string, string], amount: bigint) =>
  stage.act({ from, to: token, call: ["transfer(address,uint256)", [to.startsWith("0x") ? to : `@${to}`, amount]] });

const swap = (stage: EvmScenarioChain, who: string, [paid, bought]: readonly [string, string], amount: bigint) =>
  stage.act({ from: who, to: "router", call: [SWAP, [amount, 0n, [`@${paid}`, `@${bought}`], `@${who}`, FOREVER]] });

const nameFactory = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.create("factory_code", {
    from: "oscar",
    code: theirs("UniswapV2Factory"),
    args: ["address", ["@oscar"]],
  });
  const code = await stage.rpc.call("eth_getCode", stage.address("factory_code"), "latest");
  await stage.rpc.call("anvil_setCode", SUNSWAP_V2, code);
  stage.name("sunswap", SUNSWAP_V2);
};

const build = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.together(
    [...PEOPLE, "oscar"].map((to) => ({ from: "bank", to, value: (to === "carol" ? 2_000_000n : 10_000n) * TRX })),
  );
  await nameFactory(stage);
  await createWtrx(stage, "oscar");
  const wired = ["address,address", ["@sunswap", "@wtrx"]] as const;
  await stage.create("router", { from: "oscar", code: theirs("UniswapV2Router02"), args: wired });
  await stage.create("usdt", {
    from: "carol",
    code: projectCode("TetherToken"),
    args: ["uint256,string,string,uint256", [10_000_000n * DOLLAR, "Tether USD", "USDT", 6n]],
  });
  await stage.create("lantern", {
    from: "alice",
    code: projectCode("MintableToken"),
    args: ["string,string,uint256", ["Lantern", "LAN", 1_000_000n * ETHER]],
  });
};

const openPools = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.act({ from: "carol", to: "wtrx", value: 1_000_000n * TRX, call: ["deposit()", []] });
  const given = [
    ["alice", 60_000n],
    ["bob", 10_000n],
    ["dave", 20_000n],
    ["mallory", 5_000n],
  ] as const;
  for (const [to, dollars] of given) await send(stage, "usdt", ["carol", to], dollars * DOLLAR);
  const spent = [
    ["carol", "wtrx"],
    ["carol", "usdt"],
    ["alice", "lantern"],
    ["alice", "usdt"],
    ["bob", "usdt"],
    ["bob", "lantern"],
    ["dave", "usdt"],
  ] as const;
  for (const [from, token] of spent)
    await stage.act({ from, to: token, call: ["approve(address,uint256)", ["@router", UNLIMITED]] });
  const add = (from: string, sides: readonly [string, bigint, string, bigint]) => {
    const [a, amount_a, b, amount_b] = sides;
    const args = [`@${a}`, `@${b}`, amount_a, amount_b, 0n, 0n, `@${from}`, FOREVER];
    return stage.act({ from, to: "router", call: [ADD, args], gas: 8_000_000 });
  };
  // A TRX is a quarter of a dollar, a Lantern half a dollar.
  await add("carol", ["wtrx", 1_000_000n * TRX, "usdt", 250_000n * DOLLAR]);
  await add("alice", ["lantern", 100_000n * ETHER, "usdt", 50_000n * DOLLAR]);
};

/** Empty blocks: one an hour until the opening, then one a minute, so that everything before the trades is final. */
const wait = async ({ rpc }: EvmScenarioChain): Promise<void> => {
  const hours = Array.from({ length: OPENING / HOUR - 1 }, (_, i) => (i + 1) * HOUR);
  const minutes = Array.from({ length: FINAL_SPAN }, (_, i) => OPENING + i * 60);
  for (const time of [...hours, ...minutes]) {
    await rpc.batch([
      { method: "evm_setNextBlockTimestamp", params: [quantity(MARKET_START + time)] },
      { method: "evm_mine", params: [] },
    ]);
  }
};

const trade = async (stage: EvmScenarioChain, facade: Facade): Promise<void> => {
  stage.at(MARKET_START + OPENING + 2 * HOUR);
  await swap(stage, "bob", ["usdt", "lantern"], 1_000n * DOLLAR);
  await swap(stage, "dave", ["usdt", "lantern"], 2_000n * DOLLAR);
  stage.at(MARKET_START + OPENING + 3 * HOUR);
  await swap(stage, "bob", ["lantern", "usdt"], 500n * ETHER);
  stage.at(MARKET_START + OPENING + 4 * HOUR);
  await send(stage, "lantern", ["alice", BLACK_HOLE], 3_000n * ETHER);
  await send(stage, "lantern", ["alice", DEAD], 7_000n * ETHER);
  await send(stage, "usdt", ["mallory", "bob"], 4_000n * DOLLAR);
  // From now on two must sign for alice, who can still mint and pause her token.
  const signers = ["bob", "carol"].map((name) => stage.address(name));
  await facade.system(setOwners(stage.address("alice"), signers, 2));
  stage.at(MARKET_START + OPENING + 5 * HOUR);
  await stage.act({ from: "carol", to: "usdt", call: ["addBlackList(address)", ["@mallory"]] });
};

/** The whole scenario: two days and five hours. */
export const startTronMarket = async (): Promise<TronWorld> => {
  const { anvil, facade, stop } = await startTronNode();
  try {
    const stage = openScenarioChain(anvil.rpc, "tron", MARKET_START);
    await build(stage);
    await openPools(stage);
    await wait(stage);
    await trade(stage, facade);
    return { facade, stage, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
