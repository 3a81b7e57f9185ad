/** Circuit breakers of receivers: a receiver that keeps failing gets one attempt at a time, rarely, until it answers. */

export interface BreakerLimits {
  /** Consecutive failures that open the circuit. */
  readonly failures: number;
  /** Pause after the first failure; doubles with each further failure, up to the maximum. */
  readonly first_ms: number;
  readonly most_ms: number;
}

export type Circuit =
  | { readonly kind: "closed" }
  /** One attempt may probe the receiver. */
  | { readonly kind: "half_open" }
  | { readonly kind: "open"; readonly until: number };

interface ReceiverFault {
  failures: number;
  until: number;
  is_probed: boolean;
}

/** Maximum receivers with remembered failures; evicts the oldest failure. */
const REMEMBERED_MAX = 50_000;
/** Pause before checking a receiver again while a probe is running. */
const AGAIN_MS = 1_000;

export class Breakers {
  readonly #limits: BreakerLimits;
  readonly #faults = new Map<string, ReceiverFault>();

  constructor(limits: BreakerLimits) {
    this.#limits = limits;
  }

  look(receiver: string, now: number): Circuit {
    const fault = this.#faults.get(receiver);
    if (fault === undefined || fault.failures < this.#limits.failures) return { kind: "closed" };
    if (now < fault.until) return { kind: "open", until: fault.until };
    return fault.is_probed ? { kind: "open", until: now + AGAIN_MS } : { kind: "half_open" };
  }

  /** Starts the probe of a half-open circuit. */
  probe(receiver: string): void {
    const fault = this.#faults.get(receiver);
    if (fault !== undefined) fault.is_probed = true;
  }

  /** Ends an attempt that showed nothing about the receiver. */
  abandon(receiver: string): void {
    const fault = this.#faults.get(receiver);
    if (fault !== undefined) fault.is_probed = false;
  }

  fail(receiver: string, now: number): void {
    const { first_ms, most_ms } = this.#limits;
    const failures = (this.#faults.get(receiver)?.failures ?? 0) + 1;
    const until = now + Math.min(first_ms * 2 ** (failures - 1), most_ms);
    this.#faults.delete(receiver);
    this.#faults.set(receiver, { failures, until, is_probed: false });
    const [oldest] = this.#faults.keys();
    if (this.#faults.size > REMEMBERED_MAX && oldest !== undefined) this.#faults.delete(oldest);
  }

  succeed(receiver: string): void {
    this.#faults.delete(receiver);
  }
}
