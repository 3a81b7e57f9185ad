/** The length of the window in milliseconds. */
export const WINDOW_MS = 60_000;
/** Requests between two searches for idle windows. */
const TIDY_EVERY = 10_000;

/** Rate limits of one instance or several. */
export interface Limits {
  /** Admits a request to the window of `subject`; false when it has admitted `limit` in the last 60 s. */
  admit(subject: string, limit: number): Promise<boolean>;
  close(): Promise<void>;
}

export interface SlidingLog {
  /** Admits a request to the window of `subject`; false when it has admitted `limit` in the last 60 s. */
  admit(subject: string, limit: number): boolean;
  /** Records a request whatever the limit: another instance has admitted it. */
  enter(subject: string): void;
  /** Removes the last admission. */
  leave(subject: string): void;
  /** Number of windows in memory. */
  readonly size: number;
}

/**
 * Exact sliding log per subject: at most `limit` admissions in any 60 seconds (half-open, so a caller that paces
 * at `limit` per minute is never rejected). Rejected requests leave no trace. Memory: one number per admission of the
 * last minute; a window that is idle for a minute is evicted.
 * @param monotonic milliseconds of a monotonic clock.
 */
export const openSlidingLog = (monotonic: () => number): SlidingLog => {
  const logs = new Map<string, number[]>();
  let seen = 0;

  const tidy = (now: number): void => {
    seen = 0;
    for (const [subject, log] of logs) if ((log.at(-1) ?? 0) <= now - WINDOW_MS) logs.delete(subject);
  };

  /** The admissions of the last window. */
  const recent = (subject: string, now: number): number[] => {
    seen += 1;
    if (seen >= TIDY_EVERY) tidy(now);
    const log = logs.get(subject) ?? [];
    let expired = 0;
    while (expired < log.length && (log[expired] ?? now) <= now - WINDOW_MS) expired += 1;
    if (expired > 0) log.splice(0, expired);
    return log;
  };

  const add = (subject: string, log: number[], now: number): void => {
    log.push(now);
    logs.set(subject, log);
  };

  return {
    admit(subject, limit) {
      const now = monotonic();
      const log = recent(subject, now);
      if (log.length >= limit) return false;
      add(subject, log, now);
      return true;
    },
    enter(subject) {
      const now = monotonic();
      add(subject, recent(subject, now), now);
    },
    leave(subject) {
      logs.get(subject)?.pop();
    },
    get size() {
      return logs.size;
    },
  };
};

/** Rate limits of a single instance. */
export const openOwnLimits = (monotonic: () => number): Limits => {
  const log = openSlidingLog(monotonic);
  return { admit: async (subject, limit) => log.admit(subject, limit), close: async () => undefined };
};
