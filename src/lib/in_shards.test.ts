import { expect, test } from "vitest";
import { AssayError } from "./errors.ts";
import { inShards, type Shard } from "./in_shards.ts";

const ALL = Array.from({ length: 1_000 }, (_, n) => n);

/** Returns the numbers of a shard, unless there are more than `max`. */
const asking = (max: number) => {
  const asked: Shard[] = [];
  const ask = async ({ shards, shard }: Shard) => {
    asked.push({ shards, shard });
    const found = ALL.filter((n) => n % shards === shard);
    if (found.length > max) throw new AssayError({ code: "TOO_LARGE", message: "more than a question may hold" });
    return found;
  };
  return { ask, asked };
};

test.each([
  [1_000, [{ shards: 1, shard: 0 }]],
  [250, [0, 1, 2, 3].map((shard) => ({ shards: 4, shard }))],
])("what fits %i at a time is found whole", async (max, expected) => {
  const { ask, asked } = asking(max);
  const answers = await inShards(ask);
  expect(answers.flat().sort((a, b) => a - b)).toEqual(ALL);
  expect(asked.slice(-expected.length)).toEqual(expected);
});

test("starts with the number of shards known to be needed", async () => {
  const { ask, asked } = asking(500);
  expect((await inShards(ask, 3)).flat()).toHaveLength(1_000);
  expect(asked.map(({ shards }) => shards)).toEqual([3, 3, 3]);
});

test("rejects a query that fits in no number of shards, and passes on other errors immediately", async () => {
  await expect(inShards(asking(1).ask)).rejects.toMatchObject({ code: "TOO_LARGE" });
  const asked: Shard[] = [];
  const failing = inShards(async (shard) => {
    asked.push(shard);
    throw new AssayError({ code: "FACTS_UNAVAILABLE", message: "away", retryable: true });
  });
  await expect(failing).rejects.toMatchObject({ code: "FACTS_UNAVAILABLE" });
  expect(asked).toHaveLength(1);
});
