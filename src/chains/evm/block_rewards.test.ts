/** Rewards of proof of work: worked out by hand, and as recorded nodes state them. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readTraceBlockAnswer } from "../../../bench/replay/recorded.ts";
import { ethereum, polygon } from "../networks/known.gen.ts";
import { checkRewards, rewardAt, rewardsOf } from "./block_rewards.ts";
import { readTraceBlock } from "./traces.ts";

const FOLDER = join(process.cwd(), "../shared/data/evm");
const GWEI = 1_000_000_000n;
const milliether = (amount: number): bigint => BigInt(amount) * 1_000_000n * GWEI;
const address = (byte: number): Buffer => Buffer.alloc(20, byte);
const uncle = (number: number, miner: number) => ({
  number: `0x${number.toString(16)}`,
  miner: `0x${address(miner).toString("hex")}`,
});
const named = (...headers: { readonly number: string; readonly miner: string }[]) => ({
  count: headers.length,
  headers,
});

test("a block earns the reward of its fork, and none at the first block, from the merge on, and on other networks", () => {
  const at = (number: number): bigint => rewardAt(ethereum, number) / milliether(1);
  expect([0, 1, 4_369_999].map(at)).toEqual([0n, 5_000n, 5_000n]);
  expect([4_370_000, 7_279_999].map(at)).toEqual([3_000n, 3_000n]);
  expect([7_280_000, 15_537_393].map(at)).toEqual([2_000n, 2_000n]);
  expect([15_537_394, 20_000_000].map(at)).toEqual([0n, 0n]);
  expect(rewardAt(polygon, 1_000)).toBe(0n);
});

test("each uncle adds a 32nd for the block's miner, and its own miner gets less the older it is", () => {
  const number = 7_280_016;
  const uncles = named(uncle(number - 1, 2), uncle(number - 6, 3));
  // 2 + 2 * 2/32 = 2.125; 7/8 of 2 = 1.75; 2/8 of 2 = 0.5.
  expect(rewardsOf(ethereum, { number, producer: address(1), uncles })).toEqual([
    { kind: "reward", address: address(1), amount: milliether(2_125) },
    { kind: "reward", address: address(2), amount: milliether(1_750) },
    { kind: "reward", address: address(3), amount: milliether(500) },
  ]);
  // Of Byzantium: 3 + 3/32 = 3.09375, and 5/8 of 3 = 1.875.
  const older = rewardsOf(ethereum, { number: 4_370_006, producer: address(1), uncles: named(uncle(4_370_003, 2)) });
  expect(older.map(({ amount }) => amount)).toEqual([3_093_750_000n * GWEI, milliether(1_875)]);
});

test.each([7_280_016, 7_280_017, 7_280_009])("rejects an uncle of number %i of block 7280016", (number) => {
  const asked = { number: 7_280_016, producer: address(1), uncles: named(uncle(number, 2)) };
  expect(() => rewardsOf(ethereum, asked)).toThrow("an uncle of another age than uncles have");
});

test("rewards that a node states must follow from the rule, in any order; none stated is no contradiction", () => {
  const reward = (miner: number, amount: bigint) => ({ kind: "reward" as const, address: address(miner), amount });
  const by_rule = [reward(1, 5n), reward(2, 3n)];
  expect(() => checkRewards(by_rule, [])).not.toThrow();
  expect(() => checkRewards(by_rule, [reward(2, 3n), reward(1, 5n)])).not.toThrow();
  expect(() => checkRewards(by_rule, [reward(1, 6n), reward(2, 3n)])).toThrow("not those of the rule");
  expect(() => checkRewards(by_rule, [reward(1, 5n)])).toThrow("not those of the rule");
});

const recorded = existsSync(join(FOLDER, "ethereum"))
  ? readdirSync(join(FOLDER, "ethereum"))
      .map(Number)
      .filter((number) => readTraceBlockAnswer(FOLDER, "ethereum", number) !== null)
  : [];

describe.skipIf(recorded.length === 0)("recorded nodes", () => {
  test.each(recorded)("the rewards of block %i follow from the rule", (number) => {
    const answer = (readTraceBlockAnswer(FOLDER, "ethereum", number) ?? []).map((one) => Object(one));
    const rewards = answer.filter(({ type, action }) => type === "reward" && action.rewardType !== "withdrawal");
    const told = readTraceBlock(rewards, []).rewards;
    const own = answer.find(({ action }) => action.rewardType === "block")?.action.author ?? `0x${"00".repeat(20)}`;
    // An uncle's age follows from its share: n blocks older earns (8 - n) eighths.
    const uncles = rewards
      .filter(({ action }) => action.rewardType === "uncle")
      .map(({ action }) => {
        const eighths = Number((BigInt(action.value) * 8n) / rewardAt(ethereum, number));
        return { number: `0x${(number - (8 - eighths)).toString(16)}`, miner: action.author };
      });
    const producer = Buffer.from(own.slice(2), "hex");
    const by_rule = rewardsOf(ethereum, { number, producer, uncles: named(...uncles) });
    expect(by_rule.length).toBe(told.length);
    expect(() => checkRewards(by_rule, told)).not.toThrow();
  });
});
