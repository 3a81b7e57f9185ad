/**
 * Rate of requests to an endpoint: a token bucket per second and one per day, both without a limit until one is set or
 * learned. Refusals of an endpoint teach its limit: at first the requests that it answered within the second before,
 * later a fifth less each time, and half as many if it refuses even the next request. As soon as the endpoint answers
 * again, the rate doubles each second up to the rate that it allowed before. From there it grows in increasing steps,
 * for a while only up to a little below the rate that was refused last.
 *
 * Most providers count each call of an array, some the requests. A learned rate counts calls until a refusal at few
 * calls shows that the node counts requests, and the other way round.
 */
import { AnswerCounts, type RateUnit } from "./answer_counts.ts";
import type { Clock } from "./clock.ts";
import { TokenBucket } from "./token_bucket.ts";

export interface RateLimits {
  /** Upper bound of the requests per second. */
  readonly requests_per_second?: number | undefined;
  readonly requests_per_day?: number | undefined;
  /** Unit of the limits. Default: requests for configured ones, for a learned one the unit that the node seems to count. */
  readonly counts?: RateUnit | undefined;
}

const SECOND_MS = 1_000;
const DAY_SECONDS = 86_400;
/** Share of the requests answered within a second, so that requests with uneven travel times stay below the limit. */
const FIRST_SHARE = 0.9;
const DECREASE = 0.8;
const DECREASE_IN_A_ROW = 0.5;
/** One request in two minutes. */
const PER_SECOND_MIN = 1 / 120;
const PAUSE_MS = { first: 1_000, most_per_second: 2_000, most: 60_000 };
/** A provider may suspend a key for hours, and says so. */
const TOLD_PAUSE_MS_MAX = 86_400_000;
const GROWTH = { every_ms: 5_000, first: 0.05, most: 1 };
/** The refused rate is not tried again for this long, twice as long after each further refusal. */
const CEILING = { share: 0.95, first_ms: 15_000, most_ms: 300_000 };
/** Fewer answers than this in the second before a refusal do not show the endpoint's limit. */
const SHOWN_MIN = 3;
const RECOVERY = { every_ms: 1_000, factor: 2 };
/** Part of an hour's share of the day that may be spent at once. */
const DAY_BURST = 1 / 24;

/** Requests in a row, without a pause: a tenth of a second's. */
const bucketOf = (per_second: number) => ({ per_second, capacity: Math.max(1, per_second / 10) });

export class RequestRate {
  readonly #clock: Clock;
  readonly #most: number;
  #per_second: number | null;
  #second: TokenBucket | null;
  readonly #day: TokenBucket | null;
  readonly #answered = new AnswerCounts();
  readonly #is_unit_set: boolean;
  #unit: RateUnit;
  #paused_until = 0;
  #refused_at = Number.NEGATIVE_INFINITY;
  /** Refusals without an answer between them. */
  #in_a_row = 0;
  #ceiling: number | null = null;
  #ceiling_ms = CEILING.first_ms / 2;
  /** The endpoint is not known to refuse up to this rate. */
  #borne = Number.POSITIVE_INFINITY;
  #grown_at = 0;
  #step = GROWTH.first;
  /** Requests have waited since the rate changed: the rate is the limit, not the work. */
  #is_binding = false;

  constructor({ requests_per_second, requests_per_day, counts }: RateLimits, clock: Clock) {
    const is_set = requests_per_second !== undefined || requests_per_day !== undefined;
    this.#is_unit_set = is_set || counts !== undefined;
    this.#unit = counts ?? (is_set ? "requests" : "calls");
    this.#clock = clock;
    const now = clock.now();
    this.#most = requests_per_second ?? Number.POSITIVE_INFINITY;
    this.#per_second = requests_per_second ?? null;
    this.#second = requests_per_second === undefined ? null : new TokenBucket(bucketOf(requests_per_second), now);
    this.#day = requests_per_day === undefined ? null : new TokenBucket(dayBucketOf(requests_per_day), now);
  }

  /** Null while no limit is set or learned. */
  get per_second(): number | null {
    return this.#per_second;
  }

  /** Unit of the rate. */
  get counts(): RateUnit {
    return this.#unit;
  }

  /** Tokens that a request of some calls takes. */
  costOf(calls: number): number {
    return this.#unit === "calls" ? calls : 1;
  }

  /** Refusals without an answer between them; those of requests in flight together are one. */
  get refusals(): number {
    return this.#in_a_row;
  }

  /** Milliseconds until the request that takes the `place`-th token from now may be sent. */
  waitMs(place = 1): number {
    const now = this.#clock.now();
    return Math.max(
      this.#paused_until - now,
      this.#second?.waitMs(place, now) ?? 0,
      this.#day?.waitMs(place, now) ?? 0,
      0,
    );
  }

