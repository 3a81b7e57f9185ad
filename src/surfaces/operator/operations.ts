import * as z from "zod";
import type { Administration } from "../../accounts/administration.ts";
import { SCOPES } from "../../accounts/keys.ts";
import type { AccountsStore } from "../../accounts/open.ts";
import { definer } from "../operations/operation.ts";
import * as shapes from "../operations/shapes.ts";
import { monthCsv, monthOf, usageCsv, usageOf } from "../operations/usage.ts";
import { ruleOutput } from "../rest/account/watch_operations.ts";
import * as watchShapes from "../rest/account/watch_shapes.ts";

/** The context of an operation: the store, and its administration under the caller's name. */
export interface AdminContext {
  readonly store: AccountsStore;
  readonly admin: Administration;
}

const define = definer<AdminContext>();

const id = z.string().min(1).max(100);
const account_id = id.meta({ description: "The account's id." });
const key_id = id.meta({ description: "The key's id." });
const user_id = id.meta({ description: "The user's id." });
const new_owner = id.optional().meta({
  description:
    "User of the account who becomes an owner. Required when the last owner is removed or gets another role.",
});
const tool = id.meta({ description: "The tool's name." });
const limit = z.int().min(1).nullable().meta({ description: "Calls per minute; null for the plan's limit." });

