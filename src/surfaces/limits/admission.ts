import { type CallSlots, openCallSlots } from "./call_slots.ts";
import { type Deadline, deadlineFrom } from "./deadline.ts";
import { EventLoopLag } from "./event_loop_lag.ts";
import { type MemoryShares, openMemoryShares } from "./memory_shares.ts";
import type { RequestLimits } from "./request_limits.ts";

/** Why a request was shed before any charge. */
export type ShedReason = "slots" | "share" | "memory" | "deadline";

/** The time, slots and memory that requests may use. */
export interface Admission {
  /** The deadline of a request that is read now. */
  arrive(): Deadline;
  readonly slots: CallSlots;
  readonly memory: MemoryShares;
  /** How long a refusal is delayed now, milliseconds: 0 as long as the event loop is in time. */
  pace_ms(deadline: Deadline): number;
  start(): void;
  stop(): void;
}

/** The slots shrink when the event loop is late by this part of a deadline. */
const LATE_PART = 20;
/** The slots never shrink below this number. */
const SLOTS_MIN = 16;
/** Measurements in time until all slots are back. */
const MEASUREMENTS_TO_RECOVER = 64;

export const openAdmission = (limits: RequestLimits, onShed: (why: ShedReason) => void): Admission => {
  const { calls_max, account_share_percent: share_percent, waiting_bytes_max: bytes_max, deadline_ms } = limits;
  const now_ms = () => performance.now();
  const slots = openCallSlots({ slots: calls_max, share_percent, onRefusal: onShed });
  const memory = openMemoryShares({ bytes_max, share_percent });
  const lag = new EventLoopLag(now_ms);
  return {
    arrive: () => deadlineFrom(now_ms() - lag.unseen_ms(), deadline_ms, now_ms),
    slots,
    memory,
    pace_ms: (deadline) => paceOf(lag.unseen_ms(), deadline.left_ms()),
    start: () => lag.start((late_ms) => slots.resize(slotsAfter({ late_ms, slots: slots.slots }, limits))),
    stop: () => lag.stop(),
  };
};

/**
 * The number of slots after a measurement. A long computation in this process delays all other requests, so a lag of a part of the deadline
 * halves the slots; they come back one by one.
 */
export const slotsAfter = (
  { late_ms, slots }: { readonly late_ms: number; readonly slots: number },
  { calls_max, deadline_ms }: Pick<RequestLimits, "calls_max" | "deadline_ms">,
): number =>
  late_ms > deadline_ms / LATE_PART
    ? Math.max(Math.min(calls_max, SLOTS_MIN), Math.floor(slots / 2))
    : Math.min(calls_max, slots + Math.ceil(calls_max / MEASUREMENTS_TO_RECOVER));

/** A refusal is delayed by this many times the lag of the event loop, */
const PACE = 4;
/** by no less than the first and no more than the second number of milliseconds, */
const [PACE_MS_MIN, PACE_MS_MAX] = [20, 2_000];
/** and by no more than this part of the time that is left. */
const PACE_LEFT_PART = 4;

/**
 * A caller that is refused at once repeats at once. A thousand such callers fill every turn of the event loop, and a running call
 * needs many turns; a delayed refusal leaves room in each.
 */
export const paceOf = (late_ms: number, left_ms: number): number => {
  const pace_ms = Math.min(PACE * late_ms, PACE_MS_MAX, left_ms / PACE_LEFT_PART);
  return pace_ms < PACE_MS_MIN ? 0 : pace_ms;
};
