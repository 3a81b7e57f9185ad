import { recorderOf } from "./audit.ts";
import type { Database } from "./database.ts";
import { openPasswords, type PasswordCost } from "./passwords.ts";
import { isoMs } from "./period.ts";
import { refusal } from "./refusal.ts";
import { type AccountRole, isRole } from "./roles.ts";
import type { RandomBytes } from "./secret.ts";
import { IDLE_MS, openSignIns, type SignIns } from "./sign_in.ts";
import { SIGN_IN_LOCK } from "./sign_in_delay.ts";
import { isToken, tokenDigest } from "./users.ts";

/** An open session and its user. */
export interface Session {
  readonly id: string;
  readonly user_id: string;
  readonly name: string;
  readonly account_id: string | null;
  readonly plan_id: string | null;
  /** The account's plan. */
  readonly calls_per_minute: number;
  readonly is_operator: boolean;
  /** Role in the account; null without one. */
  readonly role: AccountRole | null;
  readonly ends_at: string;
}

/** A session as its user sees it in a list. */
export interface ListedSession {
  readonly id: string;
  readonly created_at: string;
  /** Written at most once a minute. */
  readonly seen_at: string;
  readonly ends_at: string;
  readonly address: string;
  readonly agent: string;
}

export interface Sessions extends SignIns {
  /** The session of this secret, unless it has ended. */
  find(secret: string): Promise<Session | null>;
  list(user_id: string): Promise<readonly ListedSession[]>;
  /** @throws AssayError UNKNOWN_SESSION for one of another user too */
  end(user_id: string, session_id: string): Promise<void>;
}

interface SessionSettings {
  readonly database: Database;
  /** For new passwords. */
  readonly cost: PasswordCost | undefined;
  readonly random: RandomBytes;
  readonly now: () => number;
  readonly newId: (kind: string) => string;
}

const SEEN_EVERY_MS = 60_000;

type SessionRow = {
  readonly id: string;
  readonly user_id: string;
  readonly name: string;
  readonly account_id: string | null;
  readonly plan_id: string | null;
  readonly calls_per_minute: number;
  readonly is_operator: number;
  readonly role: string | null;
  readonly seen_at: number;
  readonly ends_at: number;
};

type ListedRow = {
  readonly id: string;
  readonly created_at: number;
  readonly seen_at: number;
  readonly ends_at: number;
  readonly address: string;
  readonly agent: string;
};

const FIND_SQL = `select s.id, s.user_id, u.name, u.account_id, a.plan_id, u.is_operator, u.role, s.seen_at, s.ends_at,
    coalesce(a.calls_per_minute, p.calls_per_minute, 0) as calls_per_minute
  from sessions s join users u on u.id = s.user_id left join accounts a on a.id = u.account_id left join plans p on p.id = a.plan_id
  where s.digest = $1 and s.ends_at > $2 and s.seen_at > $3 and u.removed_at is null`;

const LIST_SQL = `select id, created_at, seen_at, ends_at, address, agent from sessions
  where user_id = $1 and ends_at > $2 and seen_at > $3 order by created_at desc, id`;

export const openSessions = ({ cost, ...parts }: SessionSettings): Sessions => {
  const { database, now } = parts;
  const recorder = (actor: string) => recorderOf(actor, now);
  return {
    ...openSignIns({ ...parts, passwords: openPasswords(cost), recorder }),
    find: (secret) => find(parts, secret),
    async list(user_id) {
      const at = now();
      const rows = await database.all<ListedRow>(LIST_SQL, [user_id, at, at - IDLE_MS]);
      return rows.map(({ created_at, seen_at, ends_at, ...row }) => ({
        ...row,
        created_at: isoMs(created_at),
        seen_at: isoMs(seen_at),
        ends_at: isoMs(Math.min(ends_at, seen_at + IDLE_MS)),
      }));
    },
    async end(user_id, session_id) {
      await database.transaction({ lock: SIGN_IN_LOCK, proof: null }, async (within) => {
        const ended = await within.run("delete from sessions where id = $1 and user_id = $2", [session_id, user_id]);
        if (ended === 0) throw refusal("UNKNOWN_SESSION", `Session '${session_id}' does not exist.`);
        await recorder(`user:${user_id}`)(within, {
          action: "session.end",
          subject: session_id,
          before: { user_id },
          after: null,
        });
      });
    },
  };
};

type SessionLookup = Pick<SessionSettings, "database" | "now">;

const find = async ({ database, now }: SessionLookup, secret: string): Promise<Session | null> => {
  if (!isToken(secret)) return null;
  const at = now();
  const row = await database.get<SessionRow>(FIND_SQL, [tokenDigest(secret), at, at - IDLE_MS]);
  if (row === null) return null;
  if (at - row.seen_at >= SEEN_EVERY_MS)
    await database.run("update sessions set seen_at = $2 where id = $1", [row.id, at]);
  const { seen_at: _, ends_at, is_operator, role, ...rest } = row;
  const known = role !== null && isRole(role) ? role : null;
  return { ...rest, is_operator: is_operator === 1, role: known, ends_at: isoMs(ends_at) };
};
