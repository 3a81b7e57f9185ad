/** Prices that the player holds or touches. */
import { DOLLAR, ETHER, UNLIMITED } from "../../../src/demo/evm/act.ts";
import { approve } from "../../../src/demo/evm/scenarios/exchanges.ts";
import { PLAYER, PLAYER_HOUR, pay, swapV2 } from "../honest_world.ts";
import type { Player } from "../player.ts";
import { openRange } from "./ranges.ts";
import { give, plainPool, type Strategy } from "./strategy.ts";

const QUIET_S = 2_400;

/** Trades that cost most of the player's dollars in fees. */
const etherRoundTrip = async (player: Player): Promise<void> => {
  const { world, stage } = player;
  await world.until(PLAYER_HOUR + 1, QUIET_S);
  const amount = 1_200_000n * DOLLAR;
  const { calls, cost } = await player.roundTrip("pair_weth_usdc", ["usdc", "weth"], amount);
  await pay(stage, PLAYER, ["usdc", "batch", cost]);
  await player.withLoan("usdc", amount, calls);
};

const tokenRoundTrip = async (player: Player): Promise<void> => {
  const { world, stage } = player;
  for (const hour of [PLAYER_HOUR + 1, PLAYER_HOUR + 2]) {
    await world.until(hour, QUIET_S);
    const amount = 400_000n * DOLLAR;
    const { calls, cost } = await player.roundTrip("pair_harbor_usdc", ["usdc", "harbor"], amount);
    await pay(stage, PLAYER, ["usdc", "batch", cost]);
    await player.withLoan("usdc", amount, calls);
  }
};

/** Dollars into the pool of an honest token, for its reserves; and borrowed ones, which it repays. */
const donation = async (player: Player): Promise<void> => {
  const { world, stage } = player;
  await world.until(PLAYER_HOUR + 1, QUIET_S);
  const amount = 50_000_000n * DOLLAR;
  await player.withLoan("usdc", amount, [
    ["usdc", "transfer(address,uint256)", ["@pair_harbor_usdc", amount]],
    ["pair_harbor_usdc", "skim(address)", ["@batch"]],
  ]);
  await pay(stage, PLAYER, ["usdc", "pair_harbor_usdc", 2_000n * DOLLAR]);
  await player.act("pair_harbor_usdc", ["sync()", []]);
};

const balanceOf = async ({ stage }: Player, token: string, who: string): Promise<bigint> =>
  BigInt(String(await stage.read(token, "balanceOf(address) view returns (uint256)", [who])));

/** Bought in the last block of an hour, sold in the second of the next one, three times. */
const turnOfTheHour = async (player: Player): Promise<void> => {
  const { world, stage } = player;
  for (const token of ["usdc", "harbor"]) await approve(stage, PLAYER, { token, spender: "v2_router" });
  for (let hour = PLAYER_HOUR; hour < PLAYER_HOUR + 3; hour += 1) {
    await world.until(hour, 3_588);
    await swapV2(stage, PLAYER, ["usdc", "harbor", 7_000n * DOLLAR]);
    await world.until(hour + 1, 12);
    await swapV2(stage, PLAYER, ["harbor", "usdc", await balanceOf(player, "harbor", PLAYER)]);
  }
};

/** Held for two hours in the shallower of two honest pools. */
const heldHour = async (player: Player): Promise<void> => {
  const { world, stage } = player;
  for (const token of ["usdc", "harbor"]) await approve(stage, PLAYER, { token, spender: "v2_router" });
  await world.until(PLAYER_HOUR + 1, 30);
  await swapV2(stage, PLAYER, ["usdc", "harbor", 7_000n * DOLLAR]);
  await world.until(PLAYER_HOUR + 3, 30);
  await swapV2(stage, PLAYER, ["harbor", "usdc", await balanceOf(player, "harbor", PLAYER)]);
};

