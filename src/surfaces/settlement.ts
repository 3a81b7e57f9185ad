import { setTimeout as sleep } from "node:timers/promises";
import type { ChargeResult, CreditStatus, Meter } from "../accounts/meter.ts";
import { messageOf } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import { isOutcomeUnknown } from "./guarded_meter.ts";
import { LATE, type TimeLeft } from "./time_left.ts";

/** How long after its deadline a call waits for its settlement, and for its charge to be given back; together under 2 s. */
const SETTLE_BEYOND_MS = 700;
const RETRACT_BEYOND_MS = 1_400;
/** How often a charge whose answer came too late is given back while the accounts do not answer, a second apart. */
const RETRACTIONS_MAX = 60;
const RETRACT_AGAIN_MS = 1_000;

export type Settled =
  | { readonly kind: "settled"; readonly standing: CreditStatus }
  /** The charge is the sweeper's, or will be: it is refunded. */
  | { readonly kind: "lease_lost" }
  /** It is done or refunded; which, nobody can say now. */
  | { readonly kind: "outcome_unknown" };

export interface Settlement {
  /**
   * No data may be given when the lease is lost, when the store is away (the lease then refunds), or when it went away in the
   * middle: a refund that was meant is one in the end, but a charge may stand.
   * @param refund why the charge is given back; null when it stays.
   */
  settle(charge_id: string, refund: string | null): Promise<Settled>;
  /** Gives back what was settled, because its answer was not written in time. */
  retract(charge_id: string): Promise<Settled>;
  /** For a charge that nobody waits for any more. */
  refundWhenCharged(charging: Promise<ChargeResult>): Promise<void>;
}

interface Parts {
  readonly meter: Meter;
  readonly log: Log;
}

/** How the charge of one call ends. Nothing here makes the call wait for more than 2 s beyond its deadline. */
export const openSettlement = (
  { request_id, time }: { readonly request_id: string; readonly time: TimeLeft },
  { meter, log }: Parts,
): Settlement => {
  const tell = (charge_id: string, error: unknown) =>
    log.error({ request_id, charge_id, error: messageOf(error) }, "settling failed");

  const refundCharge = async (charge_id: string): Promise<Settled> => {
    for (let round = 1; ; round += 1) {
      try {
        const standing = await meter.retract(charge_id, "late");
        // Null: an attempt whose answer was lost has done it.
        return standing === null ? { kind: "outcome_unknown" } : { kind: "settled", standing };
      } catch (error) {
        tell(charge_id, error);
        if (round === RETRACTIONS_MAX) return { kind: "outcome_unknown" };
        await sleep(RETRACT_AGAIN_MS, undefined, { ref: false });
      }
    }
  };

  return {
    async settle(charge_id, refund) {
      const settling = meter.settle(charge_id, refund === null ? "done" : "refunded", refund);
      try {
        const standing = await time.wait(settling, SETTLE_BEYOND_MS);
        if (standing !== LATE) return standing === null ? { kind: "lease_lost" } : { kind: "settled", standing };
      } catch (error) {
        tell(charge_id, error);
        return { kind: refund === null && isOutcomeUnknown(error) ? "outcome_unknown" : "lease_lost" };
      }
      if (refund !== null) return { kind: "lease_lost" };
      void settling.then(
        (standing) => (standing === null ? undefined : refundCharge(charge_id)),
        (error: unknown) => tell(charge_id, error),
      );
      return { kind: "outcome_unknown" };
    },
    async retract(charge_id) {
      const settled = await time.wait(refundCharge(charge_id), RETRACT_BEYOND_MS);
      return settled === LATE ? { kind: "outcome_unknown" } : settled;
    },
    async refundWhenCharged(charging) {
      try {
        const charge = await charging;
        if (charge.kind === "charged") await meter.settle(charge.charge_id, "refunded", "late");
      } catch (error) {
        // What may be charged all the same is the lease's to refund.
        log.error({ request_id, error: messageOf(error) }, "a charge that came too late was not refunded at once");
      }
    },
  };
};
