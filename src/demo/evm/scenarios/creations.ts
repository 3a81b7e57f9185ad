import { ETHER, type EvmScenario, on, type ScenarioAct } from "../act.ts";
import { projectCode } from "../artifacts.ts";
import type { EvmScenarioChain } from "../scenario_chain.ts";
import { announced } from "./tokens.ts";

const SALT = `0x${"e0".repeat(32)}`;
const NO_SALT = `0x${"00".repeat(32)}`;

/** Contracts that end: one later (its code stays since EIP-6780), one in the transaction that created it. */
const ephemeral = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.create("ephemeral_factory", { from: "dave", code: projectCode("EphemeralFactory") });
  const make = "make(bytes32) payable returns (address)";
  const plain = await stage.act({
    from: "dave",
    to: "ephemeral_factory",
    value: ETHER / 20n,
    call: [make, [NO_SALT]],
  });
  stage.name("ephemeral_left", announced(plain));
  const salted = await stage.act({ from: "dave", to: "ephemeral_factory", value: ETHER / 10n, call: [make, [SALT]] });
  stage.name("ephemeral_emptied", announced(salted));
  await stage.act({ from: "dave", to: "ephemeral_emptied", call: ["destroy(address)", ["@judy"]] });
  const flash = "flash(address) payable returns (address)";
  const gone = await stage.act({ from: "dave", to: "ephemeral_factory", value: ETHER / 25n, call: [flash, ["@judy"]] });
  stage.name("ephemeral_gone", announced(gone));
};

const collectible = async (stage: EvmScenarioChain): Promise<void> => {
  const args = ["string,string", ["Postcards", "POST"]] as const;
  await stage.create("postcards", { from: "dave", code: projectCode("Collectible"), args });
  for (const owner of ["@alice", "@alice", "@grace"]) {
    await stage.act({ from: "dave", to: "postcards", call: ["mint(address)", [owner]] });
  }
  const gift = ["transferFrom(address,address,uint256)", ["@alice", "@grace", 1n]] as const;
  await stage.act({ from: "alice", to: "postcards", call: gift });
};

const multiple = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.create("badges", { from: "dave", code: projectCode("MultiToken") });
  const batch = ["mintBatch(address,uint256[],uint256[])", ["@grace", [1n, 2n, 3n], [10n, 20n, 30n]]] as const;
  await stage.act({ from: "dave", to: "badges", call: batch });
  const single = "safeTransferFrom(address,address,uint256,uint256,bytes)";
  await stage.act({ from: "grace", to: "badges", call: [single, ["@grace", "@alice", 2n, 5n, "0x"]] });
};

/** Creations by CREATE and CREATE2 with coins, self-destructions, collectibles. */
export const creations: EvmScenario = (stage): readonly ScenarioAct[] => [
  { at: on(11, 14), run: () => ephemeral(stage) },
  { at: on(15, 14), run: () => collectible(stage) },
  { at: on(17, 14), run: () => multiple(stage) },
];