/** Every operation by its id. */
export const operations = {
  list_accounts: define({
    method: "GET",
    path: "/operator/accounts",
    summary: "List all accounts, oldest first.",
    input: z.strictObject({}),
    output: z.strictObject({ accounts: z.array(shapes.account) }),
    run: async ({ admin }) => ({ accounts: [...(await admin.accounts.list())] }),
  }),
  create_account: define({
    method: "POST",
    path: "/operator/accounts",
    summary: "Create an account.",
    input: z.strictObject({ name: z.string(), plan: z.string().default("free"), ...shapes.planNumbers }),
    output: shapes.account,
    run: ({ admin }, wish) => admin.accounts.create(withoutUndefined(wish)),
  }),
  show_account: define({
    method: "GET",
    path: "/operator/accounts/{account_id}",
    summary: "Get an account with its credits of this month.",
    input: z.strictObject({ account_id }),
    output: shapes.accountDetails,
    run: ({ admin }, input) => admin.accounts.show(input.account_id),
  }),
  set_account_plan: define({
    method: "PUT",
    path: "/operator/accounts/{account_id}/plan",
    summary: "Move an account to another plan. Its quota changes at once; used credits stay used.",
    input: z.strictObject({ account_id, plan: z.string(), ...shapes.planNumbers }),
    output: shapes.accountDetails,
    run: ({ admin }, input) => {
      const { account_id: account, ...wish } = input;
      return admin.accounts.setPlan(account, withoutUndefined(wish));
    },
  }),
  grant_credits: define({
    method: "POST",
    path: "/operator/accounts/{account_id}/grants",
    summary: "Add credits to this month's pool.",
    input: z.strictObject({ account_id, credits: z.int().min(1) }),
    output: shapes.accountDetails,
    run: ({ admin }, input) => admin.accounts.grant(input.account_id, input.credits),
  }),
  show_usage: define({
    method: "GET",
    path: "/operator/usage",
    summary: "Sum calls and credits of one account or of all.",
    input: z.strictObject({ account_id: account_id.optional(), ...shapes.usageQuery }),
    output: shapes.usage,
    csv: usageCsv,
    run: ({ store }, { account_id: account, ...wish }) => usageOf(store, { account_id: account ?? null, ...wish }),
  }),
  show_month: define({
    method: "GET",
    path: "/operator/accounts/{account_id}/months/{month}",
    summary: "Get a month of an account in the form of an invoice.",
    input: z.strictObject({ account_id, ...shapes.monthQuery }),
    output: shapes.monthReport,
    csv: monthCsv,
    run: ({ store }, input) => monthOf(store, input),
  }),
  list_plans: define({
    method: "GET",
    path: "/operator/plans",
    summary: "List the plans. The configuration sets their numbers.",
    input: z.strictObject({}),
    output: z.strictObject({ plans: z.array(shapes.plan) }),
    run: async ({ store }) => ({ plans: Object.entries(store.plans).map(([name, plan]) => ({ id: name, ...plan })) }),
  }),
  list_keys: define({
    method: "GET",
    path: "/operator/keys",
    summary: "List all keys or those of one account, oldest first, revoked ones included.",
    input: z.strictObject({ account_id: account_id.optional() }),
    output: z.strictObject({ keys: z.array(shapes.key) }),
    run: async ({ admin }, input) => ({ keys: (await admin.keys.list(input.account_id)).map(writable) }),
  }),
  create_key: define({
    method: "POST",
    path: "/operator/keys",
    summary: "Create a key. Only this answer contains its secret.",
    input: z.strictObject({
      account_id,
      scopes: z.array(z.enum(SCOPES)).min(1),
      limit: limit.default(null),
    }),
    output: shapes.keyWithSecret,
    run: async ({ admin }, wish) => writable(await admin.keys.create(wish)),
  }),
  set_key_limit: define({
    method: "PUT",
    path: "/operator/keys/{key_id}/limit",
    summary: "Change a key's rate limit.",
    input: z.strictObject({ key_id, limit }),
    output: shapes.key,
    run: async ({ admin }, input) => writable(await admin.keys.setLimit(input.key_id, input.limit)),
  }),
  rotate_key: define({
    method: "POST",
    path: "/operator/keys/{key_id}/rotate",
    summary: "Replace a key's secret. The old secret works until its grace period ends.",
    input: z.strictObject({
      key_id,
      grace_seconds: shapes.grace_seconds,
    }),
    output: shapes.keyWithSecret,
    run: async ({ admin }, input) => writable(await admin.keys.rotate(input.key_id, input.grace_seconds)),
  }),
  revoke_key: define({
    method: "POST",
    path: "/operator/keys/{key_id}/revoke",
    summary: "Revoke a key within a second on every instance.",
    input: z.strictObject({ key_id }),
    output: shapes.key,
    run: async ({ admin }, input) => writable(await admin.keys.revoke(input.key_id)),
  }),
  list_users: define({
    method: "GET",
    path: "/operator/users",
    summary: "List all users or those of one account, oldest first, removed ones included.",
    input: z.strictObject({ account_id: account_id.optional() }),
    output: z.strictObject({ users: z.array(shapes.user) }),
    run: async ({ admin }, input) => ({ users: [...(await admin.users.list(input.account_id))] }),
  }),
  link_user: define({
    method: "POST",
    path: "/operator/users",
    summary:
      "Create a set-up link for a new user, or for a new password of the user of that name. Only this answer contains its token; the link is /app/set-up#token.",
    input: z.strictObject({
      name: z.string().max(200),
      account_id: account_id.nullable().default(null),
      is_operator: z.boolean().default(false),
      role: shapes.role.optional().meta({
        description: "Role of a new user. Default: caller. For an existing user, it must equal the current role.",
      }),
    }),
    output: shapes.user.extend({ token: z.string() }),
    run: ({ admin }, wish) => admin.users.link(wish),
  }),
  set_user_role: define({
    method: "PUT",
    path: "/operator/users/{user_id}/role",
    summary: "Change a user's role in the account. Keys of the user with more rights than the new role are revoked.",
    input: z.strictObject({ user_id, role: shapes.role, new_owner }),
    output: shapes.user,
    run: ({ admin }, input) => admin.users.setRole(input.user_id, input.role, input),
  }),
  remove_user: define({
    method: "POST",
    path: "/operator/users/{user_id}/remove",
    summary:
      "Remove a user with all sessions and links, the keys whose secret the user received, and the user's watch rules, at once on every instance.",
    input: z.strictObject({ user_id, new_owner }),
    output: shapes.user,
    run: ({ admin }, input) => admin.users.remove(input.user_id, input),
  }),
  list_prices: define({
    method: "GET",
    path: "/operator/prices",
    summary: "List the price of every tool, hidden ones included.",
    input: z.strictObject({}),
    output: z.strictObject({ catalog_version: z.string(), prices: z.array(shapes.price) }),
    run: async ({ store, admin }) => ({
      catalog_version: (await store.meter.catalog()).version,
      prices: [...(await admin.prices.list())],
    }),
  }),
  set_price: define({
    method: "PUT",
    path: "/operator/prices/{tool}",
    summary: "Override a tool's price; null makes the tool temporarily unavailable.",
    input: z.strictObject({ tool, credits: z.int().min(1).max(40).nullable() }),
    output: z.strictObject({ tool: z.string(), credits: z.int().nullable(), catalog_version: z.string() }),
    run: ({ admin }, input) => admin.prices.set(input.tool, input.credits),
  }),
  list_tools: define({
    method: "GET",
    path: "/operator/tools",
    summary: "List every tool of this release, and whether it is public.",
    input: z.strictObject({}),
    output: z.strictObject({ tools: z.array(shapes.listedTool) }),
    run: async ({ admin }) => ({ tools: [...(await admin.allowlist.list())] }),
  }),
  set_tool_public: define({
    method: "PUT",
    path: "/operator/tools/{tool}",
    summary: "Publish or hide a tool. To callers, a hidden tool does not exist.",
    input: z.strictObject({ tool, is_public: z.boolean() }),
    output: shapes.listedTool,
    run: ({ admin }, input) => admin.allowlist.set(input.tool, input.is_public),
  }),
  list_watch_rules: define({
    method: "GET",
    path: "/operator/watch/rules",
    summary: "List watch rules of one account or of all, oldest first, without removed ones. Subjects are in hex.",
    input: z.strictObject({ account_id: account_id.optional() }),
    output: z.strictObject({ rules: z.array(watchShapes.rule) }),
    run: async ({ store }, input) => {
      const rules = await store.watch.rules("").list(input.account_id ?? null);
      return { rules: rules.map((rule) => ruleOutput(rule, [])) };
    },
  }),
  remove_watch_rule: define({
    method: "POST",
    path: "/operator/accounts/{account_id}/watch/rules/{rule_id}/remove",
    summary: "Remove a watch rule of an account. Its events stay listed.",
    input: z.strictObject({ account_id, rule_id: watchShapes.rule_id }),
    output: watchShapes.rule,
    run: async ({ admin }, input) => ruleOutput(await admin.watch.remove(input.account_id, input.rule_id), []),
  }),
  list_audit: define({
    method: "GET",
    path: "/operator/audit",
    summary: "List the audit trail, newest first: actor, time, subject, old and new value.",
    input: z.strictObject({
      limit: z.int().min(1).max(1_000).default(100),
      before_seq: z.int().min(1).optional().meta({ description: "Return only entries before this one." }),
      actor: z.string().min(1).max(200).optional().meta({ description: "Return only entries of this actor." }),
      action: z.string().min(1).max(100).optional().meta({
        description: "Return only this action (`key.revoke`), or all of its kind (`key`).",
      }),
      subject: z.string().min(1).max(200).optional().meta({ description: "Return only entries about this subject." }),
    }),
    output: z.strictObject({ entries: z.array(shapes.auditEntry) }),
    run: async ({ store }, { limit: most, before_seq, ...of }) => {
      const entries = await store.audit({ limit: most, before_seq: before_seq ?? null, ...of });
      // States were read with JSON.parse, so they are JSON.
      return { entries: entries.map((entry) => ({ ...entry }) as z.input<typeof shapes.auditEntry>) };
    },
  }),
  verify_ledger: define({
    method: "GET",
    path: "/operator/ledger/verification",
    summary:
      "Check every invariant of the credit ledger, the audit trail, and that all processes that use this store see each other's writes.",
    input: z.strictObject({}),
    output: z.strictObject({ ok: z.boolean(), violations: z.array(shapes.violation), witnesses: shapes.witnesses }),
    run: async ({ store }) => {
      const { same, silent } = await store.witnesses();
      const violations = (await store.ledger.verify()).map((one) => ({
        ...one,
        rows: one.rows.map((row) => ({ ...row })),
      }));
      const ok = violations.length === 0 && silent.length === 0;
      return { ok, violations, witnesses: { same: [...same], silent: [...silent] } };
    },
  }),
} as const;

/** Without the fields that were left out. */
const withoutUndefined = <T extends object>(wish: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  // Entries that are undefined are gone, so no value of the result is.
  Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

const writable = <T extends { readonly scopes: readonly string[] }>(key: T) => ({ ...key, scopes: [...key.scopes] });
