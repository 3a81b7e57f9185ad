/** Entries of the audit trail as sentences. */
import { fieldsOf, type JsonObject, textOf } from "../api/answer.ts";
import { creditsText } from "../ui/format.ts";

const words = (row: JsonObject, name: string): string => textOf(row[name]) ?? "";

/** Names of accounts and users by their ids. */
export type AuditNames = ReadonlyMap<string, string>;

interface AuditParts {
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** The subject by its name, else by its id. */
  readonly subject: string;
  /** An account by its name, else by its id. */
  readonly nameOf: (id: unknown) => string;
}

const numberIn = (state: JsonObject, name: string): number | null => {
  const value = state[name];
  return typeof value === "number" ? value : null;
};

const priceIn = (state: JsonObject): string => {
  const credits = numberIn(state, "credits");
  return credits === null ? "unavailable" : creditsText(credits);
};

const planOf = ({ plan, plan_id }: JsonObject): string => String(plan ?? plan_id ?? "unknown");

const keyIn = ({ before, after, nameOf }: AuditParts): string => {
  const of = { ...before, ...after };
  const prefix = textOf(of.prefix);
  return `${prefix === null ? "a key" : `key ${prefix}…`} of ${nameOf(of.account_id)}`;
};

const userIn = ({ before, after, subject }: AuditParts): string => textOf({ ...before, ...after }.name) ?? subject;

const watchIn = ({ before, after }: AuditParts): string => {
  const of = { ...before, ...after };
  const text = [of.subject_kind, of.subject].filter((part) => typeof part === "string").join(" ");
  return text === ""
    ? "a watch rule"
    : `the watch of ${text}${typeof of.network === "string" ? ` on ${of.network}` : ""}`;
};

const rightsIn = (state: JsonObject): string => {
  const rights = [textOf(state.role)?.replaceAll("_", " "), state.is_operator === true ? "operator" : null];
  return rights.filter((right) => right != null).join(" and ") || "no role";
};

const rowsIn = (state: JsonObject): string => `${(numberIn(state, "rows") ?? 0).toLocaleString("en-US")} rows`;

const limitIn = (state: JsonObject): string => {
  const limit = numberIn(state, "limit");
  return limit === null ? "the limit of the plan" : `${limit} calls a minute`;
};

const grantOf = ({ before, after }: AuditParts): string => {
  const [old, now] = [numberIn(before, "credits_quota"), numberIn(after, "credits_quota")];
  return old === null || now === null ? "credits" : creditsText(now - old);
};

type AuditTeller = (parts: AuditParts) => string;

