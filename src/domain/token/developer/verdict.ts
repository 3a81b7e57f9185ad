import { outcomeLevel, type TokenOutcome, type TokenRiskLevel } from "../verdict/verdict.ts";

/** Risk level and flags of a token's developer, from their earlier tokens, holdings and actions. */
const LINKED_CRITICAL_PERCENT = 50;
const LINKED_HIGH_PERCENT = 30;
const LINKED_MEDIUM_PERCENT = 10;
const RUG_RATE_CRITICAL_PERCENT = 50;
const JUDGED_MIN = 2;

/** `Item`: one piece of evidence. */
export interface DeveloperFindings<Item> {
  readonly history: {
    readonly rugged: number;
    readonly dead: number;
    readonly alive: number;
    readonly rug_rate_percent: number | null;
    readonly tokens: readonly { readonly outcome: string | null; readonly evidence: readonly Item[] }[];
  };
  /** Of the requested token. */
  readonly outcome: TokenOutcome | null;
  readonly holdings: { readonly linked_percent: number | null };
  readonly developer_actions: { readonly lp_status: string; readonly mint_after_launch_raw: string | null };
  /** False: tokens of the developer may be missing. */
  readonly is_history_whole: boolean;
}

/** The developer of a token is as risky as the outcome of the token makes it, or riskier. */
export const riskLevel = (found: DeveloperFindings<unknown>): TokenRiskLevel => {
  const least = outcomeLevel(found.outcome);
  if (least === "critical") return "critical";
  const level = recordLevel(found);
  return least === "high" && level !== "critical" ? "high" : level;
};

/** By the record of the developer. An unknown share of linked wallets is not excluded to be a large one. */
const recordLevel = (found: DeveloperFindings<unknown>): TokenRiskLevel => {
  const { history, holdings, developer_actions } = found;
  const { rugged, dead, alive, rug_rate_percent } = history;
  const linked = holdings.linked_percent ?? 0;
  const is_serial = (rug_rate_percent ?? 0) >= RUG_RATE_CRITICAL_PERCENT && rugged + dead + alive >= JUDGED_MIN;
  if (is_serial || (linked >= LINKED_CRITICAL_PERCENT && developer_actions.lp_status === "held")) return "critical";
  if (rugged > 0 || linked >= LINKED_HIGH_PERCENT) return "high";
  if (!found.is_history_whole || holdings.linked_percent === null) return "unknown";
  const minted = developer_actions.mint_after_launch_raw ?? "0";
  const is_minded =
    dead > 0 || linked >= LINKED_MEDIUM_PERCENT || minted !== "0" || developer_actions.lp_status === "held";
  return is_minded ? "medium" : "low";
};

export interface DeveloperFlag<Item> {
  readonly code: string;
  readonly severity: "info" | "medium" | "high" | "critical";
  readonly description: string;
  readonly evidence: Item[];
}

/** Evidence of flags, by the fact that they follow from. */
export interface FlagEvidence<Item> {
  readonly holdings: Item[];
  readonly liquidity: Item[];
  readonly mints: Item[];
}

const rugFlags = <Item>({ history }: DeveloperFindings<Item>): readonly DeveloperFlag<Item>[] => {
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

export const flagsOf = <Item>(found: DeveloperFindings<Item>, known: FlagEvidence<Item>): DeveloperFlag<Item>[] => {
  const { holdings, developer_actions } = found;
  const linked = holdings.linked_percent ?? 0;
  const flag = (is_set: boolean, rest: DeveloperFlag<Item>): readonly DeveloperFlag<Item>[] => (is_set ? [rest] : []);
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
