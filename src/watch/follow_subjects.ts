/** Matches the blocks of followed addresses on a network that is read on demand: of each address by itself, in order, once. */
import type { FollowedNetwork, FollowState, Pass, WatchFollow } from "../accounts/watch/follow.ts";
import { readBlocks } from "../domain/watch/read.ts";
import { type Hex, hex } from "../lib/bytes.ts";
import { AssayError } from "../lib/errors.ts";
import type { Facts, Snapshot } from "../store/facts.ts";
import type { FollowerOptions, PassResult } from "./follow.ts";
import { BlockMatcher } from "./match_blocks.ts";

/** An address whose history is read up to a block. */
export interface WatchedSubject {
  readonly subject: Hex;
  readonly to_block: number;
  readonly to_hash: Hex;
  /** Changes with its blocks that are not final. */
  readonly tail: string;
}

/** Followed addresses of the networks that are read on demand. */
export interface WatchedSubjects {
  readonly isOnDemand: (network: string) => boolean;
  /** Those that are read. */
  readonly read: (network: string) => Promise<readonly WatchedSubject[]>;
  /** Has addresses read for an account. Cheap for those that are followed. False: the limits of the account do not allow it now. */
  readonly follow: (network: string, subjects: readonly Hex[], account_id: string) => Promise<boolean>;
  readonly factsAbout: (network: string, subject: Hex, signal: AbortSignal) => Facts;
}

type SubjectFollowerOptions = Omit<FollowerOptions, "facts"> & { readonly subjects: WatchedSubjects };
type NetworkRules = Awaited<ReturnType<WatchFollow["rules"]>>;
type NetworkHolder = FollowedNetwork & { readonly epoch: number };

const NOTHING: PassResult = { events: 0, retracted_blocks: 0, lag_blocks: 0 };
/** Histories and prices that are not read yet: the next pass tries again. */
/** How often an address that an account's limits refused is tried again. */
const REFUSED_AGAIN_MS = 30_000;
const WAITING: readonly string[] = ["READING", "COVERAGE_INCOMPLETE", "SUBJECT_LIMIT", "UPSTREAM_UNAVAILABLE"];

/** The blocks that this snapshot matches: up to the final block, and the address's blocks above it. */
const marksOf = ({ block, followed }: Snapshot): Pass["blocks"] => {
  const { number, hash } = followed?.priced_at ?? block;
  return [{ number, hash }, ...(followed?.tail ?? []).map(([at, its]) => ({ number: at, hash: its }))];
};

/** Matched blocks that were not final, and that the store has with another hash now, or not any more. */
const droppedOf = async (facts: Facts, snapshot: Snapshot, { blocks }: FollowState): Promise<Pass["dropped"]> => {
  // The first mark is a final block.
  const open = blocks.slice(1).filter(({ number }) => number <= snapshot.block.number);
  const [first, last] = [open[0], open.at(-1)];
  if (first === undefined || last === undefined) return [];
  const rows = await readBlocks(facts, snapshot, { from: first.number, to: last.number });
  const hashes = new Map(rows.map(({ block_number, hash }) => [block_number, hash]));
  return open.filter(({ number, hash }) => hashes.get(number) !== hash);
};

export class SubjectFollower {
  readonly #parts: SubjectFollowerOptions;
  /** Where each address had nothing to be done. */
  readonly #idle = new Map<Hex, string>();
  #revision = -1;
  #rules: NetworkRules = [];
  /** Rules whose address is not followed, because the account's limits are reached. */
  #refused: NetworkRules = [];
  #tried_ms = Number.NEGATIVE_INFINITY;

  constructor(parts: SubjectFollowerOptions) {
    this.#parts = parts;
  }

