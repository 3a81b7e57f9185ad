import { type Accounts, openAccountStore } from "./accounts.ts";
import { type Allowlist, openAllowlist } from "./allowlist.ts";
import { recorderOf } from "./audit.ts";
import { type Cases, openCases } from "./cases/open.ts";
import type { CaseTerms } from "./cases/terms.ts";
import type { Database } from "./database.ts";
import { type Keys, openKeys } from "./keys.ts";
import type { Plans } from "./plans.ts";
import { CATALOG_SCOPE, type PricedTool, type ToolPrices } from "./prices.ts";
import { openRiskRules, type RiskRules } from "./risk_rules.ts";
import type { Peppers, RandomBytes } from "./secret.ts";
import { openUsers, type Users } from "./users.ts";
import type { WatchStore } from "./watch/open.ts";
import type { WatchRules } from "./watch/rules.ts";

/** Operations that change accounts, keys, users, cases, plans, prices and risk rules. Each change is recorded in the audit trail under one actor's name. */
export interface Administration {
  readonly accounts: Accounts;
  readonly keys: Keys;
  readonly users: Users;
  readonly cases: Cases;
  readonly prices: {
    list(): ReturnType<ToolPrices["list"]>;
    set(tool: string, credits: number | null): ReturnType<ToolPrices["set"]>;
  };
  readonly allowlist: Allowlist;
  readonly risk_rules: RiskRules;
  readonly watch: Pick<WatchRules, "remove">;
  readonly lists: {
    /** Records the import of a list, which another store holds: before it is written, so that no import is without a record. */
    record(list: string, before: unknown, after: unknown): Promise<void>;
  };
}

export interface AdministrationDependencies {
  readonly database: Database;
  readonly plans: Plans;
  readonly tools: readonly PricedTool[];
  readonly prices: ToolPrices;
  readonly prefix: string;
  readonly peppers: Peppers;
  readonly random: RandomBytes;
  readonly now: () => number;
  readonly newId: (kind: string) => string;
  readonly changed: () => void;
  readonly watch: Pick<WatchStore, "rules">;
  readonly case_terms: CaseTerms;
}

/**
 * Opens the administration of a store for one actor: an operator (or the program itself) with access to everything, or a user
 * or a key of an account.
 */
export const administrationFor = (
  parts: AdministrationDependencies,
  actor: string,
  by: "operator" | "account" = "operator",
): Administration => {
  const { database, prices, now } = parts;
  const record = recorderOf(actor, now);
  return {
    accounts: openAccountStore({ ...parts, record }),
    keys: openKeys({ ...parts, record, actor, is_bounded: by === "account" }),
    users: openUsers({ ...parts, record }),
    cases: openCases({ ...parts, actor, terms: parts.case_terms }),
    prices: { list: () => prices.list(), set: (tool, credits) => prices.set({ tool, credits, at: now(), record }) },
    allowlist: openAllowlist({ ...parts, record, changed: () => prices.current(database) }),
    risk_rules: openRiskRules({ database, now, actor, record }),
    watch: parts.watch.rules(actor),
    lists: {
      record: (subject, before, after) =>
        database.transaction(CATALOG_SCOPE, (within) =>
          record(within, { action: "list.import", subject, before, after }),
        ),
    },
  };
};