/** Predicates of the sentences, by action. */
const TELLERS: Readonly<Record<string, AuditTeller>> = {
  "account.create": ({ after, subject }) => `created account ${textOf(after.name) ?? subject} on plan ${planOf(after)}`,
  "account.plan": ({ before, after, subject }) => `moved ${subject} from plan ${planOf(before)} to ${planOf(after)}`,
  "account.grant": (parts) => `granted ${grantOf(parts)} to ${parts.subject} for ${words(parts.after, "period")}`,
  "plan.set": ({ subject }) => `set the numbers of plan ${subject}`,
  "key.create": (parts) => `created ${keyIn(parts)}`,
  "key.rotate": (parts) => `renewed the secret of ${keyIn(parts)}`,
  "key.end_grace": (parts) => `ended the old secret of ${keyIn(parts)}`,
  "key.revoke": (parts) => `revoked ${keyIn(parts)}`,
  "key.limit": (parts) => `set ${keyIn(parts)} to ${limitIn(parts.after)}`,
  "assistant.connect": (parts) => `let an assistant have ${keyIn(parts)}`,
  "assistant.revoke": (parts) => `ended the assistant with ${keyIn(parts)}`,
  "assistant.expire": (parts) => `saw the assistant with ${keyIn(parts)} expire`,
  "assistant.code_reuse": (parts) => `ended ${keyIn(parts)}, because its sign-in code was used twice`,
  "assistant.refresh_reuse": (parts) => `ended ${keyIn(parts)}, because a secret of it was renewed twice`,
  "price.set": ({ before, after, subject }) =>
    `changed the price of ${subject} from ${priceIn(before)} to ${priceIn(after)}`,
  "tool.list": ({ after, subject }) => `${after.is_public === true ? "published" : "hid"} ${subject}`,
  "list.import": ({ before, after, subject }) =>
    `imported list ${subject} with ${rowsIn(after)}${numberIn(before, "rows") === null ? "" : ` in place of ${rowsIn(before)}`}`,
  "user.link": (parts) => `made a set-up link for ${userIn(parts)}`,
  "user.role": (parts) => `changed ${userIn(parts)} from ${rightsIn(parts.before)} to ${rightsIn(parts.after)}`,
  "user.remove": (parts) => `removed user ${userIn(parts)}`,
  "user.set_up": () => "chose a password with a set-up link",
  "user.password": () => "changed the password",
  "session.begin": () => "signed in",
  "session.end": () => "ended a session",
  "session.refused": ({ subject }) => `refused a sign-in as ${subject}`,
  "risk_rule.create": ({ subject }) => `made risk rule ${subject}`,
  "risk_rule.change": ({ subject }) => `changed risk rule ${subject}`,
  "risk_rule.remove": ({ subject }) => `removed risk rule ${subject}`,
  "watch.create": (parts) => `made ${watchIn(parts)}`,
  "watch.remove": (parts) => `removed ${watchIn(parts)}`,
  "watch.pause": (parts) => `paused ${watchIn(parts)}`,
  "watch.resume": (parts) => `resumed ${watchIn(parts)}`,
  "watch.rotate": (parts) => `replaced the secret of ${watchIn(parts)}`,
  "case.create": ({ subject }) => `began case ${subject}`,
  "case.change": ({ subject }) => `changed title or status of case ${subject}`,
  "case.add": ({ subject }) => `added to case ${subject}`,
  "case.change_part": ({ subject }) => `changed a part of case ${subject}`,
  "case.remove_part": ({ subject }) => `removed a part of case ${subject}`,
  "case.remove": ({ subject }) => `removed case ${subject}`,
};

/** Actors that are no people. */
const ACTORS: Readonly<Record<string, string>> = {
  configuration: "The configuration",
  process: "The program",
  "sign-in": "The sign-in",
  operator: "The operator token",
};

export const actorText = (actor: string, names: AuditNames): string => {
  const [kind, id = ""] = actor.split(/:(.*)/, 2);
  if (kind === "user") return names.get(id) ?? actor;
  if (kind === "key") return `Key …${id.slice(-6)}`;
  if (kind === "command-line") return `${id} on the command line`;
  return ACTORS[actor] ?? actor;
};

/** An entry as one sentence: its actor and the change. */
export const auditText = (entry: JsonObject, names: AuditNames): string => {
  const nameOf = (id: unknown): string => names.get(String(id)) ?? String(id ?? "an unknown account");
  const teller = TELLERS[words(entry, "action")];
  const subject = nameOf(entry.subject);
  const parts = { before: fieldsOf(entry.before), after: fieldsOf(entry.after), subject, nameOf };
  const deed = teller === undefined ? `did ${words(entry, "action")} to ${subject}` : teller(parts);
  return `${actorText(words(entry, "actor"), names)} ${deed}.`;
};

/** Kinds of actions, for the filter. */
export const AUDIT_KINDS: readonly (readonly [kind: string, name: string])[] = [
  ["account", "Accounts and credits"],
  ["key", "Keys"],
  ["assistant", "Assistants"],
  ["user", "Users"],
  ["session", "Sign-ins"],
  ["price", "Prices"],
  ["tool", "Allowlist"],
  ["list", "Lists"],
  ["risk_rule", "Risk rules"],
  ["watch", "Watches"],
  ["case", "Cases"],
  ["plan", "Plans"],
];
