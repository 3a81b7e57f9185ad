/** Events of the rules that match some blocks. */
import type { NewEvent, Pass } from "../accounts/watch/follow.ts";
import { describeMatches, type EventDescription } from "../domain/watch/describe.ts";
import { matchRows } from "../domain/watch/match.ts";
import { readBlocks, readWatchedRows, type WatchedBlock } from "../domain/watch/read.ts";
import { type RuleFacts, RuleMap } from "../domain/watch/rule_map.ts";
import type { Snapshot } from "../store/facts.ts";
import { bodyOf, retractionOf } from "./body.ts";
import type { FollowerOptions } from "./follow.ts";

/** Maximum events of one rule in one block. */
const EVENTS_OF_RULE_MAX = 100;

interface MatchedBlocks {
  readonly blocks: readonly WatchedBlock[];
  /** `time_ms`: of the block. */
  readonly events: readonly (NewEvent & { readonly time_ms: number })[];
  /** Subjects that moved and are to be assessed again. */
  readonly due: Pass["due"];
}

export class BlockMatcher {
  readonly #parts: Omit<FollowerOptions, "follow" | "step">;

  constructor(parts: Omit<FollowerOptions, "follow" | "step">) {
    this.#parts = parts;
  }

  /** Makes the body of an event that revokes another. */
  retraction: Pass["retraction"] = (event) =>
    retractionOf(event, { id: this.#parts.newId("event"), at_ms: this.#parts.now_ms() });

  async match(
    { snapshot, signal }: { readonly snapshot: Snapshot; readonly signal: AbortSignal },
    asked: {
      readonly range: { readonly from: number; readonly to: number };
      readonly rules: RuleMap | readonly RuleFacts[];
    },
  ): Promise<MatchedBlocks> {
    const { facts, chain, events_per_block } = this.#parts;
    const { range } = asked;
    const rules = asked.rules instanceof RuleMap ? asked.rules : new RuleMap(asked.rules);
    const [blocks, matter] = await Promise.all([
      readBlocks(facts, snapshot, range),
      readWatchedRows(facts, snapshot, { range, rules }),
    ]);
    const { matches, moved, not_compared } = matchRows(matter, rules);
    const scope = { facts, chain, snapshot, signal };
    const described = await describeMatches(scope, {
      ...{ matches, not_compared, blocks: new Map(blocks.map((one) => [one.block_number, one])) },
      limits: { of_rule: EVENTS_OF_RULE_MAX, of_account: events_per_block },
    });
    const due = moved.map(({ subject_kind, subject }) => ({ network: chain.network.id, subject_kind, subject }));
    return { blocks, due, events: described.map((one) => this.#event(one)) };
  }

  #event({ rule, kind, place, block, says }: EventDescription): MatchedBlocks["events"][number] {
    const id = this.#parts.newId("event");
    const body = bodyOf({ id, rule_id: rule.id, at_ms: this.#parts.now_ms(), says });
    const { account_id } = rule;
    return {
      ...{ id, account_id, rule_id: rule.id, block: { number: block.block_number, hash: block.hash } },
      ...{ place, kind, body, time_ms: 1_000 * block.time },
    };
  }
}
