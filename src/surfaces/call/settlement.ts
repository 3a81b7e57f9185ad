import { setTimeout as sleep } from "node:timers/promises";
import { isOutcomeUnknown } from "../../accounts/guarded_meter.ts";
import type { ChargeResult, CreditStatus, Meter } from "../../accounts/meter.ts";
import { messageOf } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import { type Deadline, LATE } from "../limits/deadline.ts";

/** How long after its deadline a call waits for its settlement, and for the refund of its charge; together under 2 s. */
const SETTLE_BEYOND_MS = 700;
const RETRACT_BEYOND_MS = 1_400;
/** How often the refund of a late answer is tried while the accounts do not answer, a second apart. */
const RETRACTIONS_MAX = 60;
const RETRACT_AGAIN_MS = 1_000;

export type SettlementResult =
  | { readonly kind: "settled"; readonly credit_status: CreditStatus }
  /** The lease of the charge has ended: the sweeper refunds it. */
  | { readonly kind: "lease_lost" }
  /** The charge is settled or refunded; which of both is not known yet. */
  | { readonly kind: "outcome_unknown" };

export interface Settlement {
  /**
   * The answer contains no data when the lease is lost, when the store is away (the lease then refunds), or when the store failed during the
   * commit: an intended refund is made in any case, but a charge may remain.
   * @param refund why the charge is refunded; null when it remains.
   */
  settle(charge_id: string, refund: string | null): Promise<SettlementResult>;
  /** Refunds a settled charge whose answer was not written in time. */
  retract(charge_id: string): Promise<SettlementResult>;
  /** Refunds a charge that its call no longer waits for. */
  refundWhenCharged(charging: Promise<ChargeResult>): Promise<void>;
}

interface SettlementOptions {
  readonly meter: Meter;
  readonly log: Log;
}

/** Ends the charge of one call. No step makes the call wait for more than 2 s beyond its deadline. */
export const openSettlement = (
  { id: request_id, deadline }: { readonly id: string; readonly deadline: Deadline },
  { meter, log }: SettlementOptions,
): Settlement => {
  const logFailure = (charge_id: string, error: unknown) =>
    log.error({ request_id, charge_id, error: messageOf(error) }, "settling failed");

  const refundCharge = async (charge_id: string): Promise<SettlementResult> => {
    for (let round = 1; ; round += 1) {
      try {
        const credit_status = await meter.retract(charge_id, "late");
        // Null: an earlier attempt, whose answer was lost, made the refund.
        return credit_status === null ? { kind: "outcome_unknown" } : { kind: "settled", credit_status };
      } catch (error) {
        logFailure(charge_id, error);
        if (round === RETRACTIONS_MAX) return { kind: "outcome_unknown" };
        await sleep(RETRACT_AGAIN_MS, undefined, { ref: false });
      }
    }
  };

  return {
    async settle(charge_id, refund) {
      const settling = meter.settle(charge_id, refund === null ? "done" : "refunded", refund);
      try {
        const credit_status = await deadline.wait(settling, SETTLE_BEYOND_MS);
        if (credit_status !== LATE)
          return credit_status === null ? { kind: "lease_lost" } : { kind: "settled", credit_status };
      } catch (error) {
        logFailure(charge_id, error);
        return { kind: refund === null && isOutcomeUnknown(error) ? "outcome_unknown" : "lease_lost" };
      }
      if (refund !== null) return { kind: "lease_lost" };
      void settling.then(
        (credit_status) => (credit_status === null ? undefined : refundCharge(charge_id)),
        (error: unknown) => logFailure(charge_id, error),
      );
      return { kind: "outcome_unknown" };
    },
    async retract(charge_id) {
      const settled = await deadline.wait(refundCharge(charge_id), RETRACT_BEYOND_MS);
      return settled === LATE ? { kind: "outcome_unknown" } : settled;
    },
    async refundWhenCharged(charging) {
      try {
        const charge = await charging;
        if (charge.kind === "charged") await meter.settle(charge.charge_id, "refunded", "late");
      } catch (error) {
        // If the charge was made in spite of the error, its lease refunds it.
        log.error({ request_id, error: messageOf(error) }, "a charge that came too late was not refunded at once");
      }
    },
  };
};
