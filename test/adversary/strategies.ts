/** What a player with 10,000 USD of his own tries, to move figures of others. A new strategy is one row. */
import { DOLLAR, ETHER } from "../../src/demo/evm/act.ts";
import { PLAYER, PLAYER_HOUR, pay } from "./honest_world.ts";
import type { Player } from "./player.ts";

export interface Strategy {
  /** Also the id of its network. */
  readonly name: string;
  readonly sentence: string;
  readonly run: (player: Player) => Promise<void>;
}

/** The player's pool: dollars against a millionth of a token. */
const thinPool = async (player: Player, token: string): Promise<void> => {
  await player.token(token, 10n ** 9n * ETHER);
  await player.pool(`${token}_pool`, [
    [token, ETHER / 1_000_000n],
    ["usdc", 5_100n * DOLLAR],
  ]);
};

const give = ({ stage }: Player, [token, to, amount]: readonly [string, string, bigint]) =>
  pay(stage, PLAYER, [token, to, amount]);

const thinPoolGift = async (player: Player): Promise<void> => {
  await thinPool(player, "fortune");
  await player.world.until(PLAYER_HOUR + 1, 2_400);
  await give(player, ["fortune", "bob", 1_000n * ETHER]);
};

const dilutedSanctions = async (player: Player): Promise<void> => {
  await thinPool(player, "fortune");
  await player.world.until(PLAYER_HOUR + 1, 2_400);
  for (const to of ["walter", "olaf"]) await give(player, ["fortune", to, 1_000n * ETHER]);
};

const removedLiquidity = async (player: Player): Promise<void> => {
  await thinPoolGift(player);
  await player.world.until(PLAYER_HOUR + 3, 2_400);
  await player.unpool("fortune_pool");
};

/** Trades that cost most of the player's dollars in fees. */
const etherRoundTrip = async (player: Player): Promise<void> => {
  const { world, stage } = player;
  await world.until(PLAYER_HOUR + 1, 2_400);
  const amount = 1_200_000n * DOLLAR;
  const { calls, cost } = await player.roundTrip("pair_weth_usdc", ["usdc", "weth"], amount);
  await pay(stage, PLAYER, ["usdc", "batch", cost]);
  await player.withLoan("usdc", amount, calls);
};

const tokenRoundTrip = async (player: Player): Promise<void> => {
  const { world, stage } = player;
  for (const hour of [PLAYER_HOUR + 1, PLAYER_HOUR + 2]) {
    await world.until(hour, 2_400);
    const amount = 400_000n * DOLLAR;
    const { calls, cost } = await player.roundTrip("pair_harbor_usdc", ["usdc", "harbor"], amount);
    await pay(stage, PLAYER, ["usdc", "batch", cost]);
    await player.withLoan("usdc", amount, calls);
  }
};

export const STRATEGIES: readonly Strategy[] = [
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
  {
    name: "ether_round_trip",
    sentence: "borrowed dollars through the deepest pool of ether and back in one transaction",
    run: etherRoundTrip,
  },
  {
    name: "token_round_trip",
    sentence: "the same in a pool of an honest token, in two hours",
    run: tokenRoundTrip,
  },
];
