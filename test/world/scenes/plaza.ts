import { type Act, DOLLAR, ETHER, on, type Scene } from "../act.ts";
import { theirs } from "../artifacts.ts";
import { sqrtPriceX96, squareRoot } from "../pool_math.ts";
import type { Stage } from "../stage.ts";
import { approve, inOrder, type Side } from "./exchanges.ts";
import { plainToken } from "./tokens.ts";

const KEY = "(address,address,uint24,int24,address)";
const INITIALIZE = `initialize(${KEY},uint160) returns (int24)`;
const MODIFY = `modifyLiquidity(${KEY},(int24,int24,int256,bytes32),bytes) payable returns (int256)`;
const SWAP = `swap(${KEY},(bool,int256,uint160),(bool,bool),bytes) payable returns (int256)`;

const FEE = 3_000n;
const SPACING = 60n;
const NOBODY = "0x0000000000000000000000000000000000000000";
const ZEROS = `0x${"00".repeat(32)}`;
/** Widest ticks that are multiples of the spacing, and the prices beyond which nothing trades (v4-core TickMath). */
const EDGE = 887_220n;
const SQRT_MIN = 4_295_128_740n;
const SQRT_MAX = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n;

/** 100,000 Plaza and 50,000 dollars. */
const SIDES: readonly [Side, Side] = [
  { token: "plaza", amount: 100_000n * ETHER },
  { token: "usdc", amount: 50_000n * DOLLAR },
];

const keyOf = (stage: Stage): readonly unknown[] => {
  const [zero, one] = inOrder(stage, SIDES);
  return [`@${zero.token}`, `@${one.token}`, FEE, SPACING, NOBODY];
};

const build = async (stage: Stage): Promise<void> => {
  await stage.act({ from: "bank", to: "piet", value: 20n * ETHER, gas: 21_000 });
  await stage.act({ from: "trent", to: "usdc", call: ["mint(address,uint256)", ["@piet", 60_000n * DOLLAR]] });
  await stage.create("v4_manager", { from: "piet", code: theirs("PoolManager"), args: ["address", ["@piet"]] });
  for (const [name, code] of [
    ["v4_swapper", "PoolSwapTest"],
    ["v4_provider", "PoolModifyLiquidityTest"],
  ] as const) {
    await stage.create(name, { from: "piet", code: theirs(code), args: ["address", ["@v4_manager"]] });
  }
  await plainToken(stage, "piet", ["plaza", "Plaza", "PLZ"]);
  for (const token of ["plaza", "usdc"]) {
    for (const spender of ["v4_swapper", "v4_provider"]) await approve(stage, "piet", token, spender);
  }
};

const open = async (stage: Stage): Promise<void> => {
  const [zero, one] = inOrder(stage, SIDES);
  const key = keyOf(stage);
  const price = sqrtPriceX96(zero.amount, one.amount);
  await stage.act({ from: "piet", to: "v4_manager", call: [INITIALIZE, [key, price]] });
  // Over the full range the liquidity is the root of the product of both sides.
  const liquidity = squareRoot(zero.amount * one.amount);
  const range = [-EDGE, EDGE, liquidity, ZEROS];
  await stage.act({ from: "piet", to: "v4_provider", call: [MODIFY, [key, range, "0x"]], gas: 3_000_000 });
};

/** piet pays a token of the pool, at most until its price has reached `limit`. */
export const payPlaza = (stage: Stage, paid: "usdc" | "plaza", [amount, limit]: readonly [bigint, bigint | null]) => {
  const [zero] = inOrder(stage, SIDES);
  const is_zero = zero.token === paid;
  // A negative amount is what is paid, exactly.
  const params = [is_zero, -amount, limit ?? (is_zero ? SQRT_MIN : SQRT_MAX)];
  const call = [SWAP, [keyOf(stage), params, [false, false], "0x"]] as const;
  return stage.act({ from: "piet", to: "v4_swapper", call, gas: 3_000_000 });
};

/** piet brings Uniswap v4, a token, a pool of it against dollars, and buys. */
export const plaza: Scene = (stage): readonly Act[] => [
  { at: on(64, 21), play: () => build(stage) },
  { at: on(65, 21), play: () => open(stage) },
  { at: on(66, 21), play: () => payPlaza(stage, "usdc", [1_000n * DOLLAR, null]) },
];
