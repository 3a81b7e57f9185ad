import { type Gate, openGate } from "./gate.ts";
import { type Held, openHeld } from "./held.ts";
import { Pulse } from "./pulse.ts";
import type { RestLimits } from "./rest_limits.ts";
import { type TimeLeft, timeFrom } from "./time_left.ts";

/** Why a request was turned away before anything was charged. */
export type Shed = "slots" | "share" | "memory" | "deadline";

/** What a request may take of the service: its time, a slot, memory. */
export interface Admission {
  /** The time of a request that is read now. */
  arrive(): TimeLeft;
  readonly gate: Gate;
  readonly held: Held;
  /** How long a refusal is kept back now, milliseconds: nothing, as long as the event loop is in time. */
  pace_ms(time: TimeLeft): number;
  start(): void;
  stop(): void;
}

/** Part of a deadline by which the event loop may be late before there are fewer slots. */
const LATE_PART = 20;
/** So many slots there are always, or all if there are fewer. */
const SLOTS_MIN = 16;
/** Beats of the event loop in time until all slots that were taken away are there again. */
const BEATS_TO_RECOVER = 64;

export const openAdmission = (limits: RestLimits, shed: (why: Shed) => void): Admission => {
  const { calls_max, account_share_percent: share_percent, waiting_bytes_max: bytes_max, deadline_ms } = limits;
  const now_ms = () => performance.now();
  const gate = openGate({ slots: calls_max, share_percent, onRefusal: shed });
  const held = openHeld({ bytes_max, share_percent });
  const pulse = new Pulse(now_ms);
  return {
    arrive: () => timeFrom(now_ms() - pulse.unseen_ms(), deadline_ms, now_ms),
    gate,
    held,
    pace_ms: (time) => paceOf(pulse.unseen_ms(), time.left_ms()),
    start: () => pulse.start((late_ms) => gate.resize(slotsAfter({ late_ms, slots: gate.slots }, limits))),
    stop: () => pulse.stop(),
  };
};

/**
 * Slots after a beat. Who computes for long in this process makes all others late, so a loop that is late by a part of the deadline
 * takes half of them away; they come back one by one.
 */
export const slotsAfter = (
  { late_ms, slots }: { readonly late_ms: number; readonly slots: number },
  { calls_max, deadline_ms }: Pick<RestLimits, "calls_max" | "deadline_ms">,
): number =>
  late_ms > deadline_ms / LATE_PART
    ? Math.max(Math.min(calls_max, SLOTS_MIN), Math.floor(slots / 2))
    : Math.min(calls_max, slots + Math.ceil(calls_max / BEATS_TO_RECOVER));

/** Refusals are kept back so many times as long as the event loop is late, */
const PACE = 4;
/** but not for less than this, and not for more, milliseconds, */
const [PACE_MS_MIN, PACE_MS_MAX] = [20, 2_000];
/** nor for more than this part of the time that is left. */
const PACE_LEFT_PART = 4;

/**
 * Who is refused at once asks again at once. A thousand such callers fill every turn of the event loop, and a call that is being
 * served needs many turns; kept back for some of them, they leave room in each.
 */
export const paceOf = (late_ms: number, left_ms: number): number => {
  const pace_ms = Math.min(PACE * late_ms, PACE_MS_MAX, left_ms / PACE_LEFT_PART);
  return pace_ms < PACE_MS_MIN ? 0 : pace_ms;
};
