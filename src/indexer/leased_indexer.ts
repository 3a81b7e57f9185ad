import { AssayError, messageOf } from "../lib/errors.ts";
import type { IndexCounts } from "../lib/index_counts.ts";
import type { Lease, LeaseCandidate, LeaseHolder, Leases } from "../lib/lease.ts";
import type { Log } from "../lib/log.ts";
import { pause } from "../lib/pause.ts";
import { thisProcess } from "../lib/processes.ts";
import { type IndexerStatus, indexedBy, troubleOf } from "../lib/status.ts";
import { UnreachableLog } from "../lib/unreachable_log.ts";
import type { Engine } from "../store/engine.ts";
import { newestEpoch } from "../store/epochs.ts";
import { enterFence, factsIdentity, fenceEngine } from "../store/fence.ts";
import { type IndexEnding, type IndexRun, isLost } from "./ending.ts";
import type { HistoryFiller } from "./fill_history.ts";
import { type IndexRunOptions, ONCE_FAILURES_MAX, Retries } from "./retries.ts";

export interface LeaseRunOptions {
  readonly network: string;
  /** The facts store without fencing. */
  readonly engine: Engine;
  readonly leases: Leases;
  /** A new indexer without state, on the store with the fencing of this lease. */
  readonly open: (engine: Engine, epoch: number) => IndexRun;
  /** Work of this process while another one is the network's indexer. */
  readonly help: Pick<HistoryFiller, "run" | "range">;
  readonly counts: IndexCounts;
  readonly log: Log;
}

export interface LeaseRunMode extends IndexRunOptions {
  /** How long another process may index the network before this one gives up; null = until it is stopped. */
  readonly wait_ms: number | null;
}

const IDLE: IndexerStatus = {
  head: null,
  indexed: null,
  lag_blocks: null,
  from_block: null,
  state: "starting",
  blocks_per_second: null,
  remaining_blocks: null,
  problem: null,
  trouble: null,
  indexed_by: null,
  fills: null,
  priced_share: null,
  derives: false,
};

/**
 * Indexes a network while this process has its lease, and helps to fill its history while another one has it. Each time
 * it gets the lease, it first enters the new epoch in the store, which then rejects statements of earlier writers, and
 * reads everything again: the state of an earlier lease is void.
 */
export class LeasedIndexer {
  readonly #parts: LeaseRunOptions;
  #indexer: IndexRun | null = null;
  #status: IndexerStatus = IDLE;
  readonly #notes: UnreachableLog;

  constructor(parts: LeaseRunOptions) {
    this.#parts = parts;
    this.#notes = new UnreachableLog({ network: parts.network, log: parts.log, now: () => performance.now() });
  }

  /** While it waits, only the store knows the progress. */
  status(): IndexerStatus {
    return this.#indexer?.status() ?? { ...this.#status, fills: this.#parts.help.range };
  }

  get counts(): IndexCounts {
    return this.#parts.counts;
  }

