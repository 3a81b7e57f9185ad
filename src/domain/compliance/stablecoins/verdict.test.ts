import { expect, test } from "vitest";
import { type ComplianceEvidence, judge } from "./verdict.ts";

const SEEN = [{ kind: "tx" as const, ref: "0x1", observed_at: "2026-01-01T00:00:00Z" }];

const NOTHING: ComplianceEvidence = {
  frozen: [],
  sanctioned: [],
  ever_frozen: [],
  destroyed: [],
  seized: [],
  oracle: [],
  exposure: { received_from_frozen_usd: 0, received_from_sanctioned_usd: 0, share_percent: 0, unvalued_dealings: 0 },
  tainted_usd: 0,
  exposure_evidence: [],
};

const verdictOf = (some: Partial<ComplianceEvidence>) => {
  const { verdict, verdict_reasons } = judge({ ...NOTHING, ...some });
  return [verdict, verdict_reasons.map(({ code }) => code)];
};

const exposed = (
  usd: number,
  share_percent: number,
  from: "frozen" | "sanctioned" = "frozen",
): Partial<ComplianceEvidence> => ({
  tainted_usd: usd,
  exposure: {
    ...NOTHING.exposure,
    share_percent,
    received_from_frozen_usd: from === "frozen" ? usd : 0,
    received_from_sanctioned_usd: from === "sanctioned" ? usd : 0,
  },
});

test("a wallet without findings is clear", () => {
  expect(verdictOf({})).toEqual(["clear", []]);
});

test("frozen or sanctioned is blocked, regardless of other findings", () => {
  expect(verdictOf({ frozen: SEEN })).toEqual(["blocked", ["frozen_now"]]);
  expect(verdictOf({ sanctioned: SEEN, ever_frozen: SEEN })).toEqual(["blocked", ["sanctioned", "ever_frozen"]]);
});

test("earlier actions of an issuer and a flag of an oracle need a review", () => {
  expect(verdictOf({ ever_frozen: SEEN })).toEqual(["review", ["ever_frozen"]]);
  expect(verdictOf({ destroyed: SEEN })).toEqual(["review", ["funds_destroyed"]]);
  expect(verdictOf({ seized: SEEN })).toEqual(["review", ["funds_seized"]]);
  expect(verdictOf({ oracle: SEEN })).toEqual(["review", ["oracle_flag"]]);
});

test("exposure needs a review from one percent and a thousand dollars on, both together", () => {
  expect(verdictOf(exposed(1_000, 1))).toEqual(["review", ["frozen_counterparty_exposure"]]);
  expect(verdictOf(exposed(999.99, 50))).toEqual(["clear", []]);
  expect(verdictOf(exposed(1_000_000, 0.99))).toEqual(["clear", []]);
  expect(verdictOf(exposed(1_000, 1, "sanctioned"))).toEqual(["review", ["sanctioned_counterparty_exposure"]]);
});

test("transfers without a value do not count as small ones", () => {
  expect(verdictOf({ exposure: { ...NOTHING.exposure, unvalued_dealings: 1 } })).toEqual([
    "review",
    ["unvalued_exposure"],
  ]);
});
