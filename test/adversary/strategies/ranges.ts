import { DOLLAR, ETHER, FOREVER } from "../../../src/demo/evm/act.ts";
import { sqrtPriceX96 } from "../../../src/demo/evm/pool_math.ts";
import { approve } from "../../../src/demo/evm/scenarios/exchanges.ts";
import { PLAYER, swapV2 } from "../honest_world.ts";
import type { Player } from "../player.ts";

/** The tier of 0.05 %, which the honest pools do not use. */
const FEE = 500n;
const SPACING = 10;
const CREATE_POOL = "createAndInitializePoolIfNecessary(address,address,uint24,uint160) payable";
const MINT = "mint((address,address,uint24,int24,int24,uint256,uint256,uint256,uint256,address,uint256)) payable";

/** Ticks (0.01 %) on both sides of the price. */
const WIDTH = 100;

/** Opens a v3 pool of Harbor and dollars at a price of Harbor, with a position around it; without coins, below it. */
export const openRange = async (
  player: Player,
  { coins, dollars, price }: { readonly coins: bigint; readonly dollars: bigint; readonly price: bigint },
): Promise<void> => {
  const { stage } = player;
  for (const token of ["usdc", "harbor"]) await approve(stage, PLAYER, { token, spender: "v3_positions" });
  await approve(stage, PLAYER, { token: "usdc", spender: "v2_router" });
  if (coins > 0n) await swapV2(stage, PLAYER, ["usdc", "harbor", (coins * 110n * DOLLAR) / (100n * ETHER)]);
  const is_harbor_first = stage.address("harbor").toLowerCase() < stage.address("usdc").toLowerCase();
  const raw = is_harbor_first ? Number(price) * 1e-12 : 1e12 / Number(price);
  const middle = Math.round(Math.log(raw) / Math.log(1.0001) / SPACING) * SPACING;
  const root = is_harbor_first ? sqrtPriceX96(ETHER, price * DOLLAR) : sqrtPriceX96(price * DOLLAR, ETHER);
  const tokens = is_harbor_first ? ["@harbor", "@usdc"] : ["@usdc", "@harbor"];
  await stage.act({ from: PLAYER, to: "v3_positions", call: [CREATE_POOL, [...tokens, FEE, root]], gas: 8_000_000 });
  // Dollars alone lie where Harbor is cheaper: below the price of the first token, or above that of the second.
  const dollars_side = is_harbor_first ? [middle - WIDTH, middle - SPACING] : [middle + SPACING, middle + WIDTH];
  const [low, high] = coins === 0n ? dollars_side : [middle - WIDTH, middle + WIDTH];
  const amounts = is_harbor_first ? [coins, dollars] : [dollars, coins];
  const args = [...tokens, FEE, low, high, ...amounts, 0n, 0n, PLAYER, FOREVER];
  await stage.act({ from: PLAYER, to: "v3_positions", call: [MINT, [args]], gas: 5_000_000 });
};
