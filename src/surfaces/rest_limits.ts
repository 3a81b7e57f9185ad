import { TRANSPORT_LIMITS, type TransportLimits } from "./transport.ts";

export interface RestLimits extends TransportLimits {
  /** A run that takes longer is answered with `status:error` TIMEOUT. */
  readonly deadline_ms: number;
  /** Tool calls of all keys at one time; one more gets a quick 503. */
  readonly calls_max: number;
  /** How long stopping waits for running calls before it refunds them. */
  readonly closing_grace_ms: number;
}

export const REST_LIMITS: RestLimits = {
  ...TRANSPORT_LIMITS,
  deadline_ms: 30_000,
  calls_max: 64,
  closing_grace_ms: 10_000,
};
