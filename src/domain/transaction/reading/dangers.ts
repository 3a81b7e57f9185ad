/** Sentences before all others in a summary: findings about losses and dangerous parties. */
import type { RiskCode, RiskFlag } from "./risk_flags.ts";

const SENTENCES_MAX = 2;

/** Without any text of a list: names on lists are untrusted. Lesser findings have no sentence. */
const SENTENCES: Readonly<Partial<Record<RiskCode, (flag: RiskFlag) => string>>> = {
  // Contains only addresses and a number.
  drain_pattern: ({ description }) => description,
  sanctioned_party: () => "An address that is on a sanctions list takes part.",
  issuer_frozen_party: () => "An address that the issuer of a stablecoin has frozen takes part.",
  zero_value_poisoning: ({ description }) => description,
  lookalike_recipient: ({ description }) => description,
  eip7702_delegation_to_unverified: ({ description }) => description,
  mixer_party: () => "A mixer takes part.",
};

const isGrave = ({ severity }: RiskFlag): boolean => severity === "critical" || severity === "high";

/** At most two sentences, the most severe first; each begins with "Danger:". */
export const dangersOf = (flags: readonly RiskFlag[]): readonly string[] => {
  const grave = flags.filter(isGrave);
  const sorted = [...grave].sort((a, b) => Number(b.severity === "critical") - Number(a.severity === "critical"));
  const said = sorted.flatMap((flag) => SENTENCES[flag.code]?.(flag) ?? []);
  return [...new Set(said)].slice(0, SENTENCES_MAX).map((sentence) => `Danger: ${sentence}`);
};
