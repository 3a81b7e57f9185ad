import type { Recorder } from "./audit.ts";
import type { Database, Queries, Scope, SqlValue } from "./database.ts";
import { isoMs } from "./period.ts";
import { lockOf } from "./pools.ts";
import { mustReach } from "./reach.ts";
import { refusal, unknownAccount } from "./refusal.ts";
import { digestsOf, displayPrefix, makeSecret, type Peppers, pepperId, type RandomBytes } from "./secret.ts";

/**
 * Scopes of a key. `api:call`: tools over REST. `mcp:call`: tools over the assistant protocol. Every key reads the usage of its account and
 * may revoke or rotate itself; `usage:read` is for a key without further rights, `keys:manage` for one that manages all keys of the account. `watch:read`: events of the
 * account's watch rules, `watch:manage`: the rules themselves. `cases:read`: the account's cases; `cases:write`: changing them, too.
 */
export const SCOPES = [
  ...(["api:call", "mcp:call", "usage:read", "keys:manage", "watch:read", "watch:manage"] as const),
  ...(["cases:read", "cases:write"] as const),
] as const;

/** A key as listed. */
interface Key {
  readonly id: string;
  readonly account_id: string;
  readonly prefix: string;
  readonly scopes: readonly string[];
  /** The key's own calls per minute; null = the plan's. */
  readonly limit: number | null;
  readonly created_at: string;
  readonly revoked_at: string | null;
  /** Written at most once a minute. */
  readonly last_used_at: string | null;
  /** End of the grace period of the secret before the last rotation; null when that secret no longer works. */
  readonly grace_until: string | null;
  /** Name in the audit trail of the actor that received the secret when the key was made; null = made before this was recorded. */
  readonly created_by: string | null;
  /** The actor that received the current secret, and when; null = it is the first secret. */
  readonly rotated_by: string | null;
  readonly rotated_at: string | null;
  /** Pepper of the stored digest: `unknown` = a pepper that is not configured (any more). */
  readonly pepper: "current" | "previous" | "unknown" | "none";
  /** Name that the program gave itself for which a user signed in; null = any other key. */
  readonly client_name: string | null;
  /** End of the current secret; null = it does not end by itself. */
  readonly expires_at: string | null;
}

/** A new or rotated key with its secret, which is shown only once. */
export interface NewKey {
  readonly id: string;
  readonly account_id: string;
  readonly prefix: string;
  readonly secret: string;
  readonly scopes: readonly string[];
  readonly limit: number | null;
  readonly created_at: string;
}

export interface Keys {
  /** @throws AssayError UNKNOWN_ACCOUNT, KEY_LIMIT (the plan's number is reached), BAD_KEY (scopes or limit). */
  create(wish: { account_id: string; scopes: readonly string[]; limit?: number | null }): Promise<NewKey>;
  /** All keys, or those of one account, oldest first; revoked ones included. */
  list(account_id?: string): Promise<readonly Key[]>;
  /** Idempotent. @throws AssayError UNKNOWN_KEY */
  revoke(id: string): Promise<Key>;
  /** The key's own calls per minute; null = the plan's. @throws AssayError UNKNOWN_KEY, KEY_REVOKED, BAD_KEY */
  setLimit(id: string, limit: number | null): Promise<Key>;
  /**
   * Issues a new secret for the same key row. The old one stays valid for `grace_s` seconds, 0 by default; the one before it
   * ends at once.
   * @throws AssayError UNKNOWN_KEY, KEY_REVOKED, BAD_KEY
   */
  rotate(id: string, grace_s?: number): Promise<NewKey>;
}

export interface KeySettings {
  readonly database: Database;
  readonly prefix: string;
  readonly peppers: Peppers;
  readonly random: RandomBytes;
  readonly now: () => number;
  readonly newId: (kind: string) => string;
  /** Called after each change, so that this process clears its cache. */
  readonly changed: () => void;
  readonly record: Recorder;
  /** The actor for `record`. */
  readonly actor: string;
  /** Whether the actor, a user or a key of an account, may receive no secret with more rights than it has. */
  readonly is_bounded: boolean;
}

type KeyRow = {
  readonly id: string;
  readonly account_id: string;
  readonly prefix: string;
  readonly scopes: string;
  readonly limit_per_minute: number | null;
  readonly created_at: number;
  readonly revoked_at: number | null;
  readonly last_used_at: number | null;
  readonly previous_until: number | null;
  readonly digest: string;
  readonly pepper_id: string | null;
  readonly created_by: string | null;
  readonly rotated_by: string | null;
  readonly rotated_at: number | null;
  readonly client_name: string | null;
  readonly expires_at: number | null;
};

