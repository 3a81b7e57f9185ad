import { createHash } from "node:crypto";
import type { Recorder } from "./audit.ts";
import type { Database, Queries, Scope } from "./database.ts";
import { refusal, unknownAccount } from "./refusal.ts";
import type { AccountRole } from "./roles.ts";
import type { RandomBytes } from "./secret.ts";
import { removeUser, type Succession, setRole } from "./user_changes.ts";
import { mustHave, recorded, toUser, USER_COLUMNS, type User, type UserRow } from "./user_rows.ts";

/** A user with the token of a set-up link, which is shown only once. */
export interface UserLink extends User {
  readonly token: string;
}

export interface NewUser {
  readonly name: string;
  readonly account_id: string | null;
  readonly is_operator: boolean;
  /** Omitted: caller, or the existing user's role. */
  readonly role?: AccountRole | undefined;
  /** True when an owner of the account calls: an owner creates no link for an operator. */
  readonly by_account?: boolean;
}

export interface Users {
  /**
   * Makes a link with which a person chooses a password, once. For an existing name it sets a new password: the old one and its
   * sessions end when the link is used.
   * @throws AssayError UNKNOWN_ACCOUNT, BAD_USER, LAST_OWNER
   */
  link(wish: NewUser): Promise<UserLink>;
  /** All users or those of one account, oldest first; removed ones included. */
  list(account_id?: string): Promise<readonly User[]>;
  /**
   * Sets another role, at once for sessions too. Keys of the user with rights beyond the new role are revoked.
   * @throws AssayError UNKNOWN_USER, BAD_USER, LAST_OWNER
   */
  setRole(id: string, role: AccountRole, succession?: Succession): Promise<User>;
  /**
   * Removes the user with all sessions and links, the keys whose secret they received, and the watch rules they made.
   * Idempotent.
   * @throws AssayError UNKNOWN_USER, LAST_OWNER
   */
  remove(id: string, succession?: Succession): Promise<User>;
}

interface UserSettings {
  readonly database: Database;
  readonly random: RandomBytes;
  readonly now: () => number;
  readonly newId: (kind: string) => string;
  readonly record: Recorder;
  /** Called after a change that may have ended keys. */
  readonly changed: () => void;
}

/** Lifetime of a set-up link. */
const LINK_MS = 3 * 86_400_000;
const TOKEN_BYTES = 32;
/** Length of its base64. */
const TOKEN_LENGTH = 43;

/** Users are changed one transaction at a time. */
const USERS_SCOPE: Scope = { lock: "users", proof: null };

const ADD_SQL = `insert into users (id, name, account_id, is_operator, may_make_keys, role, password, link_digest,
    link_until, device_secret, created_at, password_at, removed_at)
  values ($1, $2, $3, $4, 0, $5, null, $6, $7, $8, $9, null, null) returning ${USER_COLUMNS}`;

/** The row under which the ledger lists a person's calls. No secret has this digest, and it opens nothing. */
const ADD_KEY_SQL = `insert into keys (id, account_id, digest, previous_digest, previous_until, prefix, scopes,
    limit_per_minute, created_at, revoked_at, last_used_at, pepper_id, is_user)
  values ($1, $2, $3, null, null, '', 'session', null, $4, null, null, null, 1)`;

const RELINK_SQL = `update users set is_operator = $2, role = $3, link_digest = $4, link_until = $5 where id = $1
  returning ${USER_COLUMNS}`;

/** Digest of a random token, as stored. */
export const tokenDigest = (token: string): string => createHash("sha256").update(token).digest("hex");

export const makeToken = (random: RandomBytes): string => Buffer.from(random(TOKEN_BYTES)).toString("base64url");

/** Whether the text can be such a token. */
export const isToken = (text: string): boolean => text.length === TOKEN_LENGTH && /^[\w-]+$/.test(text);

/** Normalizes a name for comparison; capitals do not matter. */
export const readName = (text: string): string => text.normalize("NFKC").trim().toLowerCase();

