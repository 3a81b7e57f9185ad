/** A network that is read on demand: no history by itself, only that of followed addresses (docs/design/on_demand.md). */
import { setMaxListeners } from "node:events";
import type { BlockRef } from "../../chains/chain.ts";
import type { Hex } from "../../lib/bytes.ts";
import { messageOf } from "../../lib/errors.ts";
import { inLanes } from "../../lib/lanes.ts";
import { pause } from "../../lib/pause.ts";
import { type IndexerStatus, troubleOf } from "../../lib/status.ts";
import { UnreachableLog } from "../../lib/unreachable_log.ts";
import { readStoredAmong, readSubjects } from "../../store/subjects/records.ts";
import type { PriceDesk } from "../demanded/price_desk.ts";
import { ENDED, type IndexEnding, type IndexRun, isFatal, isLost, wrongMode } from "../ending.ts";
import { settleOrigin } from "../origin.ts";
import { Progress } from "../progress.ts";
import { type IndexRunOptions, ONCE_FAILURES_MAX, Retries } from "../retries.ts";
import { BatchHealer } from "./batch_healer.ts";
import { Batches } from "./batches.ts";
import { isSettled } from "./due.ts";
import { Heads } from "./heads.ts";
import { ReadingTurns } from "./reading_turns.ts";
import { rewriteBatch, settleRewritten } from "./rewritten.ts";
import { Searches } from "./searches.ts";
import { SubjectHistory, type SubjectOptions } from "./subject_history.ts";
import { WishedBlocks } from "./wished_blocks.ts";
import { WishedSubjects } from "./wished_subjects.ts";
import { type FetchedBatch, readBatch } from "./write_batch.ts";

/** Blocks that are written together. */
const BATCH_BLOCKS = 128;
/** Addresses whose whole histories are checked and recorded at the same time. */
const COMPLETIONS_IN_FLIGHT = 4;

type SubjectIndexerOptions = SubjectOptions & {
  readonly ranges: Parameters<typeof settleOrigin>[0]["ranges"];
  /** Writes the label pack; once, before anything is read. */
  readonly writeListedLabels: () => Promise<void>;
  /** Answers the wishes for prices beside the histories. */
  readonly prices: Pick<PriceDesk, "look" | "is_idle" | "ended">;
  readonly poll_ms: number;
  /** A followed address is searched again at most this often. */
  readonly follow_ms: number;
};

export class SubjectIndexer implements IndexRun {
  readonly #parts: SubjectIndexerOptions;
  readonly #notes: UnreachableLog;
  readonly #progress = new Progress();
  readonly #subjects = new Map<Hex, SubjectHistory>();
  readonly #wishes: WishedSubjects;
  readonly #singles: WishedBlocks;
  readonly #turns = new ReadingTurns();
  readonly #searches: Searches;
  readonly #batches: Batches;
  readonly #healer: BatchHealer;
  readonly #heads: Heads;
  #node_head: number | null = null;
  #final: BlockRef | null = null;
  /** A run with an end ends when everything up to this block is read. */
  #first_final: number | null = null;
  #origin_ms = 0;
  #state: IndexerStatus["state"] = "starting";
  #problem: string | null = null;
  #trouble = "INTERNAL";
  #opened = false;

