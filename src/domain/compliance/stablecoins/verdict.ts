import type { Exposure, Reason } from "./report.ts";

/** A counterparty's share of what came in that asks for a look, percent … */
const SHARE_PERCENT_MIN = 1;
/** … when it is at least this much. */
const EXPOSURE_USD_MIN = 1_000;

export interface Judged {
  readonly verdict: "clear" | "review" | "blocked";
  readonly verdict_reasons: readonly Reason[];
}

type Evidence = Reason["evidence"];

/** What was found about the wallet itself; each list is evidence, empty where there is none. */
export interface Found {
  readonly frozen: Evidence;
  readonly sanctioned: Evidence;
  readonly ever_frozen: Evidence;
  readonly destroyed: Evidence;
  readonly seized: Evidence;
  readonly oracle: Evidence;
  readonly exposure: Pick<
    Exposure,
    "received_from_frozen_usd" | "received_from_sanctioned_usd" | "share_percent" | "unvalued_dealings"
  >;
  /** What came from frozen or sanctioned counterparties, each dealing once. */
  readonly tainted_usd: number;
  readonly exposure_evidence: Evidence;
}

/**
 * Blocked: frozen now on any coin, whatever is left of it, or sanctioned. Review: something happened before, a second
 * opinion says so, or too much came from those who are frozen or sanctioned. Clear otherwise; whether every check was
 * made is the caller's to know.
 */
export const judge = (found: Found): Judged => {
  const { exposure } = found;
  const is_exposed = exposure.share_percent >= SHARE_PERCENT_MIN && found.tainted_usd >= EXPOSURE_USD_MIN;
  const blocking: readonly (Reason | null)[] = [
    reason("frozen_now", found.frozen.length > 0, found.frozen),
    reason("sanctioned", found.sanctioned.length > 0, found.sanctioned),
  ];
  const doubtful: readonly (Reason | null)[] = [
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
  const given = (reasons: readonly (Reason | null)[]) => reasons.filter((one) => one !== null);
  const verdict = given(blocking).length > 0 ? "blocked" : given(doubtful).length > 0 ? "review" : "clear";
  return { verdict, verdict_reasons: given([...blocking, ...doubtful]) };
};

const reason = (code: Reason["code"], holds: boolean, evidence: Evidence): Reason | null =>
  holds ? { code, evidence } : null;