  /** One pass over all addresses. @throws AssayError LEASE_LOST, or a store's error */
  async pass(of: NetworkHolder, signal: AbortSignal): Promise<PassResult> {
    await this.#readRules(of.network);
    await this.#tryRefused(of.network);
    let [events, waiting] = [0, 0];
    const read = await this.#parts.subjects.read(of.network);
    const followed = new Set(read.map(({ subject }) => subject));
    for (const subject of this.#idle.keys()) if (!followed.has(subject)) this.#idle.delete(subject);
    for (const watched of read) {
      const { subject, to_block, tail } = watched;
      const known = `${to_block} ${tail}`;
      if (this.#idle.get(subject) === known) continue;
      try {
        events += await this.#passOf(of, watched, signal);
        this.#idle.set(subject, known);
      } catch (error) {
        if (!(error instanceof AssayError) || !WAITING.includes(error.code)) throw error;
        waiting += 1;
      }
    }
    return { ...NOTHING, events, lag_blocks: waiting + this.#refused.length };
  }

  /** A changed rule begins where its address is followed; an address without a history is read for it. */
  async #readRules(network: string): Promise<void> {
    const { follow } = this.#parts;
    const revision = await follow.revision();
    if (this.#revision === revision) return;
    const rules = await follow.rules(network);
    this.#refused = await this.#follow(network, rules);
    this.#rules = rules;
    this.#revision = revision;
  }

  /** Room may have come since: an account left an address, or a day has passed. */
  async #tryRefused(network: string): Promise<void> {
    const now = this.#parts.now_ms();
    if (this.#refused.length === 0 || now - this.#tried_ms < REFUSED_AGAIN_MS) return;
    this.#refused = await this.#follow(network, this.#refused);
  }

  /** The rules whose address could not be followed. */
  async #follow(network: string, rules: NetworkRules): Promise<NetworkRules> {
    const refused: NetworkRules[number][] = [];
    for (const rule of rules) {
      if (rule.subject_kind !== "address") continue;
      if (!(await this.#parts.subjects.follow(network, [hex(rule.subject)], rule.account_id))) refused.push(rule);
    }
    this.#tried_ms = this.#parts.now_ms();
    return refused;
  }

  /** Returns the number of events. */
  async #passOf(
    holder: NetworkHolder,
    { subject, to_block, to_hash }: WatchedSubject,
    signal: AbortSignal,
  ): Promise<number> {
    const { follow, chain, subjects } = this.#parts;
    // Its marks are apart from those of other addresses, and its events are the network's.
    const of = { ...holder, facts: `${holder.facts} ${subject}` };
    const state = await follow.state(of);
    const rules = this.#rules.filter((rule) => rule.subject_kind === "address" && rule.subject === subject);
    const facts = subjects.factsAbout(of.network, subject, signal);
    const matcher = new BlockMatcher({ ...this.#parts, facts, chain });
    const passed = { dropped: [], hole: null, due: [], events: [], retraction: matcher.retraction };
    // Blocks of the tail that were matched before may have been dropped since.
    const snapshot = rules.length > 0 || state.blocks.length > 1 ? await facts.snapshot(of.network, null) : null;
    const dropped = snapshot === null ? [] : await droppedOf(facts, snapshot, state);
    if (dropped.length > 0) {
      // Their events are revoked first.
      await follow.commit(of, { ...passed, dropped, settled_to: -1, blocks: [] });
      throw new AssayError({ code: "READING", message: "blocks near the head were dropped" });
    }
    if (snapshot === null || rules.length === 0) {
      const is_marked = (state.blocks.at(-1)?.number ?? -1) >= to_block;
      const blocks = [{ number: to_block, hash: to_hash }];
      if (!is_marked) await follow.commit(of, { ...passed, settled_to: to_block, blocks });
      return 0;
    }
    const after = await this.#reached({ facts, snapshot, state, rules });
    if (after >= snapshot.block.number) return 0;
    this.#parts.step?.("read");
    const range = { from: after + 1, to: snapshot.block.number };
    const matched = await matcher.match({ snapshot, signal }, { range, rules });
    const is_first = state.blocks.length === 0;
    const born = new Map(rules.map((rule) => [rule.id, Date.parse(rule.created_at)]));
    const events = is_first
      ? matched.events.filter((one) => one.time_ms >= (born.get(one.rule_id) ?? 0))
      : matched.events;
    if (!(await facts.isCurrent(snapshot))) throw new AssayError({ code: "READING", message: "read again meanwhile" });
    this.#parts.step?.("matched");
    const made: Pass = {
      ...{ ...passed, due: matched.due, events },
      ...{ settled_to: snapshot.final_block, blocks: marksOf(snapshot) },
    };
    await follow.commit(of, made);
    this.#parts.step?.("committed");
    return events.length;
  }

  /** The last block that was matched. At first, the last one before the oldest rule, since reading a history takes time. */
  async #reached({
    facts,
    snapshot,
    state,
    rules,
  }: {
    readonly facts: Facts;
    readonly snapshot: Snapshot;
    readonly state: FollowState;
    readonly rules: NetworkRules;
  }): Promise<number> {
    const [settled, last] = [state.blocks[0], state.blocks.at(-1)];
    if (settled !== undefined && last !== undefined) {
      const marked = new Set(state.blocks.map(({ number }) => number));
      // Nodes may tell a block of the tail late.
      const late = (snapshot.followed?.tail ?? []).find(([at]) => at > settled.number && !marked.has(at));
      return Math.min(last.number, (late?.[0] ?? last.number + 1) - 1);
    }
    const made = rules.map(({ created_at }) => Math.floor(Date.parse(created_at) / 1_000));
    const oldest = Math.min(...made, snapshot.block.time);
    const [before] = await facts.ask(snapshot, "block_at_time", { time: oldest - 1 });
    // The newest block is marked in any case.
    return Math.min(before?.block_number ?? snapshot.from_block - 1, snapshot.block.number - 1);
  }
}
