/** Compares blocks with rules, one network at a time: what the facts store acknowledges, in its order, once. */
import type { Followed, FollowState, NewEvent, Pass, WatchFollow } from "../accounts/watch/follow.ts";
import type { Chain } from "../chains/chain.ts";
import { type Described, describeMatches } from "../domain/watch/describe.ts";
import { matchRows } from "../domain/watch/match.ts";
import { readBlocks, readMatter, type WatchedBlock } from "../domain/watch/read.ts";
import { type RuleFacts, RuleMap } from "../domain/watch/rule_map.ts";
import { AssayError } from "../lib/errors.ts";
import type { Facts, Snapshot } from "../store/facts.ts";
import { bodyOf, retractionOf } from "./body.ts";

/** Blocks that one pass compares at most. */
const PASS_BLOCKS_MAX = 64;
/** Events of one rule in one block. */
const EVENTS_OF_RULE_MAX = 100;

export interface FollowerParts {
  readonly follow: WatchFollow;
  readonly facts: Facts;
  readonly chain: Chain;
  readonly newId: (kind: string) => string;
  /** Unix milliseconds. */
  readonly now_ms: () => number;
  /** Events that one account is told of in one block. */
  readonly events_per_block: number;
  /** Called between steps: tests end the process there. */
  readonly step?: (name: "read" | "matched" | "committed") => void;
}

/** What a pass did; `lag_blocks`: how many indexed blocks were not compared yet. */
export interface Passed {
  readonly events: number;
  readonly retracted_blocks: number;
  readonly lag_blocks: number;
}

const NOTHING: Passed = { events: 0, retracted_blocks: 0, lag_blocks: 0 };

interface Work {
  readonly snapshot: Snapshot;
  readonly state: FollowState;
  readonly signal: AbortSignal;
}

export class Follower {
  readonly #parts: FollowerParts;
  #rules: { readonly revision: number; readonly map: RuleMap } | null = null;
  /** What the store held when there was nothing to do: as long as it holds that, nothing is asked. */
  #idle = "";
  /** As it was committed last: nobody else writes it while this process has the lease. */
  #state: FollowState | null = null;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  /**
   * One pass: what was dropped is taken back, the next blocks are compared, and both are written with how far that was.
   * @throws AssayError LEASE_LOST, and what a store throws: nothing was written then
   */
  async pass(of: Followed & { readonly epoch: number }, signal: AbortSignal): Promise<Passed> {
    const { follow, facts } = this.#parts;
    const snapshot = await snapshotOf(facts, of.network);
    if (snapshot === null) return NOTHING;
    const mark = markOf(snapshot);
    if (mark === this.#idle) return NOTHING;
    const state = this.#state ?? (await follow.state(of));
    const made =
      state.blocks.length === 0 ? await this.#begin(snapshot) : await this.#next({ snapshot, state, signal });
    if (made === null) {
      this.#idle = mark;
      return NOTHING;
    }
    // What was read belongs together only if nothing was cut off meanwhile.
    if (!(await facts.isCurrent(snapshot))) return { ...NOTHING, lag_blocks: 1 };
    this.#parts.step?.("matched");
    this.#state = null;
    await follow.commit(of, made);
    this.#parts.step?.("committed");
    this.#state = await follow.state(of);
    const reached = this.#state.blocks.at(-1)?.number ?? snapshot.block.number;
    const lag_blocks = Math.max(0, snapshot.block.number - reached) + (made.dropped.length > 0 ? 1 : 0);
    return { events: made.events.length, retracted_blocks: made.dropped.length, lag_blocks };
  }

  /** Nothing older than the newest block is compared; the tail is known from now on. */
  async #begin(snapshot: Snapshot): Promise<Pass> {
    const from = Math.max(snapshot.from_block, Math.min(snapshot.final_block, snapshot.block.number));
    const blocks = await readBlocks(this.#parts.facts, snapshot, { from, to: snapshot.block.number });
    return this.#passOf({ blocks, settled_to: snapshot.final_block });
  }

  async #next(work: Work): Promise<Pass | null> {
    const { snapshot, state } = work;
    const known = await this.#hashes(work);
    this.#parts.step?.("read");
    const dropped = state.blocks.filter(
      ({ number, hash }) =>
        number >= snapshot.from_block && number <= snapshot.block.number && known.get(number)?.hash !== hash,
    );
    // First what is wrong is taken back, then matching goes on from where the branches part.
    if (dropped.length > 0) return this.#passOf({ dropped, blocks: [], settled_to: -1 });
    const reached = state.blocks.at(-1)?.number ?? -1;
    const first = Math.max(reached + 1, snapshot.from_block);
    if (first > snapshot.block.number) return this.#fill(work);
    const to = Math.min(snapshot.block.number, first + PASS_BLOCKS_MAX - 1);
    // What is not indexed yet below the newest blocks is compared when it is there.
    const left = first > reached + 1 ? { from: reached + 1, to: first - 1 } : null;
    const hole = left === null ? null : { was: null, left };
    return this.#compare(work, { range: { from: first, to }, hole });
  }

