/** Reads batches again whose blocks lack inner calls, once the node serves them (docs/design/on_demand.md). */
import { messageOf } from "../../lib/errors.ts";
import type { Engine } from "../../store/engine.ts";
import { type Batch, readBatches } from "../../store/subjects/records.ts";
import { isLost } from "../ending.ts";
import { backoffMs } from "../quarantine.ts";
import { countBlocks } from "../ranges.ts";
import { type BatchOptions, type FetchedBatch, readBatch } from "./write_batch.ts";

/** Most stretches without inner calls in one look, the newest first. */
const STRETCHES_MAX = 1_000;
const LOOK_MS = 30_000;

type BatchHealerOptions = BatchOptions & {
  readonly engine: Pick<Engine, "query">;
  /** Writes a done batch again. */
  readonly rewrite: (
    batch: { readonly known: Batch; readonly fetched: FetchedBatch },
    signal: AbortSignal,
  ) => Promise<void>;
};

/** Neighbouring stored blocks without inner calls: one answer about the newest of them is enough. */
interface BlockStretch {
  readonly oldest: number;
  readonly newest: number;
  attempts: number;
  ask_ms: number;
}

export class BatchHealer {
  readonly #parts: BatchHealerOptions;
  #looked_ms = Number.NEGATIVE_INFINITY;
  /** By the oldest block: a new one above it does not end the pause. */
  #stretches = new Map<number, BlockStretch>();
  /** Calls about the addresses get their turn before the next batch (monotonic milliseconds). */
  #rests_until = Number.NEGATIVE_INFINITY;

  constructor(parts: BatchHealerOptions) {
    this.#parts = parts;
  }

  /** Nothing is to be requested now. */
  get is_idle(): boolean {
    if (!this.#parts.chain.can.traces) return true;
    return this.#looked_ms !== Number.NEGATIVE_INFINITY && this.#due() === undefined;
  }

  /** Requests the newest block of one stretch, and heals its batch if the node has its inner calls. Returns the blocks that gained some. */
  async step(signal: AbortSignal): Promise<number> {
    // Waits until some endpoint traces.
    if (!this.#parts.chain.can.traces || performance.now() < this.#rests_until) return 0;
    await this.#look();
    const stretch = this.#due();
    if (stretch === undefined) return 0;
    stretch.attempts += 1;
    stretch.ask_ms = this.#parts.now_ms() + backoffMs(stretch.attempts);
    const healed = await this.#heal(stretch.newest, signal);
    if (healed === 0) return 0;
    // The rest of it is due at once: its node has inner calls.
    this.#stretches.delete(stretch.oldest);
    this.#looked_ms = Number.NEGATIVE_INFINITY;
    return healed;
  }

  #due(): BlockStretch | undefined {
    const now = this.#parts.now_ms();
    return [...this.#stretches.values()].find(({ ask_ms }) => ask_ms <= now);
  }

  async #look(): Promise<void> {
    const now = this.#parts.now_ms();
    if (now - this.#looked_ms < LOOK_MS) return;
    const is_first = this.#looked_ms === Number.NEGATIVE_INFINITY;
    const found = await this.#parts.store.untracedStretches(STRETCHES_MAX);
    const known = this.#stretches;
    this.#stretches = new Map(
      found.map((one) => {
        const before = known.get(one.oldest);
        // Those of an earlier run are due at once; those of this run, later.
        const ask_ms = before?.ask_ms ?? (is_first ? now : now + backoffMs(1));
        return [one.oldest, { ...one, attempts: before?.attempts ?? 0, ask_ms }];
      }),
    );
    this.#looked_ms = now;
  }

  async #heal(newest: number, signal: AbortSignal): Promise<number> {
    const { engine, chain, log, rewrite } = this.#parts;
    const network = chain.network.id;
    const known = (await readBatches(engine, network, { holding: newest })).find(({ state }) => state === "done");
    if (known === undefined) return 0;
    const read = await this.#read(known, newest, signal);
    if (read === null) return 0;
    const began = performance.now();
    await rewrite({ known, fetched: read.fetched }, signal);
    const now = performance.now();
    this.#rests_until = now + (now - began);
    log.info({ network, newest, blocks: read.gained }, "inner calls of stored blocks were filled in");
    return read.gained;
  }

  /** The batch with more inner calls than are stored; null if they are unavailable now. */
  async #read(known: Batch, newest: number, signal: AbortSignal) {
    const { chain, log } = this.#parts;
    try {
      const [block] = await chain.blocks(newest, newest, signal);
      if (block?.has_traces !== true) return null;
      const fetched = await readBatch(this.#parts, known.blocks, signal);
      const gained = await this.#gained(fetched);
      return gained <= 0 ? null : { fetched, gained };
    } catch (error) {
      if (signal.aborted || isLost(error)) throw error;
      log.info({ network: chain.network.id, newest, reason: messageOf(error) }, "inner calls are still missing");
      return null;
    }
  }

  /** How many blocks have inner calls that are not stored; 0 if another block would lose those that are, or is another one now. */
  async #gained({ blocks, refs, untraced }: FetchedBatch): Promise<number> {
    const { store, chain, log } = this.#parts;
    const network = chain.network.id;
    const stored = await store.storedBlocks(blocks);
    const hashes = new Map(refs.map(({ number, hash }) => [number, hash]));
    const other = stored.find(({ number, hash_hex }) => hashes.get(number) !== hash_hex);
    if (other !== undefined) {
      log.warn({ network, block: other.number }, "a stored block, which was final, has another hash on the node now");
      return 0;
    }
    const isLacking = (number: number): boolean => untraced.some(({ from, to }) => number >= from && number <= to);
    const lacked = stored.filter(({ traced }) => traced === 0);
    if (stored.some(({ number, traced }) => traced === 1 && isLacking(number))) return 0;
    return lacked.length - countBlocks(untraced);
  }
}
