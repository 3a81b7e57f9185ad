import { randomBytes } from "node:crypto";
import type { RandomBytes } from "./secret.ts";

const POOL_BYTES = 4_096;

/** Random bytes for ids, which are no secrets. They are drawn in batches, since each draw is a system call. */
export const pooledBytes = (): RandomBytes => {
  let [pool, used] = [randomBytes(0), 0];
  return (count) => {
    if (used + count > pool.length) [pool, used] = [randomBytes(POOL_BYTES), 0];
    used += count;
    return pool.subarray(used - count, used);
  };
};

type NewId = (kind: string) => string;

/** Bits of the random half of an id. */
const TAIL_BITS = 64n;

/**
 * Makes ids `<kind>_<time><random>`: ids of one process ascend in the order in which they were made, within a millisecond and
 * after the clock went back too, so that new rows are adjacent in the index and lists by id are lists by age.
 */
export const idsOf = (now: () => number, random: RandomBytes): NewId => {
  let [at, tail] = [0, 0n];
  const drawn = (bytes: number): bigint => BigInt(`0x${Buffer.from(random(bytes)).toString("hex")}`);
  return (kind) => {
    const moment = now();
    // Steps of 32 random bits: the next id cannot be guessed from the last one.
    tail = moment > at ? drawn(8) : tail + 1n + drawn(4);
    at = Math.max(at, moment);
    if (tail >> TAIL_BITS > 0n) [at, tail] = [at + 1, drawn(8)];
    return `${kind}_${at.toString(16).padStart(12, "0")}${tail.toString(16).padStart(16, "0")}`;
  };
};
