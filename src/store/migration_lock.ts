import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { AssayError, messageOf } from "../lib/errors.ts";
import type { Engine } from "./engine.ts";
import { encodeParam } from "./param.ts";

/** Interval at which the holder writes a row. A waiting process takes over a lock that does not change for much longer. */
const BEAT_MS = 1_000;
const STILL_MS = 5_000;
const LOOK_MS = 50;

/** Codes of ClickHouse (src/Common/ErrorCodes.cpp): the table is there already; it is not there. */
const TAKEN = /\bCode: 57\b/;
const GONE = /\bCode: 60\b/;

/** Two creations of one table: one of them is refused. Row 0 names the holder, the others are its beats. */
const TAKE = "CREATE TABLE migrating ENGINE = Memory AS SELECT {holder:String} AS holder, toUInt64(0) AS beat";
const BEAT = "INSERT INTO migrating (holder, beat) SELECT {holder:String}, {beat:UInt64}";
const LOOK = "SELECT anyIf(holder, beat = 0), count() FROM migrating";
const FREE = "DROP TABLE IF EXISTS migrating SYNC";

/** Whether this process still has the lock; check it before every statement. */
export type HasLock = () => Promise<boolean>;

/**
 * Runs `work` while this process alone changes the tables of a store. A statement of a migration may run again, but not while
 * another process runs a later one. A process that is killed with the lock loses it after some seconds.
 * `isNeeded` is called again while others have the lock; returns null when they have done the work.
 */
export const withMigrationLock = async <T>(
  engine: Engine,
  isNeeded: () => Promise<boolean>,
  work: (hasLock: HasLock) => Promise<T>,
): Promise<T | null> => {
  const holder = randomUUID();
  const named = { params: { holder: encodeParam(holder) } };
  if (!(await take(engine, named, isNeeded))) return null;
  let beat = 0;
  const timer = setInterval(() => {
    beat += 1;
    const params = { ...named.params, beat: encodeParam(beat) };
    // A failed beat counts as a late one.
    engine.command(BEAT, { params }).catch((error: unknown) => process.emitWarning(messageOf(error)));
  }, BEAT_MS);
  // No other process takes the lock before it has been unchanged for much longer than one beat.
  let sure_until_ms = performance.now() + BEAT_MS;
  const hasLock = async () => {
    const asked_at_ms = performance.now();
    if (asked_at_ms < sure_until_ms) return true;
    if ((await readLock(engine))?.holder !== holder) return false;
    sure_until_ms = asked_at_ms + BEAT_MS;
    return true;
  };
  try {
    return await work(hasLock);
  } finally {
    clearInterval(timer);
    if ((await readLock(engine))?.holder === holder) await engine.command(FREE);
  }
};

const isCode = (error: unknown, code: RegExp): boolean => error instanceof AssayError && code.test(error.message);

const readLock = async (engine: Engine): Promise<{ readonly holder: string; readonly beats: string } | null> => {
  try {
    const [row] = await engine.query(LOOK);
    return { holder: String(row?.[0]), beats: String(row) };
  } catch (error) {
    if (isCode(error, GONE)) return null;
    throw error;
  }
};

/** Returns false when no work remains. */
const take = async (
  engine: Engine,
  named: { readonly params: Readonly<Record<string, string>> },
  isNeeded: () => Promise<boolean>,
): Promise<boolean> => {
  let seen = { beats: "", at_ms: performance.now() };
  for (;;) {
    if (!(await isNeeded())) return false;
    try {
      await engine.command(TAKE, named);
      return true;
    } catch (error) {
      if (!isCode(error, TAKEN)) throw error;
    }
    const { beats } = (await readLock(engine)) ?? { beats: "" };
    if (beats !== seen.beats) seen = { beats, at_ms: performance.now() };
    else if (performance.now() - seen.at_ms > STILL_MS) await engine.command(FREE);
    await sleep(LOOK_MS);
  }
};
