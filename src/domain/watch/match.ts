import type { Hex } from "../../lib/bytes.ts";
import type { ApprovalRow, FreezeRow, MovementRow, WatchedRows } from "./read.ts";
import type { RuleFacts, RuleGroup, RuleMap, SubjectWatch } from "./rule_map.ts";

/** A row that matches identical rules of one account, before values and labels are read. */
export type Match =
  | (MatchedGroup & { readonly kind: "movement"; readonly row: MovementRow; readonly direction: MovementDirection })
  | (MatchedGroup & { readonly kind: "approval"; readonly row: ApprovalRow })
  | (MatchedGroup & { readonly kind: "freeze"; readonly row: FreezeRow });

/** For an address: in, out, or to itself. For a token: minted (in), burned (out), or transferred. */
export type MovementDirection = "in" | "out" | "self" | "transfer";

interface MatchedGroup extends RuleGroup {
  /** Identifies the event among those of the rule in its block. */
  readonly place: string;
  /** Parties whose labels matter, without the watched address. */
  readonly others: readonly Hex[];
}

/** Rows that were not compared with an account's rules, because the block exceeded the account's budget. */
export interface SkippedComparison {
  readonly rule: RuleFacts;
  readonly block_number: number;
  count: number;
}

export interface Matches {
  readonly matches: readonly Match[];
  /** Subjects that moved or were frozen, for rules on changes of risk. */
  readonly moved: readonly RuleFacts[];
  /** At most one per account and block. */
  readonly not_compared: readonly SkippedComparison[];
}

/** Limit of comparisons per account and block: rows times the account's different rules. */
export const COMPARED_OF_BLOCK_MAX = 5_000;

type WatchedRow = MovementRow | ApprovalRow | FreezeRow;

/** Compares a row with one group of rules. */
type RowComparer = (group: RuleGroup) => Match | null;

/** Compares rows with rules. Pure; values and categories of rules are checked later. */
export const matchRows = (matter: WatchedRows, rules: RuleMap): Matches => {
  const comparison = new BlockComparison();
  for (const row of matter.movements) compareMovement(row, rules, comparison);
  for (const row of matter.approvals) compareApproval(row, rules, comparison);
  for (const row of matter.freezes) compareFreeze(row, rules, comparison);
  return comparison.found();
};

class BlockComparison {
  readonly #matches: Match[] = [];
  readonly #moved = new Map<string, RuleFacts>();
  readonly #compared = new Map<string, number>();
  readonly #not_compared = new Map<string, SkippedComparison>();

  /** Each account uses its own budget; an exhausted one costs one check per row. */
  add(row: WatchedRow, watch: SubjectWatch, compare: RowComparer): void {
    for (const { account_id, groups } of watch.accounts) {
      const key = `${row.block_number}:${account_id}`;
      const compared = this.#compared.get(key) ?? 0;
      const room = Math.max(0, COMPARED_OF_BLOCK_MAX - compared);
      const taken = room >= groups.length ? groups : groups.slice(0, room);
      this.#compared.set(key, compared + taken.length);
      for (const group of taken) {
        const match = compare(group);
        if (match !== null) this.#matches.push(match);
      }
      const [first] = groups;
      if (taken.length === groups.length || first === undefined) continue;
      const left = this.#not_compared.get(key) ?? { rule: first.rule, block_number: row.block_number, count: 0 };
      left.count += groups.length - taken.length;
      this.#not_compared.set(key, left);
    }
  }

  noteMoved({ risk_rules }: SubjectWatch, isMeant: (rule: RuleFacts) => boolean): void {
    const rule = risk_rules.find(isMeant);
    if (rule !== undefined) this.#moved.set(`${rule.subject_kind}:${rule.subject}`, rule);
  }

  found(): Matches {
    return {
      matches: this.#matches,
      moved: [...this.#moved.values()],
      not_compared: [...this.#not_compared.values()],
    };
  }
}

const matchesDirection = ({ direction: wanted }: RuleFacts, direction: MovementDirection): boolean =>
  wanted === "both" || direction === wanted || direction === "self";

const compareMovement = (row: MovementRow, rules: RuleMap, comparison: BlockComparison): void => {
  const { source, destination, token } = row;
  const place = `${row.tx_index}:${row.position}`;
  const add = (watch: SubjectWatch, direction: MovementDirection, others: readonly Hex[]) => {
    if (watch.accounts.length === 0) return;
    const named = others.filter((one) => one !== "");
    comparison.add(row, watch, (group) =>
      group.rule.events.includes("movement") && matchesDirection(group.rule, direction)
        ? { ...group, kind: "movement", row, place, direction, others: named }
        : null,
    );
    comparison.noteMoved(watch, (rule) => matchesDirection(rule, direction));
  };
  if (source === destination) add(rules.of("address", source), "self", []);
  else {
    add(rules.of("address", source), "out", [destination]);
    add(rules.of("address", destination), "in", [source]);
  }
  if (token === "") return;
  const direction = source === "" ? "in" : destination === "" ? "out" : "transfer";
  add(rules.of("token", token), direction, [source, destination]);
};

const compareApproval = (row: ApprovalRow, rules: RuleMap, comparison: BlockComparison): void => {
  const place = `${row.tx_index}:${row.log_index}:${row.owner}:${row.spender}`;
  const add = (watch: SubjectWatch, others: readonly Hex[]) =>
    comparison.add(row, watch, (group) =>
      group.rule.events.includes("approval") ? { ...group, kind: "approval", row, place, others } : null,
    );
  add(rules.of("address", row.owner), [row.spender]);
  add(rules.of("token", row.token), [row.owner, row.spender]);
};

/** An unreadable event names no account: only rules on the token get it. */
const compareFreeze = (row: FreezeRow, rules: RuleMap, comparison: BlockComparison): void => {
  const place = `${row.tx_index}:${row.log_index}:${row.account}`;
  const add = (watch: SubjectWatch, others: readonly Hex[]) => {
    comparison.add(row, watch, (group) =>
      group.rule.events.includes("freeze") ? { ...group, kind: "freeze", row, place, others } : null,
    );
    comparison.noteMoved(watch, () => true);
  };
  if (row.account !== "") add(rules.of("address", row.account), []);
  add(rules.of("token", row.token), row.account === "" ? [] : [row.account]);
};
