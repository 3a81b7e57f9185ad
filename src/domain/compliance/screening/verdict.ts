/** The verdict about one transfer. */
import type { Evidence } from "../../context.ts";
import type { RiskCategory } from "../risk/model.ts";
import type { FiredRule } from "../risk/rules.ts";
import type { RiskScore } from "../risk/score.ts";
import type { ComplianceVerdict } from "../stablecoins/verdict.ts";
import { isExposed } from "../stablecoins/verdict.ts";

export const SCREENING_REASONS = [
  "sanctioned",
  "frozen_now",
  "ever_frozen",
  "counterparty_category",
  "counterparty_risk",
  "sanctioned_counterparty_exposure",
  "frozen_counterparty_exposure",
  "transfer_risk",
  "rule_fired",
] as const;

export interface ScreeningReason {
  code: (typeof SCREENING_REASONS)[number];
  /** The counterparty; null for the transfer. */
  address: string | null;
  evidence: Evidence[];
}

/** Findings about one address on the other side. */
export interface PartyFindings {
  readonly address: string;
  readonly categories: readonly { readonly category: RiskCategory; readonly evidence: readonly Evidence[] }[];
  readonly ever_frozen: readonly Evidence[];
  /** Null for an address that only passed the asset on. */
  readonly level: RiskScore["level"] | null;
  readonly level_evidence: readonly Evidence[];
  readonly rules: readonly FiredRule[];
}

interface ScreeningFindings {
  readonly parties: readonly PartyFindings[];
  readonly level: RiskScore["level"];
  readonly exposure: readonly {
    readonly category: RiskCategory;
    readonly usd: number;
    readonly percent: number;
    readonly evidence: readonly Evidence[];
  }[];
  readonly rules: readonly FiredRule[];
  /** Whether something that could speak against the transfer is unknown. */
  readonly is_unsure: boolean;
}

const LOUD: readonly RiskScore["level"][] = ["moderate", "high", "severe"];

/** Categories of the address itself that forbid the transfer. */
const BLOCKING: Partial<Record<RiskCategory, ScreeningReason["code"]>> = {
  sanctioned: "sanctioned",
  issuer_frozen: "frozen_now",
};

const EXPOSURES: Partial<Record<RiskCategory, ScreeningReason["code"]>> = {
  sanctioned: "sanctioned_counterparty_exposure",
  issuer_frozen: "frozen_counterparty_exposure",
};

const reason = (
  code: ScreeningReason["code"],
  address: string | null,
  evidence: readonly Evidence[],
): ScreeningReason => ({ code, address, evidence: [...evidence] });

const againstParty = ({ address, ...found }: PartyFindings): readonly ScreeningReason[] => [
  ...(found.ever_frozen.length > 0 ? [reason("ever_frozen", address, found.ever_frozen)] : []),
  ...found.categories
    .filter(({ category }) => BLOCKING[category] === undefined)
    .map(({ evidence }) => reason("counterparty_category", address, evidence)),
  ...(found.level !== null && LOUD.includes(found.level)
    ? [reason("counterparty_risk", address, found.level_evidence)]
    : []),
  ...(found.rules.length > 0 ? [reason("rule_fired", address, found.level_evidence)] : []),
];

/**
 * Blocked: the counterparty is sanctioned, or an issuer froze it. Review: another finding. Null: nothing was found, and
 * not everything could be checked. Clear: everything was checked, and nothing was found.
 */
export const judgeTransfer = (
  found: ScreeningFindings,
): { readonly verdict: ComplianceVerdict["verdict"] | null; readonly reasons: readonly ScreeningReason[] } => {
  const blocking = found.parties.flatMap(({ address, categories }) =>
    categories.flatMap(({ category, evidence }) => {
      const code = BLOCKING[category];
      return code === undefined ? [] : [reason(code, address, evidence)];
    }),
  );
  const evidence = found.exposure.flatMap((one) => one.evidence);
  const doubtful = [
    ...found.parties.flatMap(againstParty),
    ...found.exposure.flatMap(({ category, usd, percent, evidence: own }) => {
      const code = EXPOSURES[category];
      return code !== undefined && isExposed(percent, usd) ? [reason(code, null, own)] : [];
    }),
    ...(LOUD.includes(found.level) ? [reason("transfer_risk", null, evidence)] : []),
    ...(found.rules.length > 0 ? [reason("rule_fired", null, evidence)] : []),
  ];
  const unfound = found.is_unsure ? null : "clear";
  return {
    verdict: blocking.length > 0 ? "blocked" : doubtful.length > 0 ? "review" : unfound,
    reasons: [...blocking, ...doubtful],
  };
};
