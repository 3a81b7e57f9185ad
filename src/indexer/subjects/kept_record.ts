/** The record of an address as its indexer knows it, and as it is written. */
import { type DatedRecord, type SubjectRecord, writeSubjects } from "../../store/subjects/records.ts";
import type { BatchOptions } from "./write_batch.ts";

/** Progress is shown at most this often. */
const PROGRESS_MS = 1_000;

type KeptRecordOptions = Pick<BatchOptions, "chain" | "writer" | "now_ms">;

export class KeptRecord {
  readonly #parts: KeptRecordOptions;
  #record: SubjectRecord;
  #shown_ms = Number.NEGATIVE_INFINITY;
  #written_ms = 0;
  /** It is followed no more: a search that still runs changes nothing. */
  #is_closed = false;

  constructor(parts: KeptRecordOptions, record: SubjectRecord) {
    this.#parts = parts;
    this.#record = record;
  }

  get record(): SubjectRecord {
    return this.#record;
  }

  close(): void {
    this.#is_closed = true;
  }

  async save(change: Partial<SubjectRecord>): Promise<void> {
    const changed = this.change(change);
    const { writer, chain } = this.#parts;
    if (changed !== null) await writeSubjects(writer, chain.network.id, [changed]);
  }

  /** Written later, unless something newer is. */
  async progress(change: Partial<SubjectRecord>): Promise<void> {
    if (this.#is_closed) return;
    this.#record = { ...this.#record, ...change };
    if (this.#record.state === "read" || performance.now() - this.#shown_ms < PROGRESS_MS) return;
    await this.save({});
  }

  /** The changed record, for the caller to write; null if it is closed. */
  change(change: Partial<SubjectRecord>): DatedRecord | null {
    if (this.#is_closed) return null;
    this.#record = { ...this.#record, ...change };
    this.#shown_ms = performance.now();
    // The newest row counts, also of one millisecond.
    this.#written_ms = Math.max(this.#parts.now_ms(), this.#written_ms + 1);
    return { record: this.#record, written_ms: this.#written_ms };
  }
}
