import type { Hex } from "../../../lib/bytes.ts";
import type { IndexedFacts } from "../../context.ts";
import { COHORT_RULES, NO_TRADER_CATEGORIES, SMART_TRADER } from "./definitions.ts";

/** The name of the one list that is kept: by day, made with COHORT_RULES. */
export const COHORT = "smart_trader";

/** The newest day, not after `day` (whole days since 1970), whose list of smart traders is stored; null for none. */
export const listedDay = async ({ facts, snapshot }: IndexedFacts, day: number): Promise<number | null> => {
  const [list] = await facts.ask(snapshot, "cohorts/day", { cohort: COHORT, rules: COHORT_RULES, day });
  return list?.day ?? null;
};

/** Members of the stored list of a day, the best first. */
export const listMembers = async (
  { facts, snapshot }: IndexedFacts,
  day: number,
  limit: number,
): Promise<readonly Hex[]> => {
  const rows = await facts.ask(snapshot, "cohorts/members", { cohort: COHORT, rules: COHORT_RULES, day, limit });
  return rows.map(({ address }) => address);
};

/** Wallets that traded enough since a moment (unix seconds) to be judged, the busiest first. */
export const listCandidates = async (
  { facts, snapshot }: IndexedFacts,
  since: number,
  limit: number,
): Promise<readonly Hex[]> => {
  const rows = await facts.ask(snapshot, "cohorts/candidates", {
    since,
    categories: NO_TRADER_CATEGORIES,
    transactions_min: SMART_TRADER.closed_trades_min,
    tokens_min: SMART_TRADER.tokens_min,
    limit,
  });
  return rows.map(({ trader }) => trader);
};
