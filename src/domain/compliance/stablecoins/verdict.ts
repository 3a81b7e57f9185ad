import type { FrozenExposure, VerdictReason } from "./report.ts";

/** A counterparty's share of the income that needs a review, percent … */
const SHARE_PERCENT_MIN = 1;
/** … when it is at least this much. */
const EXPOSURE_USD_MIN = 1_000;

/** Whether an exposure to frozen or sanctioned addresses needs a review. */
export const isExposed = (share_percent: number, usd: number): boolean =>
  share_percent >= SHARE_PERCENT_MIN && usd >= EXPOSURE_USD_MIN;

export interface ComplianceVerdict {
  readonly verdict: "clear" | "review" | "blocked";
  readonly verdict_reasons: readonly VerdictReason[];
}

type ReasonEvidence = VerdictReason["evidence"];

/** Findings about the wallet itself; each list is evidence, empty without it. */
export interface ComplianceEvidence {
  readonly frozen: ReasonEvidence;
  readonly sanctioned: ReasonEvidence;
  readonly ever_frozen: ReasonEvidence;
  readonly destroyed: ReasonEvidence;
  readonly seized: ReasonEvidence;
  readonly oracle: ReasonEvidence;
  readonly exposure: Pick<
    FrozenExposure,
    "received_from_frozen_usd" | "received_from_sanctioned_usd" | "share_percent" | "unvalued_dealings"
  >;
  /** Receipts from frozen or sanctioned counterparties, each transfer once. */
  readonly tainted_usd: number;
  readonly exposure_evidence: ReasonEvidence;
}

/**
 * Blocked: frozen now on any coin, regardless of the balance, or sanctioned. Review: earlier actions of an issuer, a
 * flag of a second source, or too much income from frozen or sanctioned addresses. Clear otherwise; the caller knows
 * whether every check was made.
 */
export const judge = (found: ComplianceEvidence): ComplianceVerdict => {
  const { exposure } = found;
  const is_exposed = isExposed(exposure.share_percent, found.tainted_usd);
  const blocking: readonly (VerdictReason | null)[] = [
    reason("frozen_now", found.frozen.length > 0, found.frozen),
    reason("sanctioned", found.sanctioned.length > 0, found.sanctioned),
  ];
  const doubtful: readonly (VerdictReason | null)[] = [
    reason("ever_frozen", found.ever_frozen.length > 0, found.ever_frozen),
    reason("funds_destroyed", found.destroyed.length > 0, found.destroyed),
    reason("funds_seized", found.seized.length > 0, found.seized),
    reason(
      "frozen_counterparty_exposure",
      is_exposed && exposure.received_from_frozen_usd > 0,
      found.exposure_evidence,
    ),
    reason(
      "sanctioned_counterparty_exposure",
      is_exposed && exposure.received_from_sanctioned_usd > 0,
      found.exposure_evidence,
    ),
    reason("unvalued_exposure", exposure.unvalued_dealings > 0, found.exposure_evidence),
    reason("oracle_flag", found.oracle.length > 0, found.oracle),
  ];
  const given = (reasons: readonly (VerdictReason | null)[]) => reasons.filter((one) => one !== null);
  const verdict = given(blocking).length > 0 ? "blocked" : given(doubtful).length > 0 ? "review" : "clear";
  return { verdict, verdict_reasons: given([...blocking, ...doubtful]) };
};

const reason = (code: VerdictReason["code"], holds: boolean, evidence: ReasonEvidence): VerdictReason | null =>
  holds ? { code, evidence } : null;
