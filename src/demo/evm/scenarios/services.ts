import { labelhash, namehash } from "viem/ens";
import { type EvmScenario, on, type ScenarioAct } from "../act.ts";
import { projectCode } from "../artifacts.ts";
import type { EvmScenarioChain } from "../scenario_chain.ts";
import { GATEWAY_URL } from "../site.ts";
import { claim, register } from "./names.ts";

const SUBNODE = "setSubnodeOwner(bytes32,bytes32,address) returns (bytes32)";

/** Sets the resolver of the names below `label`.nora.eth. */
const delegate = async (stage: EvmScenarioChain, label: string, resolver: string): Promise<void> => {
  const call = [SUBNODE, [namehash("nora.eth"), labelhash(label), "@nora"]] as const;
  await stage.act({ from: "nora", to: "ens_registry", call });
  const node = namehash(`${label}.nora.eth`);
  const set = ["setResolver(bytes32,address)", [node, `@${resolver}`]] as const;
  await stage.act({ from: "nora", to: "ens_registry", call: set });
};

const build = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.create("wildcard_resolver", {
    from: "nora",
    code: projectCode("WildcardResolver"),
    args: ["address", ["@nora"]],
  });
  const args = ["address,string", ["@nora", GATEWAY_URL]] as const;
  await stage.create("offchain_resolver", { from: "nora", code: projectCode("OffchainResolver"), args });
  await delegate(stage, "glow", "wildcard_resolver");
  await delegate(stage, "lamps", "offchain_resolver");
};

/**
 * nora.eth points to nora, and its reverse record agrees. Every name below glow.nora.eth resolves to nora by a wildcard
 * on chain; only the gateway knows those below lamps.nora.eth (porch is nora).
 */
export const services: EvmScenario = (stage): readonly ScenarioAct[] => [
  { at: on(70, 6), run: () => register(stage, { owner: "nora", label: "nora", days: 365n, target: "nora" }) },
  { at: on(70, 6.5), run: () => claim(stage, "nora", "nora.eth") },
  { at: on(70, 7), run: () => build(stage) },
];
