/**
 * Start of the demo's scenario. The chain is rebuilt at every start; with the same T0 it is the same chain, so indexed
 * data stays valid. After a day T0 moves on, and the indexed data of the old chain must be dropped.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { SCENARIO_DAYS } from "./act.ts";

const DAY_S = 86_400;

export interface DemoClock {
  /** First midnight of the scenario, unix seconds, UTC. */
  readonly t0: number;
  /** Time of the choice of this T0, unix seconds. */
  readonly chosen_at: number;
}

export interface DemoTime {
  readonly clock: DemoClock;
  /** True when T0 is new: facts of an earlier chain are void. */
  readonly moved: boolean;
}

/** @param now unix seconds. `saved` is null before the first start. */
export const demoClock = (now: number, saved: DemoClock | null): DemoTime => {
  // A saved time in the future means that the machine's clock was set back: blocks would come from the future.
  if (saved !== null && now >= saved.chosen_at && now < saved.chosen_at + DAY_S) return { clock: saved, moved: false };
  const midnight = now - (now % DAY_S);
  return { clock: { t0: midnight - SCENARIO_DAYS * DAY_S, chosen_at: now }, moved: true };
};

/** Parses a file of `updateDemoClock`; null when the text is not one. */
export const parseDemoClock = (text: string): DemoClock | null => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null; // An unreadable file is no clock: the caller chooses a new T0.
  }
  if (typeof value !== "object" || value === null || !("t0" in value) || !("chosen_at" in value)) return null;
  const { t0, chosen_at } = value;
  if (!Number.isSafeInteger(t0) || !Number.isSafeInteger(chosen_at)) return null;
  // Both are safe integers by the line above.
  return { t0: t0 as number, chosen_at: chosen_at as number };
};

/** Reads the clock from `path`, moves it on when it is due, and saves it. `now` in unix seconds. */
export const updateDemoClock = (path: string, now: number): DemoTime => {
  const saved = existsSync(path) ? parseDemoClock(readFileSync(path, "utf8")) : null;
  const time = demoClock(now, saved);
  if (time.moved) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.new`, `${JSON.stringify(time.clock)}\n`);
    renameSync(`${path}.new`, path);
  }
  return time;
};
