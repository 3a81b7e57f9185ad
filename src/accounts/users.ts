import { createHash } from "node:crypto";
import type { Recorder } from "./audit.ts";
import type { Database, Queries, Scope } from "./database.ts";
import { isoMs } from "./period.ts";
import { refusal, unknownAccount } from "./refusal.ts";
import type { RandomBytes } from "./secret.ts";

/** A person who signs in on pages. */
export interface User {
  readonly id: string;
  readonly name: string;
  /** Whose credits their calls cost; null = they call no tools. */
  readonly account_id: string | null;
  readonly is_operator: boolean;
  /** Whether they may make keys of their account; otherwise only operators do. */
  readonly may_make_keys: boolean;
  /** `invited`: no password yet. */
  readonly state: "invited" | "active" | "removed";
  /** Until when a set-up link that was not used yet opens; null = there is none. */
  readonly link_until: string | null;
  readonly created_at: string;
}

/** A user with the token of a set-up link, which is shown this once. */
export interface UserLink extends User {
  readonly token: string;
}

export interface UserWish {
  readonly name: string;
  readonly account_id: string | null;
  readonly is_operator: boolean;
  readonly may_make_keys: boolean;
}

export interface Users {
  /**
   * A link by which a person chooses a password, once. Of a name that is there it is for a new password: the old one and its
   * sessions end when the link is used.
   * @throws AssayError UNKNOWN_ACCOUNT, BAD_USER
   */
  link(wish: UserWish): Promise<UserLink>;
  /** All users or those of one account, oldest first; removed ones included. */
  list(account_id?: string): Promise<readonly User[]>;
  /** Ends the user with all sessions and links. Repeating it changes nothing. @throws AssayError UNKNOWN_USER */
  remove(id: string): Promise<User>;
}

interface UserSettings {
  readonly database: Database;
  readonly random: RandomBytes;
  readonly now: () => number;
  readonly newId: (kind: string) => string;
  readonly record: Recorder;
}

export type UserRow = {
  readonly id: string;
  readonly name: string;
  readonly account_id: string | null;
  readonly is_operator: number;
  readonly may_make_keys: number;
  readonly password: string | null;
  readonly link_until: number | null;
  readonly device_secret: string;
  readonly created_at: number;
  readonly removed_at: number | null;
};

export const USER_COLUMNS =
  "id, name, account_id, is_operator, may_make_keys, password, link_until, device_secret, created_at, removed_at";

/** How long a set-up link opens. */
const LINK_MS = 3 * 86_400_000;
const TOKEN_BYTES = 32;
/** Of its base64. */
const TOKEN_LENGTH = 43;

/** Users are changed one transaction at a time. */
const USERS_SCOPE: Scope = { lock: "users", proof: null };

const ADD_SQL = `insert into users (id, name, account_id, is_operator, may_make_keys, password, link_digest, link_until,
    device_secret, created_at, password_at, removed_at)
  values ($1, $2, $3, $4, $5, null, $6, $7, $8, $9, null, null) returning ${USER_COLUMNS}`;

/** The row under which a person's calls stand in the ledger. No secret has this digest, and it opens nothing. */
const ADD_KEY_SQL = `insert into keys (id, account_id, digest, previous_digest, previous_until, prefix, scopes,
    limit_per_minute, created_at, revoked_at, last_used_at, pepper_id, is_user)
  values ($1, $2, $3, null, null, '', 'session', null, $4, null, null, null, 1)`;

const RELINK_SQL = `update users set is_operator = $2, may_make_keys = $3, link_digest = $4, link_until = $5 where id = $1
  returning ${USER_COLUMNS}`;

const REMOVE_SQL = `update users set removed_at = coalesce(removed_at, $2), password = null, link_digest = null,
    link_until = null where id = $1 returning ${USER_COLUMNS}`;

/** How a random token is kept. */
export const tokenDigest = (token: string): string => createHash("sha256").update(token).digest("hex");

export const makeToken = (random: RandomBytes): string => Buffer.from(random(TOKEN_BYTES)).toString("base64url");

/** Could this be such a token? */
export const isToken = (text: string): boolean => text.length === TOKEN_LENGTH && /^[\w-]+$/.test(text);

