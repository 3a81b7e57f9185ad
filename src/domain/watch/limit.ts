/** Limits the events of one block per account, and reports the omitted ones. */
import { interleave } from "../../lib/fair_share.ts";
import type { Match, SkippedComparison } from "./match.ts";
import type { RuleFacts } from "./rule_map.ts";

export interface BlockLimits {
  /** Events of one rule in one block. */
  readonly of_rule: number;
  /** Events of all rules of an account in one block. */
  readonly of_account: number;
}

/** A match and one of its rules. */
interface RuleMatch {
  readonly match: Match;
  readonly rule_id: string;
}

export interface LimitedEvent {
  readonly rule: RuleFacts;
  readonly rule_id: string;
  readonly block_number: number;
  readonly says: Readonly<Record<string, unknown>>;
}

interface LimitResult {
  readonly kept: readonly RuleMatch[];
  readonly left: readonly LimitedEvent[];
}

/**
 * Distributes an account's events of a block over its rules in turn, so that no rule uses them up. An omission is
 * always reported: a further event has the number of omitted events and the reason, per rule, or per account when its
 * own limit was reached.
 */
export const limitMatches = (
  matches: readonly Match[],
  not_compared: readonly SkippedComparison[],
  limits: BlockLimits,
): LimitResult => {
  const shares = new Map<string, { matches: Match[]; skipped: SkippedComparison | null; block_number: number }>();
  const shareOf = (account_id: string, block_number: number) => {
    const key = `${account_id}:${block_number}`;
    const share = shares.get(key) ?? { matches: [], skipped: null, block_number };
    shares.set(key, share);
    return share;
  };
  for (const match of matches) shareOf(match.rule.account_id, match.row.block_number).matches.push(match);
  for (const one of not_compared) shareOf(one.rule.account_id, one.block_number).skipped = one;
  const limited = [...shares.values()].map((share) => limitShare(share, limits));
  return { kept: limited.flatMap(({ kept }) => kept), left: limited.flatMap(({ left }) => left) };
};

interface BlockShare {
  readonly matches: readonly Match[];
  readonly skipped: SkippedComparison | null;
  readonly block_number: number;
}

const limitShare = ({ matches, skipped, block_number }: BlockShare, limits: BlockLimits): LimitResult => {
  const rules = queuesOf(matches, Math.min(limits.of_rule, limits.of_account));
  const kept = interleave(
    rules.map(({ queue }) => queue),
    limits.of_account,
  );
  const sum = rules.reduce((total, { count }) => total + count, 0);
  const [first] = rules;
  const rule = skipped?.rule ?? first?.rule;
  const held = rules.reduce((total, { queue }) => total + queue.length, 0);
  if (rule !== undefined && (kept.length < held || skipped !== null)) {
    const says = {
      because: "account_limit",
      left_out: sum - kept.length,
      not_compared: skipped?.count ?? 0,
      rules: rules.length,
    };
    return { kept, left: [{ rule, rule_id: rule.id, block_number, says }] };
  }
  const left = rules
    .filter(({ count, queue }) => count > queue.length)
    .map(({ rule: of, rule_id, count, queue }) => ({
      ...{ rule: of, rule_id, block_number },
      says: { because: "rule_limit", left_out: count - queue.length },
    }));
  return { kept, left };
};

interface RuleQueue {
  readonly rule: RuleFacts;
  readonly rule_id: string;
  readonly queue: RuleMatch[];
  count: number;
}

/** The matches of each rule, up to the limit. */
const queuesOf = (matches: readonly Match[], most: number): readonly RuleQueue[] => {
  const queues = new Map<string, RuleQueue>();
  for (const match of matches) {
    for (const rule_id of match.ids) {
      const of = queues.get(rule_id) ?? { rule: match.rule, rule_id, queue: [], count: 0 };
      of.count += 1;
      if (of.queue.length < most) of.queue.push({ match, rule_id });
      queues.set(rule_id, of);
    }
  }
  return [...queues.values()];
};
