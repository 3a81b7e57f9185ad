import * as z from "zod";
import { actorOf } from "../../../accounts/roles.ts";
import type { Users } from "../../../accounts/users.ts";
import { AssayError } from "../../../lib/errors.ts";
import { definer } from "../../operations/operation.ts";
import * as shapes from "../../operations/shapes.ts";
import type { AccountContext } from "./operations.ts";

const define = definer<AccountContext>();

const USERS = "users:manage";

const refuse = (code: string, message: string): AssayError => new AssayError({ code, message, public: message });

const usersOf = ({ store, caller }: AccountContext): Users => store.as(actorOf(caller.key_id), "account").users;

/**
 * A user whom an owner may change: of their own account, and no operator, whose password would open more than the account.
 * @throws AssayError UNKNOWN_USER for a user of another account too; NOT_ALLOWED
 */
const mustBeOwn = async ({ store, caller }: AccountContext, user_id: string): Promise<void> => {
  const own = await store.users.list(caller.account_id);
  const found = own.find(({ id }) => id === user_id);
  if (found === undefined) throw refuse("UNKNOWN_USER", `User '${user_id}' does not exist.`);
  if (found.is_operator) throw refuse("NOT_ALLOWED", "That user is an operator. Only operators can change operators.");
};

const user_id = z.string().min(1).max(100).meta({ description: "The user's id." });
const new_owner = z.string().min(1).max(100).optional().meta({
  description:
    "User of the account who becomes an owner. Required when the last owner is removed or gets another role.",
});

/** Operations of owners on the users of their account, and its changes. */
export const userOperations = {
  list_own_users: define({
    method: "GET",
    path: "/api/account/users",
    summary: `List the account's users, oldest first, removed ones included; requires ${USERS}.`,
    input: z.strictObject({}),
    output: z.strictObject({ users: z.array(shapes.user) }),
    run: async (desk) => ({ users: [...(await usersOf(desk).list(desk.caller.account_id))] }),
  }),
  link_own_user: define({
    method: "POST",
    path: "/api/account/users",
    summary: `Create a set-up link for a new user of the account, or for a user's new password; requires ${USERS}. The link is /app/set-up#token.`,
    input: z.strictObject({ name: z.string().max(200), role: shapes.role.optional() }),
    output: shapes.user.extend({ token: z.string() }),
    async run(desk, { name, role }) {
      const users = usersOf(desk);
      const { account_id } = desk.caller;
      return users.link({ name, account_id, is_operator: false, role, by_account: true });
    },
  }),
  set_own_user_role: define({
    method: "PUT",
    path: "/api/account/users/{user_id}/role",
    summary: `Change a user's role in the account; requires ${USERS}. Keys of the user with more rights than the new role are revoked.`,
    input: z.strictObject({ user_id, role: shapes.role, new_owner }),
    output: shapes.user,
    async run(desk, input) {
      const users = usersOf(desk);
      await mustBeOwn(desk, input.user_id);
      return users.setRole(input.user_id, input.role, input);
    },
  }),
  remove_own_user: define({
    method: "POST",
    path: "/api/account/users/{user_id}/remove",
    summary: `Remove a user with all sessions, the keys whose secret the user received, and the user's watch rules; requires ${USERS}.`,
    input: z.strictObject({ user_id, new_owner }),
    output: shapes.user,
    async run(desk, input) {
      const users = usersOf(desk);
      await mustBeOwn(desk, input.user_id);
      return users.remove(input.user_id, input);
    },
  }),
  list_own_changes: define({
    method: "GET",
    path: "/api/account/changes",
    summary:
      "List changes of the account, its keys and its users, newest first: actor, time, old and new value. Requires keys:manage or users:manage.",
    input: z.strictObject({
      limit: z.int().min(1).max(500).default(50),
      before_seq: z.int().min(1).optional().meta({ description: "Return only entries before this one." }),
    }),
    output: z.strictObject({ entries: z.array(shapes.auditEntry) }),
    async run({ store, caller }, { limit, before_seq }) {
      const page = { limit, before_seq: before_seq ?? null, account_id: caller.account_id };
      // States were read with JSON.parse, so they are JSON.
      const entries = (await store.audit(page)).map((entry) => ({ ...entry }) as z.input<typeof shapes.auditEntry>);
      return { entries };
    },
  }),
} as const;