  /** The endpoint answers again, and the rate is below the known limit. */
  get #is_recovering(): boolean {
    return this.#in_a_row === 0 && this.#per_second !== null && this.#per_second < Math.min(this.#borne, this.#most);
  }

  /** Milliseconds in which no request is sent, whatever the rate per second. */
  pauseMs(): number {
    const now = this.#clock.now();
    return Math.max(this.#paused_until - now, this.#day?.waitMs(1, now) ?? 0, 0);
  }

  /**
   * A request has to wait.
   * @returns milliseconds until its wait must be computed again: at most a second while the rate recovers, because it
   * doubles
   */
  noteWait(): number {
    this.#is_binding = true;
    if (!this.#is_recovering) return this.waitMs();
    this.#grow(this.#clock.now());
    return Math.min(this.waitMs(), RECOVERY.every_ms);
  }

  /** A request of `calls` calls is sent. */
  take(calls = 1): void {
    const now = this.#clock.now();
    this.#second?.take(this.costOf(calls), now);
    this.#day?.take(this.costOf(calls), now);
  }

  /** A request of `calls` calls was answered. */
  answered(calls = 1): void {
    const now = this.#clock.now();
    if (this.#in_a_row > 0) this.#recover(now, calls);
    this.#in_a_row = 0;
    this.#answered.note(now, calls);
    this.#grow(now);
  }

  /** @param told_ms the wait that the endpoint requests; 0 if it states none */
  refused(sent_at: number, told_ms: number, is_per_second = false): void {
    const now = this.#clock.now();
    // Requests in flight are refused together: that is one refusal.
    const is_new = sent_at > this.#refused_at;
    if (is_new) {
      this.#in_a_row += 1;
      this.#refused_at = now;
      this.#lower(now);
    }
    const most_ms = is_per_second ? PAUSE_MS.most_per_second : PAUSE_MS.most;
    const own_ms = Math.min(PAUSE_MS.first * 2 ** Math.min(this.#in_a_row - 1, 10), most_ms);
    const pause_ms = told_ms > 0 ? Math.min(told_ms, TOLD_PAUSE_MS_MAX) : own_ms;
    if (is_new || told_ms > 0) this.#paused_until = Math.max(this.#paused_until, now + pause_ms);
    this.#second?.emptyUntil(this.#paused_until);
  }

  #lower(now: number): void {
    const unit = this.#is_unit_set ? this.#unit : this.#answered.unitAt(now, this.#unit);
    // The known rate counted something else.
    const before = unit === this.#unit ? this.#per_second : null;
    this.#unit = unit;
    const recent = this.#answered.within(now)[unit];
    const next =
      before === null
        ? Math.max(recent, 1) * FIRST_SHARE
        : before * (this.#in_a_row === 1 ? DECREASE : DECREASE_IN_A_ROW);
    // A refusal of a request after a pause has an unknown reason: the known limit stays unchanged.
    if (this.#in_a_row === 1) this.#learnCeiling(before ?? (recent < SHOWN_MIN ? null : recent), next);
    this.#step = GROWTH.first;
    this.#set(Math.min(this.#most, Math.max(PER_SECOND_MIN, next)), now);
  }

  #learnCeiling(refused: number | null, next: number): void {
    this.#ceiling = refused;
    this.#borne = refused === null ? Number.POSITIVE_INFINITY : next;
    if (refused !== null) this.#ceiling_ms = Math.min(this.#ceiling_ms * 2, CEILING.most_ms);
  }

  /** The first answer after refusals: the endpoint allows one request in the time since the last of them. */
  #recover(now: number, calls: number): void {
    const alone = (this.costOf(calls) * SECOND_MS) / Math.max(now - this.#refused_at, 1);
    const shown = Math.min(alone, this.#borne, this.#most);
    if (this.#per_second !== null && shown > this.#per_second) this.#set(shown, now);
  }

  #grow(now: number): void {
    const per_second = this.#per_second;
    const is_recovering = this.#is_recovering;
    if (per_second === null || !this.#is_binding || now - this.#grown_at < (is_recovering ? RECOVERY : GROWTH).every_ms)
      return;
    if (is_recovering) {
      this.#set(Math.min(per_second * RECOVERY.factor, this.#borne, this.#most), now);
      return;
    }
    if (now - this.#refused_at > this.#ceiling_ms) this.#ceiling = null;
    const most = this.#ceiling === null ? this.#most : Math.min(this.#most, this.#ceiling * CEILING.share);
    const next = Math.min(per_second * (1 + this.#step), most);
    if (next <= per_second) return;
    this.#step = Math.min(this.#step * 2, GROWTH.most);
    this.#set(next, now);
  }

  #set(per_second: number, now: number): void {
    this.#per_second = per_second;
    this.#grown_at = now;
    this.#is_binding = false;
    if (this.#second === null) this.#second = new TokenBucket(bucketOf(per_second), now);
    else this.#second.resize(bucketOf(per_second), now);
  }
}

/** The burst and the refill within any day are together no more than the limit. */
const dayBucketOf = (requests_per_day: number) => {
  const capacity = Math.max(1, requests_per_day * DAY_BURST);
  return { per_second: Math.max(requests_per_day - capacity, 1) / DAY_SECONDS, capacity };
};
