import { DOLLAR, ETHER, type EvmScenario, FOREVER, on, type ScenarioAct } from "../act.ts";
import { projectCode } from "../artifacts.ts";
import type { EvmScenarioChain } from "../scenario_chain.ts";
import { approve } from "./exchanges.ts";
import { SWAP_TOKENS } from "./market.ts";

/** Amounts of the simple books; `test/fixtures/evm_expected.ts` adds them up. */
export const BOOKS = {
  bob_buys_usdc: 1_000n * DOLLAR,
  carol_pays_frank_usdc: 1_200n * DOLLAR,
  exchange_pays_carol_usdt: 2_000n * DOLLAR,
  carol_pays_bob_usdt: 500n * DOLLAR,
  erin_wraps: 2n * ETHER,
  erin_unwraps: ETHER / 2n,
  erin_pays_bob_weth: ETHER / 4n,
  frank_pays_carol: ETHER / 10n,
} as const;

const pay = (
  stage: EvmScenarioChain,
  from: string,
  [token, to, amount]: readonly [token: string, to: string, amount: bigint],
) => stage.act({ from, to: token, call: ["transfer(address,uint256)", [`@${to}`, amount]] });

/** A purchase and a sale in a pool without other traders. */
const bobBuys = async (stage: EvmScenarioChain): Promise<void> => {
  await approve(stage, "bob", { token: "usdc", spender: "v2_router" });
  const args = [BOOKS.bob_buys_usdc, 0n, ["@usdc", "@sunrise"], "@bob", FOREVER];
  await stage.act({ from: "bob", to: "v2_router", call: [SWAP_TOKENS, args] });
};

const bobSells = async (stage: EvmScenarioChain): Promise<void> => {
  // balanceOf returns a uint256.
  const held = (await stage.read("sunrise", "balanceOf(address) view returns (uint256)", ["@bob"])) as bigint;
  await approve(stage, "bob", { token: "sunrise", spender: "v2_router" });
  const args = [held / 2n, 0n, ["@sunrise", "@usdc"], "@bob", FOREVER];
  await stage.act({ from: "bob", to: "v2_router", call: [SWAP_TOKENS, args] });
};

/**
 * Every way to fail: too little balance, a revert four calls deep, no gas left, a limit of a swap. Only fees are lost.
 */
const frankFails = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.create("forwarder", { from: "dave", code: projectCode("Forwarder") });
  const deep = ["refuse(uint256) payable", [3n]] as const;
  const swap = "swapExactETHForTokens(uint256,address[],address,uint256) payable returns (uint256[])";
  const wish = [swap, [1_000_000n * ETHER, ["@weth", "@harbor"], "@frank", FOREVER]] as const;
  const greedy = ["transfer(address,uint256)", ["@carol", 1_000_000n * DOLLAR]] as const;
  await stage.act({ from: "frank", to: "usdc", call: greedy, fails: true });
  await stage.act({ from: "frank", to: "forwarder", call: deep, value: ETHER / 10n, fails: true });
  await stage.act({
    from: "frank",
    to: "forwarder",
    call: ["spin() payable", []],
    value: ETHER / 5n,
    gas: 100_000,
    fails: true,
  });
  await stage.act({ from: "frank", to: "v2_router", call: wish, value: ETHER / 2n, fails: true });
};

/** Histories so simple that every number can be computed by hand. */
export const books: EvmScenario = (stage): readonly ScenarioAct[] => [
  { at: on(10, 10), run: () => bobBuys(stage) },
  { at: on(40, 10), run: () => bobSells(stage) },
  { at: on(20, 11), run: () => pay(stage, "carol", ["usdc", "frank", BOOKS.carol_pays_frank_usdc]) },
  { at: on(30, 11), run: () => pay(stage, "exchange", ["usdt", "carol", BOOKS.exchange_pays_carol_usdt]) },
  { at: on(35, 11), run: () => pay(stage, "carol", ["usdt", "bob", BOOKS.carol_pays_bob_usdt]) },
  {
    at: on(21, 12),
    run: () => stage.act({ from: "erin", to: "weth", call: ["deposit() payable", []], value: BOOKS.erin_wraps }),
  },
  {
    at: on(23, 12),
    run: () => stage.act({ from: "erin", to: "weth", call: ["withdraw(uint256)", [BOOKS.erin_unwraps]] }),
  },
  { at: on(25, 12), run: () => pay(stage, "erin", ["weth", "bob", BOOKS.erin_pays_bob_weth]) },
  { at: on(13, 16), run: () => frankFails(stage) },
  { at: on(14, 16), run: () => stage.act({ from: "frank", to: "carol", value: BOOKS.frank_pays_carol, gas: 21_000 }) },
];
