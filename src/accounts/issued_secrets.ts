import type { Recorder } from "./audit.ts";
import type { Queries } from "./database.ts";
import { isoMs } from "./period.ts";
import { scopesBeyond } from "./roles.ts";

/** Secrets and rules that a user received or made in an account, and which of them end. */
interface SecretExpiry {
  readonly account_id: string;
  readonly user_id: string;
  /** Rights that the user keeps, with the keys within them. Empty = the user is removed. */
  readonly rights: readonly string[];
  readonly at: number;
  readonly record: Recorder;
}

type IssuedRow = {
  readonly id: string;
  readonly scopes: string;
  readonly created_by: string | null;
  readonly rotated_by: string | null;
  readonly previous_by: string | null;
  readonly previous_until: number | null;
};

const READ_SQL = `select id, scopes, created_by, rotated_by, previous_by, previous_until from keys
  where account_id = $1 and is_user = 0 and revoked_at is null order by id`;

const REVOKE_SQL =
  "update keys set revoked_at = coalesce(revoked_at, $2), previous_digest = null, previous_until = null where id = $1";

const END_GRACE_SQL = "update keys set previous_digest = null, previous_until = null, previous_by = null where id = $1";

const END_RULES_SQL = `update watch_rules set state = 'ended', ended_because = $3, changed_at = $4
  where account_id = $1 and key_id = $2 and state in ('active', 'paused')`;

const RULES_CHANGED_SQL = `insert into watch_changes (only_row, revision) values (1, 1)
  on conflict (only_row) do update set revision = watch_changes.revision + 1`;

/** The user or key that holds a key's current secret. */
const holderOf = ({ rotated_by, created_by }: IssuedRow): string | null => rotated_by ?? created_by;

/** Selects keys whose current secret a user holds, or a key among them, which may have rotated others in turn. */
const secretsOf = (rows: readonly IssuedRow[], user_id: string): ReadonlySet<string> => {
  const actors = new Set([`user:${user_id}`]);
  const held = new Set<string>();
  for (let grows = true; grows; ) {
    grows = false;
    for (const row of rows) {
      const holder = holderOf(row);
      if (held.has(row.id) || holder === null || !actors.has(holder)) continue;
      held.add(row.id);
      actors.add(`key:${row.id}`);
      grows = true;
    }
  }
  return held;
};

/**
 * Ends the secrets that a user holds beyond the remaining rights, and the watch rules they made if watching is among
 * them. Part of the transaction that removes the user or changes their role.
 */
export const endIssued = async (within: Queries, ending: SecretExpiry): Promise<void> => {
  const { account_id, user_id, rights, at, record } = ending;
  const rows = await within.all<IssuedRow>(READ_SQL, [account_id]);
  const held = secretsOf(rows, user_id);
  const actors = new Set([`user:${user_id}`, ...[...held].map((id) => `key:${id}`)]);
  const isBeyond = ({ scopes }: IssuedRow) => rights.length === 0 || scopesBeyond(scopes.split(" "), rights).length > 0;
  const revoked = rows.filter((row) => held.has(row.id) && isBeyond(row));
  for (const { id } of revoked) {
    await within.run(REVOKE_SQL, [id, at]);
    const states = { before: { account_id, revoked_at: null }, after: { account_id, revoked_at: isoMs(at), user_id } };
    await record(within, { action: "key.revoke", subject: id, ...states });
  }
  const ended = new Set(revoked.map(({ id }) => id));
  for (const row of rows) {
    if (ended.has(row.id) || row.previous_by === null || !actors.has(row.previous_by) || !isBeyond(row)) continue;
    await within.run(END_GRACE_SQL, [row.id]);
    const before = { account_id, grace_until: row.previous_until === null ? null : isoMs(row.previous_until) };
    await record(within, {
      action: "key.end_grace",
      subject: row.id,
      before,
      after: { account_id, grace_until: null },
    });
  }
  if (rights.includes("watch:manage")) return;
  const because = "The user who created this rule, or whose key created it, was removed or lost the right to watch.";
  let rules = 0;
  for (const id of [user_id, ...held]) rules += await within.run(END_RULES_SQL, [account_id, id, because, at]);
  if (rules > 0) await within.run(RULES_CHANGED_SQL);
};
