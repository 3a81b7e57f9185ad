import type { Database } from "./database.ts";
import { KEYS_SCOPE } from "./keys.ts";
import type { Authentication, Caller, CallerSurface } from "./meter.ts";
import { digestsOf, isWellFormed, type Peppers, pepperId } from "./secret.ts";

/** Maximum time a verified key stays cached; a change in the store ends it earlier. */
const KNOWN_MS = 5_000;
/** The same for a rejected key. */
const REFUSED_MS = 1_000;
/** Maximum cached entries of each kind; evicts the oldest. */
const ENTRIES_MAX = 10_000;
/** `last_used_at` is written at most this often. */
const USED_EVERY_MS = 60_000;

export interface Authenticator {
  authenticate<D extends CallerSurface>(authorization: string | undefined, door: D): Promise<Authentication<D>>;
  /** Clears the cache: keys, accounts or plans may have changed. */
  purge(): void;
  /** Writes the collected times of last use, and renews digests made with an earlier pepper (or none). */
  flush(): Promise<void>;
}

type CallerRow = {
  readonly key_id: string;
  readonly account_id: string;
  readonly plan_id: string;
  readonly scopes: string;
  readonly limit_per_minute: number;
  readonly last_used_at: number | null;
  readonly digest: string;
  readonly previous_digest: string | null;
  readonly is_current: number;
  /** End of the shown secret: of the current one, or of the grace after a rotation; null = none. */
  readonly valid_until: number | null;
};

/** A digest that is to be replaced with one made with the current pepper. */
interface Renewal {
  readonly key_id: string;
  readonly from: string;
  readonly to: string;
}

type RefusedAuthentication = Extract<Authentication, { kind: "refused" }>;

interface CachedAuthentication {
  readonly answer: { readonly kind: "caller"; readonly caller: Omit<Caller, "surface"> } | RefusedAuthentication;
  readonly valid_until: number;
  last_used_at: number | null;
}

const REFUSED: RefusedAuthentication = { kind: "refused", cause: "key" };
const REPLACED: RefusedAuthentication = { kind: "refused", cause: "replaced" };
const EXPIRED: RefusedAuthentication = { kind: "refused", cause: "expired" };
const NO_HEADER: RefusedAuthentication = { kind: "refused", cause: "header" };

/** The scope that an entrance requires; null = any key. */
const SCOPE_OF: Readonly<Record<CallerSurface, string | null>> = { api: "api:call", mcp: "mcp:call", account: null };

/** Selects the key that one of `count` digests belongs to, as its current secret or as the one before the last rotation. */
const findSql = (digests: number): string => {
  const among = `(${Array.from({ length: digests }, (_, index) => `$${index + 1}`).join(", ")})`;
  return `select k.id as key_id, k.account_id, a.plan_id, k.scopes, k.last_used_at, k.digest, k.previous_digest,
    case when k.limit_per_minute < coalesce(a.calls_per_minute, p.calls_per_minute, 0) then k.limit_per_minute
      else coalesce(a.calls_per_minute, p.calls_per_minute, 0) end as limit_per_minute,
    case when k.digest in ${among} then 1 else 0 end as is_current,
    case when k.digest in ${among} then k.expires_at else k.previous_until end as valid_until
  from keys k join accounts a on a.id = k.account_id join plans p on p.id = a.plan_id
  where k.revoked_at is null and (k.digest in ${among} or k.previous_digest in ${among})`;
};

const USED_SQL = `update keys set last_used_at = $2
  where id = $1 and (last_used_at is null or last_used_at <= cast($2 as bigint) - ${USED_EVERY_MS})`;

// Compare-and-set: a concurrent rotation wins.
const RENEW_SQL = `update keys set pepper_id = case when digest = $2 then $4 else pepper_id end,
    previous_digest = case when previous_digest = $2 then $3 else previous_digest end,
    digest = case when digest = $2 then $3 else digest end
  where id = $1 and (digest = $2 or previous_digest = $2)`;

/** Digests of a secret: under the current pepper first. */
type KeyDigests = ReturnType<typeof digestsOf>;

/**
 * Authenticates callers. Unknown, revoked and wrongly scoped keys take one path and get one answer.
 * Verified keys are cached for seconds; `purge` clears the cache after a change.
 */