/** Live keys are changed one transaction at a time, so that a transaction that changes several cannot deadlock with another. */
export const KEYS_SCOPE: Scope = { lock: "keys", proof: null };

const GRACE_S_MAX = 30 * 86_400;

const COLUMNS =
  "id, account_id, prefix, scopes, limit_per_minute, created_at, revoked_at, last_used_at, previous_until, digest, pepper_id, created_by, rotated_by, rotated_at, client_name, expires_at";

const COUNT_SQL = `select p.id as plan_id, coalesce(a.keys_max, p.keys_max, 0) as keys_max,
    (select count(*) from keys k where k.account_id = a.id and k.revoked_at is null and k.is_user = 0) as keys_live
  from accounts a join plans p on p.id = a.plan_id where a.id = $1`;

const CREATE_SQL = `insert into keys (id, account_id, digest, previous_digest, previous_until, prefix, scopes,
    limit_per_minute, created_at, revoked_at, last_used_at, pepper_id, created_by)
  values ($1, $2, $3, null, null, $4, $5, $6, $7, null, null, $8, $9)`;

const REVOKE_SQL = `update keys set revoked_at = coalesce(revoked_at, $2), previous_digest = null, previous_until = null
  where id = $1 returning ${COLUMNS}`;

// The digest of the old secret stays after its grace period: a caller that still sends it gets the answer that it was replaced.
const ROTATE_SQL = `update keys set previous_digest = digest, previous_until = $4, digest = $2, prefix = $3, pepper_id = $5,
    previous_by = coalesce(rotated_by, created_by), rotated_by = $6, rotated_at = $7
  where id = $1 and revoked_at is null returning ${COLUMNS}`;

const LIMIT_SQL = `update keys set limit_per_minute = $2 where id = $1 and revoked_at is null returning ${COLUMNS}`;

export const openKeys = (settings: KeySettings): Keys => {
  const { database, now, changed, peppers, record } = settings;
  const pepper_id = peppers.current === null ? null : pepperId(peppers.current);
  const known = new Set(peppers.previous.map(pepperId));
  const toKey = (row: KeyRow): Key => keyOf(row, { at: now(), current: pepper_id, previous: known });
  const change = changerOf(settings, toKey);
  return {
    async create(wish) {
      const scopes = checkScopes(wish.scopes);
      const limit = checkLimit(wish.limit ?? null);
      const secret = makeSecret(settings.prefix, settings.random);
      const id = settings.newId("key");
      const at = now();
      const prefix = displayPrefix(secret);
      const proof = { sql: "select id from keys where id = $1", values: [id] };
      await database.transaction({ lock: lockOf(wish.account_id), proof }, async (within) => {
        if (settings.is_bounded) await mustReach(within, settings.actor, scopes);
        await checkKeyLimit(within, wish.account_id);
        const [digest] = digestsOf(secret, peppers);
        const own = [id, wish.account_id, digest, prefix, scopes.join(" "), limit, at, pepper_id, settings.actor];
        await within.run(CREATE_SQL, own);
        const after = { account_id: wish.account_id, prefix, scopes, limit };
        await record(within, { action: "key.create", subject: id, before: null, after });
      });
      changed();
      return { id, account_id: wish.account_id, prefix, secret, scopes, limit, created_at: isoMs(at) };
    },
    async list(account_id) {
      const rows = await database.all<KeyRow>(
        `select ${COLUMNS} from keys where is_user = 0 and ($1 = '' or account_id = $1) order by created_at, id`,
        [account_id ?? ""],
      );
      return rows.map(toKey);
    },
    revoke: (id) => change(id, { action: "key.revoke", sql: REVOKE_SQL, values: [now()] }),
    async setLimit(id, limit) {
      return change(id, { action: "key.limit", sql: LIMIT_SQL, values: [checkLimit(limit)] });
    },
    async rotate(id, grace_s = 0) {
      if (!Number.isSafeInteger(grace_s) || grace_s < 0 || grace_s > GRACE_S_MAX)
        throw refusal("BAD_KEY", `Grace is a whole number of seconds from 0 to ${GRACE_S_MAX}.`);
      const secret = makeSecret(settings.prefix, settings.random);
      const [digest] = digestsOf(secret, peppers);
      const at = now();
      const values = [digest, displayPrefix(secret), at + grace_s * 1000, pepper_id, settings.actor, at];
      const proof = { sql: "select id from keys where id = $1 and digest = $2", values: [id, digest] };
      const rotated = await change(id, { action: "key.rotate", sql: ROTATE_SQL, values, proof });
      const { account_id, prefix, scopes, limit, created_at } = rotated;
      return { id, account_id, prefix, secret, scopes, limit, created_at };
    },
  };
};

