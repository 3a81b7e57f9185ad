import * as z from "zod";
import { riskRule } from "../../accounts/risk_rule.ts";
import type { ReadRiskRule, StoredRiskRule } from "../../accounts/risk_rules.ts";
import { AssayError } from "../../lib/errors.ts";
import { type RiskRule, RULE_DIRECTIONS, RULE_EXPOSURES, RULE_SOURCES } from "../../lib/risk_rule.ts";
import { definer } from "../operations/operation.ts";
import type { AdminContext } from "./operations.ts";

/** Data of a process about risk rules besides those in its store. */
export interface RiskRuleTerms {
  /** Rules of the configuration file, which no request changes. */
  readonly rules_of_file: readonly RiskRule[];
  /** Categories of the risk model. */
  readonly categories: readonly string[];
}

interface RiskRuleContext extends AdminContext {
  readonly state: { readonly risk: RiskRuleTerms };
}

const define = definer<RiskRuleContext>();

const id = z.string().min(1).max(100).meta({ description: "Name of the rule." });
const version = z.int().min(1).meta({ description: "Version of the rule that the change is based on." });

const sourcedRule = z.strictObject({
  id: z.string(),
  category: z.string(),
  exposure: z.enum(RULE_EXPOSURES),
  direction: z.enum(RULE_DIRECTIONS),
  usd: z.number().nullable(),
  percent: z.number().nullable(),
  source: z.enum(RULE_SOURCES).meta({
    description: "`file`: a rule of the configuration, which the API does not change; `portal`: a rule of this API.",
  }),
  applies: z.boolean().meta({ description: "False for a category that this release does not have." }),
  version: z.int().nullable().meta({ description: "Null for a rule of the configuration." }),
  changed_at: z.string().nullable().meta({ format: "date-time" }),
  changed_by: z.string().nullable().meta({ description: "Actor of the last change, as in the audit trail." }),
});

type SourcedOutput = z.input<typeof sourcedRule>;

const storedOutput = (
  { rule, version: number, changed_at, changed_by }: StoredRiskRule,
  { categories }: RiskRuleTerms,
): SourcedOutput => {
  const applies = categories.includes(rule.category);
  return { ...rule, source: "portal", applies, version: number, changed_at, changed_by };
};

const fileOutput = (rule: RiskRule): SourcedOutput => ({
  ...rule,
  ...{ source: "file", applies: true, version: null, changed_at: null, changed_by: null },
});

const refuse = (code: string, message: string): AssayError => new AssayError({ code, message, public: message });

/** @throws AssayError BAD_RULE */
const mustBeKnown = ({ category }: RiskRule, { categories }: RiskRuleTerms): void => {
  if (categories.includes(category)) return;
  throw refuse("BAD_RULE", `Unknown risk category. Available categories: ${categories.join(", ")}.`);
};

/** @throws AssayError RULE_EXISTS */
const mustNotBeOfFile = ({ id }: Pick<RiskRule, "id">, { rules_of_file }: RiskRuleTerms): void => {
  if (!rules_of_file.some((rule) => rule.id === id)) return;
  throw refuse("RULE_EXISTS", `Risk rule '${id}' exists already in the configuration. Choose another name.`);
};

/** Every operation on risk rules by its id. */
export const riskRuleOperations = {
  list_risk_rules: define({
    method: "GET",
    path: "/operator/risk/rules",
    summary: "List the risk rules: those of the configuration, then those of the portal. All of them apply.",
    input: z.strictObject({}),
    output: z.strictObject({
      rules: z.array(sourcedRule),
      categories: z.array(z.string()).meta({ description: "Categories that a rule can have." }),
    }),
    async run({ admin, state: { risk } }) {
      const stored = await admin.risk_rules.list();
      const rules = [...risk.rules_of_file.map(fileOutput), ...stored.map((one) => storedOutput(one, risk))];
      return { rules, categories: [...risk.categories] };
    },
  }),
  create_risk_rule: define({
    method: "POST",
    path: "/operator/risk/rules",
    summary: "Make a risk rule. It applies to the next answer.",
    input: riskRule,
    output: sourcedRule,
    async run({ admin, state: { risk } }, rule) {
      mustBeKnown(rule, risk);
      mustNotBeOfFile(rule, risk);
      return storedOutput(await admin.risk_rules.create(rule), risk);
    },
  }),
  set_risk_rule: define({
    method: "PUT",
    path: "/operator/risk/rules/{id}",
    summary: "Replace a risk rule of the portal, unless it has changed since it was read.",
    input: riskRule.safeExtend({ id, version }),
    output: sourcedRule,
    async run({ admin, state: { risk } }, { version: read, ...rule }) {
      mustBeKnown(rule, risk);
      return storedOutput(await admin.risk_rules.change(rule, read), risk);
    },
  }),
  remove_risk_rule: define({
    method: "POST",
    path: "/operator/risk/rules/{id}/remove",
    summary: "Remove a risk rule of the portal, unless it has changed since it was read.",
    input: z.strictObject({ id, version }),
    output: sourcedRule,
    run: async ({ admin, state: { risk } }, read: ReadRiskRule) =>
      storedOutput(await admin.risk_rules.remove(read), risk),
  }),
} as const;
