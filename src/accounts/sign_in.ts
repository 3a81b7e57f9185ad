import { createHmac, timingSafeEqual } from "node:crypto";
import type { Recorder } from "./audit.ts";
import type { Database, Queries } from "./database.ts";
import type { Passwords } from "./passwords.ts";
import { isoMs } from "./period.ts";
import { refusal } from "./refusal.ts";
import type { RandomBytes } from "./secret.ts";
import { enterAttempt, forgiveAttempt, SIGN_IN_LOCK, subjectsOf } from "./sign_in_delay.ts";
import { recorded, USER_COLUMNS, type UserRow } from "./user_rows.ts";
import { isToken, makeToken, readName, tokenDigest } from "./users.ts";

/** Origin of a sign-in, for the list of a user's sessions. */
export interface SignInOrigin {
  /** Network address. */
  readonly address: string;
  /** Name of the browser, sanitized for display. */
  readonly agent: string;
}

/** Secrets for the browser. `device`: proves later that this browser was signed in as this user before; it opens nothing. */
export interface NewSession {
  readonly kind: "opened";
  readonly secret: string;
  readonly device: string;
}

export type SignIn =
  | NewSession
  /** Wrong name or password; the answer does not reveal which. */
  | { readonly kind: "refused" }
  /** Too many attempts have failed: the password was not checked. */
  | { readonly kind: "delayed"; readonly wait_s: number };

/** Ways to open a session. */
export interface SignIns {
  signIn(wish: { name: string; password: string; device: string | null; from: SignInOrigin }): Promise<SignIn>;
  /** The user of a set-up link's token; null when the token does not open a link. */
  linkOf(token: string): Promise<{ readonly name: string; readonly link_until: string } | null>;
  /** Sets the password and ends all other sessions. Of concurrent callers with one token, one succeeds. @throws AssayError BAD_PASSWORD */
  setUp(wish: {
    token: string;
    password: string;
    from: SignInOrigin;
  }): Promise<NewSession | { readonly kind: "refused" }>;
  /** Ends all sessions and set-up links of the user and opens a new session. @throws AssayError BAD_PASSWORD */
  changePassword(
    user_id: string,
    wish: { password: string; new_password: string; from: SignInOrigin },
  ): Promise<SignIn>;
}

export interface SignInSettings {
  readonly database: Database;
  readonly passwords: Passwords;
  readonly random: RandomBytes;
  readonly now: () => number;
  readonly newId: (kind: string) => string;
  /** Records in the trail under a user's name. */
  readonly recorder: (actor: string) => Recorder;
}

/** A session ends after this time without use, */
export const IDLE_MS = 12 * 3_600_000;
/** and after this time in any case. */
const LIFE_MS = 7 * 86_400_000;
const PASSWORD_LENGTH = { min: 12, max: 200 } as const;
const CHARACTERS_MIN = 5;

const ADD_SQL = `insert into sessions (id, digest, user_id, created_at, seen_at, ends_at, address, agent)
  values ($1, $2, $3, $4, $4, $5, $6, $7)`;

const SET_UP_SQL = `update users set password = $3, password_at = $2, link_digest = null, link_until = null, device_secret = $4
  where link_digest = $1 and link_until > $2 and removed_at is null returning ${USER_COLUMNS}`;

// A link that was made before a password change no longer works.
const CHANGE_SQL = `update users set password = $3, password_at = $4, device_secret = $5, link_digest = null, link_until = null
  where id = $1 and password = $2 and removed_at is null returning ${USER_COLUMNS}`;

/** A random text, and a proof of it that only the user's row can provide. */
const makeDevice = (random: RandomBytes, device_secret: string): string => {
  const one = makeToken(random);
  return `${one}.${createHmac("sha256", device_secret).update(one).digest("base64url")}`;
};

const isDeviceOf = (device: string | null, device_secret: string): boolean => {
  const [one = "", proof = ""] = (device ?? "").split(".");
  const right = createHmac("sha256", device_secret).update(one).digest();
  const sent = Buffer.from(proof, "base64url");
  return sent.length === right.length && timingSafeEqual(sent, right);
};

/** @throws AssayError BAD_PASSWORD */
const checkPassword = (password: string): void => {
  const { min, max } = PASSWORD_LENGTH;
  const characters = [...password.normalize("NFKC")];
  if (characters.length < min || characters.length > max)
    throw refusal("BAD_PASSWORD", `A password has ${min} to ${max} characters.`);
  if (new Set(characters).size < CHARACTERS_MIN)
    throw refusal("BAD_PASSWORD", `A password has at least ${CHARACTERS_MIN} different characters.`);
};

/** Opens the sign-in service. */
export const openSignIns = (settings: SignInSettings): SignIns => {
  /** Set-up links in use, by the digest of their token. */
  const in_use = new Map<string, Promise<unknown>>();
  return {
    signIn: (wish) => signIn(settings, wish),
    linkOf: (token) => linkOf(settings, token),
    async setUp(wish) {
      checkPassword(wish.password);
      const digest = tokenDigest(wish.token);
      // In sequence: a second caller finds the link used before an expensive hash is made.
      while (in_use.has(digest)) await in_use.get(digest);
      const opening = setUp(settings, wish);
      const settled = opening.catch(() => undefined);
      in_use.set(digest, settled);
      try {
        return await opening;
      } finally {
        if (in_use.get(digest) === settled) in_use.delete(digest);
      }
    },
    changePassword: (user_id, wish) => changePassword(settings, user_id, wish),
  };
};

