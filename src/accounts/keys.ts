import { AssayError } from "../lib/errors.ts";
import type { Secret } from "../lib/log.ts";
import type { Database, Queries } from "./database.ts";
import { isoMs } from "./period.ts";
import { digestsOf, displayPrefix, makeSecret, type RandomBytes } from "./secret.ts";

/** One scope opens one surface: `api:call` REST, `mcp:call` the assistant protocol. */
const SCOPES = ["api:call", "mcp:call"] as const;

/** A key as it may be listed. */
interface Key {
  readonly id: string;
  readonly account_id: string;
  readonly prefix: string;
  readonly scopes: readonly string[];
  /** The key's own calls per minute; null = the plan's. */
  readonly limit: number | null;
  readonly created_at: string;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
}

/** A new or rotated key with its secret, which is shown this once. */
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
  /** Repeating it changes nothing. @throws AssayError UNKNOWN_KEY */
  revoke(id: string): Promise<Key>;
  /**
   * A new secret for the same key row. The old one stays valid for `grace_s` seconds, 0 by default.
   * @throws AssayError UNKNOWN_KEY, KEY_REVOKED, BAD_KEY
   */
  rotate(id: string, grace_s?: number): Promise<NewKey>;
}

export interface KeySettings {
  readonly database: Database;
  readonly prefix: string;
  readonly pepper: Secret | null;
  readonly random: RandomBytes;
  readonly now: () => number;
  readonly newId: (kind: string) => string;
  /** Called after each change, so that this process forgets what it has cached. */
  readonly changed: () => void;
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
};

const GRACE_S_MAX = 30 * 86_400;

const COLUMNS = "id, account_id, prefix, scopes, limit_per_minute, created_at, revoked_at, last_used_at";

// Locks the account's row until the transaction ends: keys are counted and added by one process at a time.
const LOCK_SQL = "update accounts set revision = revision + 1 where id = $1";

const COUNT_SQL = `select p.id as plan_id, coalesce(a.keys_max, p.keys_max, 0) as keys_max,
    (select count(*) from keys k where k.account_id = a.id and k.revoked_at is null) as keys_live
  from accounts a join plans p on p.id = a.plan_id where a.id = $1`;

const CREATE_SQL = `insert into keys (id, account_id, digest, previous_digest, previous_until, prefix, scopes,
    limit_per_minute, created_at, revoked_at, last_used_at)
  values ($1, $2, $3, null, null, $4, $5, $6, $7, null, null)`;

const REVOKE_SQL = `update keys set revoked_at = coalesce(revoked_at, $2), previous_digest = null, previous_until = null
  where id = $1 returning ${COLUMNS}`;

const ROTATE_SQL = `update keys set previous_digest = case when cast($4 as bigint) is null then null else digest end,
    previous_until = $4, digest = $2, prefix = $3
  where id = $1 and revoked_at is null returning ${COLUMNS}`;

export const openKeys = (settings: KeySettings): Keys => {
  const { database, now, changed } = settings;
  return {
    async create(wish) {
      const scopes = checkScopes(wish.scopes);
      const limit = checkLimit(wish.limit ?? null);
      const secret = makeSecret(settings.prefix, settings.random);
      const id = settings.newId("key");
      const at = now();
      const prefix = displayPrefix(secret);
      await database.transaction(async (within) => {
        await checkRoom(within, wish.account_id);
        const [digest] = digestsOf(secret, settings.pepper);
        await within.run(CREATE_SQL, [id, wish.account_id, digest, prefix, scopes.join(" "), limit, at]);
      });
      changed();
      return { id, account_id: wish.account_id, prefix, secret, scopes, limit, created_at: isoMs(at) };
    },
    async list(account_id) {
      const rows = await database.all<KeyRow>(
        `select ${COLUMNS} from keys where $1 = '' or account_id = $1 order by created_at, id`,
        [account_id ?? ""],
      );
      return rows.map(toKey);
    },
    async revoke(id) {
      const row = await database.transaction((within) => within.get<KeyRow>(REVOKE_SQL, [id, now()]));
      if (row === null) throw refusal("UNKNOWN_KEY", `There is no key '${id}'.`);
      changed();
      return toKey(row);
    },
    async rotate(id, grace_s = 0) {
      if (!Number.isSafeInteger(grace_s) || grace_s < 0 || grace_s > GRACE_S_MAX)
        throw refusal("BAD_KEY", `Grace is a whole number of seconds from 0 to ${GRACE_S_MAX}.`);
      const secret = makeSecret(settings.prefix, settings.random);
      const [digest] = digestsOf(secret, settings.pepper);
      const previous_until = grace_s === 0 ? null : now() + grace_s * 1000;
      const row = await database.transaction(async (within) => {
        const values = [id, digest, displayPrefix(secret), previous_until];
        const rotated = await within.get<KeyRow>(ROTATE_SQL, values);
        if (rotated !== null) return rotated;
        const revoked = await within.get("select id from keys where id = $1", [id]);
        if (revoked === null) throw refusal("UNKNOWN_KEY", `There is no key '${id}'.`);
        throw refusal("KEY_REVOKED", `Key '${id}' is revoked. Create a new one.`);
      });
      changed();
      const { account_id, prefix, scopes, limit, created_at } = toKey(row);
      return { id, account_id, prefix, secret, scopes, limit, created_at };
    },
  };
};

/** The plan's number counts keys of all scopes that are not revoked; keys above it keep working after a downgrade. */
const checkRoom = async (within: Queries, account_id: string): Promise<void> => {
  await within.run(LOCK_SQL, [account_id]);
  const room = await within.get<{ plan_id: string; keys_max: number; keys_live: number }>(COUNT_SQL, [account_id]);
  if (room === null) throw refusal("UNKNOWN_ACCOUNT", `There is no account '${account_id}'.`);
  if (room.keys_live < room.keys_max) return;
  throw refusal(
    "KEY_LIMIT",
    `Plan '${room.plan_id}' allows ${room.keys_max} keys and the account has ${room.keys_live}. Revoke or rotate one, or change the plan.`,
  );
};

const checkScopes = (scopes: readonly string[]): readonly string[] => {
  const unknown = scopes.find((scope) => !SCOPES.some((known) => known === scope));
  if (unknown !== undefined || scopes.length === 0)
    throw refusal("BAD_KEY", `A key needs one or both of the scopes ${SCOPES.join(", ")}.`);
  return SCOPES.filter((scope) => scopes.includes(scope));
};

const checkLimit = (limit: number | null): number | null => {
  if (limit === null || (Number.isSafeInteger(limit) && limit >= 1)) return limit;
  throw refusal("BAD_KEY", "A key's limit is a whole number of calls per minute from 1.");
};

const toKey = (row: KeyRow): Key => ({
  id: row.id,
  account_id: row.account_id,
  prefix: row.prefix,
  scopes: row.scopes.split(" "),
  limit: row.limit_per_minute,
  created_at: isoMs(row.created_at),
  revoked_at: row.revoked_at === null ? null : isoMs(row.revoked_at),
  last_used_at: row.last_used_at === null ? null : isoMs(row.last_used_at),
});

const refusal = (code: string, message: string): AssayError => new AssayError({ code, message, public: message });
