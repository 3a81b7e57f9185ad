import { DOLLAR, ETHER, type EvmScenario, on, type ScenarioAct } from "../act.ts";
import { projectCode } from "../artifacts.ts";
import { BYSTANDERS } from "../characters.ts";
import type { EvmScenarioChain, SignatureCall } from "../scenario_chain.ts";

/** Frozen beside felix: proves that a view works, and is the account that a contract drops. */
export const FROZEN_BYSTANDER = BYSTANDERS[120] ?? "0x";
export const FORGOTTEN_BYSTANDER = BYSTANDERS[121] ?? "0x";

const coin = (stage: EvmScenarioChain, [name, artifact, symbol]: readonly [string, string, string]) =>
  stage.create(name, {
    from: "felix",
    code: projectCode(artifact),
    args: ["string,string,address", [`Demo ${artifact}`, symbol, "@trent"]],
  });

const issue = (stage: EvmScenarioChain, token: string, call: SignatureCall) =>
  stage.act({ from: "trent", to: token, call });

const mint = (stage: EvmScenarioChain, token: string, dollars: bigint) =>
  issue(stage, token, ["mint(address,uint256)", ["@felix", dollars * DOLLAR]]);

/**
 * Five coins, one for each freezing mechanism that USDC and USDT do not show. felix creates them and holds some of
 * each.
 */
const create = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.act({ from: "bank", to: "felix", value: ETHER });
  await coin(stage, ["paxos_coin", "PaxosToken", "PXD"]);
  await coin(stage, ["ripple_coin", "RippleToken", "RPD"]);
  await coin(stage, ["true_coin", "TrueToken", "TRD"]);
  await coin(stage, ["batch_coin", "BatchToken", "BTD"]);
  await coin(stage, ["blocking_coin", "BlockingToken", "BLD"]);
  await mint(stage, "paxos_coin", 500n);
  await mint(stage, "ripple_coin", 300n);
  await mint(stage, "true_coin", 200n);
  await mint(stage, "batch_coin", 100n);
  await mint(stage, "blocking_coin", 400n);
};

/**
 * felix: PXD frozen and wiped, RPD frozen and freed, TRD blacklisted, freed and blacklisted again, BTD blocked in a
 * list of two, BLD blocked and destroyed. BLD drops a bystander without an event.
 */
export const issuers: EvmScenario = (stage): readonly ScenarioAct[] => [
  { at: on(70, 17), run: () => create(stage) },
  { at: on(71, 17), run: () => issue(stage, "paxos_coin", ["freeze(address)", ["@felix"]]) },
  { at: on(72, 17), run: () => issue(stage, "paxos_coin", ["wipeFrozenAddress(address)", ["@felix"]]) },
  { at: on(73, 17), run: () => issue(stage, "ripple_coin", ["pauseAccount(address)", ["@felix"]]) },
  { at: on(74, 17), run: () => issue(stage, "ripple_coin", ["unpauseAccount(address)", ["@felix"]]) },
  { at: on(75, 17), run: () => issue(stage, "true_coin", ["setBlacklisted(address,bool)", ["@felix", true]]) },
  { at: on(76, 17), run: () => issue(stage, "true_coin", ["setBlacklisted(address,bool)", ["@felix", false]]) },
  { at: on(77, 17), run: () => issue(stage, "true_coin", ["setBlacklisted(address,bool)", ["@felix", true]]) },
  {
    at: on(78, 17),
    run: () => issue(stage, "batch_coin", ["setBlocked(address[],bool)", [["@felix", FROZEN_BYSTANDER], true]]),
  },
  { at: on(79, 17), run: () => issue(stage, "blocking_coin", ["addToBlockedList(address)", ["@felix"]]) },
  { at: on(79, 18), run: () => issue(stage, "blocking_coin", ["destroyBlockedFunds(address)", ["@felix"]]) },
  { at: on(80, 17), run: () => issue(stage, "blocking_coin", ["addToBlockedList(address)", [FROZEN_BYSTANDER]]) },
  { at: on(80, 18), run: () => issue(stage, "blocking_coin", ["addToBlockedList(address)", [FORGOTTEN_BYSTANDER]]) },
  { at: on(81, 17), run: () => issue(stage, "blocking_coin", ["forget(address)", [FORGOTTEN_BYSTANDER]]) },
];
