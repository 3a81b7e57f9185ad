/** Commands of the operator on accounts, keys, people and prices. */
import type { ListedCommand } from "./listed.ts";

const NEW_OWNER = {
  name: "new-owner",
  value: "ID",
  summary: "Make this user an owner first, when the account would have none left.",
  actions: ["role", "remove"],
};

/** Accounts, their keys and their people. */
const HOLDERS: readonly ListedCommand[] = [
  {
    name: "account",
    usage:
      "create NAME [--plan PLAN] | list | show ACCOUNT | plan ACCOUNT PLAN | grant ACCOUNT CREDITS\n" +
      "       | usage ACCOUNT --month YYYY-MM [--csv] | usage ACCOUNT --from DAY --to DAY [--by day,key_id,tool,outcome] [--csv]\n" +
      "       (ACCOUNT is an id or a name; plan custom takes --credits N --keys N --calls-per-minute N)",
    summary: "Create accounts, show their credits and usage, change a plan, grant credits for this month.",
    actions: ["create", "list", "show", "plan", "grant", "usage"],
    flags: [
      { name: "plan", value: "PLAN", summary: "The plan of the new account (default: free).", actions: ["create"] },
      {
        name: "credits",
        value: "N",
        summary: "Credits per month, for a plan that does not set them.",
        actions: ["create", "plan"],
      },
      {
        name: "keys",
        value: "N",
        summary: "Most keys of the account, for a plan that does not set them.",
        actions: ["create", "plan"],
      },
      {
        name: "calls-per-minute",
        value: "N",
        summary: "Calls per minute, for a plan that does not set them.",
        actions: ["create", "plan"],
      },
      {
        name: "month",
        value: "YYYY-MM",
        summary: "Show the usage of this month in the form of an invoice.",
        actions: ["usage"],
      },
      { name: "from", value: "DAY", summary: "Show the usage from this day on (YYYY-MM-DD).", actions: ["usage"] },
      { name: "to", value: "DAY", summary: "Show the usage up to this day (YYYY-MM-DD).", actions: ["usage"] },
      {
        name: "by",
        value: "FIELDS",
        summary: "Sum by day, key_id, tool and outcome, or some of them.",
        actions: ["usage"],
      },
      { name: "csv", summary: "Print the usage as CSV.", actions: ["usage"] },
    ],
    example: "assay account create acme --plan pro",
    load: () => import("../account.ts"),
  },
  {
    name: "accounts",
    usage: "migrate --from sqlite --to postgres [--url URL] | reopen",
    summary: "Migrate the accounts to PostgreSQL without losing a row; reopen the file after an aborted migration.",
    actions: ["migrate", "reopen"],
    flags: [
      { name: "from", value: "ENGINE", summary: "Current engine of the accounts: sqlite.", actions: ["migrate"] },
      { name: "to", value: "ENGINE", summary: "New engine of the accounts: postgres.", actions: ["migrate"] },
      {
        name: "url",
        value: "URL",
        summary: "The database, postgres://… (default: accounts.url of the configuration).",
        actions: ["migrate"],
      },
    ],
    example: "assay accounts migrate --from sqlite --to postgres --url postgres://assay@db/assay",
    load: () => import("../accounts.ts"),
  },
  {
    name: "key",
    usage:
      "create --account ID-OR-NAME --scope api:call|mcp:call|usage:read|keys:manage|watch:read|watch:manage|cases:read|cases:write [--scope …] [--limit N] [--secret] | list [--account ID] | revoke ID | limit ID N|plan | rotate ID [--grace SECONDS]",
    summary: "Create keys (the secret is shown once), list, revoke or limit them, rotate a secret.",
    actions: ["create", "list", "revoke", "limit", "rotate"],
    flags: [
      { name: "account", value: "ACCOUNT", summary: "The account's id or name.", actions: ["create", "list"] },
      {
        name: "scope",
        value: "SCOPE",
        summary: "Scope of the key; repeat the flag for each scope.",
        actions: ["create"],
      },
      {
        name: "limit",
        value: "N",
        summary: "Calls per minute of this key (default: the plan's).",
        actions: ["create"],
      },
      { name: "secret", summary: "Print the secret alone, for a script.", actions: ["create", "rotate"] },
      {
        name: "grace",
        value: "SECONDS",
        summary: "Accept the old secret for this long (default: 0).",
        actions: ["rotate"],
      },
    ],
    example: "assay key create --account acme --scope api:call --secret",
    load: () => import("../key.ts"),
  },
  {
    name: "user",
    usage:
      "link --account ID-OR-NAME [--operator] [--role ROLE] [--name NAME] | list [--account ID]\n" +
      "       role ID viewer|caller|watcher|key_manager|owner [--new-owner ID] | remove ID [--new-owner ID]\n" +
      "       (link --operator alone: an operator who calls no tools)",
    summary: "Create set-up links for users who sign in, list users, change a role, remove a user.",
    actions: ["link", "list", "role", "remove"],
    flags: [
      { name: "account", value: "ACCOUNT", summary: "The account's id or name.", actions: ["link", "list"] },
      { name: "operator", summary: "Make the user an operator of this service.", actions: ["link"] },
      { name: "role", value: "ROLE", summary: "Role of the user in the account.", actions: ["link"] },
      { name: "makes-keys", summary: "The same as --role key_manager.", actions: ["link"] },
      { name: "name", value: "NAME", summary: "Name of the user (default: the account's).", actions: ["link"] },
      { name: "url", value: "URL", summary: "The address of the service in the link.", actions: ["link"] },
      NEW_OWNER,
    ],
    example: "assay user link --account acme --role owner --name Ada",
    load: () => import("../user.ts"),
  },
];

const CATALOG: readonly ListedCommand[] = [
  {
    name: "prices",
    usage: "list | set TOOL N|null",
    summary: "List prices, or override the price of a tool (null = temporarily unavailable).",
    actions: ["list", "set"],
    flags: [],
    example: "assay prices set get_wallet_pnl 3",
    load: () => import("../prices.ts"),
  },
  {
    name: "allowlist",
    usage: "list | publish TOOL | hide TOOL",
    summary: "List, publish or hide tools. To callers, a hidden tool does not exist.",
    actions: ["list", "publish", "hide"],
    flags: [],
    example: "assay allowlist hide get_wallet_pnl",
    load: () => import("../allowlist.ts"),
  },
  {
    name: "audit",
    usage: "[--limit N] [--before SEQ]",
    summary: "List the audit trail, newest first: actor, time, subject, old and new value.",
    flags: [
      { name: "limit", value: "N", summary: "Print at most this many entries, 1 to 1000 (default: 100)." },
      { name: "before", value: "SEQ", summary: "Print entries older than the one with this number." },
    ],
    example: "assay audit --limit 20",
    load: () => import("../audit.ts"),
  },
];

const LEDGER: readonly ListedCommand[] = [
  {
    name: "ledger",
    usage: "verify",
    summary: "Check the credit ledger: every invariant, the audit trail, and that the service reads the same store.",
    actions: ["verify"],
    flags: [],
    example: "assay ledger verify",
    load: () => import("../ledger.ts"),
  },
];

export const ACCOUNTS = { holders: HOLDERS, catalog: CATALOG, ledger: LEDGER };
