import { ETHER, type EvmScenario, on, type ScenarioAct } from "../act.ts";
import { projectCode } from "../artifacts.ts";
import type { EvmScenarioChain } from "../scenario_chain.ts";
import { approve } from "./exchanges.ts";
import { launch, plainToken } from "./tokens.ts";

/** simon's deposit to the pool of Ballast: 3,000 · 10^18 shares, of which the first 1,000 units are locked forever. */
const BALLAST_POOL = { amount: 1_000_000n * ETHER, wei: 9n * ETHER } as const;

/** Shares that simon locks, each until an hour of a day; the rest stays with him. */
const BALLAST_LOCKS = [
  { shares: 2_895n * ETHER, until: on(200, 0) },
  { shares: 60n * ETHER, until: on(60, 0) },
  { shares: 15n * ETHER, until: on(100, 0) },
] as const;

const launchBallast = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.act({ from: "bank", to: "simon", value: 12n * ETHER, gas: 21_000 });
  await plainToken(stage, "simon", ["ballast", "Ballast", "BLST"]);
  await launch(stage, { owner: "simon", token: "ballast", pair: "pair_ballast_weth", ...BALLAST_POOL });
};

const LOCKED_AT = on(41, 9);

const lockShares = async (stage: EvmScenarioChain): Promise<void> => {
  const start = stage.now() - LOCKED_AT;
  await stage.create("locker", { from: "simon", code: projectCode("LiquidityLocker") });
  await approve(stage, "simon", { token: "pair_ballast_weth", spender: "locker" });
  for (const { shares, until } of BALLAST_LOCKS) {
    const terms = ["@pair_ballast_weth", shares, BigInt(start + until)] as const;
    await stage.act({ from: "simon", to: "locker", call: ["lockLPToken(address,uint256,uint256)", terms] });
  }
};

/** Nearly all shares of a pool are locked: some until long after the scenario, some until a past day. */
export const locks: EvmScenario = (stage): readonly ScenarioAct[] => [
  { at: on(41, 8), run: () => launchBallast(stage) },
  { at: LOCKED_AT, run: () => lockShares(stage) },
];
