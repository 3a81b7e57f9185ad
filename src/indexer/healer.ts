import { messageOf } from "../lib/errors.ts";
import { type KnownSegment, untracedOf } from "../store/segments.ts";
import type { FetchedBlocks } from "./fetch.ts";
import type { IndexerOptions, SegmentOptions } from "./options.ts";
import { backoffMs, isUnavailable } from "./quarantine.ts";
import { countBlocks, type IndexRange } from "./ranges.ts";
import { readSegment, rewriteSegment } from "./segments.ts";

/** Most segments without traces in one look, the newest first. */
const SEGMENTS_MAX = 1_000;
/** Interval of looks for gaps that this process or others made. */
const LOOK_MS = 30_000;

/** Lets one process write a done segment again (`Backfill.rewrite`). */
export type Rewrite = (
  range: IndexRange,
  signal: AbortSignal,
  work: (parts: SegmentOptions) => Promise<void>,
) => Promise<true | null>;

/**
 * Neighbouring segments without traces: mostly history that a node has pruned, so that one answer about the newest of
 * them is enough.
 */
interface Stretch {
  readonly segments: readonly KnownSegment[];
  attempts: number;
  ask_ms: number;
}

const stretchesOf = (newest_first: readonly KnownSegment[]): readonly KnownSegment[][] => {
  const stretches: KnownSegment[][] = [];
  for (const segment of newest_first) {
    const open = stretches.at(-1);
    const above = open?.at(-1);
    // Inside a stretch the segment above lacks its first block's traces, and this one its last block's.
    const touches =
      above !== undefined &&
      above.from === segment.to + 1 &&
      untracedOf(above, above.latest)[0]?.from === above.from &&
      untracedOf(segment, segment.latest).at(-1)?.to === segment.to;
    if (open !== undefined && touches) open.push(segment);
    else stretches.push([segment]);
  }
  return stretches;
};

/**
 * Reads final segments again that lack traces of some blocks. It reads a segment first and rewrites it only if more
 * traces are available, so that the segment counts as not indexed only while it is written
 * (docs/design/exactly_once.md).
 */
export class Healer {
  readonly #parts: IndexerOptions;
  readonly #rewrite: Rewrite;
  #looked_ms = Number.NEGATIVE_INFINITY;
  /** By the newest block without traces. */
  #stretches = new Map<number, Stretch>();

  constructor(parts: IndexerOptions, rewrite: Rewrite) {
    this.#parts = parts;
    this.#rewrite = rewrite;
  }

  /** Heals one segment that is due. Returns the number of blocks that gained traces. */
  async step(signal: AbortSignal): Promise<number> {
    // Waits until some endpoint traces.
    if (!this.#parts.chain.can.traces) return 0;
    await this.#look();
    const now = this.#parts.now_ms();
    const due = [...this.#stretches].find(([, { ask_ms }]) => ask_ms <= now);
    const [segment] = due?.[1].segments ?? [];
    if (due === undefined || segment === undefined) return 0;
    const [newest, stretch] = due;
    stretch.attempts += 1;
    stretch.ask_ms = now + backoffMs(stretch.attempts);
    const healed = await this.#heal(segment, newest, signal);
    // The rest of the stretch is due at once: its node has the traces.
    if (healed > 0) this.#looked_ms = Number.NEGATIVE_INFINITY;
    return healed;
  }

  async #look(): Promise<void> {
    const now = this.#parts.now_ms();
    if (now - this.#looked_ms < LOOK_MS) return;
    const is_first = this.#looked_ms === Number.NEGATIVE_INFINITY;
    const lacking = await this.#parts.store.untracedSegments(SEGMENTS_MAX);
    const known = this.#stretches;
    this.#stretches = new Map(
      stretchesOf(lacking).map((segments) => {
        const newest = segments[0] === undefined ? 0 : (untracedOf(segments[0], segments[0].latest).at(-1)?.to ?? 0);
        const before = known.get(newest);
        // Gaps of an earlier run are due at once; gaps of this run, later.
        const ask_ms = before?.ask_ms ?? (is_first ? now : now + backoffMs(1));
        return [newest, { segments, attempts: before?.attempts ?? 0, ask_ms }];
      }),
    );
    this.#looked_ms = now;
  }

  /** The segment with the traces of its newest gap; null if they are unavailable now. */
  async #read(segment: IndexRange, newest: number, signal: AbortSignal): Promise<FetchedBlocks | null> {
    const { chain, log } = this.#parts;
    try {
      const [block] = await chain.blocks(newest, newest, signal);
      return block?.has_traces === true ? await readSegment(this.#parts, segment, signal) : null;
    } catch (error) {
      if (signal.aborted || !isUnavailable(error)) throw error;
      log.info({ network: chain.network.id, ...segment, reason: messageOf(error) }, "traces are still missing");
      return null;
    }
  }

  async #heal(segment: KnownSegment, newest: number, signal: AbortSignal): Promise<number> {
    const { from, to, latest } = segment;
    const { chain, log } = this.#parts;
    const network = chain.network.id;
    const lacked = countBlocks(untracedOf({ from, to }, latest));
    const fetched = await this.#read({ from, to }, newest, signal);
    const healed = fetched === null ? 0 : lacked - countBlocks(fetched.untraced);
    if (fetched === null || healed <= 0) return 0;
    const written = await this.#rewrite({ from, to }, signal, async (parts) => {
      const now = this.#parts.now_ms();
      await parts.store.recordGap({
        ...{ kind: "traces", from_block: from, to_block: to, state: "open", check_name: "", block_hash: "" },
        ...{ reason: "read again for its traces", endpoints: 0, attempts: 1 },
        ...{ first_asked_ms: now, last_asked_ms: now, ask_ms: now },
      });
      await rewriteSegment(parts, fetched, { known: segment, signal });
    });
    if (written === null) return 0;
    log.info({ network, from, to, blocks: healed }, "traces of indexed blocks were filled in");
    return healed;
  }
}
