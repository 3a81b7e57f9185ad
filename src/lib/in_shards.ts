import { AssayError } from "./errors.ts";

/** Queries one of `count` shards of the addresses. */
export interface Shard {
  readonly shards: number;
  readonly shard: number;
}

const SHARDS_MAX = 64;
const STEP = 4;

const isTooLarge = (error: unknown): boolean => error instanceof AssayError && error.code === "TOO_LARGE";

/**
 * Queries all addresses at once, or, where that exceeds the memory of one query, shard by shard, and merges the results.
 * `from`: number of shards to start with, when fewer are known to fail.
 */
export const inShards = async <T>(
  ask: (asked: Shard) => Promise<readonly T[]>,
  from = 1,
): Promise<readonly (readonly T[])[]> => {
  for (let shards = Math.min(from, SHARDS_MAX); ; shards *= STEP) {
    try {
      const answers: (readonly T[])[] = [];
      // In parallel, the shards would need as much memory together as one query.
      for (let shard = 0; shard < shards; shard += 1) answers.push(await ask({ shards, shard }));
      return answers;
    } catch (error) {
      if (!isTooLarge(error) || shards * STEP > SHARDS_MAX) throw error;
    }
  }
};