export const openUsers = (settings: UserSettings): Users => {
  const { database, random, now, newId, record, changed } = settings;
  return {
    async link(wish) {
      const name = checkName(wish);
      const [at, token, id] = [now(), makeToken(random), newId("user")];
      const link = { name, at, digest: tokenDigest(token), id, device_secret: makeToken(random) };
      const row = await database.transaction(USERS_SCOPE, async (within) => {
        if (wish.account_id !== null) await mustBeThere(within, wish.account_id);
        const sql = `select ${USER_COLUMNS} from users where name = $1 and removed_at is null`;
        const before = await within.get<UserRow>(sql, [name]);
        const after =
          before === null ? await addUser(within, wish, link) : await renewLink(within, before, { wish, link });
        // Not the previous state: a second link is a change too, though both look alike.
        await record(within, { action: "user.link", subject: after.id, before: null, after: recorded(after, at) });
        return after;
      });
      changed();
      return { ...toUser(row, at), token };
    },
    async list(account_id) {
      const at = now();
      const sql = `select ${USER_COLUMNS} from users where $1 = '' or account_id = $1 order by created_at, id`;
      return (await database.all<UserRow>(sql, [account_id ?? ""])).map((row) => toUser(row, at));
    },
    async setRole(id, role, succession = {}) {
      const user = await database.transaction(USERS_SCOPE, (within) =>
        setRole(within, settings, { id, role, succession, at: now() }),
      );
      changed();
      return user;
    },
    async remove(id, succession = {}) {
      const user = await database.transaction(USERS_SCOPE, (within) =>
        removeUser(within, settings, { id, succession, at: now() }),
      );
      changed();
      return user;
    },
  };
};

interface Link {
  readonly name: string;
  readonly at: number;
  readonly digest: string;
  readonly id: string;
  readonly device_secret: string;
}

const addUser = async (within: Queries, wish: NewUser, link: Link): Promise<UserRow> => {
  const { name, at, digest, id, device_secret } = link;
  const { account_id } = wish;
  const rights = [Number(wish.is_operator), account_id === null ? null : (wish.role ?? "caller")];
  const row = await within.get<UserRow>(ADD_SQL, [
    id,
    name,
    account_id,
    ...rights,
    digest,
    at + LINK_MS,
    device_secret,
    at,
  ]);
  if (account_id !== null) await within.run(ADD_KEY_SQL, [id, account_id, `user:${id}`, at]);
  return mustHave(row);
};

const renewLink = async (
  within: Queries,
  before: UserRow,
  { wish, link }: { readonly wish: NewUser; readonly link: Link },
): Promise<UserRow> => {
  // Charges of their sessions are listed under their present account.
  if (before.account_id !== wish.account_id)
    throw refusal(
      "BAD_USER",
      `'${before.name}' is a user of another account: choose another name, or remove that user.`,
    );
  if (before.is_operator === 1 && !wish.is_operator && wish.by_account === true)
    throw refusal("BAD_USER", `'${before.name}' is an operator: only operators make links for them.`);
  // A link does not change a role, since the user's keys and sessions would not follow.
  if (wish.role !== undefined && wish.role !== before.role)
    throw refusal("BAD_USER", `'${before.name}' has the role ${before.role}: change the role first, then make a link.`);
  const rights = [Number(wish.is_operator), before.role];
  return mustHave(await within.get<UserRow>(RELINK_SQL, [before.id, ...rights, link.digest, link.at + LINK_MS]));
};

const mustBeThere = async (within: Queries, account_id: string): Promise<void> => {
  if ((await within.get("select id from accounts where id = $1", [account_id])) === null)
    throw unknownAccount(account_id);
};

const checkName = ({ name, account_id, is_operator, role }: NewUser): string => {
  const read = readName(name);
  if (!/^[\p{Ll}\p{Lo}\p{N}][\p{Ll}\p{Lo}\p{N}._@+-]{0,99}$/u.test(read))
    throw refusal("BAD_USER", "A user's name has 1 to 100 letters, digits, '.', '_', '@', '+' or '-'.");
  if (account_id === null && !is_operator)
    throw refusal("BAD_USER", "A user belongs to an account, or is an operator, or both.");
  if (account_id === null && role !== undefined)
    throw refusal("BAD_USER", "Only a user of an account has a role in it.");
  return read;
};
