import { ETHER, type EvmScenario, FOREVER, on, type ScenarioAct } from "../act.ts";
import { projectCode } from "../artifacts.ts";
import type { EvmScenarioChain } from "../scenario_chain.ts";
import { approve } from "./exchanges.ts";
import { launch, plainToken } from "./tokens.ts";
import { BUY_WITH_ETHER, balanceOf, buyWithEther, SELL_FOR_ETHER, sellForEther } from "./traders.ts";

const SELL_FEE_TOKEN = "swapExactTokensForETHSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)";
const BUY_FEE_TOKEN = "swapExactETHForTokensSupportingFeeOnTransferTokens(uint256,address[],address,uint256) payable";

/** heidi can buy, and cannot sell. */
const honeypot = async (stage: EvmScenarioChain): Promise<void> => {
  const args = ["string,string,uint256", ["Sweet", "HNY", 1_000_000n * ETHER]] as const;
  await stage.create("honeypot", { from: "mallory", code: projectCode("HoneypotToken"), args });
  const pool = {
    owner: "mallory",
    token: "honeypot",
    pair: "pair_honeypot_weth",
    amount: 500_000n * ETHER,
    wei: 4n * ETHER,
  };
  await launch(stage, pool);
  await stage.act({ from: "mallory", to: "honeypot", call: ["setPool(address)", ["@pair_honeypot_weth"]] });
  await buyWithEther(stage, "heidi", ["honeypot", ETHER / 5n]);
  await approve(stage, "heidi", { token: "honeypot", spender: "v2_router" });
  const sale = [await balanceOf(stage, "heidi", "honeypot"), 0n, ["@honeypot", "@weth"], "@heidi", FOREVER];
  await stage.act({ from: "heidi", to: "v2_router", call: [SELL_FOR_ETHER, sale], fails: true });
};

const launchMoon = async (stage: EvmScenarioChain): Promise<void> => {
  await plainToken(stage, "mallory", ["moonlift", "Moonlift", "MOON"]);
  const pool = {
    owner: "mallory",
    token: "moonlift",
    pair: "pair_moonlift_weth",
    amount: 5_000_000n * ETHER,
    wei: 10n * ETHER,
  };
  await launch(stage, pool);
};

/** All liquidity is withdrawn two days after the launch. */
const pullMoon = async (stage: EvmScenarioChain): Promise<void> => {
  await approve(stage, "mallory", { token: "pair_moonlift_weth", spender: "v2_router" });
  const shares = await balanceOf(stage, "mallory", "pair_moonlift_weth");
  const removal = "removeLiquidityETH(address,uint256,uint256,uint256,address,uint256)";
  const args = ["@moonlift", shares, 0n, 0n, "@mallory", FOREVER];
  await stage.act({ from: "mallory", to: "v2_router", call: [removal, args] });
};

/** 5 % on purchases, 8 % on sales. */
const toll = async (stage: EvmScenarioChain): Promise<void> => {
  const args = ["string,string,uint256", ["Toll", "TOLL", 1_000_000n * ETHER]] as const;
  await stage.create("toll", { from: "mallory", code: projectCode("FeeToken"), args });
  const pool = { owner: "mallory", token: "toll", pair: "pair_toll_weth", amount: 400_000n * ETHER, wei: 10n * ETHER };
  await launch(stage, pool);
  await stage.act({ from: "mallory", to: "toll", call: ["setPool(address,bool)", ["@pair_toll_weth", true]] });
  const purchase = [BUY_FEE_TOKEN, [0n, ["@weth", "@toll"], "@alice", FOREVER]] as const;
  await stage.act({ from: "alice", to: "v2_router", value: ETHER / 2n, call: purchase });
};

const sellToll = async (stage: EvmScenarioChain): Promise<void> => {
  await approve(stage, "alice", { token: "toll", spender: "v2_router" });
  const half = (await balanceOf(stage, "alice", "toll")) / 2n;
  const args = [half, 0n, ["@toll", "@weth"], "@alice", FOREVER];
  await stage.act({ from: "alice", to: "v2_router", call: [SELL_FEE_TOKEN, args] });
};

/** alice's purchase is between two of mallory's, all in one block. */
const sandwich = async (stage: EvmScenarioChain): Promise<void> => {
  await approve(stage, "mallory", { token: "harbor", spender: "v2_router" });
  const buy = (who: string) => [BUY_WITH_ETHER, [0n, ["@weth", "@harbor"], `@${who}`, FOREVER]] as const;
  // Output for 3 ether at this moment: the front of the sandwich is the first in its block, so it receives exactly
  // that.
  const quote = "getAmountsOut(uint256,address[]) view returns (uint256[])";
  // getAmountsOut returns one amount per token of the path.
  const [, bought] = (await stage.read("v2_router", quote, [3n * ETHER, ["@weth", "@harbor"]])) as readonly bigint[];
  const back = [bought ?? 0n, 0n, ["@harbor", "@weth"], "@mallory", FOREVER];
  await stage.together([
    { from: "mallory", to: "v2_router", value: 3n * ETHER, call: buy("mallory") },
    { from: "alice", to: "v2_router", value: ETHER, call: buy("alice") },
    { from: "mallory", to: "v2_router", call: [SELL_FOR_ETHER, back] },
  ]);
};

const imitate = async (stage: EvmScenarioChain): Promise<void> => {
  await plainToken(stage, "mallory", ["fake_usdc", "USD Coin", "USDC"]);
  await stage.act({
    from: "mallory",
    to: "fake_usdc",
    call: ["transfer(address,uint256)", ["@heidi", 1_000n * ETHER]],
  });
};

/** mallory's works: a honeypot, a rug pull, a taxed token, a copy of USDC, a sandwich. */
export const frauds: EvmScenario = (stage): readonly ScenarioAct[] => [
  { at: on(18, 15), run: () => honeypot(stage) },
  { at: on(19, 15), run: () => launchMoon(stage) },
  { at: on(19, 17), run: () => buyWithEther(stage, "alice", ["moonlift", ETHER]) },
  { at: on(20, 17), run: () => buyWithEther(stage, "heidi", ["moonlift", ETHER / 2n]) },
  { at: on(21, 15), run: () => pullMoon(stage) },
  { at: on(22, 15), run: () => toll(stage) },
  { at: on(27, 15), run: () => sellToll(stage) },
  { at: on(28, 15), run: () => imitate(stage) },
  { at: on(44, 17), run: () => sandwich(stage) },
  { at: on(46, 17), run: () => sellForEther(stage, "mallory", ["honeypot", 20n]) },
];
