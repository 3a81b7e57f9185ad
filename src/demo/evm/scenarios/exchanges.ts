import { DOLLAR, ETHER, type EvmScenario, FOREVER, on, type ScenarioAct, UNLIMITED } from "../act.ts";
import { theirs } from "../artifacts.ts";
import { sqrtPriceX96 } from "../pool_math.ts";
import type { EvmScenarioChain } from "../scenario_chain.ts";

/** Dollars per ether when the pools open. */
export const OPENING_PRICE = 2_000n;
export const V3_FEE = 3_000n;
/** Widest ticks that are multiples of the fee tier's spacing (v3-core TickMath and UniswapV3Factory). */
export const FULL_RANGE = { 3000: 887_220n, 10000: 887_200n } as const;

const ADD_LIQUIDITY =
  "addLiquidity(address,address,uint256,uint256,uint256,uint256,address,uint256) returns (uint256,uint256,uint256)";
const MINT_POSITION =
  "mint((address,address,uint24,int24,int24,uint256,uint256,uint256,uint256,address,uint256)) payable";
const CREATE_POOL = "createAndInitializePoolIfNecessary(address,address,uint24,uint160) payable";

export interface TradedAmount {
  readonly token: string;
  readonly amount: bigint;
}

interface SpenderApproval {
  readonly token: string;
  readonly spender: string;
}

export const approve = (stage: EvmScenarioChain, owner: string, { token, spender }: SpenderApproval) =>
  stage.act({ from: owner, to: token, call: ["approve(address,uint256)", [`@${spender}`, UNLIMITED]] });

/** Names a v2 pair after its creation. */
export const namePair = async (
  stage: EvmScenarioChain,
  name: string,
  [a, b]: readonly [string, string],
): Promise<void> => {
  const pair = await stage.read("v2_factory", "getPair(address,address) view returns (address)", [`@${a}`, `@${b}`]);
  stage.name(name, String(pair));
};

/** Opens a v2 pool (or adds to it) and names it. The owner must have approved the router for both sides. */
export const addV2 = async (
  stage: EvmScenarioChain,
  owner: string,
  pool: { readonly name: string; readonly sides: readonly [TradedAmount, TradedAmount] },
): Promise<void> => {
  const [a, b] = pool.sides;
  const args = [`@${a.token}`, `@${b.token}`, a.amount, b.amount, 0n, 0n, `@${owner}`, FOREVER];
  await stage.act({ from: owner, to: "v2_router", call: [ADD_LIQUIDITY, args] });
  await namePair(stage, pool.name, [a.token, b.token]);
};

/** The sides in the order of the pool: lower address first. */
export const inOrder = (
  stage: EvmScenarioChain,
  [a, b]: readonly [TradedAmount, TradedAmount],
): readonly [TradedAmount, TradedAmount] =>
  stage.address(a.token).toLowerCase() < stage.address(b.token).toLowerCase() ? [a, b] : [b, a];

/** Mints a full-range v3 position; the pool must exist. */
export const addV3 = async (
  stage: EvmScenarioChain,
  owner: string,
  position: { readonly fee: keyof typeof FULL_RANGE; readonly sides: readonly [TradedAmount, TradedAmount] },
): Promise<void> => {
  const [zero, one] = inOrder(stage, position.sides);
  const edge = FULL_RANGE[position.fee];
  const tokens = [`@${zero.token}`, `@${one.token}`, BigInt(position.fee)];
  const args = [...tokens, -edge, edge, zero.amount, one.amount, 0n, 0n, `@${owner}`, FOREVER];
  await stage.act({ from: owner, to: "v3_positions", call: [MINT_POSITION, [args]], gas: 5_000_000 });
};

/** Opens a v3 pool at the ratio of its sides, names it and puts the sides in. */
export const openV3 = async (
  stage: EvmScenarioChain,
  owner: string,
  pool: {
    readonly name: string;
    readonly fee: keyof typeof FULL_RANGE;
    readonly sides: readonly [TradedAmount, TradedAmount];
  },
): Promise<void> => {
  const [zero, one] = inOrder(stage, pool.sides);
  const key = [`@${zero.token}`, `@${one.token}`, BigInt(pool.fee)];
  const price = sqrtPriceX96(zero.amount, one.amount);
  await stage.act({ from: owner, to: "v3_positions", call: [CREATE_POOL, [...key, price]], gas: 8_000_000 });
  const address = await stage.read("v3_factory", "getPool(address,address,uint24) view returns (address)", key);
  stage.name(pool.name, String(address));
  await addV3(stage, owner, pool);
};

const build = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.create("v2_factory", { from: "oscar", code: theirs("UniswapV2Factory"), args: ["address", ["@oscar"]] });
  const wired = ["address,address", ["@v2_factory", "@weth"]] as const;
  await stage.create("v2_router", { from: "oscar", code: theirs("UniswapV2Router02"), args: wired });
  await stage.create("v3_factory", { from: "oscar", code: theirs("UniswapV3Factory") });
  const v3 = ["address,address", ["@v3_factory", "@weth"]] as const;
  await stage.create("v3_router", { from: "oscar", code: theirs("SwapRouter"), args: v3 });
  // The third argument draws the picture of a position; the demo shows no pictures.
  const positions = ["address,address,address", ["@v3_factory", "@weth", "@oscar"]] as const;
  await stage.create("v3_positions", {
    from: "oscar",
    code: theirs("NonfungiblePositionManager"),
    args: positions,
  });
};

const pour = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.act({ from: "oscar", to: "weth", call: ["deposit() payable", []], value: 6_000n * ETHER });
  for (const token of ["weth", "usdc", "usdt"]) await approve(stage, "oscar", { token, spender: "v2_router" });
  for (const token of ["weth", "usdc"]) await approve(stage, "oscar", { token, spender: "v3_positions" });
  const sides = (ether: bigint, dollar: string): readonly [TradedAmount, TradedAmount] => [
    { token: "weth", amount: ether * ETHER },
    { token: dollar, amount: ether * OPENING_PRICE * DOLLAR },
  ];
  await addV2(stage, "oscar", { name: "pair_weth_usdc", sides: sides(250n, "usdc") });
  await addV2(stage, "oscar", { name: "pair_weth_usdt", sides: sides(40n, "usdt") });
  await openV3(stage, "oscar", { name: "pool_v3_weth_usdc", fee: 3000, sides: sides(2_000n, "usdc") });
};

/** Uniswap v2 and v3, and the deep pools of wrapped ether against the dollars. */
export const exchanges: EvmScenario = (stage): readonly ScenarioAct[] => [
  { at: on(0, 2), run: () => build(stage) },
  { at: on(0, 3), run: () => pour(stage) },
];
