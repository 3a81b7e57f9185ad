import { pause } from "../lib/pause.ts";

const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 30_000;
/**
 * Failures in a row after which a run with an end gives up. Its pauses add up to a minute: enough for a node to
 * restart, but a block that stays rejected is not retried all night.
 */
export const ONCE_FAILURES_MAX = 8;

export interface IndexRunOptions {
  /** End when everything up to the node's present head is written. */
  readonly once: boolean;
  readonly signal: AbortSignal;
}

/** Pauses between attempts, and their end if there is one. */
export class Retries {
  readonly #how: IndexRunOptions;
  readonly #first_ms: number;
  #failures = 0;

  /** @param poll_ms the node's polling interval: the first pause is no longer than half of it */
  constructor(how: IndexRunOptions, poll_ms = RETRY_MAX_MS) {
    this.#how = how;
    this.#first_ms = Math.min(RETRY_FIRST_MS, poll_ms / 2);
  }

  succeeded(): void {
    this.#failures = 0;
  }

  /** Waits before the next attempt. False if there shall be none. */
  async next(): Promise<boolean> {
    this.#failures += 1;
    if (this.#how.once && this.#failures >= ONCE_FAILURES_MAX) return false;
    await pause(Math.min(this.#first_ms * 2 ** (this.#failures - 1), RETRY_MAX_MS), this.#how.signal);
    return true;
  }
}