const setUp = async (
  settings: SignInSettings,
  { token, password, from }: Parameters<SignIns["setUp"]>[0],
): ReturnType<SignIns["setUp"]> => {
  // Hashes only for a valid link, so that a made-up one causes no work.
  if ((await linkOf(settings, token)) === null) return { kind: "refused" };
  const { database, passwords, random, now } = settings;
  const hash = await passwords.hash(password);
  return database.transaction({ lock: SIGN_IN_LOCK, proof: hasPassword(hash) }, async (within) => {
    const row = await within.get<UserRow>(SET_UP_SQL, [tokenDigest(token), now(), hash, makeToken(random)]);
    if (row === null) return { kind: "refused" } as const;
    await within.run("delete from sessions where user_id = $1", [row.id]);
    return begin(within, settings, { row, from, action: "user.set_up" });
  });
};

const LINK_SQL = `select ${USER_COLUMNS} from users where link_digest = $1 and link_until > $2 and removed_at is null`;

const linkOf = async ({ database, now }: SignInSettings, token: string) => {
  if (!isToken(token)) return null;
  const row = await database.get<UserRow>(LINK_SQL, [tokenDigest(token), now()]);
  return row === null ? null : { name: row.name, link_until: isoMs(row.link_until ?? 0) };
};

/** Each hash has a random salt. */
const hasPassword = (hash: string) => ({ sql: "select id from users where password = $1", values: [hash] });

const userNamed = (database: Queries, name: string): Promise<UserRow | null> =>
  database.get<UserRow>(`select ${USER_COLUMNS} from users where name = $1 and removed_at is null`, [name]);

/** The same work for an unknown name. */
const signIn = async (settings: SignInSettings, wish: Parameters<SignIns["signIn"]>[0]): Promise<SignIn> => {
  const { database, passwords, random, now } = settings;
  const { password, device, from } = wish;
  const name = readName(wish.name);
  const row = await userNamed(database, name);
  const is_known = isDeviceOf(device, row?.device_secret ?? makeToken(random));
  const subjects = subjectsOf({ name, address: from.address, is_known });
  const wait_ms = await enterAttempt(database, subjects, now());
  if (wait_ms > 0) return { kind: "delayed", wait_s: Math.ceil(wait_ms / 1_000) };
  const is_right = await passwords.isOf(password, row?.password ?? null);
  return database.transaction({ lock: SIGN_IN_LOCK, proof: null }, async (within) => {
    const present = await userNamed(within, name);
    // Removed, or with another password, since the hash was made.
    const is_same = present !== null && present.id === row?.id && present.password === row.password;
    if (!is_right || !is_same) return refuse(within, settings, { row, from });
    await forgiveAttempt(within, subjects, now());
    return begin(within, settings, { row: present, from, action: "session.begin" });
  });
};

interface PasswordAttempt {
  readonly row: UserRow | null;
  readonly from: SignInOrigin;
}

const refuse = async (
  within: Queries,
  { recorder }: SignInSettings,
  { row, from }: PasswordAttempt,
): Promise<{ readonly kind: "refused" }> => {
  const subject = row?.id ?? "nobody";
  const change = { action: "session.refused", subject, before: null, after: { address: from.address } };
  await recorder("sign-in")(within, change);
  return { kind: "refused" };
};

interface NewSignIn {
  readonly row: UserRow;
  readonly from: SignInOrigin;
  readonly action: string;
}

/** Opens a session under a new secret, whatever the browser sent. */
const begin = async (
  within: Queries,
  settings: SignInSettings,
  { row, from, action }: NewSignIn,
): Promise<NewSession> => {
  const { random, now, newId, recorder } = settings;
  const [at, secret, id] = [now(), makeToken(random), newId("session")];
  await within.run("delete from sessions where ends_at <= $1 or seen_at <= $2", [at, at - IDLE_MS]);
  const { address, agent } = from;
  await within.run(ADD_SQL, [id, tokenDigest(secret), row.id, at, at + LIFE_MS, address, agent]);
  const after = action === "session.begin" ? { session: id, address } : { ...recorded(row, at), session: id, address };
  await recorder(`user:${row.id}`)(within, { action, subject: row.id, before: null, after });
  return { kind: "opened", secret, device: makeDevice(random, row.device_secret) };
};

const changePassword = async (
  settings: SignInSettings,
  user_id: string,
  { password, new_password, from }: { password: string; new_password: string; from: SignInOrigin },
): Promise<SignIn> => {
  checkPassword(new_password);
  const { database, passwords, random, now } = settings;
  // A person at an open browser must not guess passwords faster than at the sign-in page.
  const subjects = subjectsOf({ name: `change ${user_id}`, address: from.address, is_known: false });
  const wait_ms = await enterAttempt(database, subjects, now());
  if (wait_ms > 0) return { kind: "delayed", wait_s: Math.ceil(wait_ms / 1_000) };
  const before = await database.get<UserRow>(`select ${USER_COLUMNS} from users where id = $1`, [user_id]);
  const is_right = await passwords.isOf(password, before?.password ?? null);
  const hash = is_right ? await passwords.hash(new_password) : null;
  const proof = hash === null ? null : hasPassword(hash);
  return database.transaction({ lock: SIGN_IN_LOCK, proof }, async (within) => {
    const values = [user_id, before?.password ?? null, hash, now(), makeToken(random)];
    const row = hash === null ? null : await within.get<UserRow>(CHANGE_SQL, values);
    if (row === null) return refuse(within, settings, { row: before, from });
    await forgiveAttempt(within, subjects, now());
    await within.run("delete from sessions where user_id = $1", [user_id]);
    return begin(within, settings, { row, from, action: "user.password" });
  });
};
