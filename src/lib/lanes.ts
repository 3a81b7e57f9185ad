import { allEnded } from "./all_ended.ts";

/**
 * Processes elements in order, several at a time. Resolves when all started work has ended; starts nothing after a failure.
 * Throws the first error.
 */
export const inLanes = async <T>(
  lanes: number,
  things: readonly T[],
  work: (thing: T) => Promise<void>,
): Promise<void> => {
  const waiting = [...things];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      try {
        await work(next);
      } catch (error) {
        waiting.length = 0;
        throw error;
      }
    }
  };
  await allEnded(Array.from({ length: lanes }, lane));
};
