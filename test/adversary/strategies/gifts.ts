/** Gifts of tokens whose price the player makes. */
import { DOLLAR, ETHER } from "../../../src/demo/evm/act.ts";
import { projectCode } from "../../../src/demo/evm/artifacts.ts";
import { LAST_HOUR, PLAYER, PLAYER_HOUR } from "../honest_world.ts";
import type { Player } from "../player.ts";
import { give, plainPool, type Strategy, thinPool } from "./strategy.ts";

/** Minutes after an hour at which no honest person acts. */
const QUIET_S = 2_400;

const thinPoolGift = async (player: Player): Promise<void> => {
  await thinPool(player, "fortune");
  await player.world.until(PLAYER_HOUR + 1, QUIET_S);
  await give(player, ["fortune", "bob", 1_000n * ETHER]);
};

const dilutedSanctions = async (player: Player): Promise<void> => {
  await thinPool(player, "fortune");
  await player.world.until(PLAYER_HOUR + 1, QUIET_S);
  for (const to of ["walter", "olaf"]) await give(player, ["fortune", to, 1_000n * ETHER]);
};

const removedLiquidity = async (player: Player): Promise<void> => {
  await thinPoolGift(player);
  await player.world.until(PLAYER_HOUR + 3, QUIET_S);
  await player.unpool("fortune_pool");
};

/** Each receipt is below a hundredth of what the pool holds; all of them are many times what it could pay. */
const splitGift = async (player: Player): Promise<void> => {
  await plainPool(player, "crumb");
  await give(player, ["crumb", "batch", 10n ** 6n * ETHER]);
  for (const hour of [PLAYER_HOUR + 1, PLAYER_HOUR + 2]) {
    await player.world.until(hour, QUIET_S);
    for (const to of ["bob", "walter"]) {
      const transfer = player.stage.encode("transfer(address,uint256)", [`@${to}`, 45n * ETHER]);
      const one = [player.stage.address("crumb"), transfer];
      await player.act("batch", ["repeat((address,bytes),uint256)", [one, 200n]]);
    }
  }
};

/** A gift every hour, while the pool stays. */
const hourlyGift = async (player: Player): Promise<void> => {
  await plainPool(player, "drip");
  for (let hour = PLAYER_HOUR + 1; hour <= LAST_HOUR; hour += 1) {
    await player.world.until(hour, QUIET_S);
    for (const to of ["bob", "alice"]) await give(player, ["drip", to, 5_000n * ETHER]);
  }
};

/** Shares of the player's own pool, and of one that pairs two of his tokens. */
const pooledGift = async (player: Player): Promise<void> => {
  await thinPool(player, "fortune", 4_000n);
  await plainPool(player, "crumb", 3_000n);
  await player.pool("twin_pool", [
    ["fortune", 10n ** 6n * ETHER],
    ["crumb", 10n ** 6n * ETHER],
  ]);
  await player.world.until(PLAYER_HOUR + 1, QUIET_S);
  await give(player, ["twin_pool", "bob", 10n ** 23n]);
  const shares = await player.stage.read("fortune_pool", "balanceOf(address) view returns (uint256)", [PLAYER]);
  if (typeof shares !== "bigint") throw new Error("balanceOf returns a uint256");
  await give(player, ["fortune_pool", "bob", shares / 2n]);
};

/** Balances grow a millionfold without a transfer, after the receipt and after the pool was made. */
const rebasedGift = async (player: Player): Promise<void> => {
  const { stage, world } = player;
  const args = ["string,string,uint256", ["Staked", "STK", 10n ** 6n * ETHER]] as const;
  await stage.create("staked", { from: PLAYER, code: projectCode("RebasingToken"), args });
  await player.pool("staked_pool", [
    ["staked", 5_000n * ETHER],
    ["usdc", 5_000n * DOLLAR],
  ]);
  await give(player, ["staked", "bob", 100n * ETHER]);
  await world.until(PLAYER_HOUR + 1, QUIET_S);
  await player.act("staked", ["rebase(uint256)", [10n ** 12n * ETHER]]);
  await give(player, ["staked", "bob", 10n ** 9n * ETHER]);
};

/** Only the player can sell. */
const honeypotGift = async (player: Player): Promise<void> => {
  const { stage, world } = player;
  const args = ["string,string,uint256", ["Honey", "HNY", 10n ** 9n * ETHER]] as const;
  await stage.create("honey", { from: PLAYER, code: projectCode("HoneypotToken"), args });
  await player.pool("honey_pool", [
    ["honey", 1_000n * ETHER],
    ["usdc", 5_000n * DOLLAR],
  ]);
  await player.act("honey", ["setPool(address)", ["@honey_pool"]]);
  await world.until(PLAYER_HOUR + 1, QUIET_S);
  for (const to of ["bob", "alice", "carol"]) await give(player, ["honey", to, 10n ** 6n * ETHER]);
};

export const GIFTS: readonly Strategy[] = [
  {
    name: "thin_pool_gift",
    sentence: "5,100 dollars against a millionth of a token, and 1,000 tokens sent to a wallet",
    run: thinPoolGift,
  },
  {
    name: "diluted_sanctions",
    sentence: "the same token sent to a sanctioned wallet and to one with sanctioned money",
    run: dilutedSanctions,
  },
  {
    name: "removed_liquidity",
    sentence: "the same gift, and the liquidity removed two hours later",
    run: removedLiquidity,
  },
  { name: "split_gift", sentence: "800 receipts, each below a hundredth of the pool", run: splitGift },
  { name: "hourly_gift", sentence: "all that a pool could pay, as a gift in each hour", run: hourlyGift },
  { name: "pooled_gift", sentence: "shares of the player's own pools as a gift", run: pooledGift },
  { name: "rebased_gift", sentence: "a gift that grows a millionfold without a transfer", run: rebasedGift },
  { name: "honeypot_gift", sentence: "a gift that its receiver cannot sell", run: honeypotGift },
];