  /** The blocks that were compared and can still be dropped, as the store has them now. */
  async #hashes({ snapshot, state }: Work): Promise<ReadonlyMap<number, WatchedBlock>> {
    const [oldest, newest] = [state.blocks[0]?.number ?? 0, state.blocks.at(-1)?.number ?? 0];
    const [from, to] = [Math.max(oldest, snapshot.from_block), Math.min(newest, snapshot.block.number)];
    const rows = from > to ? [] : await readBlocks(this.#parts.facts, snapshot, { from, to });
    return new Map(rows.map((row) => [row.block_number, row]));
  }

  /** The upper part of the newest hole that is indexed by now. */
  async #fill(work: Work): Promise<Pass | null> {
    const hole = work.state.holes.find(({ to }) => to >= work.snapshot.from_block);
    const settles = work.state.blocks.filter(({ number }) => number <= work.snapshot.final_block).length > 1;
    if (hole === undefined) return settles ? this.#passOf({ blocks: [], settled_to: work.snapshot.final_block }) : null;
    const from = Math.max(hole.from, work.snapshot.from_block, hole.to - PASS_BLOCKS_MAX + 1);
    const left = from > hole.from ? { from: hole.from, to: from - 1 } : null;
    return this.#compare(work, { range: { from, to: hole.to }, hole: { was: hole, left } });
  }

  async #compare(
    { snapshot, signal }: Work,
    { range, hole }: { readonly range: { from: number; to: number }; readonly hole: Pass["hole"] },
  ): Promise<Pass> {
    const { facts, chain } = this.#parts;
    const rules = await this.#readRules(chain.network.id);
    const [blocks, matter] = await Promise.all([
      readBlocks(facts, snapshot, range),
      readMatter(facts, snapshot, { range, rules }),
    ]);
    const { matches, moved, not_compared } = matchRows(matter, rules);
    const scope = { facts, chain, snapshot, signal };
    const described = await describeMatches(scope, {
      ...{ matches, not_compared, blocks: new Map(blocks.map((one) => [one.block_number, one])) },
      limits: { of_rule: EVENTS_OF_RULE_MAX, of_account: this.#parts.events_per_block },
    });
    const due = moved.map(({ subject_kind, subject }) => ({ network: chain.network.id, subject_kind, subject }));
    const events = described.map((one) => this.#event(one));
    return this.#passOf({ blocks, hole, due, settled_to: snapshot.final_block, events });
  }

  async #readRules(network: string): Promise<RuleMap> {
    const { follow } = this.#parts;
    const revision = await follow.revision();
    if (this.#rules?.revision !== revision) {
      const rules: readonly RuleFacts[] = await follow.rules(network);
      this.#rules = { revision, map: new RuleMap(rules) };
    }
    return this.#rules.map;
  }

  #event({ rule, kind, place, block, says }: Described): NewEvent {
    const id = this.#parts.newId("event");
    const body = bodyOf({ id, rule_id: rule.id, at_ms: this.#parts.now_ms(), says });
    const { account_id } = rule;
    return {
      id,
      account_id,
      rule_id: rule.id,
      block: { number: block.block_number, hash: block.hash },
      place,
      kind,
      body,
    };
  }

  #passOf({
    blocks,
    ...made
  }: { readonly blocks: readonly WatchedBlock[] } & Pick<Pass, "settled_to"> & Partial<Omit<Pass, "blocks">>): Pass {
    return {
      ...{ dropped: [], hole: null, events: [], due: [] },
      ...made,
      blocks: blocks.map(({ block_number, hash }) => ({ number: block_number, hash })),
      retraction: (event) => retractionOf(event, { id: this.#parts.newId("event"), at_ms: this.#parts.now_ms() }),
    };
  }
}

/** Null while nothing of the network is indexed. */
const snapshotOf = async (facts: Facts, network: string): Promise<Snapshot | null> => {
  try {
    return await facts.snapshot(network, null);
  } catch (error) {
    if (error instanceof AssayError && error.code === "COVERAGE_INCOMPLETE") return null;
    throw error;
  }
};

const markOf = ({ block, final_block, from_block, tail_drops }: Snapshot): string =>
  [block.number, block.hash, final_block, from_block, tail_drops].join(" ");
