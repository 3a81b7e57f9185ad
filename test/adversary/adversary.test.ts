/** A player with 10,000 USD tries to move figures of others; see docs/design/tests.md. */
import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { caughtUp, openTestService, type TestService } from "../e2e/served_world.ts";
import { sized } from "../long.ts";
import { HONEST, HONEST_TOKENS, type HonestWorld, PLAYER_USD, startHonestWorld } from "./honest_world.ts";
import { type Allowance, movedFigures } from "./moved_figures.ts";
import { type LeftMoney, moneyLeft, openPlayer } from "./player.ts";
import { ofToken, ofWallet, type Question } from "./questions.ts";
import { STRATEGIES } from "./strategies/index.ts";
import type { Strategy } from "./strategies/strategy.ts";

/** The network without the player. */
const HONEST_ID = "honest";
/** Chains of one service. */
const CHAINS = 4;
const AT_ONCE = 2;
/** The honest wallets have at least this much, and markets far more. */
const BASE_USD = 3_000;

/** Decides which strategies a slice plays: another commit plays others. */
const commitNumber = (): number => {
  try {
    return Number.parseInt(execFileSync("git", ["rev-parse", "--short=7", "HEAD"], { encoding: "utf8" }), 16);
  } catch {
    return 0; // a copy without git plays the first ones
  }
};

const inGroups = (list: readonly Strategy[]): readonly (readonly Strategy[])[] =>
  Array.from({ length: Math.ceil(list.length / CHAINS) }, (_, i) => list.slice(i * CHAINS, (i + 1) * CHAINS));

/** `ADVERSARY=split_gift,held_hour` plays these. */
const named = process.env.ADVERSARY?.split(",");
const groupsOfRun = (): readonly (readonly Strategy[])[] => {
  if (named !== undefined) return inGroups(STRATEGIES.filter(({ name }) => named.includes(name)));
  const all = inGroups(STRATEGIES);
  return sized({ slice: all.slice(commitNumber() % all.length).slice(0, 1), long: all });
};

interface PlayedStrategy {
  readonly world: HonestWorld;
  readonly left: LeftMoney;
  readonly own: ReadonlySet<string>;
}

const play = async (world: HonestWorld, { run }: Strategy): Promise<PlayedStrategy> => {
  const first_block = Number(await world.stage.rpc.call("eth_blockNumber"));
  const player = await openPlayer(world);
  await run(player);
  const left = await moneyLeft(player, first_block);
  await world.finish();
  return { world, left, own: player.own };
};

/** A busy machine refuses calls, which cost nothing then. */
const TRIES = 30;
const REFUSED = 503;

const answerTo = async (stage: TestService, tool: string, args: Question["args"]): Promise<unknown> => {
  for (let tries = 1; ; tries += 1) {
    const { status, text, body } = await stage.ask(tool, args);
    if (status === 200) return body;
    if (status !== REFUSED || tries === TRIES) throw new Error(`${tool} ${JSON.stringify(args)}: ${status} ${text}`);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
};

/** Calls of a service; without the player, each runs once. */
const askerOf = (stage: TestService) => {
  const answers = new Map<string, Promise<unknown>>();
  return (network: string, { tool, args }: Question): Promise<unknown> => {
    const key = JSON.stringify([network, tool, args]);
    const answer = answers.get(key) ?? answerTo(stage, tool, { ...args, network });
    answers.set(key, answer);
    return answer;
  };
};

const movedBy = async (ask: ReturnType<typeof askerOf>, name: string, { world, left, own }: PlayedStrategy) => {
  const { stage } = world;
  const questions = [
    ...HONEST.flatMap((who) => ofWallet(stage.address(who))),
    ...HONEST_TOKENS.flatMap((token) => ofToken(stage.address(token))),
  ];
  const moved: string[] = [];
  const work = async (): Promise<void> => {
    for (let one = questions.shift(); one !== undefined; one = questions.shift()) {
      const usd = Math.max(0, one.is_now ? left.last_usd : left.most_usd);
      const allowance: Allowance = { usd, base_usd: BASE_USD, own, own_usd: PLAYER_USD, traded_usd: left.traded_usd };
      const [before, after] = [await ask(HONEST_ID, one), await ask(name, one)];
      for (const { path, ...figures } of movedFigures(before, after, allowance))
        moved.push(`${one.tool} ${Object.values(one.args)[0]} ${path}: ${JSON.stringify(figures)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return moved.sort();
};

test("there are twenty strategies, each with a name of its own", () => {
  expect(new Set(STRATEGIES.map(({ name }) => name)).size).toBe(STRATEGIES.length);
  expect(STRATEGIES.length).toBeGreaterThanOrEqual(20);
});

describe.each(groupsOfRun().map((strategies) => ({ strategies })))(
  "$strategies.0.name and others",
  ({ strategies }) => {
    const worlds: HonestWorld[] = [];
    const played = new Map<string, PlayedStrategy>();
    let stage: TestService;
    let ask: ReturnType<typeof askerOf>;

    const start = async (id: string): Promise<HonestWorld> => {
      const world = await startHonestWorld(id);
      worlds.push(world);
      return world;
    };
    beforeAll(async () => {
      await (await start(HONEST_ID)).finish();
      for (const strategy of strategies) played.set(strategy.name, await play(await start(strategy.name), strategy));
      const networks = worlds.map(({ network }) => network);
      stage = await openTestService({ networks, listed: networks.map(({ network }) => network) });
      await caughtUp(stage.service);
      ask = askerOf(stage);
    });
    afterAll(async () => {
      await stage?.close();
      for (const { stop } of worlds) await stop();
    });

    test.each(strategies)("$name: $sentence: moves nothing of others beyond the money left", async ({ name }) => {
      const found = played.get(name);
      if (found === undefined) throw new Error(`${name} was not played`);
      expect(found.left.most_usd).toBeLessThanOrEqual(PLAYER_USD);
      expect(await movedBy(ask, name, found)).toEqual([]);
    });
  },
);
