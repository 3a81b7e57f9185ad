import { DOLLAR, ETHER, type EvmScenario, on, type ScenarioAct } from "../act.ts";
import { projectCode } from "../artifacts.ts";
import { BYSTANDERS, LOOKALIKE } from "../characters.ts";
import type { EvmScenarioChain } from "../scenario_chain.ts";

const spam = async (stage: EvmScenarioChain): Promise<void> => {
  const args = ["string,string", ["Visit https://claim-reward.example to claim", "CLAIM"]] as const;
  await stage.create("spam", { from: "ivan", code: projectCode("SpamToken"), args });
  const wallets = ["@heidi", ...BYSTANDERS];
  const call = ["airdrop(address[],uint256)", [wallets, 7_777n * ETHER]] as const;
  await stage.act({ from: "ivan", to: "spam", call, gas: 12_000_000 });
};

const broken = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.create("broken", { from: "ivan", code: projectCode("BrokenToken") });
  await stage.act({ from: "ivan", to: "broken", call: ["transfer(address,uint256)", ["@heidi", 1_000n]] });
};

const payUsdc = (stage: EvmScenarioChain, from: string, [to, dollars]: readonly [string, bigint]) =>
  stage.act({ from, to: "usdc", call: ["transfer(address,uint256)", [to, dollars]] });

/** heidi pays peggy; two hours later her history says that she also paid an address that looks like peggy's. */
const poison = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.create("poisoner", { from: "ivan", code: projectCode("Poisoner") });
  const call = ["poison(address,address[],address[])", ["@usdc", ["@heidi"], [LOOKALIKE]]] as const;
  await stage.act({ from: "ivan", to: "poisoner", call });
  // Dust from the look-alike itself: a real transfer of one cent.
  await stage.act({ from: "ivan", to: LOOKALIKE, value: ETHER / 100n, gas: 21_000 });
  await payUsdc(stage, "ivan", [LOOKALIKE, 5n * DOLLAR]);
  await stage.impersonate(LOOKALIKE);
  await payUsdc(stage, LOOKALIKE, ["@heidi", DOLLAR / 100n]);
};

/** Airdropped advertisements, hostile metadata, a poisoned history, and the payment that it tricked. */
export const spamming: EvmScenario = (stage): readonly ScenarioAct[] => [
  { at: on(30, 13), run: () => spam(stage) },
  { at: on(32, 13), run: () => broken(stage) },
  { at: on(33, 8), run: () => payUsdc(stage, "heidi", ["@peggy", 500n * DOLLAR]) },
  { at: on(33, 10), run: () => poison(stage) },
  { at: on(41, 8), run: () => payUsdc(stage, "heidi", [LOOKALIKE, 300n * DOLLAR]) },
];
