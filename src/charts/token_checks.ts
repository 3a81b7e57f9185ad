/** The checks of a token with their results in words, for its picture and for the summary of its page. */
import { isRecord } from "../lib/record.ts";
import { CHECK_WORDS } from "./code_words.ts";
import { type AnswerJson, at, textAt } from "./read.ts";
import type { CheckVerdict } from "./verdict_symbols.ts";
import { worded } from "./words.ts";

const flagWords = (flag: string, verdict: CheckVerdict): string => {
  const [passed, failed, asked] = CHECK_WORDS[flag] ?? [];
  const found = verdict === "passed" ? passed : verdict === "failed" ? failed : asked;
  return found ?? worded(flag.replace(/^(is|has)_/, ""));
};

/** True speaks for the token. */
const GOOD: ReadonlySet<string> = new Set(["is_verified", "trusted_token"]);
/** A figure, and no finding. */
const FIGURES: ReadonlySet<string> = new Set(["top10_percent", "creator_percent", "lp_burned_percent"]);
/** Checks that exist on one family of networks only. */
const ONLY_ON: Readonly<Record<string, string>> = { caller_pays_energy: "tron" };
/** Authorities: an address or an object when an account has them, else null. */
const POWERS: ReadonlySet<string> = new Set([
  "mint_authority",
  "freeze_authority",
  "permanent_delegate",
  "transfer_fee",
  "transfer_hook",
  "balance_mutable_authority",
]);

export interface TokenCheck {
  /** Field of `security_flags`. */
  readonly flag: string;
  /** The result in words. */
  readonly name: string;
  readonly verdict: CheckVerdict;
}

const verdictOf = (name: string, value: unknown, family: string | null): CheckVerdict => {
  if ((ONLY_ON[name] ?? family) !== family) return "not_applicable";
  if (POWERS.has(name)) return value === null ? "passed" : value === undefined ? "unknown" : "failed";
  if (typeof value !== "boolean") return "unknown";
  return value === GOOD.has(name) ? "passed" : "failed";
};

/** Checks that do not apply, because the power that they concern does not exist. */
const PREMISES: Readonly<Record<string, string>> = {
  is_upgradeable: "is_proxy",
  anti_whale_modifiable: "anti_whale",
};

export const CHECK_ORDER: readonly CheckVerdict[] = ["failed", "unknown", "passed", "not_applicable"];

export const checksOf = (answer: AnswerJson): readonly TokenCheck[] => {
  const flags = at(answer, "security_flags");
  if (!isRecord(flags)) return [];
  const family = textAt(answer, "network");
  const checks = Object.entries(flags)
    .filter(([name]) => !FIGURES.has(name))
    .map(([name, value]): TokenCheck => {
      const premise = PREMISES[name];
      const is_moot = premise !== undefined && flags[premise] === false && value === false;
      const verdict = is_moot ? "not_applicable" : verdictOf(name, value, family);
      return { flag: name, name: flagWords(name, verdict), verdict };
    });
  return CHECK_ORDER.flatMap((verdict) => checks.filter((check) => check.verdict === verdict));
};
