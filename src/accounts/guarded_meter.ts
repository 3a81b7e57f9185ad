import { AssayError } from "../lib/errors.ts";
import type { Meter } from "./meter.ts";

const guarded =
  <A extends readonly unknown[], R>(ask: (...args: A) => Promise<R>) =>
  async (...args: A): Promise<R> => {
    try {
      return await ask(...args);
    } catch (cause) {
      const code = isOutcomeUnknown(cause) ? cause.code : "ACCOUNTS_UNAVAILABLE";
      throw new AssayError({ code, message: "accounts store failed", retryable: true, cause });
    }
  };

/** The store stopped answering during a commit: the change may have been made. */
export const isOutcomeUnknown = (error: unknown): error is AssayError =>
  error instanceof AssayError && error.code === "ACCOUNTS_OUTCOME_UNKNOWN";

/**
 * `meter` whose every throw is an `AssayError` `ACCOUNTS_UNAVAILABLE` or `ACCOUNTS_OUTCOME_UNKNOWN`: a store that is away is 503,
 * not a bug.
 */
export const guardedMeter = (meter: Meter): Meter => ({
  authenticate: guarded((authorization, surface) => meter.authenticate(authorization, surface)),
  admit: guarded((caller) => meter.admit(caller)),
  catalog: guarded(() => meter.catalog()),
  isPublic: (tool) => meter.isPublic(tool),
  standing: guarded((caller) => meter.standing(caller)),
  charge: guarded((request) => meter.charge(request)),
  settle: guarded((charge_id, outcome, reason) => meter.settle(charge_id, outcome, reason)),
  retract: guarded((charge_id, reason) => meter.retract(charge_id, reason)),
});
