import type { Queries } from "./database.ts";
import { refusal } from "./refusal.ts";
import { rightsOf, scopesBeyond } from "./roles.ts";

/**
 * Reads the current rights of a user. The row is written, so that a concurrent change of the role or a removal waits for this
 * transaction and sees its result.
 */
const USER_SQL = `update users set role = role where id = $1 and removed_at is null
  returning role`;

const KEY_SQL = "select scopes from keys where id = $1 and is_user = 0 and revoked_at is null";

/** Current rights of a user (`user:ID`) or a key (`key:ID`); none once it has ended. */
const reachOf = async (within: Queries, actor: string): Promise<readonly string[]> => {
  const [kind = "", id = ""] = actor.split(":", 2);
  if (kind === "key") {
    const key = await within.get<{ scopes: string }>(KEY_SQL, [id]);
    return key === null ? [] : key.scopes.split(" ");
  }
  const user = await within.get<{ role: string | null }>(USER_SQL, [id]);
  return rightsOf(user?.role ?? null);
};

/**
 * Rejects a secret with more rights than its receiver has. Part of the transaction that makes the secret.
 * @throws AssayError NOT_ALLOWED
 */
export const mustReach = async (within: Queries, actor: string, scopes: readonly string[]): Promise<void> => {
  const beyond = scopesBeyond(scopes, await reachOf(within, actor));
  if (beyond.length === 0) return;
  throw refusal("NOT_ALLOWED", `The key has rights that you do not have (${beyond.join(", ")}). Nothing was changed.`);
};
