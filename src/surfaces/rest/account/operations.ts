import * as z from "zod";
import { SCOPES } from "../../../accounts/keys.ts";
import type { Caller } from "../../../accounts/meter.ts";
import type { AccountsStore } from "../../../accounts/open.ts";
import { actorOf } from "../../../accounts/roles.ts";
import { AssayError } from "../../../lib/errors.ts";
import { definer } from "../../operations/operation.ts";
import * as shapes from "../../operations/shapes.ts";
import { monthCsv, monthOf, usageCsv, usageOf } from "../../operations/usage.ts";
import { answerOperations } from "./answer_operations.ts";
import { caseOperations } from "./cases/operations.ts";
import { type FollowContext, followedOperations } from "./followed_operations.ts";
import { type MarketData, marketOperations } from "./market_operations.ts";
import { type RunSearch, searchOperations } from "./search_operations.ts";
import { userOperations } from "./user_operations.ts";
import { type WatchContext, watchOperations } from "./watch_operations.ts";

/** The context of an operation of a key or of a signed-in user: their own account alone. */
export interface AccountContext {
  readonly store: Pick<
    AccountsStore,
    "accounts" | "keys" | "usage" | "ledgerRows" | "audit" | "users" | "as" | "answers"
  >;
  readonly caller: Caller<"account">;
  /** Null where nothing is watched. */
  readonly watch: WatchContext | null;
  /** Null where no network is read on demand. */
  readonly followed: FollowContext | null;
  /** Null where nothing is indexed. */
  readonly search: RunSearch | null;
  /** Null where nothing is indexed. */
  readonly market: MarketData | null;
}

const define = definer<AccountContext>();

const MANAGE = "keys:manage";
const mayManage = ({ caller }: AccountContext): boolean => caller.scopes.includes(MANAGE);

const notAllowed = (message: string): AssayError => new AssayError({ code: "NOT_ALLOWED", message, public: message });

/** The audit trail names the key, or the user, that made a change. */
const keysOf = ({ store, caller: { key_id: id } }: AccountContext) => store.as(actorOf(id), "account").keys;

type ListedKeys = Awaited<ReturnType<AccountsStore["keys"]["list"]>>;

/** The keys that the caller sees and ends: all with the right to manage them, else itself and those of the user's assistants. */
const keysOfCaller = async (desk: AccountContext): Promise<ListedKeys> => {
  const { account_id, key_id } = desk.caller;
  const all = await desk.store.keys.list(account_id);
  const actor = actorOf(key_id);
  return mayManage(desk)
    ? all
    : all.filter(({ id, client_name, created_by }) => id === key_id || (client_name !== null && created_by === actor));
};

/** @throws AssayError UNKNOWN_KEY, for a key of another account too: the answer must not show whether that key exists. */
const mustBeOwn = async ({ store, caller }: AccountContext, key_id: string): Promise<void> => {
  const own = await store.keys.list(caller.account_id);
  if (own.some(({ id }) => id === key_id)) return;
  const message = `Key '${key_id}' does not exist.`;
  throw new AssayError({ code: "UNKNOWN_KEY", message, public: message });
};

const key_id = z.string().min(1).max(100).meta({ description: "The key's id." });
const writable = <T extends { readonly scopes: readonly string[] }>(key: T) => ({ ...key, scopes: [...key.scopes] });

/** Every operation by its id. */
export const operations = {
  show_own_account: define({
    method: "GET",
    path: "/api/account",
    summary: "Get the key's account, its plan and its credits of this month.",
    input: z.strictObject({}),
    output: shapes.accountDetails,
    run: ({ store, caller }) => store.accounts.show(caller.account_id),
  }),
  show_own_usage: define({
    method: "GET",
    path: "/api/account/usage",
    summary: "Sum the account's calls and credits.",
    input: z.strictObject(shapes.usageQuery),
    output: shapes.usage,
    csv: usageCsv,
    run: ({ store, caller }, wish) => usageOf(store, { account_id: caller.account_id, ...wish }),
  }),
  show_own_month: define({
    method: "GET",
    path: "/api/account/months/{month}",
    summary: "Get a month of the account in the form of an invoice.",
    input: z.strictObject(shapes.monthQuery),
    output: shapes.monthReport,
    csv: monthCsv,
    run: ({ store, caller }, { month }) => monthOf(store, { account_id: caller.account_id, month }),
  }),
  list_own_ledger: define({
    method: "GET",
    path: "/api/account/ledger",
    summary: "List the account's ledger rows, newest first: the cost of each call with its request id.",
    input: z.strictObject({
      limit: z.int().min(1).max(500).default(50),
      before: z.string().max(40).optional().meta({ description: "`next` of the previous page." }),
    }),
    output: z.strictObject({
      rows: z.array(shapes.ledgerRow),
      next: z.string().nullable().meta({ description: "Value for `before` of the next page; null on the last page." }),
    }),
    async run({ store, caller }, { limit, before }) {
      const page = { account_id: caller.account_id, limit, before: before ?? null };
      const { rows, next } = await store.ledgerRows(page);
      return { rows: [...rows], next };
    },
  }),
  create_own_key: define({
    method: "POST",
    path: "/api/account/keys",
    summary:
      "Create a key with no more rights than the user's, for users whose role has keys:make. Only this answer contains its secret.",
    input: z.strictObject({
      scopes: z.array(z.enum(SCOPES)).min(1),
      limit: z
        .int()
        .min(1)
        .nullable()
        .default(null)
        .meta({ description: "Calls per minute; null for the plan's limit." }),
    }),
    output: shapes.keyWithSecret,
    async run(desk, wish) {
      const { account_id } = desk.caller;
      return writable(await keysOf(desk).create({ account_id, ...wish }));
    },
  }),
  list_own_keys: define({
    method: "GET",
    path: "/api/account/keys",
    summary: `List the account's keys, revoked ones included; without the scope ${MANAGE}, only this key, or the keys of the user's assistants.`,
    input: z.strictObject({}),
    output: z.strictObject({ keys: z.array(shapes.key) }),
    run: async (desk) => ({ keys: (await keysOfCaller(desk)).map(writable) }),
  }),
  rotate_own_key: define({
    method: "POST",
    path: "/api/account/keys/{key_id}/rotate",
    summary: `Replace the secret of a key with no more rights than the caller's; requires ${MANAGE}. The old secret works until its grace period ends.`,
    input: z.strictObject({
      key_id,
      grace_seconds: shapes.grace_seconds,
    }),
    output: shapes.keyWithSecret,
    async run(desk, input) {
      await mustBeOwn(desk, input.key_id);
      return writable(await keysOf(desk).rotate(input.key_id, input.grace_seconds));
    },
  }),
  revoke_own_key: define({
    method: "POST",
    path: "/api/account/keys/{key_id}/revoke",
    summary: `Revoke a key within a second on every instance: the caller's own key, a key of the user's assistants, or any key of the account with the scope ${MANAGE}.`,
    input: z.strictObject({ key_id }),
    output: shapes.key,
    async run(desk, input) {
      if (mayManage(desk)) await mustBeOwn(desk, input.key_id);
      else if (!(await keysOfCaller(desk)).some(({ id }) => id === input.key_id))
        throw notAllowed(`Without ${MANAGE}, a key can revoke only itself, and a user only keys of their assistants.`);
      return writable(await keysOf(desk).revoke(input.key_id));
    },
  }),
  ...userOperations,
  ...answerOperations,
  ...caseOperations,
  ...watchOperations,
  ...followedOperations,
  ...searchOperations,
  ...marketOperations,
} as const;