/**
 * The plan's limit counts unrevoked keys of all scopes; keys above it keep working after a downgrade.
 * @throws AssayError UNKNOWN_ACCOUNT, KEY_LIMIT
 */
export const checkKeyLimit = async (within: Queries, account_id: string): Promise<void> => {
  const room = await within.get<{ plan_id: string; keys_max: number; keys_live: number }>(COUNT_SQL, [account_id]);
  if (room === null) throw unknownAccount(account_id);
  if (room.keys_live < room.keys_max) return;
  throw refusal(
    "KEY_LIMIT",
    `Plan '${room.plan_id}' allows ${room.keys_max} keys and the account has ${room.keys_live}. Revoke or rotate one, or change the plan.`,
  );
};

interface KeyChange {
  readonly action: string;
  /** Skips revoked keys where they are an error. `$1` is the key's id. */
  readonly sql: string;
  readonly values: readonly SqlValue[];
  readonly proof?: Scope["proof"];
}

/** Changes an existing key, and records the change unless nothing changed. */
const changerOf =
  ({ database, record, changed, actor, is_bounded }: KeySettings, toKey: (row: KeyRow) => Key) =>
  async (id: string, { action, sql, values, proof = null }: KeyChange): Promise<Key> => {
    const key = await database.transaction({ ...KEYS_SCOPE, proof }, async (within) => {
      const before = await within.get<KeyRow>(`select ${COLUMNS} from keys where id = $1 and is_user = 0`, [id]);
      if (before === null) throw refusal("UNKNOWN_KEY", `Key '${id}' does not exist.`);
      if (action === "key.rotate" && before.client_name !== null)
        throw refusal("BAD_KEY", "A program that signed in renews this key by itself. Revoke it to end its access.");
      if (action === "key.rotate" && is_bounded) await mustReach(within, actor, before.scopes.split(" "));
      const after = await within.get<KeyRow>(sql, [id, ...values]);
      if (after === null) throw refusal("KEY_REVOKED", `Key '${id}' is revoked. Create a new one.`);
      const states = { before: recorded(toKey(before)), after: recorded(toKey(after)) };
      await record(within, { action, subject: id, ...states });
      return toKey(after);
    });
    changed();
    return key;
  };

const checkScopes = (scopes: readonly string[]): readonly string[] => {
  const unknown = scopes.find((scope) => !SCOPES.some((known) => known === scope));
  if (unknown !== undefined || scopes.length === 0)
    throw refusal("BAD_KEY", `A key needs one or more of the scopes ${SCOPES.join(", ")}.`);
  return SCOPES.filter((scope) => scopes.includes(scope));
};

const checkLimit = (limit: number | null): number | null => {
  if (limit === null || (Number.isSafeInteger(limit) && limit >= 1)) return limit;
  throw refusal("BAD_KEY", "A key's limit is a whole number of calls per minute from 1.");
};

interface KeyView {
  readonly at: number;
  /** Id of the current pepper; null = none is configured. */
  readonly current: string | null;
  readonly previous: ReadonlySet<string>;
}

const pepperOf = ({ digest, pepper_id }: KeyRow, { current, previous }: KeyView): Key["pepper"] => {
  if (!digest.startsWith("hmac:")) return "none";
  if (pepper_id !== null && pepper_id === current) return "current";
  return pepper_id !== null && previous.has(pepper_id) ? "previous" : "unknown";
};

/** A key as the audit trail shows it, without times of use. */
const recorded = ({ last_used_at: _, id: __, created_at: ___, ...key }: Key) => key;

const keyOf = (row: KeyRow, view: KeyView): Key => ({
  id: row.id,
  account_id: row.account_id,
  prefix: row.prefix,
  scopes: row.scopes.split(" "),
  limit: row.limit_per_minute,
  created_at: isoMs(row.created_at),
  revoked_at: row.revoked_at === null ? null : isoMs(row.revoked_at),
  last_used_at: row.last_used_at === null ? null : isoMs(row.last_used_at),
  grace_until: row.previous_until === null || row.previous_until <= view.at ? null : isoMs(row.previous_until),
  created_by: row.created_by,
  rotated_by: row.rotated_by,
  rotated_at: row.rotated_at === null ? null : isoMs(row.rotated_at),
  pepper: pepperOf(row, view),
  client_name: row.client_name,
  expires_at: row.expires_at === null ? null : isoMs(row.expires_at),
});
