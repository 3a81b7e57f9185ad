import type { Leases } from "../lib/lease.ts";
import type { Log } from "../lib/log.ts";
import { thisProcess } from "../lib/processes.ts";
import type { Engine } from "../store/engine.ts";
import { newestEpoch, rangeName } from "../store/epochs.ts";
import { enterFence, factsIdentity, fenceEngine } from "../store/fence.ts";
import { everOffered, offerRanges, readOffers } from "../store/offers.ts";
import { queryRows } from "../store/query.ts";
import type { Writer } from "../store/writer.ts";
import type { HistoryRanges, RangeHold, SegmentOptions } from "./options.ts";
import { clipRanges, type IndexRange, mergeRanges, piecesToOffer } from "./ranges.ts";

const doneRanges = async (engine: Pick<Engine, "query">, network: string): Promise<readonly IndexRange[]> => {
  const rows = await queryRows(engine, "done_ranges", { network });
  return mergeRanges(rows.map(({ from_block, to_block }) => ({ from: from_block, to: to_block })));
};

/** All history in one process, for work that holds the network's lease alone, or has none. */
export const ownRanges = (engine: Pick<Engine, "query">, parts: SegmentOptions): HistoryRanges => ({
  done: () => doneRanges(engine, parts.chain.network.id),
  offer: async () => undefined,
  offered: async () => [],
  async take(missing, signal) {
    const range = missing.at(-1);
    return range === undefined ? null : { range, parts, signal, release: async () => undefined };
  },
});

export interface SharedRangesOptions {
  readonly network: string;
  /** The facts store without fencing. */
  readonly engine: Engine;
  /** Of the network's indexer, which alone offers; null for others. */
  readonly writer: Pick<Writer, "insert"> | null;
  /** Epoch of the network's indexer: with a newer one all ranges are lost. */
  readonly epoch: number;
  readonly leases: Leases;
  /** The parts that fill a range, on the store with the holder's fencing. */
  readonly open: (engine: Engine, range_name: string) => SegmentOptions;
  readonly log: Log;
}

/**
 * History in ranges, each with a lease and epochs of its own (docs/design/exactly_once.md). Writes into a range carry
 * its epoch and that of the network's indexer, so the store rejects them as soon as either is superseded.
 */
export class SharedRanges implements HistoryRanges {
  readonly #parts: SharedRangesOptions;
  /** Observed leases of the holders: a lease has expired for a process that has watched it long enough. */
  readonly #wishes = new Map<string, ReturnType<Leases["wish"]>>();

  constructor(parts: SharedRangesOptions) {
    this.#parts = parts;
  }

  done(): Promise<readonly IndexRange[]> {
    return doneRanges(this.#parts.engine, this.#parts.network);
  }

  offered(): Promise<readonly IndexRange[]> {
    return everOffered(this.#parts.engine, this.#parts.network);
  }

  async offer(missing: readonly IndexRange[]): Promise<void> {
    const { writer, network, epoch } = this.#parts;
    if (writer === null) return;
    await offerRanges(writer, { network, epoch, ranges: piecesToOffer(missing, await this.offered()) });
  }

  async take(missing: readonly IndexRange[], signal: AbortSignal): Promise<RangeHold | null> {
    const { engine, network, epoch } = this.#parts;
    const offers = await readOffers(engine, network);
    if (offers === null || offers.epoch !== epoch) return null;
    const open = offers.ranges.filter((range) => clipRanges(missing, range).length > 0);
    for (const range of [...open].reverse()) {
      const hold = await this.#ask(range, signal);
      if (hold !== null) return hold;
    }
    return null;
  }

  async #ask(range: IndexRange, signal: AbortSignal): Promise<RangeHold | null> {
    const { engine, network, leases, epoch, open, log } = this.#parts;
    const name = rangeName({ network, ...range });
    const wish = this.#wishes.get(name) ?? leases.wish({ facts: await factsIdentity(engine), network: name });
    this.#wishes.set(name, wish);
    const answer = await wish.ask(await newestEpoch(engine, name));
    if (answer.kind === "taken") return null;
    this.#wishes.delete(name);
    const { lease } = answer;
    try {
      const own = AbortSignal.any([signal, lease.lost]);
      const fence = { subject: name, epoch: lease.epoch, holder: lease.holder, under: { network, epoch } };
      await enterFence(engine, fence, { ...thisProcess(), signal: own });
      const parts = open(fenceEngine(engine, fence, { confirm: () => lease.confirm(), signal: own }), name);
      log.info({ network, ...range, epoch: lease.epoch }, "this process fills a range of history");
      return { range, parts, signal: own, release: () => lease.release() };
    } catch (error) {
      await lease.release();
      throw error;
    }
  }
}
