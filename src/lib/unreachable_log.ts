import type { Log } from "./log.ts";

const EVERY_MS = 60_000;

/** Logs that a network's node does not answer: immediately, then at most once a minute however often it fails, and once it recovers. */
export class UnreachableLog {
  readonly #parts: { readonly network: string; readonly log: Log; readonly now: () => number };
  #told_ms = Number.NEGATIVE_INFINITY;
  #is_away = false;

  /** @param parts.now milliseconds of a monotonic clock */
  constructor(parts: { readonly network: string; readonly log: Log; readonly now: () => number }) {
    this.#parts = parts;
  }

  away(facts: object, message: string): void {
    const { network, log, now } = this.#parts;
    if (now() - this.#told_ms < EVERY_MS) {
      log.debug({ network, ...facts }, message);
      return;
    }
    this.#told_ms = now();
    this.#is_away = true;
    log.warn({ network, ...facts }, message);
  }

  back(message: string): void {
    if (!this.#is_away) return;
    this.#is_away = false;
    const { network, log } = this.#parts;
    log.warn({ network }, message);
  }
}
