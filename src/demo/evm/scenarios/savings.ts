import { DOLLAR, ETHER, type EvmScenario, FOREVER, on, type ScenarioAct } from "../act.ts";
import { projectCode } from "../artifacts.ts";
import type { EvmScenarioChain } from "../scenario_chain.ts";
import { addV2, approve, openV3 } from "./exchanges.ts";
import { EXACT_INPUT_SINGLE } from "./market.ts";
import { plainToken } from "./tokens.ts";
import { balanceOf } from "./traders.ts";

const UINT128_MAX = 2n ** 128n - 1n;
const TRANSFER = "transfer(address,uint256)";
const MINT = "mint(address,uint256)";

/** 20,000 dollars by a transfer: freshly minted ones would be income. */
const fund = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.act({ from: "bank", to: "stella", value: 20n * ETHER, gas: 21_000 });
  await stage.act({ from: "trent", to: "usdc", call: [MINT, ["@trent", 20_000n * DOLLAR]] });
  await stage.act({ from: "trent", to: "usdc", call: [TRANSFER, ["@stella", 20_000n * DOLLAR]] });
};

const save = async (stage: EvmScenarioChain): Promise<void> => {
  await plainToken(stage, "stella", ["terrace", "Terrace", "TRC"]);
  const args = ["string,string,uint8,address", ["Savings Dollar", "sUSDC", 6, "@usdc"]] as const;
  await stage.create("savings", { from: "stella", code: projectCode("SavingsVault"), args });
  for (const spender of ["savings", "v2_router", "v3_positions", "v3_router"]) {
    await approve(stage, "stella", { token: "usdc", spender });
  }
  for (const spender of ["v2_router", "v3_positions"]) await approve(stage, "stella", { token: "terrace", spender });
  const deposit = ["deposit(uint256,address) returns (uint256)", [1_000n * DOLLAR, "@stella"]] as const;
  await stage.act({ from: "stella", to: "savings", call: deposit });
};

/** A tenth more in the vault: a share is worth 1.10. */
const earn = (stage: EvmScenarioChain) =>
  stage.act({ from: "trent", to: "usdc", call: [MINT, ["@savings", 100n * DOLLAR]] });

const redeem = (stage: EvmScenarioChain) => {
  const args = [500n * DOLLAR, "@stella", "@stella"];
  return stage.act({
    from: "stella",
    to: "savings",
    call: ["redeem(uint256,address,address) returns (uint256)", args],
  });
};

const pool = async (stage: EvmScenarioChain): Promise<void> => {
  const sides = [
    { token: "terrace", amount: 6_000n * ETHER },
    { token: "usdc", amount: 12_000n * DOLLAR },
  ] as const;
  await addV2(stage, "stella", { name: "pair_terrace_usdc", sides });
};

const unpool = async (stage: EvmScenarioChain): Promise<void> => {
  await approve(stage, "stella", { token: "pair_terrace_usdc", spender: "v2_router" });
  const shares = (await balanceOf(stage, "stella", "pair_terrace_usdc")) / 2n;
  const args = ["@terrace", "@usdc", shares, 0n, 0n, "@stella", FOREVER];
  const removal = "removeLiquidity(address,address,uint256,uint256,uint256,address,uint256) returns (uint256,uint256)";
  await stage.act({ from: "stella", to: "v2_router", call: [removal, args] });
};

const openPosition = async (stage: EvmScenarioChain): Promise<void> => {
  const sides = [
    { token: "terrace", amount: 1_000n * ETHER },
    { token: "usdc", amount: 2_000n * DOLLAR },
  ] as const;
  await openV3(stage, "stella", { name: "pool_v3_terrace_usdc", fee: 10000, sides });
};

/** 1 % of it stays with the only provider, stella herself. */
const pay = (stage: EvmScenarioChain) => {
  const args = ["@usdc", "@terrace", 10_000n, "@stella", FOREVER, 100n * DOLLAR, 0n, 0n];
  return stage.act({ from: "stella", to: "v3_router", call: [EXACT_INPUT_SINGLE, [args]] });
};

/** The newest NFT, and its liquidity. */
const position = async (stage: EvmScenarioChain): Promise<readonly [id: bigint, liquidity: bigint]> => {
  // tokenOfOwnerByIndex returns a uint256.
  const id = (await stage.read("v3_positions", "tokenOfOwnerByIndex(address,uint256) view returns (uint256)", [
    "@stella",
    0n,
  ])) as bigint;
  const said = await stage.read(
    "v3_positions",
    "positions(uint256) view returns (uint96,address,address,address,uint24,int24,int24,uint128,uint256,uint256,uint128,uint128)",
    [id],
  );
  // positions returns twelve values; the eighth is the liquidity, a uint128.
  return [id, (said as readonly bigint[])[7] ?? 0n];
};

const decrease = async (stage: EvmScenarioChain): Promise<void> => {
  const [id, liquidity] = await position(stage);
  const less = "decreaseLiquidity((uint256,uint128,uint256,uint256,uint256)) payable returns (uint256,uint256)";
  await stage.act({ from: "stella", to: "v3_positions", call: [less, [[id, liquidity / 2n, 0n, 0n, FOREVER]]] });
};

const collect = async (stage: EvmScenarioChain): Promise<void> => {
  const [id] = await position(stage);
  const all = "collect((uint256,address,uint128,uint128)) payable returns (uint256,uint256)";
  await stage.act({ from: "stella", to: "v3_positions", call: [all, [[id, "@stella", UINT128_MAX, UINT128_MAX]]] });
};

/** stella saves in a vault and provides liquidity on v2 and v3 with a token of her own: books of moved cost. */
export const savings: EvmScenario = (stage): readonly ScenarioAct[] => [
  { at: on(5, 21), run: () => fund(stage) },
  { at: on(6, 21), run: () => save(stage) },
  { at: on(12, 21), run: () => earn(stage) },
  { at: on(25, 21), run: () => pool(stage) },
  { at: on(30, 21), run: () => openPosition(stage) },
  { at: on(31, 21), run: () => pay(stage) },
  { at: on(40, 21), run: () => unpool(stage) },
  { at: on(50, 21), run: () => decrease(stage) },
  { at: on(51, 21), run: () => collect(stage) },
  { at: on(60, 21), run: () => redeem(stage) },
];
