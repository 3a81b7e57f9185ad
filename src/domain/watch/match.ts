import type { Hex } from "../../lib/bytes.ts";
import type { ApprovalRow, FreezeRow, Matter, MovementRow } from "./read.ts";
import type { RuleFacts, RuleMap } from "./rule_map.ts";

/** A row that a rule looks at, before values and labels are asked. */
export type Match =
  | (Matched & { readonly kind: "movement"; readonly row: MovementRow; readonly direction: MovedDirection })
  | (Matched & { readonly kind: "approval"; readonly row: ApprovalRow })
  | (Matched & { readonly kind: "freeze"; readonly row: FreezeRow });

/** Of an address: in, out, or to itself. Of a token: minted (in), burnt (out), or from one to another. */
export type MovedDirection = "in" | "out" | "self" | "transfer";

interface Matched {
  readonly rule: RuleFacts;
  /** What tells it from other events of the rule in its block. */
  readonly place: string;
  /** Parties whose labels are of interest, without the watched address. */
  readonly others: readonly Hex[];
}

export interface Matches {
  readonly matches: readonly Match[];
  /** Subjects that moved or were frozen, of rules that want to hear of changes of risk. */
  readonly moved: readonly RuleFacts[];
}

/** Compares rows with rules. Pure: what rules say of values and categories is not decided here. */
export const matchRows = (matter: Matter, rules: RuleMap): Matches => {
  const found = [
    ...matter.movements.flatMap((row) => movementsOf(row, rules)),
    ...matter.approvals.flatMap((row) => approvalsOf(row, rules)),
    ...matter.freezes.flatMap((row) => freezesOf(row, rules)),
  ];
  const moved = new Map<string, RuleFacts>();
  for (const { kind, rule } of found)
    if (kind !== "approval" && rule.events.includes("risk")) moved.set(`${rule.subject_kind}:${rule.subject}`, rule);
  return { matches: found.filter(({ kind, rule }) => rule.events.includes(kind)), moved: [...moved.values()] };
};

const isWanted = ({ direction: wanted }: RuleFacts, direction: MovedDirection): boolean =>
  wanted === "both" || direction === wanted || direction === "self";

const movementsOf = (row: MovementRow, rules: RuleMap): readonly Match[] => {
  const { source, destination, token } = row;
  const place = `${row.tx_index}:${row.position}`;
  const match = (rule: RuleFacts, direction: MovedDirection, others: readonly Hex[]): readonly Match[] =>
    isWanted(rule, direction)
      ? [{ kind: "movement", rule, row, place, direction, others: others.filter((one) => one !== "") }]
      : [];
  const sides =
    source === destination
      ? rules.of("address", source).flatMap((rule) => match(rule, "self", []))
      : [
          ...rules.of("address", source).flatMap((rule) => match(rule, "out", [destination])),
          ...rules.of("address", destination).flatMap((rule) => match(rule, "in", [source])),
        ];
  if (token === "") return sides;
  const direction = source === "" ? "in" : destination === "" ? "out" : "transfer";
  return [...sides, ...rules.of("token", token).flatMap((rule) => match(rule, direction, [source, destination]))];
};

const approvalsOf = (row: ApprovalRow, rules: RuleMap): readonly Match[] => {
  const place = `${row.tx_index}:${row.log_index}:${row.owner}:${row.spender}`;
  const match = (rule: RuleFacts, others: readonly Hex[]): Match => ({ kind: "approval", rule, row, place, others });
  return [
    ...rules.of("address", row.owner).map((rule) => match(rule, [row.spender])),
    ...rules.of("token", row.token).map((rule) => match(rule, [row.owner, row.spender])),
  ];
};

/** An event that could not be read names no account: whoever watches the token hears of it. */
const freezesOf = (row: FreezeRow, rules: RuleMap): readonly Match[] => {
  const place = `${row.tx_index}:${row.log_index}:${row.account}`;
  const match = (rule: RuleFacts, others: readonly Hex[]): Match => ({ kind: "freeze", rule, row, place, others });
  return [
    ...(row.account === "" ? [] : rules.of("address", row.account).map((rule) => match(rule, []))),
    ...rules.of("token", row.token).map((rule) => match(rule, row.account === "" ? [] : [row.account])),
  ];
};