/** Two accounts trade with each other through an own pool, more than a hundred times what they have. */
const selfTrading = async (player: Player): Promise<void> => {
  const { world, stage } = player;
  await plainPool(player, "puppet", 3_000n);
  const [one, two] = [await player.account("self_one"), await player.account("self_two")];
  for (const who of [one, two])
    for (const token of ["usdc", "puppet"])
      await player.act(token, ["approve(address,uint256)", ["@v2_router", UNLIMITED]], who);
  await give(player, ["usdc", one, 2_000n * DOLLAR]);
  await give(player, ["puppet", two, 2_000n * ETHER]);
  for (let hour = PLAYER_HOUR; hour < PLAYER_HOUR + 4; hour += 1) {
    await world.until(hour, QUIET_S);
    for (let round = 0; round < 8; round += 1) {
      await swapV2(stage, one, ["usdc", "puppet", await balanceOf(player, "usdc", stage.address(one))]);
      await pay(stage, one, ["puppet", two, await balanceOf(player, "puppet", stage.address(one))]);
      await swapV2(stage, two, ["puppet", "usdc", await balanceOf(player, "puppet", stage.address(two))]);
      await pay(stage, two, ["usdc", one, await balanceOf(player, "usdc", stage.address(two))]);
    }
  }
};

/** Borrowed dollars in a circle of own accounts, fifty times what the honest people have. */
const circledLoan = async (player: Player): Promise<void> => {
  const { world } = player;
  await world.until(PLAYER_HOUR + 1, QUIET_S);
  const amount = 90_000_000n * DOLLAR;
  await player.withLoan("usdc", amount, [
    ["usdc", "approve(address,uint256)", ["@batch", amount * 4n]],
    ...["olaf", "bob", "alice"].flatMap((through) => [
      ["usdc", "transferFrom(address,address,uint256)", [`@${through}`, "@batch", 0n]] as const,
      ["usdc", "transferFrom(address,address,uint256)", ["@batch", "@batch", amount]] as const,
    ]),
  ]);
};

/** All the player's dollars within a hundredth of a price that is twenty times the honest one. */
const narrowRange = async (player: Player): Promise<void> => {
  const { world } = player;
  await world.until(PLAYER_HOUR + 1, 30);
  await openRange(player, { coins: 200n * ETHER, dollars: 4_000n * DOLLAR, price: 20n });
};

/** One side alone: nothing can be bought, however many dollars offer to buy. */
const oneSidedRange = async (player: Player): Promise<void> => {
  const { world } = player;
  await world.until(PLAYER_HOUR + 1, 30);
  await openRange(player, { coins: 0n, dollars: 7_000n * DOLLAR, price: 20n });
};

/** A dozen own tokens, each with a price of its own, each in a pool with the honest token at twenty times its price. */
const manyPools = async (player: Player): Promise<void> => {
  const { world, stage } = player;
  await approve(stage, PLAYER, { token: "usdc", spender: "v2_router" });
  await world.until(PLAYER_HOUR + 1, QUIET_S);
  await swapV2(stage, PLAYER, ["usdc", "harbor", 500n * DOLLAR]);
  const harbor = await balanceOf(player, "harbor", PLAYER);
  for (let n = 0; n < 12; n += 1) {
    await plainPool(player, `clone${n}`, 580n);
    await player.pool(`clone${n}_harbor`, [
      [`clone${n}`, (harbor / 12n) * 20n],
      ["harbor", harbor / 12n],
    ]);
  }
};

export const MARKETS: readonly Strategy[] = [
  {
    name: "ether_round_trip",
    sentence: "borrowed dollars through the deepest pool of ether and back in one transaction",
    run: etherRoundTrip,
  },
  { name: "token_round_trip", sentence: "the same in a pool of an honest token, in two hours", run: tokenRoundTrip },
  { name: "donation", sentence: "dollars given to a pool, and borrowed ones given and skimmed", run: donation },
  { name: "turn_of_the_hour", sentence: "a price held from the last block of an hour to the next", run: turnOfTheHour },
  { name: "held_hour", sentence: "a price held for two hours in a shallow pool", run: heldHour },
  { name: "self_trading", sentence: "own accounts that trade in a circle for hours", run: selfTrading },
  {
    name: "circled_loan",
    sentence: "borrowed dollars in a circle, and transfers of nothing by others",
    run: circledLoan,
  },
  { name: "narrow_range", sentence: "a concentrated position at twenty times the price", run: narrowRange },
  { name: "one_sided_range", sentence: "a position of dollars alone at twenty times the price", run: oneSidedRange },
  { name: "many_pools", sentence: "a dozen small pools that outvote the honest ones", run: manyPools },
];
