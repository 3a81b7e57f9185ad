/** A player with 10,000 USD tries to move figures of others; see docs/design/tests.md. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { caughtUp, openTestService, type TestService } from "../e2e/served_world.ts";
import { is_long } from "../long.ts";
import { HONEST, HONEST_TOKENS, type HonestWorld, PLAYER_USD, startHonestWorld } from "./honest_world.ts";
import { type Allowance, movedFigures } from "./moved_figures.ts";
import { type LeftMoney, moneyLeft, openPlayer } from "./player.ts";
import { ofToken, ofWallet, type Question } from "./questions.ts";
import { STRATEGIES } from "./strategies/index.ts";
import type { Strategy } from "./strategies/strategy.ts";

/** The network without the player. */
const HONEST_ID = "honest";
const AT_ONCE = 4;
/** The honest wallets have at least this much, and markets far more. */
const BASE_USD = 3_000;

interface Played {
  readonly world: HonestWorld;
  readonly left: LeftMoney;
  readonly own: ReadonlySet<string>;
}

const chosen = is_long
  ? STRATEGIES
  : STRATEGIES.filter(({ name }) => process.env.ADVERSARY?.split(",").includes(name) ?? true);

let honest: HonestWorld;
const worlds: HonestWorld[] = [];
const startWorld = async (id: string): Promise<HonestWorld> => {
  const world = await startHonestWorld(id);
  worlds.push(world);
  return world;
};
const played = new Map<string, Played>();
let stage: TestService;

const play = async ({ name, run }: Strategy): Promise<Played> => {
  const world = await startWorld(name);
  const first_block = Number(await world.stage.rpc.call("eth_blockNumber"));
  const player = await openPlayer(world);
  await run(player);
  const left = await moneyLeft(player, first_block);
  await world.finish();
  return { world, left, own: player.own };
};

beforeAll(async () => {
  honest = await startWorld(HONEST_ID);
  await honest.finish();
  for (const strategy of chosen) played.set(strategy.name, await play(strategy));
  const networks = worlds.map(({ network }) => network);
  stage = await openTestService({ networks, listed: networks.map(({ network }) => network) });
  await caughtUp(stage.service);
});
afterAll(async () => {
  await stage?.close();
  for (const { stop } of worlds) await stop();
});

const asked = (): readonly Question[] => [
  ...HONEST.flatMap((name) => ofWallet(honest.stage.address(name))),
  ...HONEST_TOKENS.flatMap((name) => ofToken(honest.stage.address(name))),
];

const answers = new Map<string, Promise<unknown>>();
/** Without its player the answer is read once. */
const ask = async (network: string, { tool, args }: Question): Promise<unknown> => {
  const key = JSON.stringify([network, tool, args]);
  const known =
    answers.get(key) ??
    stage.ask(tool, { ...args, network }).then(({ status, body }) => {
      if (status !== 200) throw new Error(`${tool} ${JSON.stringify(args)}: ${status} ${JSON.stringify(body)}`);
      return body;
    });
  answers.set(key, known);
  return known;
};

const movedBy = async (name: string, { left, own }: Played): Promise<readonly string[]> => {
  const questions = [...asked()];
  const moved: string[] = [];
  const work = async (): Promise<void> => {
    for (let one = questions.shift(); one !== undefined; one = questions.shift()) {
      const usd = Math.max(0, one.is_now ? left.last_usd : left.most_usd);
      const allowance: Allowance = { usd, base_usd: BASE_USD, own, own_usd: PLAYER_USD };
      const [before, after] = [await ask(HONEST_ID, one), await ask(name, one)];
      for (const { path, ...figures } of movedFigures(before, after, allowance))
        moved.push(`${one.tool} ${Object.values(one.args)[0]} ${path}: ${JSON.stringify(figures)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return moved.sort();
};

test.each(chosen)("$name: $sentence: moves nothing of others beyond the money left", async ({ name }) => {
  const found = played.get(name);
  if (found === undefined) throw new Error(`${name} was not played`);
  expect(found.left.most_usd).toBeLessThanOrEqual(PLAYER_USD);
  expect(await movedBy(name, found)).toEqual([]);
});
