import type { EndpointCounts } from "./endpoint_counters.ts";
import type { Endpoint } from "./endpoints.ts";
import { NodeRefusal, WrongChain } from "./refusal.ts";

/** One endpoint of a pool, and its state. */
export interface Slot<E, T> {
  readonly endpoint: E;
  traits: T | null;
  probing: Promise<T> | null;
  problem: string | null;
  failures: number;
  /** On the clock of performance.now(). */
  resting_until: number;
  /** Others had a newer head when heads were last compared. */
  is_behind: boolean;
}

/** An endpoint that is behind serves single questions only if the others rest longer than this. */
const BEHIND_MS = 20_000;

/**
 * Prefers endpoints that are awake over resting or rate-limited ones, then up to date over behind, then by load
 * (`spread`) or by order. Null if none remains.
 */
export const chosenSlot = <E extends Endpoint, T>(
  slots: readonly Slot<E, T>[],
  left_out: ReadonlySet<Slot<E, T>>,
  spread: boolean,
): Slot<E, T> | null => {
  const now = performance.now();
  let best: Slot<E, T> | null = null;
  let best_cost = Number.POSITIVE_INFINITY;
  for (const slot of slots) {
    if (left_out.has(slot)) continue;
    const rest_ms = Math.max(0, slot.resting_until - now, slot.endpoint.pacer.rate_wait_ms);
    const late_ms = slot.is_behind && !spread ? BEHIND_MS : 0;
    const cost = (rest_ms + late_ms) * 1_000 + (spread ? slot.endpoint.pacer.load : 0);
    if (cost >= best_cost) continue;
    best = slot;
    best_cost = cost;
  }
  return best;
};

/** Counters of each endpoint so far, in order. Of several with one name each further one gets a number. */
export const countsOf = <E extends Endpoint, T>(slots: readonly Slot<E, T>[]): readonly EndpointCounts[] => {
  const seen = new Map<string, number>();
  return slots.map(({ endpoint }) => {
    const number = (seen.get(endpoint.name) ?? 0) + 1;
    seen.set(endpoint.name, number);
    return endpoint.counts(number === 1 ? endpoint.name : `${endpoint.name} #${number}`);
  });
};

/** Whether a request was refused because of the rate, and the endpoint will accept it after a pause. */
export const waitsForRate = ({ pacer }: Endpoint, error: unknown): boolean =>
  error instanceof NodeRefusal && error.reason === "rate" && pacer.rate_wait_ms > 0 && !pacer.refuses_all;

export const REST_MS = { first: 100, most: 5_000, wrong_chain: 60_000 };

/** How long an endpoint rests after its n-th failure in a row, milliseconds. */
export const restOf = (error: unknown, failures: number): number => {
  if (error instanceof WrongChain) return REST_MS.wrong_chain;
  const backoff_ms = Math.min(REST_MS.first * 2 ** Math.min(failures - 1, 10), REST_MS.most);
  return error instanceof NodeRefusal ? backoff_ms / 2 : backoff_ms;
};
