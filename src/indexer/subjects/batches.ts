/** The batches of a network that is read on demand: each is written once, finished after an end in its middle, and may be written again. */
import type { Engine } from "../../store/engine.ts";
import { type Batch, readBatches } from "../../store/subjects/records.ts";
import { type BatchOptions, type FetchedBatch, readBatch, writeBatch } from "./write_batch.ts";

type BatchesOptions = BatchOptions & { readonly engine: Pick<Engine, "query"> };

export class Batches {
  readonly #parts: BatchesOptions;
  /** A batch was begun and not finished. */
  #is_cut = true;

  constructor(parts: BatchesOptions) {
    this.#parts = parts;
  }

  /** Reads batches again that were begun and not finished, and compares them with the stored rows. */
  async finish(signal: AbortSignal): Promise<void> {
    if (!this.#is_cut) return;
    const { engine, chain, store, log } = this.#parts;
    const network = chain.network.id;
    for (const known of await readBatches(engine, network, "begun")) {
      await store.open();
      log.info({ network, blocks: known.blocks.length }, "repeating an interrupted batch");
      await writeBatch(this.#parts, await readBatch(this.#parts, known.blocks, signal), { known, signal });
    }
    this.#is_cut = false;
  }

  /** `known`: the marks of the batch if it is written again. */
  async write(
    fetched: FetchedBatch,
    { known, signal }: { readonly known: Batch | null; readonly signal: AbortSignal },
  ): Promise<void> {
    this.#is_cut = true;
    await writeBatch(this.#parts, fetched, { known, signal });
    this.#is_cut = false;
  }
}
