import { allEnded } from "./all_ended.ts";

/**
 * Works on things in their order, some at one time. Ends when everything that was begun has ended; after a fault nothing more is
 * begun. Throws the first fault.
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
