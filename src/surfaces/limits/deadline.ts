/** The result of a wait that the deadline ended. */
export const LATE = Symbol("late");

/** No call begins and no charge is made when only this part of a deadline, or a second, is left. */
const LEAST_PART = 10;
const LEAST_MS_MAX = 1_000;

/** Kept between the last check of the deadline and the write: this part of a deadline, or so many milliseconds. */
const MARGIN_PART = 20;
const MARGIN_MS_MAX = 100;

/** The least time with which a call begins, milliseconds. */
export const leastTimeToBegin = (deadline_ms: number): number => Math.min(LEAST_MS_MAX, deadline_ms / LEAST_PART);

/** The deadline of a request, counted from its arrival. Waiting for the body, a slot, the accounts and the engine counts. */
export interface Deadline {
  /** Milliseconds to the deadline; negative after it. */
  left_ms(): number;
  /** Whether enough time is left to begin. */
  mayBegin(): boolean;
  /** Whether a charged answer may still be sent. A margin covers a process that the system suspends at that moment. */
  mayWrite(): boolean;
  /** The result of `work`, or LATE when the deadline and `beyond_ms` after it pass first. The work then continues; its error is ignored. */
  wait<T>(work: Promise<T>, beyond_ms?: number): Promise<T | typeof LATE>;
}

/**
 * @param arrived_ms when the request arrived, on the clock of `now_ms`, which never goes back.
 * @param deadline_ms how long after the arrival the answer may be written.
 */
export const deadlineFrom = (arrived_ms: number, deadline_ms: number, now_ms: () => number): Deadline => {
  const left_ms = () => arrived_ms + deadline_ms - now_ms();
  return {
    left_ms,
    mayBegin: () => left_ms() >= leastTimeToBegin(deadline_ms),
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
