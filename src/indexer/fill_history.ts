import type { Chain } from "../chains/chain.ts";
import { messageOf } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import { pause } from "../lib/pause.ts";
import type { Engine } from "../store/engine.ts";
import { readOffers } from "../store/offers.ts";
import { RangeFiller } from "./filler.ts";
import { type HistoryRanges, type IndexStore, isOpened, OPENING } from "./options.ts";
import { Quarantine } from "./quarantine.ts";
import type { IndexRange } from "./ranges.ts";

export interface HistoryFillerOptions {
  readonly chain: Pick<Chain, "network" | "ref" | "can">;
  readonly engine: Engine;
  readonly store: Pick<IndexStore, "origin" | "gapRecords">;
  /** The shared history while `epoch` is the one of the network's indexer. */
  readonly open: (epoch: number) => HistoryRanges;
  /** Where the network begins for this process. */
  readonly origin: { readonly from_block: number; readonly openings: "read" | "skip" };
  /** Blocks that this process is to index. */
  readonly wanted: IndexRange;
  /** Rows that a segment aims at. */
  readonly segment_rows: number;
  readonly log: Log;
  /** Pause before the next look after nothing was to be done, or something failed. */
  readonly look_every_ms: number;
}

/** Fills ranges of a network's history while another process is its indexer. */
export class HistoryFiller {
  readonly #parts: HistoryFillerOptions;
  #filler: RangeFiller | null = null;
  #is_right_chain = false;

  constructor(parts: HistoryFillerOptions) {
    this.#parts = parts;
  }

  /** The range being filled. */
  get range(): IndexRange | null {
    return this.#filler?.range ?? null;
  }

  /** Runs until it is aborted. Logs a fault and tries again later. */
  async run(signal: AbortSignal): Promise<void> {
    const { chain, engine, log, look_every_ms } = this.#parts;
    const network = chain.network.id;
    while (!signal.aborted) {
      try {
        const offers = await readOffers(engine, network);
        if (offers !== null && offers.ranges.length > 0 && (await this.#isRightChain(signal)))
          await this.#fill(offers.epoch, signal);
      } catch (error) {
        if (!signal.aborted) log.warn({ network, reason: messageOf(error) }, "filling a range was interrupted");
      }
      await pause(look_every_ms, signal);
    }
  }

  async #fill(epoch: number, signal: AbortSignal): Promise<void> {
    const { network } = this.#parts.chain;
    const { store, log } = this.#parts;
    const quarantine = new Quarantine({ network: network.id, store, log, now_ms: Date.now });
    const filler = new RangeFiller(this.#parts.open(epoch), quarantine, this.#parts.segment_rows);
    this.#filler = filler;
    try {
      while (!signal.aborted && (await filler.step(this.#parts.wanted, signal)));
    } finally {
      this.#filler = null;
      await filler.leave();
    }
  }

  /** Facts of another chain, or counted from another first block, are no help. */
  async #isRightChain(signal: AbortSignal): Promise<boolean> {
    if (this.#is_right_chain) return true;
    const { chain, store, origin, log } = this.#parts;
    const known = await store.origin();
    if (known === null) return false;
    const first = await chain.ref(origin.from_block, signal);
    const own = isOpened({ ...origin, chain });
    // While openings are being read, a process that reads none would leave some out.
    const is_opened_alike = known.is_opened === own || (known.is_opened === OPENING && origin.openings === "read");
    const is_same_origin = known.from_block === origin.from_block && is_opened_alike;
    this.#is_right_chain =
      is_same_origin && known.chain_id === chain.network.chain_id && known.from_hash === first?.hash;
    if (!this.#is_right_chain) {
      const network = chain.network.id;
      log.warn(
        { network },
        "this process does not help: its node, from_block or openings are not those of the stored facts",
      );
    }
    return this.#is_right_chain;
  }
}
