import { DOLLAR, ETHER } from "../../../src/demo/evm/act.ts";
import { PLAYER, pay } from "../honest_world.ts";
import type { Player } from "../player.ts";

export interface Strategy {
  /** Also the id of its network. */
  readonly name: string;
  readonly sentence: string;
  readonly run: (player: Player) => Promise<void>;
}

/** The player's pool: dollars against a millionth of a token. */
export const thinPool = async (player: Player, token: string, dollars = 5_100n): Promise<void> => {
  await player.token(token, 10n ** 9n * ETHER);
  await player.pool(`${token}_pool`, [
    [token, ETHER / 1_000_000n],
    ["usdc", dollars * DOLLAR],
  ]);
};

/** A pool at one dollar a token. */
export const plainPool = async (player: Player, token: string, dollars = 5_000n): Promise<void> => {
  await player.token(token, 10n ** 9n * ETHER);
  await player.pool(`${token}_pool`, [
    [token, dollars * ETHER],
    ["usdc", dollars * DOLLAR],
  ]);
};

export const give = ({ stage }: Player, [token, to, amount]: readonly [string, string, bigint]) =>
  pay(stage, PLAYER, [token, to, amount]);
