/** Roles and rights inside an account: the one table that the server, the page and the documentation use (docs/design/tenancy.md). */

/** Rights of a user or a key. All but the last two are also scopes of keys. */
export const RIGHTS = [
  "api:call",
  "mcp:call",
  "usage:read",
  "keys:manage",
  "watch:read",
  "watch:manage",
  "cases:read",
  "cases:write",
  "keys:make",
  "users:manage",
] as const;

export type Right = (typeof RIGHTS)[number];

const VIEWER = ["usage:read", "cases:read"] as const;
const CALLER = [...VIEWER, "api:call", "mcp:call", "cases:write"] as const;

/** Rights of each role. An owner has all of them. */
export const ROLE_RIGHTS = {
  viewer: VIEWER,
  caller: CALLER,
  watcher: [...CALLER, "watch:read", "watch:manage"],
  key_manager: [...CALLER, "keys:manage", "keys:make"],
  owner: RIGHTS,
} as const satisfies Readonly<Record<string, readonly Right[]>>;

export type AccountRole = keyof typeof ROLE_RIGHTS;

/** From the narrowest to the widest. */
export const ROLES = ["viewer", "caller", "watcher", "key_manager", "owner"] as const satisfies readonly AccountRole[];

export const isRole = (text: string): text is AccountRole => ROLES.some((role) => role === text);

/** The rights of a user; none without a role. */
export const rightsOf = (role: string | null): readonly Right[] =>
  role !== null && isRole(role) ? ROLE_RIGHTS[role] : [];

/** Scopes of a secret that exceed `rights`. */
export const scopesBeyond = (scopes: readonly string[], rights: readonly string[]): readonly string[] =>
  scopes.filter((scope) => !rights.includes(scope));

/** Name of an account's caller in the audit trail: a signed-in user, or a key. */
export const actorOf = (caller_id: string): string =>
  caller_id.startsWith("user_") ? `user:${caller_id}` : `key:${caller_id}`;
