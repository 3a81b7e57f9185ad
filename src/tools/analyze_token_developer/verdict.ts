import type { DeveloperOutput } from "./shape.ts";

const LINKED_CRITICAL_PERCENT = 50;
const LINKED_HIGH_PERCENT = 30;
const LINKED_MEDIUM_PERCENT = 10;
const RUG_RATE_CRITICAL_PERCENT = 50;
const JUDGED_MIN = 2;

export interface DeveloperFindings extends Pick<DeveloperOutput, "history" | "holdings" | "developer_actions"> {
  /** False: tokens of the developer may be missing. */
  readonly is_history_whole: boolean;
}

export const riskLevel = (found: DeveloperFindings): DeveloperOutput["risk_level"] => {
  const { history, holdings, developer_actions } = found;
  const { rugged, dead, alive, rug_rate_percent } = history;
  const linked = holdings.linked_percent ?? 0;
  const is_serial = (rug_rate_percent ?? 0) >= RUG_RATE_CRITICAL_PERCENT && rugged + dead + alive >= JUDGED_MIN;
  if (is_serial || (linked >= LINKED_CRITICAL_PERCENT && developer_actions.lp_status === "held")) return "critical";
  if (rugged > 0 || linked >= LINKED_HIGH_PERCENT) return "high";
  if (!found.is_history_whole) return "unknown";
  const minted = developer_actions.mint_after_launch_raw ?? "0";
  const is_minded =
    dead > 0 || linked >= LINKED_MEDIUM_PERCENT || minted !== "0" || developer_actions.lp_status === "held";
  return is_minded ? "medium" : "low";
};

type DeveloperFlag = DeveloperOutput["flags"][number];
type FlagEvidenceList = DeveloperFlag["evidence"];

export interface FlagEvidence {
  readonly holdings: FlagEvidenceList;
  readonly liquidity: FlagEvidenceList;
  readonly mints: FlagEvidenceList;
}

const rugFlags = ({ history }: DeveloperFindings): readonly DeveloperFlag[] => {
  const rugs = history.tokens.filter(({ outcome }) => outcome === "rugged");
  if (rugs.length === 0) return [];
  const is_serial = rugs.length >= JUDGED_MIN;
  return [
    {
      code: is_serial ? "serial_rugger" : "past_rug",
      severity: is_serial ? "critical" : "high",
      description: is_serial
        ? "Several tokens of this developer ended in a rug."
        : "A token of this developer ended in a rug.",
      evidence: rugs.flatMap(({ evidence }) => evidence),
    },
  ];
};

export const flagsOf = (found: DeveloperFindings, known: FlagEvidence): DeveloperFlag[] => {
  const { holdings, developer_actions } = found;
  const linked = holdings.linked_percent ?? 0;
  const flag = (is_set: boolean, rest: DeveloperFlag): readonly DeveloperFlag[] => (is_set ? [rest] : []);
  return [
    ...rugFlags(found),
    ...flag(linked >= LINKED_HIGH_PERCENT, {
      code: "linked_supply",
      severity: linked >= LINKED_CRITICAL_PERCENT ? "high" : "medium",
      description: "The developer and linked wallets hold a large part of the supply.",
      evidence: known.holdings,
    }),
    ...flag(developer_actions.lp_status === "held", {
      code: "liquidity_not_locked",
      severity: "medium",
      description: "The pool shares are neither burned nor locked, so the liquidity can be removed.",
      evidence: known.liquidity,
    }),
    ...flag((developer_actions.mint_after_launch_raw ?? "0") !== "0", {
      code: "mint_after_launch",
      severity: "medium",
      description: "More of the token was minted after trading began.",
      evidence: known.mints,
    }),
    ...flag(!found.is_history_whole, {
      code: "history_incomplete",
      severity: "info",
      description: "The developer was also active outside the index's coverage.",
      evidence: [],
    }),
  ];
};
