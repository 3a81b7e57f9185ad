import { allEnded } from "../lib/all_ended.ts";
import { AwayNotes } from "../lib/away.ts";
import { AssayError, messageOf } from "../lib/errors.ts";
import { pause } from "../lib/pause.ts";
import type { IndexerStatus } from "../lib/status.ts";
import { Backfill } from "./backfill.ts";
import { forkFault } from "./fetch.ts";
import { Head } from "./head.ts";
import { Healer } from "./healer.ts";
import { type IndexerParts, isOpened } from "./parts.ts";
import { Progress } from "./progress.ts";
import { Promotion } from "./promotion.ts";
import { Quarantine } from "./quarantine.ts";
import { bucketStart } from "./ranges.ts";
import { type IndexHow, ONCE_FAILURES_MAX, Retries } from "./retries.ts";

/**
 * While blocks are caught up with, prices, labels and lists are looked at after so much time, and then for a fifth of it at most: each look
 * asks some forty questions, however little has come (docs/decisions/0093).
 */
const PASSES_AFTER_MS = 10_000;
const PASSES_PAUSE = 4;

/** Faults that no repetition mends: the network stops and says why. */
const FATAL = ["WRONG_CHAIN"];

/** `lost`: another process may write the network now, and this one knows nothing of it any more. */
export type IndexEnding = "done" | "stopped" | "failed" | "lost";

/**
 * One network from its node into the store: the tail first, so that answers begin at once, then the history from new
 * to old, then block by block. Exactly once whatever happens (ARCHITECTURE.md, "Segments").
 */
export class NetworkIndexer {
  readonly #parts: IndexerParts;
  readonly #head: Head;
  readonly #backfill: Backfill;
  readonly #quarantine: Quarantine;
  readonly #healer: Healer;
  readonly #promotion: Promotion;
  readonly #progress = new Progress();
  readonly #notes: AwayNotes;
  #node_head: number | null = null;
  #state: IndexerStatus["state"] = "starting";
  #problem: string | null = null;
  #opened = false;
  /** The final block that the tail was seen to follow. */
  #joined_at: number | null = null;
  /** Final blocks may have come since prices, labels and lists were looked at; at first nobody knows whether an earlier run did. */
  #has_passes_due = true;
  /** Such blocks have come in this run. */
  #has_news = false;
  #has_lists_due = false;
  /** Not before, while blocks are caught up with. */
  #passes_at: number;