/** A name as it is compared: whoever types it does not care for capitals. */
export const readName = (text: string): string => text.normalize("NFKC").trim().toLowerCase();

export const openUsers = ({ database, random, now, newId, record }: UserSettings): Users => ({
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
      // Not the state before: a second link is a change too, though both look alike.
      await record(within, { action: "user.link", subject: after.id, before: null, after: recorded(after, at) });
      return after;
    });
    return { ...toUser(row, at), token };
  },
  async list(account_id) {
    const at = now();
    const sql = `select ${USER_COLUMNS} from users where $1 = '' or account_id = $1 order by created_at, id`;
    return (await database.all<UserRow>(sql, [account_id ?? ""])).map((row) => toUser(row, at));
  },
  async remove(id) {
    const at = now();
    return database.transaction(USERS_SCOPE, async (within) => {
      const before = await within.get<UserRow>(`select ${USER_COLUMNS} from users where id = $1`, [id]);
      const after = await within.get<UserRow>(REMOVE_SQL, [id, at]);
      if (before === null || after === null) throw refusal("UNKNOWN_USER", `There is no user '${id}'.`);
      await within.run("delete from sessions where user_id = $1", [id]);
      await within.run("update keys set revoked_at = coalesce(revoked_at, $2) where id = $1 and is_user = 1", [id, at]);
      const states = { before: recorded(before, at), after: recorded(after, at) };
      await record(within, { action: "user.remove", subject: id, ...states });
      return toUser(after, at);
    });
  },
});

interface Link {
  readonly name: string;
  readonly at: number;
  readonly digest: string;
  readonly id: string;
  readonly device_secret: string;
}

const addUser = async (within: Queries, wish: UserWish, link: Link): Promise<UserRow> => {
  const { name, at, digest, id, device_secret } = link;
  const { account_id } = wish;
  const rights = [Number(wish.is_operator), Number(wish.may_make_keys)];
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
  { wish, link }: { readonly wish: UserWish; readonly link: Link },
): Promise<UserRow> => {
  // What was charged in their sessions stands under the account that they have.
  if (before.account_id !== wish.account_id)
    throw refusal(
      "BAD_USER",
      `'${before.name}' is a user of another account: choose another name, or remove that user.`,
    );
  const rights = [Number(wish.is_operator), Number(wish.may_make_keys)];
  return mustHave(await within.get<UserRow>(RELINK_SQL, [before.id, ...rights, link.digest, link.at + LINK_MS]));
};

const mustHave = (row: UserRow | null): UserRow => {
  if (row === null) throw refusal("UNKNOWN_USER", "The user was removed meanwhile.");
  return row;
};

const mustBeThere = async (within: Queries, account_id: string): Promise<void> => {
  if ((await within.get("select id from accounts where id = $1", [account_id])) === null)
    throw unknownAccount(account_id);
};

const checkName = ({ name, account_id, is_operator, may_make_keys }: UserWish): string => {
  const read = readName(name);
  if (!/^[\p{Ll}\p{Lo}\p{N}][\p{Ll}\p{Lo}\p{N}._@+-]{0,99}$/u.test(read))
    throw refusal("BAD_USER", "A user's name has 1 to 100 letters, digits, '.', '_', '@', '+' or '-'.");
  if (account_id === null && !is_operator)
    throw refusal("BAD_USER", "A user belongs to an account, or is an operator, or both.");
  if (account_id === null && may_make_keys) throw refusal("BAD_USER", "Only a user of an account makes keys of it.");
  return read;
};

const toUser = (row: UserRow, at: number): User => ({
  id: row.id,
  name: row.name,
  account_id: row.account_id,
  is_operator: row.is_operator === 1,
  may_make_keys: row.may_make_keys === 1,
  state: row.removed_at !== null ? "removed" : row.password === null ? "invited" : "active",
  link_until: row.link_until !== null && row.link_until > at ? isoMs(row.link_until) : null,
  created_at: isoMs(row.created_at),
});

/** A user as the audit trail shows it. */
export const recorded = (row: UserRow, at: number) => {
  const { id: _, created_at: __, ...user } = toUser(row, at);
  return user;
};
