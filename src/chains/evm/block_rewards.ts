/**
 * Rewards of proof of work for a block, by rule: the reward of its fork, a 32nd of it more for each uncle that the
 * block names, and for the miner of an uncle n blocks older (8 - n) eighths (yellow paper 11.3; EIP-649, EIP-1234,
 * EIP-3675).
 */
import { type Bytes, toHex } from "../../lib/bytes.ts";
import type { Block, Network } from "../chain.ts";
import { BadAnswer } from "../node/answer.ts";
import type { Uncles } from "./uncles.ts";
import { addressOf, countOf } from "./wire.ts";

type Rewards = Block["issuance"];

/** Uncles are at most six generations old. */
const GENERATIONS = 8;
const UNCLE_AGE_MAX = 6;
const NEPHEW_PART = 32n;

/** Base units for one block; 0 if the rule pays none. The first block has no miner. */
export const rewardAt = ({ block_rewards }: Pick<Network, "block_rewards">, number: number): bigint =>
  number === 0 ? 0n : (block_rewards?.findLast(({ from_block }) => from_block <= number)?.amount ?? 0n);

interface RewardedBlock {
  readonly number: number;
  readonly producer: Bytes;
  readonly uncles: Uncles;
}

/** @throws BadAnswer for an uncle of an impossible age */
export const rewardsOf = (
  network: Pick<Network, "block_rewards">,
  { number, producer, uncles }: RewardedBlock,
): Rewards => {
  const reward = rewardAt(network, number);
  if (reward === 0n) return [];
  const own = reward + (BigInt(uncles.count) * reward) / NEPHEW_PART;
  const theirs = (uncles.headers ?? []).map((uncle) => {
    const age = number - countOf(uncle.number, "uncle number");
    if (age < 1 || age > UNCLE_AGE_MAX) throw new BadAnswer("an uncle of another age than uncles have", "rewards");
    return {
      kind: "reward" as const,
      address: addressOf(uncle.miner, "miner of an uncle"),
      amount: (BigInt(GENERATIONS - age) * reward) / BigInt(GENERATIONS),
    };
  });
  return [{ kind: "reward", address: producer, amount: own }, ...theirs];
};

const sumsOf = (rewards: Rewards): string => {
  const sums = new Map<string, bigint>();
  for (const { address, amount } of rewards) sums.set(toHex(address), (sums.get(toHex(address)) ?? 0n) + amount);
  return JSON.stringify([...sums].map(([address, sum]) => `${address} ${sum}`).sort());
};

/** Compares the rewards that a node states, if any, with those of the rule. @throws BadAnswer */
export const checkRewards = (by_rule: Rewards, told: Rewards): void => {
  if (told.length > 0 && sumsOf(told) !== sumsOf(by_rule))
    throw new BadAnswer("block rewards are not those of the rule", "rewards");
};
