/** Secrets, sessions and rules that end when a user leaves an account or loses rights in it. */
import type { Recorder } from "./audit.ts";
import type { Queries } from "./database.ts";
import { endIssued } from "./issued_secrets.ts";
import { refusal } from "./refusal.ts";
import { type AccountRole, rightsOf, scopesBeyond } from "./roles.ts";
import { mustHave, recorded, toUser, USER_COLUMNS, type User, type UserRow } from "./user_rows.ts";

/** The new owner of an account that would have none. */
export interface Succession {
  /** Id of a user of the account. */
  readonly new_owner?: string | undefined;
}

interface Recording {
  readonly record: Recorder;
}

const ROLE_SQL = `update users set role = $2 where id = $1 and removed_at is null returning ${USER_COLUMNS}`;

const REMOVE_SQL = `update users set removed_at = coalesce(removed_at, $2), password = null, link_digest = null,
    link_until = null where id = $1 returning ${USER_COLUMNS}`;

const ONE_SQL = `select ${USER_COLUMNS} from users where id = $1`;

const unknownUser = (id: string) => refusal("UNKNOWN_USER", `User '${id}' does not exist.`);

interface UserChange {
  readonly id: string;
  readonly succession: Succession;
  readonly at: number;
}

/** Part of a transaction. @throws AssayError UNKNOWN_USER, BAD_USER, LAST_OWNER */
export const setRole = async (
  within: Queries,
  { record }: Recording,
  { id, role, succession, at }: UserChange & { readonly role: AccountRole },
): Promise<User> => {
  const before = await within.get<UserRow>(ONE_SQL, [id]);
  if (before === null || before.removed_at !== null) throw unknownUser(id);
  const { account_id } = before;
  if (account_id === null) throw refusal("BAD_USER", "Only a user of an account has a role in it.");
  if (role !== "owner") await passOwnership(within, { record }, { leaving: before, succession, at });
  const after = mustHave(await within.get<UserRow>(ROLE_SQL, [id, role]));
  const ending = { account_id, user_id: id, rights: rightsOf(role), at, record };
  if (scopesBeyond(rightsOf(before.role), rightsOf(role)).length > 0) await endIssued(within, ending);
  const states = { before: recorded(before, at), after: recorded(after, at) };
  await record(within, { action: "user.role", subject: id, ...states });
  return toUser(after, at);
};

/** Part of a transaction. @throws AssayError UNKNOWN_USER, LAST_OWNER */
export const removeUser = async (
  within: Queries,
  { record }: Recording,
  { id, succession, at }: UserChange,
): Promise<User> => {
  const before = await within.get<UserRow>(ONE_SQL, [id]);
  if (before === null) throw unknownUser(id);
  if (before.removed_at === null) await passOwnership(within, { record }, { leaving: before, succession, at });
  const after = mustHave(await within.get<UserRow>(REMOVE_SQL, [id, at]));
  await within.run("delete from sessions where user_id = $1", [id]);
  await within.run("update keys set revoked_at = coalesce(revoked_at, $2) where id = $1 and is_user = 1", [id, at]);
  const { account_id } = before;
  if (account_id !== null) await endIssued(within, { account_id, user_id: id, rights: [], at, record });
  const states = { before: recorded(before, at), after: recorded(after, at) };
  await record(within, { action: "user.remove", subject: id, ...states });
  return toUser(after, at);
};

const OTHERS_SQL = `select ${USER_COLUMNS} from users where account_id = $1 and id <> $2 and removed_at is null`;

/** Keeps an owner in an account that has one and other users. */
const passOwnership = async (
  within: Queries,
  { record }: Recording,
  { leaving, succession, at }: { readonly leaving: UserRow; readonly succession: Succession; readonly at: number },
): Promise<void> => {
  const { account_id, id, name, role } = leaving;
  if (role !== "owner" || account_id === null) return;
  const others = await within.all<UserRow>(OTHERS_SQL, [account_id, id]);
  if (succession.new_owner === undefined) {
    if (others.length === 0 || others.some((other) => other.role === "owner")) return;
    throw refusal("LAST_OWNER", `'${name}' is the last owner of the account: name another as new_owner.`);
  }
  const next = others.find((other) => other.id === succession.new_owner);
  if (next === undefined) throw refusal("BAD_USER", "new_owner is no other user of the account.");
  const after = mustHave(await within.get<UserRow>(ROLE_SQL, [next.id, "owner"]));
  const states = { before: recorded(next, at), after: recorded(after, at) };
  await record(within, { action: "user.role", subject: next.id, ...states });
};
