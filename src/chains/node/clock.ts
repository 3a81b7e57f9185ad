/** The clock that paces requests; tests bring their own. */
export interface Clock {
  /** Milliseconds that never go back. */
  now(): number;
  /** Runs `work` once, `ms` from now, unless the returned function is called before. */
  later(ms: number, work: () => void): () => void;
}

/** A timer of Node beyond this fires at once. */
const TIMER_MS_MAX = 2_147_483_647;

export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  later: (ms, work) => {
    const timer = setTimeout(work, Math.min(ms, TIMER_MS_MAX));
    return () => clearTimeout(timer);
  },
};
