import { labelhash, namehash } from "viem/ens";
import { type EvmScenario, on, type ScenarioAct } from "../act.ts";
import { projectCode, theirs } from "../artifacts.ts";
import type { EvmScenarioChain } from "../scenario_chain.ts";

const ROOT = `0x${"0".repeat(64)}`;
const DAY_S = 86_400n;
const SUBNODE = "setSubnodeOwner(bytes32,bytes32,address) returns (bytes32)";

const build = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.create("ens_registry", { from: "oscar", code: theirs("ENSRegistry") });
  const creator = stage.creator("ens_registry");
  if (creator !== stage.address("oscar")) {
    await stage.act({ from: creator, to: "ens_registry", call: ["setOwner(bytes32,address)", [ROOT, "@oscar"]] });
  }
  const registry = ["address", ["@ens_registry"]] as const;
  await stage.create("ens_resolver", { from: "oscar", code: theirs("PublicResolver"), args: registry });
  const reverse = ["address,address", ["@ens_registry", "@ens_resolver"]] as const;
  await stage.create("ens_reverse", { from: "oscar", code: theirs("ReverseRegistrar"), args: reverse });
  const registrar = ["address,bytes32", ["@ens_registry", namehash("eth")]] as const;
  await stage.create("eth_registrar", { from: "oscar", code: projectCode("EthRegistrar"), args: registrar });
  for (const [parent, label, owner] of [
    [ROOT, "eth", "@eth_registrar"],
    [ROOT, "reverse", "@oscar"],
    [namehash("reverse"), "addr", "@ens_reverse"],
  ] as const) {
    await stage.act({ from: "oscar", to: "ens_registry", call: [SUBNODE, [parent, labelhash(label), owner]] });
  }
};

interface RegisteredLabel {
  readonly owner: string;
  readonly label: string;
  readonly days: bigint;
  /** The target of the name. */
  readonly target: string;
}

export const register = async (
  stage: EvmScenarioChain,
  { owner, label, days, target }: RegisteredLabel,
): Promise<void> => {
  const node = namehash(`${label}.eth`);
  const args = [BigInt(labelhash(label)), `@${owner}`, days * DAY_S];
  await stage.act({ from: "oscar", to: "eth_registrar", call: ["register(uint256,address,uint256)", args] });
  await stage.act({ from: owner, to: "ens_registry", call: ["setResolver(bytes32,address)", [node, "@ens_resolver"]] });
  await stage.act({ from: owner, to: "ens_resolver", call: ["setAddr(bytes32,address)", [node, `@${target}`]] });
};

/** Sets an address's reverse record; whether the name agrees is independent. */
export const claim = async (stage: EvmScenarioChain, owner: string, name: string): Promise<void> => {
  const node = namehash(`${stage.address(owner).slice(2).toLowerCase()}.addr.reverse`);
  const args = [`@${owner}`, "@ens_resolver"];
  await stage.act({ from: owner, to: "ens_reverse", call: ["claimWithResolver(address,address)", args] });
  await stage.act({ from: owner, to: "ens_resolver", call: ["setName(bytes32,string)", [node, name]] });
};

const textsOfAlice = async (stage: EvmScenarioChain): Promise<void> => {
  for (const [key, value] of [
    ["url", "https://alice.example"],
    ["com.github", "alice-example"],
  ]) {
    const args = [namehash("alice.eth"), key, value];
    await stage.act({ from: "alice", to: "ens_resolver", call: ["setText(bytes32,string,string)", args] });
  }
};

/**
 * ENS with a `.eth` registrar. alice.eth is complete (forward, reverse, texts); grace.eth expired on day 31; dave.eth
 * has no reverse record; mallory's reverse record claims alice.eth.
 */
export const names: EvmScenario = (stage): readonly ScenarioAct[] => [
  { at: on(1, 1), run: () => build(stage) },
  { at: on(1, 2), run: () => register(stage, { owner: "alice", label: "alice", days: 365n, target: "alice" }) },
  { at: on(1, 2.1), run: () => claim(stage, "alice", "alice.eth") },
  { at: on(1, 2.2), run: () => textsOfAlice(stage) },
  { at: on(1, 3), run: () => register(stage, { owner: "grace", label: "grace", days: 30n, target: "grace" }) },
  { at: on(4, 3), run: () => register(stage, { owner: "dave", label: "dave", days: 365n, target: "dave" }) },
  { at: on(27, 3), run: () => claim(stage, "mallory", "alice.eth") },
];
