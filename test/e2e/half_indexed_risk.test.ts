import { afterAll, beforeAll, expect, test } from "vitest";
import { demoNetwork } from "../../src/commands/demo.ts";
import { eachNth, sized } from "../long.ts";
import { caughtUp, openTestService, type SharedWorldService, sharedWorld, type TestService } from "./served_world.ts";

/**
 * A network whose index begins in the middle knows less of a token than one that is indexed whole: it never gives the
 * token a better score or a better level.
 */

const HALF = "half";
const FIRST_BLOCK = 435;

let whole: SharedWorldService;
let half: TestService;
beforeAll(async () => {
  whole = await sharedWorld();
}, 600_000);
beforeAll(async () => {
  const demo = demoNetwork(whole.world);
  const network = { ...demo.network, id: HALF };
  half = await openTestService({
    networks: [{ ...demo, network, poll_ms: 50, openings: "skip", from_block: FIRST_BLOCK } as const],
  });
  await caughtUp(half.service);
}, 600_000);
afterAll(() => half.close());

/** Best first. A withheld level is no better than any. */
const LEVELS = ["low", "medium", "high", "critical", "unknown"];

test("a half-indexed token never scores better than the whole one, nor has a better level", async () => {
  const block = whole.world.head.number;
  const names = Object.keys(whole.world.contracts);
  let compared = 0;
  for (const name of sized({ slice: eachNth(names, 6), long: names })) {
    const token_address = whole.world.contracts[name as keyof typeof whole.world.contracts];
    const of = { token_address, as_of_block: block };
    const [all, part] = await Promise.all([
      whole.ask("get_token_risk_traits", { ...of, network: "demo" }),
      half.ask("get_token_risk_traits", { ...of, network: HALF }),
    ]);
    if (all.body.status !== undefined || part.body.status !== undefined) continue;
    compared += 1;
    const [more, less] = [all.body.risk_overview, part.body.risk_overview];
    // Without simulation and code there is no score, which is no better than any.
    expect([name, (less.security_score ?? 0) <= (more.security_score ?? 100)]).toEqual([name, true]);
    const ranks = [less, more].map(({ risk_level }) => LEVELS.indexOf(risk_level));
    expect([name, less.risk_level, (ranks[0] ?? -1) >= (ranks[1] ?? 0)]).toEqual([name, less.risk_level, true]);
  }
  expect(compared).toBeGreaterThanOrEqual(sized({ slice: 2, long: 20 }));
});
