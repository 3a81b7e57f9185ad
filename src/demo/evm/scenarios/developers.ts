import { ETHER, type EvmScenario, FOREVER, on, type ScenarioAct } from "../act.ts";
import type { EvmScenarioChain } from "../scenario_chain.ts";
import { approve } from "./exchanges.ts";
import { launch, plainToken } from "./tokens.ts";
import { balanceOf, buyWithEther, sellForEther } from "./traders.ts";

const DEAD = "0x000000000000000000000000000000000000dEaD";

const transferTo = (stage: EvmScenarioChain, token: string, whole: bigint) =>
  stage.act({ from: "rupert", to: token, call: ["transfer(address,uint256)", ["@lydia", whole * ETHER]] });

const arrive = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.act({ from: "bank", to: "rupert", value: 40n * ETHER, gas: 21_000 });
  await stage.act({ from: "rupert", to: "lydia", value: 5n * ETHER, gas: 21_000 });
};

/** Half a million to lydia before the start of trading, then a pool of 4,000,000 against 8 ether. */
const launchGlint = async (stage: EvmScenarioChain): Promise<void> => {
  await plainToken(stage, "rupert", ["glint", "Glint", "GLT"]);
  await transferTo(stage, "glint", 500_000n);
  const pool = {
    owner: "rupert",
    token: "glint",
    pair: "pair_glint_weth",
    amount: 4_000_000n * ETHER,
    wei: 8n * ETHER,
  };
  await launch(stage, pool);
};

/** Three days after the launch all liquidity is gone. */
const pullGlint = async (stage: EvmScenarioChain): Promise<void> => {
  await approve(stage, "rupert", { token: "pair_glint_weth", spender: "v2_router" });
  const shares = await balanceOf(stage, "rupert", "pair_glint_weth");
  const removal = "removeLiquidityETH(address,uint256,uint256,uint256,address,uint256)";
  const args = ["@glint", shares, 0n, 0n, "@rupert", FOREVER];
  await stage.act({ from: "rupert", to: "v2_router", call: [removal, args] });
};

/** A tenth of an ether: never enough for a price. */
const launchHusk = async (stage: EvmScenarioChain): Promise<void> => {
  await plainToken(stage, "rupert", ["husk", "Husk", "HSK"]);
  const pool = { owner: "rupert", token: "husk", pair: "pair_husk_weth", amount: 1_000_000n * ETHER, wei: ETHER / 10n };
  await launch(stage, pool);
};

/** A million to lydia, a pool of 2,000,000 against 10 ether whose shares are burnt. */
const launchKeel = async (stage: EvmScenarioChain): Promise<void> => {
  await plainToken(stage, "rupert", ["keel", "Keel", "KEL"]);
  await transferTo(stage, "keel", 1_000_000n);
  const pool = { owner: "rupert", token: "keel", pair: "pair_keel_weth", amount: 2_000_000n * ETHER, wei: 10n * ETHER };
  await launch(stage, pool);
  const shares = await balanceOf(stage, "rupert", "pair_keel_weth");
  await stage.act({ from: "rupert", to: "pair_keel_weth", call: ["transfer(address,uint256)", [DEAD, shares]] });
};

/** A hundredth of his 7,000,000: 70,000 Keel. */
const sellKeel = async (stage: EvmScenarioChain): Promise<void> => {
  await approve(stage, "rupert", { token: "keel", spender: "v2_router" });
  await sellForEther(stage, "rupert", ["keel", 1n]);
};

/** rupert's three tokens: one robbed, one forgotten, one that lives; lydia holds and buys for him. */
export const developers: EvmScenario = (stage): readonly ScenarioAct[] => [
  { at: on(20, 10), run: () => arrive(stage) },
  { at: on(21, 10), run: () => launchGlint(stage) },
  { at: on(22, 10), run: () => buyWithEther(stage, "lydia", ["glint", ETHER]) },
  { at: on(24, 10), run: () => pullGlint(stage) },
  { at: on(30, 10), run: () => launchHusk(stage) },
  { at: on(31, 10), run: () => buyWithEther(stage, "lydia", ["husk", ETHER / 100n]) },
  { at: on(60, 10), run: () => launchKeel(stage) },
  { at: on(61, 10), run: () => buyWithEther(stage, "lydia", ["keel", ETHER / 2n]) },
  { at: on(70, 10), run: () => sellKeel(stage) },
  { at: on(80, 10), run: () => buyWithEther(stage, "lydia", ["keel", ETHER / 2n]) },
];
