import type { Facts, QueryRow, Snapshot } from "../../store/facts.ts";
import { until } from "../valuation/prices/pool_states.ts";
import type { RuleMap } from "./rule_map.ts";

export type WatchedBlock = QueryRow<"watch/blocks">;
export type MovementRow = QueryRow<"watch/movements">;
export type ApprovalRow = QueryRow<"watch/approvals">;
export type FreezeRow = QueryRow<"watch/freezes">;

/** Rows of some blocks that rules may match. */
export interface WatchedRows {
  readonly movements: readonly MovementRow[];
  readonly approvals: readonly ApprovalRow[];
  readonly freezes: readonly FreezeRow[];
}

/** Above this number of addresses or tokens, reading all rows is cheaper than sending the list with each query. */
const LISTED_MAX = 2_000;

interface WatchedRange {
  readonly from: number;
  readonly to: number;
}

/** Blocks of a range that the store holds, in order. */
export const readBlocks = (
  facts: Facts,
  snapshot: Snapshot,
  { from, to }: WatchedRange,
): Promise<readonly WatchedBlock[]> => facts.ask(until(snapshot, to, from), "watch/blocks", {});

/** Runs one query per kind of row that any rule needs; none without rules. */
export const readWatchedRows = async (
  facts: Facts,
  snapshot: Snapshot,
  { range: { from, to }, rules }: { readonly range: WatchedRange; readonly rules: RuleMap },
): Promise<WatchedRows> => {
  const narrow = until(snapshot, to, from);
  const [addresses, tokens] = [rules.subjects("address"), rules.subjects("token")];
  const all = addresses.length + tokens.length > LISTED_MAX;
  const wanted = all ? { all: 1, addresses: [], tokens: [] } : { all: 0, addresses, tokens };
  const [movements, approvals, freezes] = await Promise.all([
    rules.wants("movement") ? facts.ask(narrow, "watch/movements", wanted) : [],
    rules.wants("approval") ? facts.ask(narrow, "watch/approvals", {}) : [],
    rules.wants("freeze") ? facts.ask(narrow, "watch/freezes", {}) : [],
  ]);
  return { movements, approvals, freezes };
};
