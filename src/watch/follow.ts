/** Matches blocks against rules, one network at a time: each block that the facts store acknowledges, in order, once. */
import type { FollowedNetwork, FollowState, Pass, WatchFollow } from "../accounts/watch/follow.ts";
import type { Chain } from "../chains/chain.ts";
import { readBlocks, type WatchedBlock } from "../domain/watch/read.ts";
import { type RuleFacts, RuleMap } from "../domain/watch/rule_map.ts";
import { AssayError } from "../lib/errors.ts";
import type { Facts, Snapshot } from "../store/facts.ts";
import { BlockMatcher } from "./match_blocks.ts";

/** Maximum blocks per pass. */
const PASS_BLOCKS_MAX = 64;

export interface FollowerOptions {
  readonly follow: WatchFollow;
  readonly facts: Facts;
  readonly chain: Chain;
  readonly newId: (kind: string) => string;
  /** Unix milliseconds. */
  readonly now_ms: () => number;
  /** Maximum events of one account in one block. */
  readonly events_per_block: number;
  /** Called between steps; tests kill the process there. */
  readonly step?: (name: "read" | "matched" | "committed") => void;
}

/** Result of a pass. `lag_blocks`: indexed blocks that are not yet matched. */
export interface PassResult {
  readonly events: number;
  readonly retracted_blocks: number;
  readonly lag_blocks: number;
}

const NOTHING: PassResult = { events: 0, retracted_blocks: 0, lag_blocks: 0 };

interface PassContext {
  readonly snapshot: Snapshot;
  readonly state: FollowState;
  readonly signal: AbortSignal;
}

export class Follower {
  readonly #parts: FollowerOptions;
  readonly #matcher: BlockMatcher;
  #rules: { readonly revision: number; readonly map: RuleMap } | null = null;
  /** State of the store when nothing was to be done; while it is unchanged, a pass makes no query. */
  #idle = "";
  /** The last committed cursor. Only the holder of the lease writes it. */
  #state: FollowState | null = null;

  constructor(parts: FollowerOptions) {
    this.#parts = parts;
    this.#matcher = new BlockMatcher(parts);
  }

  /**
   * Runs one pass: revokes events of dropped blocks, matches the next blocks, and writes both with the new cursor in one transaction.
   * @throws AssayError LEASE_LOST, or a store's error; then nothing was written
   */
  async pass(of: FollowedNetwork & { readonly epoch: number }, signal: AbortSignal): Promise<PassResult> {
    const { follow, facts } = this.#parts;
    const snapshot = await snapshotOf(facts, of.network);
    if (snapshot === null) return NOTHING;
    const mark = snapshotKeyOf(snapshot);
    if (mark === this.#idle) return NOTHING;
    const state = this.#state ?? (await follow.state(of));
    const made =
      state.blocks.length === 0 ? await this.#begin(snapshot) : await this.#next({ snapshot, state, signal });
    if (made === null) {
      this.#idle = mark;
      return NOTHING;
    }
    // The rows are consistent only if no block was dropped while reading.
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

  /** Starts at the newest block; older blocks are not matched. */
  async #begin(snapshot: Snapshot): Promise<Pass> {
    const from = Math.max(snapshot.from_block, Math.min(snapshot.final_block, snapshot.block.number));
    const blocks = await readBlocks(this.#parts.facts, snapshot, { from, to: snapshot.block.number });
    return this.#passOf({ blocks, settled_to: snapshot.final_block });
  }

  async #next(work: PassContext): Promise<Pass | null> {
    const { snapshot, state } = work;
    const known = await this.#hashes(work);
    this.#parts.step?.("read");
    const dropped = state.blocks.filter(
      ({ number, hash }) =>
        number >= snapshot.from_block && number <= snapshot.block.number && known.get(number)?.hash !== hash,
    );
    // Revokes events of dropped blocks first, then continues from the fork point.
    if (dropped.length > 0) return this.#passOf({ dropped, blocks: [], settled_to: -1 });
    const reached = state.blocks.at(-1)?.number ?? -1;
    const first = Math.max(reached + 1, snapshot.from_block);
    if (first > snapshot.block.number) return this.#fill(work);
    const to = Math.min(snapshot.block.number, first + PASS_BLOCKS_MAX - 1);
    // Blocks that are missing below the newest ones are matched once they are indexed.
    const left = first > reached + 1 ? { from: reached + 1, to: first - 1 } : null;
    const hole = left === null ? null : { was: null, left };
    return this.#compare(work, { range: { from: first, to }, hole });
  }

  /** Matched blocks that are not final, as the store has them now. */
  async #hashes({ snapshot, state }: PassContext): Promise<ReadonlyMap<number, WatchedBlock>> {
    const [oldest, newest] = [state.blocks[0]?.number ?? 0, state.blocks.at(-1)?.number ?? 0];
    const [from, to] = [Math.max(oldest, snapshot.from_block), Math.min(newest, snapshot.block.number)];
    const rows = from > to ? [] : await readBlocks(this.#parts.facts, snapshot, { from, to });
    return new Map(rows.map((row) => [row.block_number, row]));
  }

  /** The upper part of the newest gap that is indexed by now. */
  async #fill(work: PassContext): Promise<Pass | null> {
    const hole = work.state.holes.find(({ to }) => to >= work.snapshot.from_block);
    const settles = work.state.blocks.filter(({ number }) => number <= work.snapshot.final_block).length > 1;
    if (hole === undefined) return settles ? this.#passOf({ blocks: [], settled_to: work.snapshot.final_block }) : null;
    const from = Math.max(hole.from, work.snapshot.from_block, hole.to - PASS_BLOCKS_MAX + 1);
    const left = from > hole.from ? { from: hole.from, to: from - 1 } : null;
    return this.#compare(work, { range: { from, to: hole.to }, hole: { was: hole, left } });
  }

  async #compare(
    { snapshot, signal }: PassContext,
    { range, hole }: { readonly range: { from: number; to: number }; readonly hole: Pass["hole"] },
  ): Promise<Pass> {
    const rules = await this.#readRules(this.#parts.chain.network.id);
    const { blocks, due, events } = await this.#matcher.match({ snapshot, signal }, { range, rules });
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

  #passOf({
    blocks,
    ...made
  }: { readonly blocks: readonly WatchedBlock[] } & Pick<Pass, "settled_to"> & Partial<Omit<Pass, "blocks">>): Pass {
    return {
      ...{ dropped: [], hole: null, events: [], due: [] },
      ...made,
      blocks: blocks.map(({ block_number, hash }) => ({ number: block_number, hash })),
      retraction: this.#matcher.retraction,
    };
  }
}

/** Null while no block of the network is indexed. */
const snapshotOf = async (facts: Facts, network: string): Promise<Snapshot | null> => {
  try {
    return await facts.snapshot(network, null);
  } catch (error) {
    if (error instanceof AssayError && error.code === "COVERAGE_INCOMPLETE") return null;
    throw error;
  }
};

const snapshotKeyOf = ({ block, final_block, from_block, tail_drops }: Snapshot): string =>
  [block.number, block.hash, final_block, from_block, tail_drops].join(" ");
