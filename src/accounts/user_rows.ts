import { isoMs } from "./period.ts";
import { refusal } from "./refusal.ts";
import { type AccountRole, isRole } from "./roles.ts";

/** A person who signs in to the portal. */
export interface User {
  readonly id: string;
  readonly name: string;
  /** The account that pays for their calls; null = they call no tools. */
  readonly account_id: string | null;
  readonly is_operator: boolean;
  /** Role inside their account; null = no role. */
  readonly role: AccountRole | null;
  /** `invited`: no password yet. */
  readonly state: "invited" | "active" | "removed";
  /** Expiry of an unused set-up link; null without one. */
  readonly link_until: string | null;
  readonly created_at: string;
}

export type UserRow = {
  readonly id: string;
  readonly name: string;
  readonly account_id: string | null;
  readonly is_operator: number;
  readonly role: string | null;
  readonly password: string | null;
  readonly link_until: number | null;
  readonly device_secret: string;
  readonly created_at: number;
  readonly removed_at: number | null;
};

export const USER_COLUMNS =
  "id, name, account_id, is_operator, role, password, link_until, device_secret, created_at, removed_at";

export const mustHave = (row: UserRow | null): UserRow => {
  if (row === null) throw refusal("UNKNOWN_USER", "The user was removed in the meantime.");
  return row;
};

export const toUser = (row: UserRow, at: number): User => ({
  id: row.id,
  name: row.name,
  account_id: row.account_id,
  is_operator: row.is_operator === 1,
  role: row.role !== null && isRole(row.role) ? row.role : null,
  state: row.removed_at !== null ? "removed" : row.password === null ? "invited" : "active",
  link_until: row.link_until !== null && row.link_until > at ? isoMs(row.link_until) : null,
  created_at: isoMs(row.created_at),
});

/** A user as the audit trail shows it. */
export const recorded = (row: UserRow, at: number) => {
  const { id: _, created_at: __, ...user } = toUser(row, at);
  return user;
};
