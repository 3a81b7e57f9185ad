import type { Secret } from "../lib/log.ts";
import type { Database } from "./database.ts";
import type { Authentication, Surface } from "./meter.ts";
import { digestsOf, isWellFormed } from "./secret.ts";

/** Longest life of a verified key in memory; a change in the store ends it earlier. */
const KNOWN_MS = 5_000;
/** The same for a refused one. */
const REFUSED_MS = 1_000;
/** Most entries of each kind in memory; the oldest gives way. */
const ENTRIES_MAX = 10_000;
/** `last_used_at` is written at most this often. */
const USED_EVERY_MS = 60_000;

export interface Authenticator {
  authenticate(authorization: string | undefined, surface: Surface): Promise<Authentication>;
  /** Forgets everything: keys, accounts or plans may have changed. */
  purge(): void;
  /** Writes the collected times of last use. */
  flush(): Promise<void>;
}

type CallerRow = {
  readonly key_id: string;
  readonly account_id: string;
  readonly plan_id: string;
  readonly scopes: string;
  readonly limit_per_minute: number;
  readonly last_used_at: number | null;
  /** End of the grace after a rotation, when the old secret was shown; else null. */
  readonly valid_until: number | null;
};

interface Entry {
  readonly answer: Authentication;
  readonly valid_until: number;
  last_used_at: number | null;
}

const REFUSED: Authentication = { kind: "refused", cause: "key" };
const NO_HEADER: Authentication = { kind: "refused", cause: "header" };

const SCOPE_OF: Readonly<Record<Surface, string>> = { api: "api:call", mcp: "mcp:call" };

const FIND_SQL = `select k.id as key_id, k.account_id, a.plan_id, k.scopes, k.last_used_at,
    case when k.limit_per_minute < coalesce(a.calls_per_minute, p.calls_per_minute, 0) then k.limit_per_minute
      else coalesce(a.calls_per_minute, p.calls_per_minute, 0) end as limit_per_minute,
    case when k.digest in ($1, $2) then null else k.previous_until end as valid_until
  from keys k join accounts a on a.id = k.account_id join plans p on p.id = a.plan_id
  where k.revoked_at is null
    and (k.digest in ($1, $2) or (k.previous_digest in ($1, $2) and k.previous_until > $3))`;

const USED_SQL = `update keys set last_used_at = $2
  where id = $1 and (last_used_at is null or last_used_at <= $2 - ${USED_EVERY_MS})`;

/**
 * Who is calling. Unknown, revoked and wrongly scoped keys take one path and get one answer.
 * Verified keys are held in memory for seconds; whoever hears of a change calls `purge`.
 */
export const openAuthenticator = (settings: {
  database: Database;
  pepper: Secret | null;
  now: () => number;
}): Authenticator => {
  const { database, pepper, now } = settings;
  const known = new Map<string, Entry>();
  const refused = new Map<string, Entry>();
  const used = new Map<string, number>();
  let generation = 0;

  const lookUp = async (digests: readonly [string, ...string[]], surface: Surface): Promise<Entry> => {
    const at = now();
    const started = generation;
    const [first, second = first] = digests;
    const row = await database.get<CallerRow>(FIND_SQL, [first, second, at]);
    const entry = toEntry(row, surface, at);
    // What was read before a purge must not outlive it.
    if (started === generation)
      remember(entry.answer.kind === "caller" ? known : refused, `${surface} ${first}`, entry);
    return entry;
  };

  return {
    async authenticate(authorization, surface) {
      const secret = /^Bearer +([^\s,]+) *$/i.exec(authorization ?? "")?.[1];
      if (secret === undefined) return NO_HEADER;
      if (!isWellFormed(secret)) return REFUSED;
      const digests = digestsOf(secret, pepper);
      const name = `${surface} ${digests[0]}`;
      const at = now();
      const held = known.get(name) ?? refused.get(name);
      const entry = held !== undefined && at < held.valid_until ? held : await lookUp(digests, surface);
      if (entry.answer.kind === "caller" && (entry.last_used_at === null || at - entry.last_used_at >= USED_EVERY_MS)) {
        entry.last_used_at = at;
        used.set(entry.answer.caller.key_id, at);
      }
      return entry.answer;
    },
    purge() {
      generation += 1;
      known.clear();
      refused.clear();
    },
    async flush() {
      if (used.size === 0) return;
      const times = [...used];
      used.clear();
      await database.transaction(async (within) => {
        for (const [key_id, at] of times) await within.run(USED_SQL, [key_id, at]);
      });
    },
  };
};

const toEntry = (row: CallerRow | null, surface: Surface, at: number): Entry => {
  if (row === null || !row.scopes.split(" ").includes(SCOPE_OF[surface]))
    return { answer: REFUSED, valid_until: at + REFUSED_MS, last_used_at: null };
  const { key_id, account_id, plan_id, limit_per_minute } = row;
  return {
    answer: { kind: "caller", caller: { key_id, account_id, plan_id, surface, limit_per_minute } },
    valid_until: Math.min(at + KNOWN_MS, row.valid_until ?? Number.POSITIVE_INFINITY),
    last_used_at: row.last_used_at,
  };
};

const remember = (entries: Map<string, Entry>, name: string, entry: Entry): void => {
  entries.delete(name);
  entries.set(name, entry);
  if (entries.size <= ENTRIES_MAX) return;
  const [oldest] = entries.keys();
  if (oldest !== undefined) entries.delete(oldest);
};
