/** What a wait ends with when the time was over first. */
export const LATE = Symbol("late");

/** Nothing is begun or charged any more when this part of a deadline, or a second, is all that is left. */
const LEAST_PART = 10;
const LEAST_MS_MAX = 1_000;

/** Between the last look at the time and the writing: this part of a deadline, or so many milliseconds. */
const MARGIN_PART = 20;
const MARGIN_MS_MAX = 100;

/** The least time with which a call is begun. */
export const leastOf = (deadline_ms: number): number => Math.min(LEAST_MS_MAX, deadline_ms / LEAST_PART);

/** The time that a request has, from its arrival: waiting for its body, a place, the accounts and the engine comes out of it. */
export interface TimeLeft {
  /** Milliseconds to the deadline; negative after it. */
  left_ms(): number;
  /** Whether enough is left to begin what was asked for. */
  mayBegin(): boolean;
  /** Whether an answer that was charged may still go out. A little is kept for a processor that is taken away just then. */
  mayWrite(): boolean;
  /**
   * What `work` comes to, or LATE when the deadline and `beyond_ms` after it pass before that. The work then goes on alone; its
   * throw goes unheard.
   */
  wait<T>(work: Promise<T>, beyond_ms?: number): Promise<T | typeof LATE>;
}

/**
 * @param arrived_ms when the request arrived, on the clock of `now_ms`, which never goes back.
 * @param deadline_ms how long after that its answer may be written.
 */
export const timeFrom = (arrived_ms: number, deadline_ms: number, now_ms: () => number): TimeLeft => {
  const left_ms = () => arrived_ms + deadline_ms - now_ms();
  return {
    left_ms,
    mayBegin: () => left_ms() >= leastOf(deadline_ms),
    mayWrite: () => left_ms() > Math.min(MARGIN_MS_MAX, deadline_ms / MARGIN_PART),
    async wait(work, beyond_ms = 0) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<typeof LATE>((resolve) => {
        timer = setTimeout(() => resolve(LATE), Math.max(0, left_ms() + beyond_ms));
      });
      try {
        return await Promise.race([work, late]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
};
