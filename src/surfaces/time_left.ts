/** What a wait ends with when the time was over first. */
export const LATE = Symbol("late");

/** The time that a request has, from its arrival: waiting for its body, a place, the accounts and the engine comes out of it. */
export interface TimeLeft {
  /** Milliseconds to the deadline; negative after it. */
  left_ms(): number;
  isOver(): boolean;
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
    isOver: () => left_ms() <= 0,
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
