import { AssayError } from "./errors.ts";

/** A question about one of so many shards of the addresses. */
export interface Shard {
  readonly shards: number;
  readonly shard: number;
}

const SHARDS_MAX = 64;
const STEP = 4;

const isTooLarge = (error: unknown): boolean => error instanceof AssayError && error.code === "TOO_LARGE";

/**
 * Asks about all addresses, and where that is more than a question may hold, about one shard of them after the other: what they
 * answer together. `from`: shards to begin with, where it is known that fewer would not do.
 */
export const inShards = async <T>(
  ask: (asked: Shard) => Promise<readonly T[]>,
  from = 1,
): Promise<readonly (readonly T[])[]> => {
  for (let shards = Math.min(from, SHARDS_MAX); ; shards *= STEP) {
    try {
      const answers: (readonly T[])[] = [];
      // At one time they would hold together what one holds alone.
      for (let shard = 0; shard < shards; shard += 1) answers.push(await ask({ shards, shard }));
      return answers;
    } catch (error) {
      if (!isTooLarge(error) || shards * STEP > SHARDS_MAX) throw error;
    }
  }
};
