/** Tokens that refill with time; requests take them. */
interface BucketSize {
  readonly per_second: number;
  /** Most tokens after a pause: requests that may follow one another at once. */
  readonly capacity: number;
}

export class TokenBucket {
  #size: BucketSize;
  #tokens: number;
  #filled_at: number;

  /** Full at first. @param now milliseconds that never go back */
  constructor(size: BucketSize, now: number) {
    this.#size = size;
    this.#tokens = size.capacity;
    this.#filled_at = now;
  }

  resize(size: BucketSize, now: number): void {
    this.#fill(now);
    this.#size = size;
    this.#tokens = Math.min(this.#tokens, size.capacity);
  }

  /** Milliseconds until `count` tokens are available, which may exceed the capacity. */
  waitMs(count: number, now: number): number {
    this.#fill(now);
    return Math.max(0, ((count - this.#tokens) / this.#size.per_second) * 1_000);
  }

  /** Takes tokens, also if fewer are left: the balance becomes negative. */
  take(count: number, now: number): void {
    this.#fill(now);
    this.#tokens -= count;
  }

  /** No token until `at`; from then on one, and more with time. */
  emptyUntil(at: number): void {
    this.#tokens = 1;
    this.#filled_at = Math.max(this.#filled_at, at);
  }

  #fill(now: number): void {
    if (now <= this.#filled_at) return;
    const { per_second, capacity } = this.#size;
    this.#tokens = Math.min(capacity, this.#tokens + ((now - this.#filled_at) / 1_000) * per_second);
    this.#filled_at = now;
  }
}
