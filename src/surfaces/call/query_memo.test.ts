import { expect, test } from "vitest";
import { hex } from "../../lib/bytes.ts";
import type { Facts, Snapshot } from "../../store/facts.ts";
import { memoizeQueries } from "./consistent_run.ts";

const snapshotAt = (number: number, from_block = 0): Snapshot => ({
  ...{ network: "demo", generation: "1", from_block, final_block: 5, settled_to: 5, tail_drops: 0 },
  ...{ block: { number, hash: hex("aa"), time: 0 }, coverage: { from_block, to_block: number, gaps: [] } as never },
});

/** Facts that count what reaches them. */
const counted = () => {
  const reached: unknown[] = [];
  const answer = async (...asked: unknown[]) => {
    reached.push(asked);
    return [{ nth: reached.length }];
  };
  const facts = {
    ...{ ask: answer, columns: answer, balanceOf: answer, tokenHolders: answer, holderCounts: answer },
    walletBalances: async () => {
      reached.push("refused");
      throw new Error("away");
    },
    snapshot: answer,
    withSignal: () => facts,
  } as unknown as Facts;
  return { reached, facts: memoizeQueries(facts) };
};

test("a repeated query at the same blocks has the first answer", async () => {
  const { reached, facts } = counted();
  const at = snapshotAt(7);
  const pairs = [{ token: hex("01"), holder: hex("02") }];
  const first = await facts.ask(at, "token_kind", { token: hex("01") });
  expect(await facts.ask({ ...at }, "token_kind", { token: hex("01") })).toBe(first);
  await Promise.all([facts.balanceOf(at, pairs), facts.balanceOf(at, [...pairs])]);
  expect(reached).toHaveLength(2);
});

test("another block, another first block, other arguments and another query reach the store", async () => {
  const { reached, facts } = counted();
  await facts.ask(snapshotAt(7), "token_kind", { token: hex("01") });
  await facts.ask(snapshotAt(8), "token_kind", { token: hex("01") });
  await facts.ask(snapshotAt(7, 3), "token_kind", { token: hex("01") });
  await facts.ask(snapshotAt(7), "token_kind", { token: hex("02") });
  await facts.columns(snapshotAt(7), "token_kind" as never, { token: hex("01") } as never);
  await facts.ask(snapshotAt(7), "token_holders", { tokens: [hex("01")], shards: 1, shard: 0 });
  expect(reached).toHaveLength(6);
});

test("only queries at a snapshot are kept, not for facts with another signal; a failed query is sent again", async () => {
  const { reached, facts } = counted();
  await facts.snapshot("demo", null);
  await facts.snapshot("demo", null);
  await facts.ask(snapshotAt(7), "token_kind", { token: hex("01") });
  await facts.withSignal(AbortSignal.abort()).ask(snapshotAt(7), "token_kind", { token: hex("01") });
  expect(reached).toHaveLength(4);
  await expect(facts.walletBalances(snapshotAt(7), hex("02"))).rejects.toThrow("away");
  await expect(facts.walletBalances(snapshotAt(7), hex("02"))).rejects.toThrow("away");
  expect(reached).toHaveLength(6);
});
