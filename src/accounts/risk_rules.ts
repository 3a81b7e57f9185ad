/** Limits for the exposure of wallets that operators set in the portal. Those of the configuration are not stored. */

import { type RiskRule, RULES_MAX } from "../lib/risk_rule.ts";
import type { Recorder } from "./audit.ts";
import type { Database, Queries } from "./database.ts";
import { isoMs } from "./period.ts";
import { refusal } from "./refusal.ts";
import { riskRule } from "./risk_rule.ts";

/** A rule in force, and its last change. */
export interface StoredRiskRule {
  readonly rule: RiskRule;
  /** Another one after each change. */
  readonly version: number;
  readonly changed_at: string;
  readonly changed_by: string;
}

/** A rule as a caller has read it. */
export interface ReadRiskRule {
  readonly id: string;
  readonly version: number;
}

export interface RiskRules {
  /** The rules in force, by id. */
  list(): Promise<readonly StoredRiskRule[]>;
  /** @throws AssayError RULE_EXISTS, RULE_LIMIT */
  create(rule: RiskRule): Promise<StoredRiskRule>;
  /** Replaces the rule of this id. @throws AssayError UNKNOWN_RULE, RULE_CHANGED when it is no longer of this version */
  change(rule: RiskRule, version: number): Promise<StoredRiskRule>;
  /** @throws AssayError UNKNOWN_RULE, RULE_CHANGED */
  remove(read: ReadRiskRule): Promise<StoredRiskRule>;
}

interface RiskRulesSettings {
  readonly database: Database;
  readonly now: () => number;
  readonly actor: string;
  readonly record: Recorder;
}

type RiskRuleRow = {
  readonly version: number;
  readonly rule_id: string;
  readonly rule: string;
  readonly actor: string;
  readonly at: number;
};

const LIST_SQL = `select version, rule_id, rule, actor, at from risk_rules
  where version in (select max(version) from risk_rules group by rule_id) and rule is not null order by rule_id`;
const ADD_SQL = `insert into risk_rules (version, rule_id, rule, actor, at)
  select coalesce(max(version), 0) + 1, $1, cast($2 as text), $3, cast($4 as bigint) from risk_rules`;
const ADDED_SQL =
  "select version from risk_rules where rule_id = $1 and coalesce(rule, '') = $2 and actor = $3 and at = $4";

const storedOf = ({ version, rule, actor, at }: RiskRuleRow): StoredRiskRule => ({
  rule: riskRule.parse(JSON.parse(rule)),
  version,
  changed_at: isoMs(at),
  changed_by: actor,
});

const listIn = async (queries: Queries): Promise<readonly StoredRiskRule[]> =>
  (await queries.all<RiskRuleRow>(LIST_SQL)).map(storedOf);

const unknownRule = (id: string) => refusal("UNKNOWN_RULE", `Risk rule '${id}' does not exist.`);

/** The rule as the caller has read it. @throws AssayError UNKNOWN_RULE, RULE_CHANGED */
const mustBeRead = (rules: readonly StoredRiskRule[], { id, version }: ReadRiskRule): StoredRiskRule => {
  const found = rules.find(({ rule }) => rule.id === id);
  if (found === undefined) throw unknownRule(id);
  if (found.version === version) return found;
  throw refusal("RULE_CHANGED", `Risk rule '${id}' was changed by ${found.changed_by} in the meantime. Read it again.`);
};

/** @throws AssayError RULE_EXISTS, RULE_LIMIT */
const mustBeFree = (rules: readonly StoredRiskRule[], id: string): null => {
  if (rules.some(({ rule }) => rule.id === id)) throw refusal("RULE_EXISTS", `Risk rule '${id}' exists already.`);
  if (rules.length < RULES_MAX) return null;
  throw refusal("RULE_LIMIT", `There are ${RULES_MAX} risk rules, and no more are allowed. Remove one first.`);
};

interface RuleChange {
  readonly action: "risk_rule.create" | "risk_rule.change" | "risk_rule.remove";
  readonly id: string;
  /** Null removes it. */
  readonly rule: RiskRule | null;
  /** The rule before; null = there was none. @throws AssayError */
  readonly judge: (rules: readonly StoredRiskRule[]) => StoredRiskRule | null;
}

export const openRiskRules = ({ database, now, actor, record }: RiskRulesSettings): RiskRules => {
  /** @returns the rule that is in force now, or that was until now. */
  const write = ({ action, id, rule, judge }: RuleChange): Promise<StoredRiskRule> => {
    const row = [id, rule === null ? null : JSON.stringify(rule), actor, now()];
    const proof = { sql: ADDED_SQL, values: [id, row[1] ?? "", actor, row[3] ?? 0] };
    return database.transaction({ lock: "risk_rules", proof }, async (within) => {
      const before = judge(await listIn(within));
      if (before !== null && row[1] === JSON.stringify(before.rule)) return before;
      await within.run(ADD_SQL, row);
      await record(within, { action, subject: id, before: before?.rule ?? null, after: rule });
      const after = (await listIn(within)).find((one) => one.rule.id === id) ?? before;
      if (after === null) throw unknownRule(id);
      return after;
    });
  };
  return {
    list: () => listIn(database),
    create: (rule) =>
      write({ action: "risk_rule.create", id: rule.id, rule, judge: (rules) => mustBeFree(rules, rule.id) }),
    change: (rule, version) =>
      write({
        ...{ action: "risk_rule.change", id: rule.id, rule },
        judge: (rules) => mustBeRead(rules, { id: rule.id, version }),
      }),
    remove: (read) =>
      write({ action: "risk_rule.remove", id: read.id, rule: null, judge: (rules) => mustBeRead(rules, read) }),
  };
};