  constructor(parts: IndexerParts) {
    this.#parts = parts;
    this.#notes = new AwayNotes({ network: parts.chain.network.id, log: parts.log, now: parts.now });
    const { store, log } = parts;
    this.#quarantine = new Quarantine({ network: parts.chain.network.id, store, log, now_ms: parts.now_ms });
    this.#head = new Head(parts, this.#quarantine);
    this.#backfill = new Backfill(parts, this.#quarantine);
    this.#promotion = new Promotion(parts, {
      head: this.#head,
      backfill: this.#backfill,
      quarantine: this.#quarantine,
    });
    this.#healer = new Healer(parts, (...asked) => this.#backfill.rewrite(...asked));
    this.#passes_at = parts.now() + PASSES_AFTER_MS;
  }

  /** What was verified is asked of the store. */
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
      derives: this.#has_passes_due || this.#has_lists_due,
      problem: this.#problem ?? this.#quarantine.problem(),
      indexed_by: null,
      fills: this.#backfill.range,
    };
  }

  /** Runs until aborted; with `once`, until everything up to the node's present head is written, or it failed too often. */
  async run(how: IndexHow): Promise<IndexEnding> {
    try {
      return await this.#run(how);
    } finally {
      await this.#backfill.close();
    }
  }

  async #run(how: IndexHow): Promise<IndexEnding> {
    const retries = new Retries(how, this.#parts.poll_ms);
    while (!how.signal.aborted) {
      try {
        if (!this.#opened) await this.#open(how.signal);
        const worked = await this.#turn(how.signal);
        this.#problem = this.#head.dispute();
        retries.succeeded();
        this.#notes.back("indexing goes on");
        if (worked && this.#problem === null) continue;
        // What is missing is filled by others, or by this one when they do not go on.
        if (how.once && this.#backfill.remaining_blocks === 0) return this.#end("done");
        await pause(this.#parts.poll_ms, how.signal);
      } catch (error) {
        if (how.signal.aborted) break;
        // What was written before the fault may be final.
        this.#has_passes_due = true;
        this.#has_news = true;
        if (error instanceof AssayError && error.code === "LEASE_LOST") return this.#end("lost");
        if (this.#fails(error)) return this.#end("failed");
        if (!(await retries.next())) {
          this.#problem = `gave up after ${ONCE_FAILURES_MAX} failures in a row: ${messageOf(error)}`;
          return this.#end("failed");
        }
      }
    }
    return this.#end("stopped");
  }

  #end(ending: IndexEnding): IndexEnding {
    this.#state = ending === "failed" ? "failed" : "stopped";
    return ending;
  }

  /** Notes a fault. True when it is final. */
  #fails(error: unknown): boolean {
    const network = this.#parts.chain.network.id;
    this.#problem = messageOf(error);
    if (error instanceof AssayError && FATAL.includes(error.code)) {
      this.#parts.log.error({ network, err: error }, "indexing stopped");
      return true;
    }
    this.#notes.away({ err: error }, "indexing waits and tries again");
    return false;
  }

  /** Reads what was begun or taken back again and writes it, and nothing else. Throws what the node or the store throws. */
  async mend(signal: AbortSignal): Promise<void> {
    await this.#checkOrigin(signal);
    await this.#backfill.open(signal);
  }

  async #open(signal: AbortSignal): Promise<void> {
    await this.#checkOrigin(signal);
    await this.#parts.store.rememberFreezeWatches();
    await this.#parts.writeListedLabels();
    await this.#backfill.open(signal);
    const [head, final] = await Promise.all([this.#parts.chain.head(signal), this.#parts.chain.finalized(signal)]);
    const start = Math.max(
      bucketStart(Math.min(final, head.number) + 1),
      this.#parts.oldest_block,
      await this.#backfill.firstAbove(),
    );
    const to = Math.min(start - 1, this.#parts.to_block ?? start - 1);
    this.#backfill.want(to >= this.#parts.oldest_block ? { from: this.#parts.oldest_block, to } : null);
    await this.#head.open(start);
    await this.#backfill.share();
    this.#opened = true;
    this.#state = "backfill";
  }

  /** The store belongs to one chain: same id, same first block. */
  async #checkOrigin(signal: AbortSignal): Promise<void> {
    const { chain, store, from_block } = this.#parts;
    const is_opened = isOpened(this.#parts);
    const known = await store.origin();
    const wrong = (what: string) =>
      new AssayError({
        code: "WRONG_CHAIN",
        message: `${chain.network.id}: ${what}. Point the network at the right node, or use another data_dir.`,
      });
    if (known !== null && known.chain_id !== chain.network.chain_id) {
      throw wrong(
        `the stored facts are of chain id ${known.chain_id}, the configuration says ${chain.network.chain_id}`,
      );
    }
    if (known !== null) {
      const there = await chain.ref(known.from_block, signal);
      if (there !== null && there.hash !== known.from_hash) {
        throw wrong(`block ${known.from_block} of the node is not the one that was indexed`);
      }
    }
    if (known !== null && known.from_block === from_block) {
      // What was not read for the addresses of before is not read later: the beginning is known of all or of none.
      if (known.is_opened > is_opened) await store.saveOrigin({ ...known, is_opened });
      return;
    }
    if (known !== null && (await store.hasOpenings())) {
      throw wrong(
        `from_block was ${known.from_block} and is ${from_block} now, but opening balances were read for the old one`,
      );
    }
    const first = await chain.ref(from_block, signal);
    if (first === null) {
      throw new AssayError({
        code: "UPSTREAM_UNAVAILABLE",
        message: `${chain.network.id}: the node does not have from_block ${from_block}`,
        retryable: true,
      });
    }
    await store.saveOrigin({ from_block, from_hash: first.hash, is_opened });
  }

  /** One round: the tail, what became final, a segment of history, prices, labels, lists. False when nothing was to do. */
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
    await this.#checkJoint();
    const healed = await this.#healer.step(signal);
    if (healed === 0) await this.#deriveFilled(signal);
    const blocks = written + promoted + filled;
    if (blocks > 0) this.#progress.add(blocks, this.#parts.now());
    // Nothing of these follows from the tail: a new block there is no reason to look at them.
    if (promoted + filled > 0) {
      this.#has_passes_due = true;
      this.#has_news = true;
    }
    const behind = this.#head.tip !== null && target !== null && this.#head.tip.number < target.number;
    const catches_up = this.#backfill.remaining_blocks > 0 || behind;
    // On what an earlier run has left the node is followed first.
    const is_time = catches_up ? this.#parts.now() >= this.#passes_at : this.#has_news || blocks === 0;
    if (this.#has_passes_due && is_time) await this.#pass(signal);
    // Lists take their time: they go on where nothing else waits, and with the blocks.
    if (this.#has_lists_due) this.#has_lists_due = await this.#parts.updateCohorts(signal);
    this.#state = catches_up ? "backfill" : "following";
    return blocks + healed > 0 || this.#has_lists_due;
  }

  /** Prices and labels of blocks that were gaps follow from them now, however long ago the others were looked at. */
  async #deriveFilled(signal: AbortSignal): Promise<void> {
    const filled = this.#quarantine.filled(this.#backfill.held);
    const [first] = filled.map(({ from_block }) => from_block).sort((a, b) => a - b);
    if (first === undefined) return;
    this.#parts.deriveAgain(first);
    await this.#pass(signal);
    await this.#quarantine.close(filled, this.#parts.store);
  }

  /** What follows from final blocks. */
  async #pass(signal: AbortSignal): Promise<void> {
    const { now } = this.#parts;
    const begun = now();
    // Neither reads what the other writes.
    await allEnded([this.#parts.updatePrices(signal), this.#parts.updateLabels(signal)]);
    this.#passes_at = now() + Math.max(PASSES_AFTER_MS, PASSES_PAUSE * (now() - begun));
    this.#has_passes_due = false;
    this.#has_news = false;
    this.#has_lists_due = true;
  }

  /** What another process has filled below the tail is what the tail stands on. */
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

  /** What the final tables hold by now leaves the tail (a promotion that was cut off is finished as a segment). */
  async #leaveTail(): Promise<void> {
    const top = this.#backfill.held.at(-1)?.to;
    if (top !== undefined && top >= (this.#head.start ?? top + 1)) await this.#head.promoted(top);
  }
}
