/** The length of the window in milliseconds. */
export const WINDOW_MS = 60_000;
/** Idle logs are looked for when this many requests have been seen since the last time. */
const TIDY_EVERY = 10_000;

/** Who may call how often, for one instance or for several. */
export interface Limits {
  /** One request enters the window of `subject`; false when `limit` have entered in the last 60 s. */
  admit(subject: string, limit: number): Promise<boolean>;
  close(): Promise<void>;
}

export interface SlidingLog {
  /** One request enters the window of `subject`; false when `limit` have entered in the last 60 s. */
  admit(subject: string, limit: number): boolean;
  /** One request enters whatever the limit: somebody else has admitted it. */
  enter(subject: string): void;
  /** The last entry is taken back. */
  leave(subject: string): void;
  /** Number of windows in memory. */
  readonly size: number;
}

/**
 * An exact sliding log per subject: at most `limit` admissions in any 60 seconds (half-open, so a caller who paces
 * at `limit` per minute is never refused). Refused requests leave no trace. Memory: one number per admission of the
 * last minute; windows that are idle for a minute are forgotten.
 * @param monotonic milliseconds of a clock that never goes back.
 */
export const openSlidingLog = (monotonic: () => number): SlidingLog => {
  const logs = new Map<string, number[]>();
  let seen = 0;

  const tidy = (now: number): void => {
    seen = 0;
    for (const [subject, log] of logs) if ((log.at(-1) ?? 0) <= now - WINDOW_MS) logs.delete(subject);
  };

  /** The entries of the last window. */
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

/** Limits of one instance alone. */
export const openOwnLimits = (monotonic: () => number): Limits => {
  const log = openSlidingLog(monotonic);
  return { admit: async (subject, limit) => log.admit(subject, limit), close: async () => undefined };
};
