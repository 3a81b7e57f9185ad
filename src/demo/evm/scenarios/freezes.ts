import { DOLLAR, type EvmScenario, on, type ScenarioAct } from "../act.ts";
import type { EvmScenarioChain } from "../scenario_chain.ts";

const issuer = (stage: EvmScenarioChain, coin: "usdc" | "usdt", [verb, who]: readonly [string, string]) =>
  stage.act({ from: "trent", to: coin, call: [`${verb}(address)`, [`@${who}`]] });

/** Frozen coins cannot move. */
const malloryTries = (stage: EvmScenarioChain) =>
  stage.act({ from: "mallory", to: "usdc", call: ["transfer(address,uint256)", ["@ivan", DOLLAR]], fails: true });

/** Money from a wallet that is frozen later: ivan's exposure. */
const malloryPays = (stage: EvmScenarioChain) =>
  stage.act({ from: "mallory", to: "usdc", call: ["transfer(address,uint256)", ["@ivan", 2_000n * DOLLAR]] });

/** Issuers freeze: mallory for good, victor for a week, walter until his funds are destroyed. */
export const freezes: EvmScenario = (stage): readonly ScenarioAct[] => [
  { at: on(40, 14.5), run: () => issuer(stage, "usdc", ["blacklist", "victor"]) },
  { at: on(47, 14.5), run: () => issuer(stage, "usdc", ["unBlacklist", "victor"]) },
  { at: on(48, 14.5), run: () => malloryPays(stage) },
  { at: on(50, 14.5), run: () => issuer(stage, "usdt", ["addBlackList", "walter"]) },
  { at: on(53, 14.5), run: () => issuer(stage, "usdt", ["destroyBlackFunds", "walter"]) },
  { at: on(61, 14.5), run: () => issuer(stage, "usdc", ["blacklist", "mallory"]) },
  { at: on(61, 16), run: () => malloryTries(stage) },
];
