import { allEnded } from "../lib/all_ended.ts";
import { messageOf } from "../lib/errors.ts";
import { pause } from "../lib/pause.ts";
import { type IndexerStatus, troubleOf } from "../lib/status.ts";
import { UnreachableLog } from "../lib/unreachable_log.ts";
import { Backfill } from "./backfill.ts";
import { ENDED, type IndexEnding, isFatal, isLost, wrongMode } from "./ending.ts";
import { forkFault } from "./fetch.ts";
import { Head } from "./head.ts";
import { Healer } from "./healer.ts";
import type { IndexerOptions } from "./options.ts";
import { settleOrigin } from "./origin.ts";
import { Progress } from "./progress.ts";
import { Promotion } from "./promotion.ts";
import { Quarantine } from "./quarantine.ts";
import { bucketStart } from "./ranges.ts";
import { type IndexRunOptions, ONCE_FAILURES_MAX, Retries } from "./retries.ts";

/**
 * While the indexer catches up, it updates prices, labels and lists after this time, and then at most a fifth of the
 * time: each update takes some forty queries, however few blocks are new (docs/design/operations.md).
 */
const PASSES_AFTER_MS = 10_000;
const PASSES_PAUSE = 4;

/**
 * One network from its node into the store: the tail first, so that answers begin at once, then the history from new to
 * old, then block by block. Exactly once after any failure (ARCHITECTURE.md, "Segments").
 */
export class NetworkIndexer {
  readonly #parts: IndexerOptions;
  readonly #head: Head;
  readonly #backfill: Backfill;
  readonly #quarantine: Quarantine;
  readonly #healer: Healer;
  readonly #promotion: Promotion;
  readonly #progress = new Progress();
  readonly #notes: UnreachableLog;
  #node_head: number | null = null;
  #state: IndexerStatus["state"] = "starting";
  #problem: string | null = null;
  /** Code of the current problem. */
  #trouble = "DISPUTE";
  #opened = false;
  /** First block of the history that this run writes. */
  #oldest = 0;
  /** Openings of pairs that moved earlier are yet to be read. */
  #is_opening = false;
  /** The final block that the tail was last seen to follow. */
  #joined_at: number | null = null;
  /**
   * Final blocks may be newer than the last update of prices, labels and lists; at the start an earlier run may have
   * missed it.
   */
  #has_passes_due = true;
  /** Such blocks have come in this run. */
  #has_news = false;
  #has_lists_due = false;
  /** Earliest time of the next update while the indexer catches up. */
  #passes_at: number;

