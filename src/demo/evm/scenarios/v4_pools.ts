import { sqrtPriceX96, squareRoot } from "../pool_math.ts";
import type { EvmScenarioChain, ScenarioReceipt } from "../scenario_chain.ts";
import { inOrder, type TradedAmount } from "./exchanges.ts";

const KEY = "(address,address,uint24,int24,address)";
const INITIALIZE = `initialize(${KEY},uint160) returns (int24)`;
const MODIFY = `modifyLiquidity(${KEY},(int24,int24,int256,bytes32),bytes) payable returns (int256)`;
const SWAP = `swap(${KEY},(bool,int256,uint160),(bool,bool),bytes) payable returns (int256)`;

/** The zero address. As hooks: none; as a coin: the native one. */
export const ZERO_ADDRESS = "0x0000000000000000000000000000000000000000";
const ZEROS = `0x${"00".repeat(32)}`;
/** Widest ticks, and the prices beyond which trading is impossible (v4-core TickMath). */
const TICK_MAX = 887_272n;
const SQRT_MIN = 4_295_128_740n;
const SQRT_MAX = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n;

export interface V4Pool {
  /** Its price, and its contents when the liquidity covers the full range. */
  readonly sides: readonly [TradedAmount, TradedAmount];
  /** Millionths. */
  readonly fee: bigint;
  readonly spacing: bigint;
  /** Name or address. */
  readonly hooks: string;
  /** Liquidity is between this tick and its opposite; absent: everywhere. */
  readonly edge?: bigint;
}

const keyOf = (stage: EvmScenarioChain, { sides, fee, spacing, hooks }: V4Pool): readonly unknown[] => {
  const [zero, one] = inOrder(stage, sides);
  return [`@${zero.token}`, `@${one.token}`, fee, spacing, `@${hooks}`];
};

/** Opens a pool at the ratio of its sides and adds them. The owner must have approved v4_provider for both tokens. */
export const openV4 = async (stage: EvmScenarioChain, owner: string, pool: V4Pool): Promise<void> => {
  const [zero, one] = inOrder(stage, pool.sides);
  const key = keyOf(stage, pool);
  const price = sqrtPriceX96(zero.amount, one.amount);
  await stage.act({ from: owner, to: "v4_manager", call: [INITIALIZE, [key, price]] });
  // Over the full range the liquidity is the root of the product of both sides.
  const liquidity = squareRoot(zero.amount * one.amount);
  const edge = pool.edge ?? TICK_MAX - (TICK_MAX % pool.spacing);
  const call = [MODIFY, [key, [-edge, edge, liquidity, ZEROS], "0x"]] as const;
  // The pool refunds the excess.
  const value = zero.token === ZERO_ADDRESS ? { value: zero.amount + 1n } : {};
  await stage.act({ from: owner, to: "v4_provider", call, gas: 3_000_000, ...value });
};

/** Swaps a coin of the pool, at most until its price has reached `limit`. */
export const swapV4 = (
  stage: EvmScenarioChain,
  pool: V4Pool,
  paid: { readonly from: string; readonly token: string; readonly amount: bigint; readonly limit: bigint | null },
): Promise<ScenarioReceipt> => {
  const is_zero = inOrder(stage, pool.sides)[0].token === paid.token;
  // A negative amount is an exact input.
  const params = [is_zero, -paid.amount, paid.limit ?? (is_zero ? SQRT_MIN : SQRT_MAX)];
  const call = [SWAP, [keyOf(stage, pool), params, [false, false], "0x"]] as const;
  return stage.act({ from: paid.from, to: "v4_swapper", call, gas: 3_000_000 });
};
