import { randomBytes } from "node:crypto";
import type { RandomBytes } from "./secret.ts";

const POOL_BYTES = 4_096;

/** Random bytes for names, which are no secrets: drawn many at a time, since each draw asks the system. */
export const pooledBytes = (): RandomBytes => {
  let [pool, used] = [randomBytes(0), 0];
  return (count) => {
    if (used + count > pool.length) [pool, used] = [randomBytes(POOL_BYTES), 0];
    used += count;
    return pool.subarray(used - count, used);
  };
};

/** `<kind>_<time><random>`: ordered by time, so that new rows lie together in the index. */
export const makeId = (kind: string, at: number, random: RandomBytes): string =>
  `${kind}_${at.toString(16).padStart(12, "0")}${Buffer.from(random(8)).toString("hex")}`;
