import { provedIn, type TokenRiskFacts } from "./facts.ts";
import { type Grade, GUARDED, WORST } from "./grades.ts";

/** An owner who takes nothing from holders takes nothing when he is back. */
export const takeBackGrade = (facts: TokenRiskFacts): Grade => {
  const proofs = provedIn(facts, "take_back");
  const { powers } = facts;
  if (proofs === null || typeof powers === "string" || powers.unreached.length > 0) return WORST.take_back_ownership;
  const has_more = powers.powers.some(({ kind }) => kind !== "takes_ownership");
  return has_more ? WORST.take_back_ownership : GUARDED.take_back_ownership;
};
