/** The length of the window in milliseconds. */
const WINDOW_MS = 60_000;
/** Idle logs are looked for when this many requests have been seen since the last time. */
const TIDY_EVERY = 10_000;

export interface Limits {
  /** One request enters the window of `subject`; false when `limit` have entered in the last 60 s. */
  admit(subject: string, limit: number): boolean;
  /** Number of windows in memory. */
  readonly size: number;
}

/**
 * An exact sliding log per subject: at most `limit` admissions in any 60 seconds (half-open, so a caller who paces
 * at `limit` per minute is never refused). Refused requests leave no trace. Memory: one number per admission of the
 * last minute; windows that are idle for a minute are forgotten.
 * @param monotonic milliseconds of a clock that never goes back.
 */
export const openLimits = (monotonic: () => number): Limits => {
  const logs = new Map<string, number[]>();
  let seen = 0;

  const tidy = (now: number): void => {
    seen = 0;
    for (const [subject, log] of logs) if ((log.at(-1) ?? 0) <= now - WINDOW_MS) logs.delete(subject);
  };

  return {
    admit(subject, limit) {
      const now = monotonic();
      seen += 1;
      if (seen >= TIDY_EVERY) tidy(now);
      const log = logs.get(subject) ?? [];
      let expired = 0;
      while (expired < log.length && (log[expired] ?? now) <= now - WINDOW_MS) expired += 1;
      if (expired > 0) log.splice(0, expired);
      if (log.length >= limit) return false;
      log.push(now);
      logs.set(subject, log);
      return true;
    },
    get size() {
      return logs.size;
    },
  };
};