  constructor(parts: IndexerOptions) {
    this.#parts = parts;
    this.#notes = new UnreachableLog({ network: parts.chain.network.id, log: parts.log, now: parts.now });
    const { store, log } = parts;
    this.#quarantine = new Quarantine({ network: parts.chain.network.id, store, log, now_ms: parts.now_ms });
    this.#head = new Head(parts, this.#quarantine);
    this.#backfill = new Backfill(parts, this.#quarantine);
    this.#promotion = new Promotion(parts, {
      head: this.#head,
      backfill: this.#backfill,
      quarantine: this.#quarantine,
      oldest: () => this.#oldest,
    });
    this.#healer = new Healer(parts, (...asked) => this.#backfill.rewrite(...asked));
    this.#passes_at = parts.now() + PASSES_AFTER_MS;
  }

  /** The verification level comes from the store. */
  status(): IndexerStatus {
    const held = this.#backfill.held.at(-1) ?? null;
    const tip = this.#head.tip?.number ?? held?.to ?? null;
    const joined = held !== null && held.to + 1 === this.#head.start;
    const remaining = this.#backfill.remaining_blocks;
    return {
      head: this.#node_head,
      indexed: tip,
      lag_blocks: this.#node_head === null || tip === null ? null : Math.max(0, this.#node_head - tip),
      from_block: joined ? held.from : (this.#head.first?.number ?? held?.from ?? null),
      state: this.#state,
      blocks_per_second: this.#progress.blocksPerSecond(),
      remaining_blocks: this.#opened ? remaining : null,
      priced_share: this.#parts.pricedShare(),
      derives: this.#has_passes_due || this.#has_lists_due,
      problem: this.#problem ?? this.#quarantine.problem(),
      trouble: this.#problem !== null ? this.#trouble : this.#quarantine.problem() === null ? null : "BLOCK_REFUSED",
      indexed_by: null,
      fills: this.#backfill.range,
    };
  }

  /**
   * Runs until aborted; with `once`, until everything up to the node's present head is written, or it failed too often.
   */
  async run(how: IndexRunOptions): Promise<IndexEnding> {
    try {
      return await this.#run(how);
    } finally {
      await this.#backfill.close();
    }
  }

  async #run(how: IndexRunOptions): Promise<IndexEnding> {
    const retries = new Retries(how, this.#parts.poll_ms);
    while (!how.signal.aborted) {
      try {
        if (!this.#opened) await this.#open(how.signal);
        const worked = await this.#turn(how.signal);
        this.#problem = this.#head.dispute();
        this.#trouble = "DISPUTE";
        retries.succeeded();
        this.#notes.back("indexing goes on");
        if (worked && this.#problem === null) continue;
        // Other processes fill the missing blocks, or this one if they do not continue.
        if (how.once && this.#backfill.remaining_blocks === 0) return this.#end("done");
        await pause(this.#parts.poll_ms, how.signal);
      } catch (error) {
        if (how.signal.aborted) break;
        // Blocks written before the fault may be final.
        this.#has_passes_due = true;
        this.#has_news = true;
        if (isLost(error)) return this.#end("lost");
        if (this.#fails(error)) return this.#end("failed");
        if (!(await retries.next())) {
          this.#problem = `gave up after ${ONCE_FAILURES_MAX} failures in a row: ${messageOf(error)}`;
          return this.#end("failed");
        }
      }
    }
    return this.#end(isLost(how.signal.reason) ? "lost" : "stopped");
  }

  /** A lost lease ends nothing: the network continues as soon as the lease is taken again. */
  #end(ending: IndexEnding): IndexEnding {
    this.#state = ENDED[ending];
    return ending;
  }

  /** Records a fault. True if it is final. */
  #fails(error: unknown): boolean {
    const network = this.#parts.chain.network.id;
    this.#problem = messageOf(error);
    this.#trouble = troubleOf(error);
    if (isFatal(error)) {
      this.#parts.log.error({ network, err: error }, "indexing stopped");
      return true;
    }
    this.#notes.away({ err: error }, "indexing waits and tries again");
    return false;
  }

  /** Reads and writes only segments that were begun or reopened. Throws errors of the node or the store. */
  async mend(signal: AbortSignal): Promise<void> {
    await this.#settle(signal);
    await this.#backfill.open(signal);
  }

  async #open(signal: AbortSignal): Promise<void> {
    await this.#settle(signal);
    await this.#parts.store.rememberFreezeWatches();
    await this.#parts.writeListedLabels();
    await this.#backfill.open(signal);
    const [head, final] = await Promise.all([this.#parts.chain.head(signal), this.#parts.chain.finalized(signal)]);
    const start = Math.max(
      bucketStart(Math.min(final, head.number) + 1),
      this.#oldest,
      await this.#backfill.firstAbove(),
    );
    const to = Math.min(start - 1, this.#parts.to_block ?? start - 1);
    this.#backfill.want(to >= this.#oldest ? { from: this.#oldest, to } : null);
    await this.#head.open(start);
    await this.#backfill.share();
    this.#opened = true;
    this.#state = "backfill";
  }

  /** Settles with the store where the history begins, and whether openings are read. */
  async #settle(signal: AbortSignal): Promise<void> {
    const { chain, store } = this.#parts;
    if (await store.hasBatches()) throw wrongMode(chain.network.id, "on_demand");
    const { from_block, is_opening } = await settleOrigin(this.#parts, signal);
    this.#oldest = this.#parts.oldest_block ?? from_block;
    this.#is_opening = is_opening;
  }

  /**
   * One round: the tail, newly final blocks, a segment of history, prices, labels, lists. False if nothing was to do.
   */
  async #turn(signal: AbortSignal): Promise<boolean> {
    const { chain, to_block } = this.#parts;
    await this.#backfill.finish(signal);
    await this.#leaveTail();
    const node_head = await chain.head(signal);
    this.#node_head = node_head.number;
    const target = to_block === null || to_block >= node_head.number ? node_head : await chain.ref(to_block, signal);
    const written = target === null ? 0 : await this.#head.step(target, signal);
    if (this.#head.newest !== null) this.#backfill.sawTail(this.#head.newest);
    if (this.#head.first !== null) this.#backfill.expect(this.#head.first.number - 1, this.#head.first.parent_hash);
    const promoted = await this.#promotion.step(signal);
    const filled = await this.#backfill.step(signal);
    const opened = this.#is_opening;
    if (opened) this.#is_opening = await this.#parts.openMoved(signal);
    await this.#checkJoint();
    const healed = await this.#healer.step(signal);
    if (healed === 0) await this.#deriveFilled(signal);
    const blocks = written + promoted + filled;
    if (blocks > 0) this.#progress.add(blocks, this.#parts.now());
    // None of these follows from the tail: a new block there is no reason to update them.
    if (promoted + filled > 0) {
      this.#has_passes_due = true;
      this.#has_news = true;
    }
    const behind = this.#head.tip !== null && target !== null && this.#head.tip.number < target.number;
    const catches_up = this.#backfill.remaining_blocks > 0 || behind || this.#is_opening;
    // After a start on stored blocks the indexer follows the node first.
    const is_time = catches_up ? this.#parts.now() >= this.#passes_at : this.#has_news || blocks === 0;
    if (this.#has_passes_due && is_time) await this.#pass(signal);
    // Lists take long: they continue when nothing else waits, and with the blocks.
    if (this.#has_lists_due) this.#has_lists_due = await this.#parts.updateCohorts(signal);
    this.#state = catches_up ? "backfill" : "following";
    return blocks + healed > 0 || opened || this.#has_lists_due;
  }

  /** Derives prices and labels of blocks that were gaps, however long ago the others were updated. */
  async #deriveFilled(signal: AbortSignal): Promise<void> {
    const filled = this.#quarantine.filled(this.#backfill.held);
    const [first] = filled.map(({ from_block }) => from_block).sort((a, b) => a - b);
    if (first === undefined) return;
    this.#parts.deriveAgain(first);
    await this.#pass(signal);
    await this.#quarantine.close(filled, this.#parts.store);
  }

  /** Updates everything that follows from final blocks. */
  async #pass(signal: AbortSignal): Promise<void> {
    const { now } = this.#parts;
    const begun = now();
    // Neither reads the rows of the other.
    await allEnded([this.#parts.updatePrices(signal), this.#parts.updateLabels(signal)]);
    this.#passes_at = now() + Math.max(PASSES_AFTER_MS, PASSES_PAUSE * (now() - begun));
    this.#has_passes_due = false;
    this.#has_news = false;
    this.#has_lists_due = true;
  }

  /** The tail must follow blocks that another process has filled below it. */
  async #checkJoint(): Promise<void> {
    const first = this.#head.first;
    const top = this.#backfill.held.at(-1)?.to;
    if (first === null || top !== first.number - 1 || this.#joined_at === top) return;
    const below = await this.#parts.store.finalBlock(top);
    if (below?.hash !== first.parent_hash) {
      throw forkFault(`block ${first.number} of the tail does not follow the stored final block ${top}`);
    }
    this.#joined_at = top;
  }

  /** Blocks that are in the final tables by now leave the tail (an interrupted promotion is finished as a segment). */
  async #leaveTail(): Promise<void> {
    const top = this.#backfill.held.at(-1)?.to;
    if (top !== undefined && top >= (this.#head.start ?? top + 1)) await this.#head.promoted(top);
  }
}
