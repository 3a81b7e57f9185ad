import { DOLLAR, ETHER, type EvmScenario, on, type ScenarioAct } from "../act.ts";
import { theirs } from "../artifacts.ts";
import type { EvmScenarioChain } from "../scenario_chain.ts";
import { announced } from "./tokens.ts";

const ZERO = "0x0000000000000000000000000000000000000000";
const SAFE_SETUP = "setup(address[],uint256,address,bytes,address,address,uint256,address)";
const SAFE_ARGUMENTS = "address,uint256,bytes,uint8,uint256,uint256,uint256,address,address";

const build = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.create("safe_singleton", { from: "oscar", code: theirs("Safe") });
  await stage.create("safe_factory", { from: "oscar", code: theirs("SafeProxyFactory") });
  const owners = ["@judy", "@grace", "@peggy"];
  const setup = stage.encode(SAFE_SETUP, [owners, 2n, ZERO, "0x", ZERO, ZERO, 0n, ZERO]);
  const made = await stage.act({
    from: "judy",
    to: "safe_factory",
    call: ["createProxyWithNonce(address,bytes,uint256)", ["@safe_singleton", setup, 1n]],
  });
  stage.name("judys_safe", announced(made));
  await stage.act({ from: "judy", to: "judys_safe", value: 2n * ETHER, gas: 100_000 });
  await stage.act({
    from: "exchange",
    to: "usdc",
    call: ["transfer(address,uint256)", ["@judys_safe", 1_000n * DOLLAR]],
  });
};

interface SafeTransaction {
  readonly to: string;
  readonly value: bigint;
  readonly data: string;
}

/** grace approves on chain, judy sends: two of three. */
const execute = async (stage: EvmScenarioChain, { to, value, data }: SafeTransaction): Promise<void> => {
  const nonce = await stage.read("judys_safe", "nonce() view returns (uint256)");
  const terms = [to, value, data, 0, 0n, 0n, 0n, ZERO, ZERO];
  const hashing = `getTransactionHash(${SAFE_ARGUMENTS},uint256) view returns (bytes32)`;
  const hash = await stage.read("judys_safe", hashing, [...terms, nonce]);
  await stage.act({ from: "grace", to: "judys_safe", call: ["approveHash(bytes32)", [hash]] });
  // A signature of type 1 means "this owner approved the hash, or sends"; they are in ascending order of owners.
  const signatures = ["judy", "grace"]
    .map((owner) => stage.address(owner).slice(2).toLowerCase())
    .sort()
    .map((owner) => `${owner.padStart(64, "0")}${"0".repeat(64)}01`)
    .join("");
  const execution = `execTransaction(${SAFE_ARGUMENTS},bytes) payable returns (bool)`;
  await stage.act({ from: "judy", to: "judys_safe", call: [execution, [...terms, `0x${signatures}`]] });
};

const payFromSafe = (stage: EvmScenarioChain) =>
  execute(stage, {
    to: "@usdc",
    value: 0n,
    data: stage.encode("transfer(address,uint256)", ["@peggy", 250n * DOLLAR]),
  });

/** A 2-of-3 Safe that pays in ether and in dollars. */
export const accounts: EvmScenario = (stage): readonly ScenarioAct[] => [
  { at: on(26, 10), run: () => build(stage) },
  { at: on(28, 10), run: () => execute(stage, { to: "@dave", value: ETHER / 2n, data: "0x" }) },
  { at: on(37, 10), run: () => payFromSafe(stage) },
];
