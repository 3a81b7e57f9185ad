import { AssayError } from "../lib/errors.ts";
import type { EnrichOptions } from "./enrich.ts";
import { type OpeningKey, OpeningReader } from "./enrich_openings.ts";
import { openIndexStore } from "./index_store.ts";

type OpeningPassOptions = Pick<EnrichOptions, "chain" | "store" | "from_block" | "log">;

/**
 * Reads openings for an origin that was moved (origin.ts), part by part between the blocks: those of every pair of
 * holder and token that is in the sums already. A pair that moves for the first time meanwhile is read with its block.
 * At the end openings count. After a crash the pass begins again and writes the same rows.
 */
export class OpeningPass {
  readonly #parts: OpeningPassOptions;
  readonly #reader: OpeningReader;
  #after: OpeningKey | null = null;

  constructor(parts: OpeningPassOptions) {
    this.#parts = parts;
    this.#reader = new OpeningReader(parts);
  }

  /** False when all are read. */
  async step(signal: AbortSignal): Promise<boolean> {
    this.#after = await this.#reader.readMoved(this.#after, signal);
    if (this.#after !== null) return true;
    const { chain, store, log } = this.#parts;
    const { id } = chain.network;
    const index = openIndexStore(store, chain.network, Date.now);
    const origin = await index.origin();
    if (origin === null) throw new AssayError({ code: "BUG", message: `${id} has no origin` });
    await index.saveOrigin({ ...origin, is_opened: 1 });
    log.warn({ network: id, from_block: origin.from_block }, "balances before from_block have been read");
    return false;
  }
}