  /**
   * Runs until aborted; with `once`, until everything up to the node's present head is written, or it failed too often.
   */
  async run(how: LeaseRunMode): Promise<void> {
    const retries = new Retries(how);
    let ending: IndexEnding = "lost";
    while (ending === "lost" && !how.signal.aborted) {
      try {
        const lease = await this.#take(how);
        if (lease === null) return;
        ending = await this.#hold(lease, how);
        retries.succeeded();
      } catch (error) {
        if (how.signal.aborted) break;
        this.#note({ state: "starting", problem: messageOf(error), trouble: troubleOf(error) });
        this.#notes.away({ err: error }, "indexing waits and tries again");
        if (!(await retries.next()))
          return this.#note({ state: "failed", problem: failedOften(error), trouble: troubleOf(error) });
      }
    }
    if (this.#indexer === null) this.#note({ state: "stopped", problem: null });
  }

  /** Waits for the lease, and helps meanwhile. Null if it was aborted or waited too long. */
  async #take(how: LeaseRunMode): Promise<Lease | null> {
    const stop = new AbortController();
    const help: { running: Promise<void> | null } = { running: null };
    try {
      return await this.#wait(how, () => {
        help.running ??= this.#parts.help.run(AbortSignal.any([how.signal, stop.signal]));
      });
    } finally {
      // A segment that this interrupts is finished by the next holder of the range, or by this process as the network's
      // indexer.
      stop.abort();
      await help.running;
    }
  }

  async #wait({ signal, wait_ms }: LeaseRunMode, help: () => void): Promise<Lease | null> {
    const { engine, leases, network } = this.#parts;
    const began_ms = performance.now();
    let [known, wish]: [string, LeaseCandidate | null] = ["", null];
    let told = "";
    while (!signal.aborted) {
      // Of a store that two processes created at once only one name stays.
      const facts = await factsIdentity(engine);
      if (wish === null || known !== facts) [known, wish] = [facts, leases.wish({ facts, network })];
      const answer = await wish.ask(await newestEpoch(engine, network));
      if (answer.kind === "held") return answer.lease;
      const sentence = indexedBy(network, answer.by);
      if (sentence !== told)
        this.#parts.log.warn({ network }, `${sentence}; this process fills offered ranges of its history, and waits`);
      told = sentence;
      if (wait_ms !== null && performance.now() - began_ms >= wait_ms) {
        this.#note({ state: "failed", problem: `${sentence}; waited ${Math.round(wait_ms / 1000)} s`, by: answer.by });
        return null;
      }
      this.#note({ state: "waiting", problem: null, by: answer.by });
      help();
      await pause(leases.ask_every_ms, signal);
    }
    return null;
  }

  async #hold(lease: Lease, how: LeaseRunMode): Promise<IndexEnding> {
    const { network, log } = this.#parts;
    try {
      const ending = await underLease(this.#parts, { lease, signal: how.signal }, (engine, signal) => {
        const is_again = this.#parts.counts.lease_losses > 0;
        log[is_again ? "warn" : "info"](
          { network, epoch: lease.epoch },
          is_again ? "this process has the lease again, and indexing goes on" : "this process indexes the network",
        );
        this.#indexer = this.#parts.open(engine, lease.epoch);
        return this.#indexer.run({ once: how.once, signal });
      });
      if (ending !== "lost") return ending;
    } catch (error) {
      if (how.signal.aborted || !isLost(error)) throw error;
    }
    const reason = messageOf(lease.lost.reason ?? "the facts store knows a newer writer");
    log.warn({ network, reason }, "the lease was lost: this process requests it again, and indexing waits until then");
    this.#parts.counts.lease_losses += 1;
    this.#indexer = null;
    this.#note({ state: "starting", problem: null });
    return "lost";
  }

  #note(
    now: Pick<IndexerStatus, "state" | "problem"> & { readonly by?: LeaseHolder; readonly trouble?: string },
  ): void {
    const { state, problem, by = null, trouble = null } = now;
    this.#status = { ...IDLE, state, problem, trouble, indexed_by: by };
  }
}

type LeaseScope = Pick<LeaseRunOptions, "network" | "engine">;

/**
 * Runs `work` on the store with the fencing of the lease, and releases the lease.
 * @throws AssayError LEASE_LOST if it was lost meanwhile, whatever the outcome of `work`
 */
const underLease = async <T>(
  { network, engine }: LeaseScope,
  { lease, signal }: { readonly lease: Lease; readonly signal: AbortSignal },
  work: (engine: Engine, signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const both = AbortSignal.any([signal, lease.lost]);
  const fence = { subject: network, epoch: lease.epoch, holder: lease.holder };
  try {
    await enterFence(engine, fence, { ...thisProcess(), signal: both });
    const result = await work(fenceEngine(engine, fence, { confirm: () => lease.confirm(), signal: both }), both);
    if (!signal.aborted) lease.lost.throwIfAborted();
    return result;
  } finally {
    await lease.release();
  }
};

/** A little longer than a lease without renewals. */
const ONLY_WRITER_WAIT_MS = 20_000;

/**
 * Runs `work` as the network's only writer: for changes to facts beside an indexer.
 * @throws AssayError NETWORK_BUSY if another process keeps indexing the network
 */
export const withLease = async <T>(
  { leases, signal, ...subject }: LeaseScope & Pick<LeaseRunOptions, "leases"> & { readonly signal: AbortSignal },
  work: (engine: Engine) => Promise<T>,
): Promise<T> => {
  const { network, engine } = subject;
  const wish = leases.wish({ facts: await factsIdentity(engine), network });
  const until_ms = performance.now() + ONLY_WRITER_WAIT_MS;
  for (;;) {
    signal.throwIfAborted();
    const answer = await wish.ask(await newestEpoch(engine, network));
    if (answer.kind === "held") return underLease(subject, { lease: answer.lease, signal }, work);
    if (performance.now() > until_ms) {
      throw new AssayError({ code: "NETWORK_BUSY", message: `${indexedBy(network, answer.by)}: stop it first` });
    }
    await pause(leases.ask_every_ms, signal);
  }
};

const failedOften = (error: unknown): string =>
  `gave up after ${ONCE_FAILURES_MAX} failures in a row: ${messageOf(error)}`;
