import type { Caller } from "../../../accounts/meter.ts";
import type { Right } from "../../../accounts/roles.ts";
import { AssayError } from "../../../lib/errors.ts";
import type { Operation } from "../../operations/operation.ts";
import type { AccountContext, operations } from "./operations.ts";

/** A call about an address follows it, too. */
const CALLS = ["api:call", "mcp:call"] as const;
const READS_WATCH = ["watch:read", "watch:manage"] as const;
const READS_CASES = ["cases:read", "cases:write"] as const;
const WRITES_CASES = ["cases:write"] as const;

/**
 * The rights with which an operation on the own account is done, any one of them; none = every key and every user. The server checks
 * them here, before an operation runs; docs/operating/sign_in.md shows them by role.
 */
export const OPERATION_RIGHTS: Readonly<Record<keyof typeof operations, readonly Right[]>> = {
  show_own_account: [],
  show_own_usage: [],
  show_own_month: [],
  list_own_ledger: [],
  list_own_keys: [],
  create_own_key: ["keys:make"],
  rotate_own_key: ["keys:manage"],
  // A key without the right revokes itself.
  revoke_own_key: [],
  list_own_users: ["users:manage"],
  link_own_user: ["users:manage"],
  set_own_user_role: ["users:manage"],
  remove_own_user: ["users:manage"],
  list_own_changes: ["keys:manage", "users:manage"],
  find_answers: CALLS,
  list_cases: READS_CASES,
  create_case: WRITES_CASES,
  show_case: READS_CASES,
  change_case: WRITES_CASES,
  remove_case: WRITES_CASES,
  export_case: READS_CASES,
  list_case_changes: READS_CASES,
  show_case_entry: READS_CASES,
  add_case_parts: WRITES_CASES,
  change_case_note: WRITES_CASES,
  change_case_graph: WRITES_CASES,
  remove_case_part: WRITES_CASES,
  create_watch_rule: ["watch:manage"],
  list_watch_rules: READS_WATCH,
  show_watch_rule: READS_WATCH,
  pause_watch_rule: ["watch:manage"],
  resume_watch_rule: ["watch:manage"],
  remove_watch_rule: ["watch:manage"],
  rotate_watch_secret: ["watch:manage"],
  test_watch_rule: ["watch:manage"],
  list_watch_events: READS_WATCH,
  list_dead_letters: READS_WATCH,
  replay_watch_event: ["watch:manage"],
  list_followed_addresses: CALLS,
  follow_addresses: CALLS,
  leave_addresses: CALLS,
  search: CALLS,
  show_market_price: CALLS,
  list_market_candles: CALLS,
  list_market_trades: CALLS,
};

/** An operation on the own account, by its id. */
export interface OwnOperation {
  readonly id: keyof typeof OPERATION_RIGHTS;
  readonly operation: Operation<AccountContext>;
}

/** @throws AssayError NOT_ALLOWED */
export const mustHaveRight = (
  { scopes }: Pick<Caller<"account">, "scopes">,
  id: keyof typeof OPERATION_RIGHTS,
): void => {
  const needed = OPERATION_RIGHTS[id];
  if (needed.length === 0 || needed.some((right) => scopes.includes(right))) return;
  const message = `This requires a key or a role with ${needed.join(" or ")}.`;
  throw new AssayError({ code: "NOT_ALLOWED", message, public: message });
};