  constructor(parts: SubjectIndexerOptions) {
    this.#parts = parts;
    this.#wishes = new WishedSubjects(parts);
    this.#singles = new WishedBlocks(parts);
    this.#heads = new Heads(parts);
    this.#searches = new Searches(parts, () => [...this.#subjects.values()]);
    this.#batches = new Batches(parts);
    this.#healer = new BatchHealer({
      ...parts,
      rewrite: (batch, signal) => rewriteBatch(this.#rewriting, batch, signal),
    });
    const network = parts.chain.network.id;
    this.#notes = new UnreachableLog({ network, log: parts.log, now: () => performance.now() });
  }

  get #rewriting() {
    return { ...this.#parts, subjects: this.#subjects, batches: this.#batches };
  }

  status(): IndexerStatus {
    const final = this.#final?.number ?? null;
    const histories = [...this.#subjects.values()];
    return {
      head: this.#node_head,
      indexed: final,
      lag_blocks: final === null || this.#node_head === null ? null : Math.max(0, this.#node_head - final),
      from_block: this.#parts.from_block,
      state: this.#state,
      blocks_per_second: this.#progress.blocksPerSecond(),
      remaining_blocks: this.#opened ? histories.reduce((sum, { missing }) => sum + missing.length, 0) : null,
      priced_share: null,
      derives: false,
      problem: this.#problem,
      trouble: this.#problem === null ? null : this.#trouble,
      indexed_by: null,
      fills: null,
    };
  }

  async run(how: IndexRunOptions): Promise<IndexEnding> {
    const stop = new AbortController();
    const signal = AbortSignal.any([how.signal, stop.signal]);
    // Searches, a look and a batch wait at the same time.
    setMaxListeners(0, signal);
    try {
      return await this.#run({ ...how, signal });
    } finally {
      stop.abort();
      await Promise.all([...this.#searches.running, ...this.#heads.running, this.#parts.prices.ended]);
    }
  }

  async #run(how: IndexRunOptions): Promise<IndexEnding> {
    const retries = new Retries(how, this.#parts.poll_ms);
    while (!how.signal.aborted) {
      try {
        if (!this.#opened) await this.#open(how.signal);
        const worked = await this.#turn(how);
        this.#problem = null;
        retries.succeeded();
        this.#notes.back("reading goes on");
        if (how.once && this.#hasGivenUp()) return this.#end("failed");
        if (worked) continue;
        if (how.once && this.#isDone()) return this.#end("done");
        await pause(this.#parts.poll_ms, how.signal);
      } catch (error) {
        if (how.signal.aborted) break;
        if (isLost(error)) return this.#end("lost");
        this.#problem = messageOf(error);
        this.#trouble = troubleOf(error);
        this.#notes.away({ err: error }, "reading waits and tries again");
        if (isFatal(error)) return this.#end("failed");
        if (!(await retries.next())) {
          this.#problem = `gave up after ${ONCE_FAILURES_MAX} failures in a row: ${messageOf(error)}`;
          return this.#end("failed");
        }
      }
    }
    return this.#end(isLost(how.signal.reason) ? "lost" : "stopped");
  }

  #end(ending: IndexEnding): IndexEnding {
    this.#state = ENDED[ending];
    return ending;
  }

  /** An address failed too often for a run with an end. */
  #hasGivenUp(): boolean {
    const tired = [...this.#subjects.values()].find(({ failures }) => failures >= ONCE_FAILURES_MAX);
    if (tired !== undefined) this.#problem = `gave up on an address: ${tired.record.problem}`;
    return tired !== undefined;
  }

  #isDone(): boolean {
    const final = this.#first_final ?? Number.POSITIVE_INFINITY;
    if (!this.#parts.prices.is_idle || !this.#healer.is_idle) return false;
    return [...this.#subjects.values()].every((history) => isSettled(history, final));
  }

  /** Compares the store with the configuration, and finishes batches that were begun. */
  async #open(signal: AbortSignal): Promise<void> {
    const { store, chain, log, writeListedLabels } = this.#parts;
    const network = chain.network.id;
    await store.open();
    if ((await store.segments()).length > 0) throw wrongMode(network, "whole");
    // An interrupted drop leaves blocks that no batch names.
    if ((await store.origin()) === null) await store.drop(signal);
    await settleOrigin({ ...this.#parts, openings: "skip", is_on_demand: true }, signal);
    this.#origin_ms = (await store.originWrittenMs()) ?? 0;
    await writeListedLabels();
    const mending = await store.mendLostParts(signal);
    if (mending !== null)
      log.warn({ network, batches: mending.taken_back.length }, "damaged parts of the facts are written again");
    await this.#batches.finish(signal);
    await mending?.finish();
    await this.#readRecords(signal);
    await this.#heads.open(this.#subjects.values());
    this.#opened = true;
  }

  /**
   * Finishes what was begun. `mendSums` runs when all rows are written: records of addresses follow from both. Nothing new is read.
   */
  async mend(signal: AbortSignal, mendSums: () => Promise<void>): Promise<void> {
    await this.#parts.store.open();
    await this.#batches.finish(signal);
    await mendSums();
    await this.#readRecords(signal);
  }

  async #readRecords(signal: AbortSignal): Promise<void> {
    const { engine, chain } = this.#parts;
    for (const record of await readSubjects(engine, chain.network.id))
      if (record.state !== "left") this.#subjects.set(record.subject, new SubjectHistory(this.#parts, record));
    await settleRewritten(this.#rewriting, signal);
  }

  /** One round: what is wished, searches, one batch. False if nothing was to do. */
  async #turn({ once, signal }: IndexRunOptions): Promise<boolean> {
    const { chain } = this.#parts;
    await this.#batches.finish(signal);
    await settleRewritten(this.#rewriting, signal);
    await this.#wishes.apply(this.#subjects, this.#origin_ms);
    this.#parts.prices.look(signal);
    const [head, final] = await Promise.all([chain.head(signal), chain.finalized(signal)]);
    this.#node_head = head.number;
    await this.#follow(Math.min(final, head.number), { once, signal });
    const read = (await this.#readSingles(signal)) + (await this.#readNext(signal));
    const histories = [...this.#subjects.values()];
    const whole = histories.filter(({ is_searched, missing }) => is_searched && missing.length === 0);
    await inLanes(COMPLETIONS_IN_FLIGHT, whole, async (history) => {
      await history.complete(signal);
      this.#heads.want(history);
    });
    // A run with an end ends with the final blocks.
    if (!once) await this.#heads.step(histories, head, signal);
    const healed = read === 0 ? await this.#healer.step(signal) : 0;
    const is_busy = this.#searches.running.length > 0 || histories.some(({ is_searched }) => is_searched);
    this.#state = is_busy ? "backfill" : "following";
    if (read + healed === 0 && is_busy) await this.#searches.wait(this.#parts.poll_ms, signal);
    return read + healed > 0 || is_busy;
  }

  /** Searches new addresses at once, and looks for news of the others when there are new final blocks. */
  async #follow(final: number, how: IndexRunOptions): Promise<void> {
    if (this.#final === null || this.#final.number < final) {
      const to = await this.#parts.chain.ref(final, how.signal);
      if (to !== null) this.#final = to;
    }
    const to = this.#final;
    if (to === null) return;
    this.#first_final ??= to.number;
    this.#searches.begin(to, how);
  }

  /** Reads blocks of single transactions, which calls wait for. Returns how many were written. */
  async #readSingles(signal: AbortSignal): Promise<number> {
    const blocks = await this.#singles.next(this.#final?.number ?? -1, BATCH_BLOCKS);
    if (blocks.length === 0) return 0;
    const written = await this.#write(blocks, signal, (error) => this.#singles.failed(error));
    return written ? blocks.length : 0;
  }

  /** Reads a batch for addresses that lack blocks. Returns how many blocks were written. */
  async #readNext(signal: AbortSignal): Promise<number> {
    const { engine, chain } = this.#parts;
    const next = this.#turns.next([...this.#subjects.values()], BATCH_BLOCKS);
    if (next === null) return 0;
    // A search may have looked before a batch of others was written: a block is in one batch only.
    const stored = await readStoredAmong(engine, chain.network.id, next.blocks);
    if (stored.size > 0) await this.#noteStored(stored);
    const blocks = next.blocks.filter((block) => !stored.has(block));
    if (blocks.length === 0) return stored.size;
    const written = await this.#write(blocks, signal, (error) => this.#turns.failed(next, error, signal));
    return written ? blocks.length : 0;
  }

  async #noteStored(blocks: ReadonlySet<number>): Promise<void> {
    for (const history of this.#subjects.values()) await history.wrote(blocks);
  }

  /** False if no node serves one of them now: these addresses wait, others continue. */
  async #write(
    blocks: readonly number[],
    signal: AbortSignal,
    failed: (error: unknown) => Promise<void>,
  ): Promise<boolean> {
    let fetched: FetchedBatch;
    try {
      fetched = await readBatch(this.#parts, blocks, signal);
    } catch (error) {
      if (signal.aborted || isLost(error)) throw error;
      await failed(error);
      return false;
    }
    await this.#batches.write(fetched, { known: null, signal });
    await this.#noteStored(new Set(blocks));
    this.#progress.add(blocks.length, performance.now());
    return true;
  }
}
