import { DOLLAR, ETHER, type EvmScenario, FOREVER, on, type ScenarioAct } from "../act.ts";
import { sqrtPriceX96, squareRoot } from "../pool_math.ts";
import type { EvmScenarioChain } from "../scenario_chain.ts";
import { approve, inOrder, OPENING_PRICE, V3_FEE } from "./exchanges.ts";

export const LAST_DAY = 89;
export const EXACT_INPUT_SINGLE =
  "exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160)) payable returns (uint256)";
export const SWAP_TOKENS = "swapExactTokensForTokens(uint256,uint256,address[],address,uint256) returns (uint256[])";

const CENTS = 100n;
const SIDE_MAX = { weth: 2_000n * ETHER, usdc: 5_000_000n * DOLLAR } as const;

/**
 * Dollar cents per ether, two values a day: a walk around a line from 2,000 to 2,500 dollars. Integers and a fixed
 * linear congruence (Numerical Recipes), so that every machine gets the same walk.
 */
const pricePath = (days: number): readonly bigint[] => {
  let seed = 20_240_607n;
  let price = OPENING_PRICE * CENTS;
  return Array.from({ length: days * 2 }, (_, step) => {
    seed = (seed * 1_664_525n + 1_013_904_223n) % 2n ** 32n;
    const noise_bps = ((seed >> 16n) % 301n) - 150n;
    const line = OPENING_PRICE * CENTS + (500n * CENTS * BigInt(step)) / BigInt(days * 2);
    const pull_bps = ((line - price) * 10_000n) / price / 8n;
    const move_bps = noise_bps + pull_bps;
    // Never a step of less than 0.2 %: a swap to the current price would fail.
    price += (price * (move_bps >= 0n ? move_bps + 20n : move_bps - 20n)) / 10_000n;
    return price;
  });
};

/** A v3 swap that ends exactly at the wanted price: the limit stops it. */
const setPriceV3 = async (stage: EvmScenarioChain, cents: bigint): Promise<void> => {
  const ether = { token: "weth", amount: 100n * ETHER };
  const dollars = { token: "usdc", amount: cents * DOLLAR };
  const [zero, one] = inOrder(stage, [ether, dollars]);
  const target = sqrtPriceX96(zero.amount, one.amount);
  const slot = await stage.read(
    "pool_v3_weth_usdc",
    "slot0() view returns (uint160,int24,uint16,uint16,uint16,uint8,bool)",
  );
  // slot0 returns seven values, the first a uint160.
  const [now] = slot as readonly [bigint];
  const bought = target > now ? zero : one;
  const paid = bought === ether ? "usdc" : "weth";
  const args = [`@${paid}`, `@${bought.token}`, V3_FEE, "@nina", FOREVER, SIDE_MAX[paid], 0n, target];
  await stage.act({ from: "nina", to: "v3_router", call: [EXACT_INPUT_SINGLE, [args]] });
};

/** A v2 swap that brings the pair to about the wanted price. */
const setPriceV2 = async (stage: EvmScenarioChain, dollar: "usdc" | "usdt", cents: bigint): Promise<void> => {
  const pair = `pair_weth_${dollar}`;
  const answer = await stage.read(pair, "getReserves() view returns (uint112,uint112,uint32)");
  // getReserves returns (reserve0, reserve1, time).
  const [reserve0, reserve1] = answer as readonly [bigint, bigint];
  const [zero] = inOrder(stage, [
    { token: "weth", amount: 0n },
    { token: dollar, amount: 0n },
  ]);
  const [weth, usd] = zero.token === "weth" ? [reserve0, reserve1] : [reserve1, reserve0];
  // x·y = k and y/x = price: x = √(k / price).
  const weth_wanted = squareRoot((weth * usd * 100n * ETHER) / (cents * DOLLAR));
  const usd_wanted = (weth * usd) / weth_wanted;
  const [paid, bought, short] =
    usd_wanted > usd ? [dollar, "weth", usd_wanted - usd] : ["weth", dollar, weth_wanted - weth];
  const amount = (short * 1_000n) / 997n + 1n;
  const args = [amount, 0n, [`@${paid}`, `@${bought}`], "@nina", FOREVER];
  await stage.act({ from: "nina", to: "v2_router", call: [SWAP_TOKENS, args] });
};

const prepare = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.act({ from: "nina", to: "weth", call: ["deposit() payable", []], value: 4_000n * ETHER });
  for (const token of ["weth", "usdc", "usdt"]) await approve(stage, "nina", { token, spender: "v2_router" });
  for (const token of ["weth", "usdc"]) await approve(stage, "nina", { token, spender: "v3_router" });
};

/** A trader swaps ether against dollars three times a day for three months, so that every hour has a price. */
export const market: EvmScenario = (stage): readonly ScenarioAct[] => {
  const path = pricePath(LAST_DAY + 1);
  const acts: ScenarioAct[] = [{ at: on(0, 4), run: () => prepare(stage) }];
  for (let day = 1; day <= LAST_DAY; day += 1) {
    const early = path[day * 2] ?? 0n;
    const late = path[day * 2 + 1] ?? 0n;
    // Not at the same minute every day.
    const shift = (day % 7) / 10;
    acts.push({ at: on(day, 5.1 + shift), run: () => setPriceV3(stage, early) });
    acts.push({ at: on(day, 13.2 + shift), run: () => setPriceV2(stage, "usdc", early) });
    acts.push({ at: on(day, 21.1 + shift), run: () => setPriceV3(stage, late) });
    if (day % 3 === 0) acts.push({ at: on(day, 14.2 + shift), run: () => setPriceV2(stage, "usdt", early) });
  }
  return acts;
};