export const openAuthenticator = (settings: {
  database: Database;
  peppers: Peppers;
  now: () => number;
}): Authenticator => {
  const { database, peppers, now } = settings;
  const pepper_id = peppers.current === null ? null : pepperId(peppers.current);
  const known = new Map<string, CachedAuthentication>();
  const refused = new Map<string, CachedAuthentication>();
  const used = new Map<string, number>();
  const renewals = new Map<string, Renewal>();
  let generation = 0;

  const lookUp = async (digests: KeyDigests, door: CallerSurface): Promise<CachedAuthentication> => {
    const at = now();
    const started = generation;
    const [first] = digests;
    const row = await database.get<CallerRow>(findSql(digests.length), digests);
    const entry = toEntry(row, door, at);
    const from = digests.find((digest) => digest === row?.digest || digest === row?.previous_digest);
    if (row !== null && from !== undefined && from !== first)
      renewals.set(from, { key_id: row.key_id, from, to: first });
    // A row that was read before a purge must not be cached after it.
    if (started === generation) remember(entry.answer.kind === "caller" ? known : refused, `${door} ${first}`, entry);
    return entry;
  };

  return {
    async authenticate(authorization, door) {
      const secret = /^Bearer +([^\s,]+) *$/i.exec(authorization ?? "")?.[1];
      if (secret === undefined) return NO_HEADER;
      if (!isWellFormed(secret)) return REFUSED;
      const digests = digestsOf(secret, peppers);
      const name = `${door} ${digests[0]}`;
      const at = now();
      const held = known.get(name) ?? refused.get(name);
      const entry = held !== undefined && at < held.valid_until ? held : await lookUp(digests, door);
      const { answer } = entry;
      if (answer.kind === "refused") return answer;
      if (entry.last_used_at === null || at - entry.last_used_at >= USED_EVERY_MS) {
        entry.last_used_at = at;
        used.set(answer.caller.key_id, at);
      }
      return { kind: "caller", caller: { ...answer.caller, surface: door } };
    },
    purge() {
      generation += 1;
      known.clear();
      refused.clear();
    },
    async flush() {
      if (used.size === 0 && renewals.size === 0) return;
      const times = [...used];
      const renewed = [...renewals.values()];
      used.clear();
      renewals.clear();
      await writeBack(database, { times, renewed, pepper_id });
    },
  };
};

interface KeyUses {
  /** By key: unix milliseconds of its last use. */
  readonly times: readonly (readonly [key_id: string, at: number])[];
  readonly renewed: readonly Renewal[];
  /** The pepper for renewed digests. */
  readonly pepper_id: string | null;
}

const writeBack = (database: Database, { times, renewed, pepper_id }: KeyUses): Promise<void> =>
  database.transaction(KEYS_SCOPE, async (within) => {
    for (const [key_id, at] of times) await within.run(USED_SQL, [key_id, at]);
    for (const { key_id, from, to } of renewed) await within.run(RENEW_SQL, [key_id, from, to, pepper_id]);
  });

const toEntry = (row: CallerRow | null, door: CallerSurface, at: number): CachedAuthentication => {
  const scopes = row?.scopes.split(" ") ?? [];
  const wanted = SCOPE_OF[door];
  if (row === null || (wanted !== null && !scopes.includes(wanted)))
    return { answer: REFUSED, valid_until: at + REFUSED_MS, last_used_at: null };
  if (row.valid_until !== null && row.valid_until <= at)
    return {
      answer: row.is_current === 1 ? EXPIRED : REPLACED,
      valid_until: at + REFUSED_MS,
      last_used_at: null,
    };
  const { key_id, account_id, plan_id, limit_per_minute } = row;
  return {
    answer: { kind: "caller", caller: { key_id, account_id, plan_id, scopes, limit_per_minute } },
    valid_until: Math.min(at + KNOWN_MS, row.valid_until ?? Number.POSITIVE_INFINITY),
    last_used_at: row.last_used_at,
  };
};

const remember = (entries: Map<string, CachedAuthentication>, name: string, entry: CachedAuthentication): void => {
  entries.delete(name);
  entries.set(name, entry);
  if (entries.size <= ENTRIES_MAX) return;
  const [oldest] = entries.keys();
  if (oldest !== undefined) entries.delete(oldest);
};
