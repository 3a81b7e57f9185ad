import { TRANSPORT_LIMITS, type TransportLimits } from "../http/transport.ts";

export interface RequestLimits extends TransportLimits {
  /** From the arrival of a request to its answer, waiting included. A run that it ends is answered with `status:error` TIMEOUT. */
  readonly deadline_ms: number;
  /** Tool calls of all keys at one time; one more gets a quick 503. */
  readonly calls_max: number;
  /** Part of them, and of `waiting_bytes_max`, that one account may take, percent; one call at least. */
  readonly account_share_percent: number;
  /** Bodies that are arriving and answers that clients have not taken yet, all connections together. */
  readonly waiting_bytes_max: number;
  /** How long stopping waits for running calls before it refunds them. */
  readonly closing_grace_ms: number;
}

export const REQUEST_LIMITS: RequestLimits = {
  ...TRANSPORT_LIMITS,
  deadline_ms: 30_000,
  calls_max: 256,
  account_share_percent: 25,
  waiting_bytes_max: 134_217_728,
  closing_grace_ms: 10_000,
};
