import { DOLLAR, ETHER, type EvmScenario, FOREVER, on, type ScenarioAct } from "../act.ts";
import { projectCode } from "../artifacts.ts";
import type { EvmScenarioChain } from "../scenario_chain.ts";
import { addV3, approve } from "./exchanges.ts";
import { ADD_LIQUIDITY_ETH } from "./tokens.ts";
import { balanceOf } from "./traders.ts";

const UINT128_MAX = 2n ** 128n - 1n;
/** The first positions are oscar's and dave's; grace mints the third. */
const POSITION_ID = 3n;

const addPair = async (stage: EvmScenarioChain): Promise<void> => {
  await approve(stage, "grace", { token: "usdc", spender: "v2_router" });
  const args = ["@usdc", 20_000n * DOLLAR, 0n, 0n, "@grace", FOREVER];
  await stage.act({ from: "grace", to: "v2_router", value: 12n * ETHER, call: [ADD_LIQUIDITY_ETH, args] });
};

const leavePair = async (stage: EvmScenarioChain): Promise<void> => {
  await approve(stage, "grace", { token: "pair_weth_usdc", spender: "v2_router" });
  const shares = (await balanceOf(stage, "grace", "pair_weth_usdc")) / 2n;
  const args = ["@usdc", shares, 0n, 0n, "@grace", FOREVER];
  const removal = "removeLiquidityETH(address,uint256,uint256,uint256,address,uint256)";
  await stage.act({ from: "grace", to: "v2_router", call: [removal, args] });
};

const addPosition = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.act({ from: "grace", to: "weth", call: ["deposit() payable", []], value: 6n * ETHER });
  for (const token of ["weth", "usdc"]) await approve(stage, "grace", { token, spender: "v3_positions" });
  const sides = [
    { token: "weth", amount: 5n * ETHER },
    { token: "usdc", amount: 10_000n * DOLLAR },
  ] as const;
  await addV3(stage, "grace", { fee: 3000, sides });
};

const leavePosition = async (stage: EvmScenarioChain): Promise<void> => {
  const position = await stage.read(
    "v3_positions",
    "positions(uint256) view returns (uint96,address,address,address,uint24,int24,int24,uint128,uint256,uint256,uint128,uint128)",
    [POSITION_ID],
  );
  // positions returns twelve values; the eighth is the liquidity, a uint128.
  const liquidity = (position as readonly bigint[])[7] ?? 0n;
  const less = "decreaseLiquidity((uint256,uint128,uint256,uint256,uint256)) payable returns (uint256,uint256)";
  await stage.act({
    from: "grace",
    to: "v3_positions",
    call: [less, [[POSITION_ID, liquidity / 2n, 0n, 0n, FOREVER]]],
  });
  const collect = "collect((uint256,address,uint128,uint128)) payable returns (uint256,uint256)";
  await stage.act({
    from: "grace",
    to: "v3_positions",
    call: [collect, [[POSITION_ID, "@grace", UINT128_MAX, UINT128_MAX]]],
  });
};

const openVault = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.create("vault_v1", { from: "dave", code: projectCode("Vault") });
  const args = ["address,address,bytes", ["@vault_v1", "@dave", "0x"]] as const;
  await stage.create("vault", { from: "dave", code: projectCode("Proxy"), args });
};

const upgradeVault = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.create("vault_v2", { from: "dave", code: projectCode("VaultV2") });
  await stage.act({ from: "dave", to: "vault", call: ["upgradeTo(address)", ["@vault_v2"]] });
};

/** grace provides liquidity on v2 and v3, withdraws half of it with its fees, and uses a vault behind a proxy. */
export const defi: EvmScenario = (stage): readonly ScenarioAct[] => [
  { at: on(15, 18), run: () => addPair(stage) },
  { at: on(60, 18), run: () => leavePair(stage) },
  { at: on(16, 18), run: () => addPosition(stage) },
  { at: on(70, 18), run: () => leavePosition(stage) },
  { at: on(24, 18), run: () => openVault(stage) },
  {
    at: on(25, 18),
    run: () => stage.act({ from: "grace", to: "vault", call: ["deposit() payable", []], value: 3n * ETHER }),
  },
  { at: on(36, 18), run: () => upgradeVault(stage) },
  { at: on(52, 18), run: () => stage.act({ from: "grace", to: "vault", call: ["withdraw(uint256)", [ETHER]] }) },
];
