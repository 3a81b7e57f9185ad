import { Refusal, WrongChain } from "./refusal.ts";

/** One endpoint of a pool, and how it is. */
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

export const REST_MS = { first: 100, most: 5_000, wrong_chain: 60_000 };

/** How long an endpoint rests after its n-th failure in a row, milliseconds. */
export const restOf = (error: unknown, failures: number): number => {
  if (error instanceof WrongChain) return REST_MS.wrong_chain;
  const backoff_ms = Math.min(REST_MS.first * 2 ** Math.min(failures - 1, 10), REST_MS.most);
  return error instanceof Refusal ? Math.max(error.wait_ms, backoff_ms / 2) : backoff_ms;
};
