/** Which addresses of a network that is read on demand are followed, as calls and commands wish. */
import type { Hex } from "../../lib/bytes.ts";
import { readWishes } from "../../store/subjects/records.ts";
import { isKept, newRecord } from "./new_record.ts";
import { SubjectHistory, type SubjectOptions } from "./subject_history.ts";

export class WishedSubjects {
  readonly #parts: SubjectOptions;
  #seen = "";

  constructor(parts: SubjectOptions) {
    this.#parts = parts;
  }

  /** Begins and ends histories. Wishes that are older than the facts count from `origin_ms`. */
  async apply(subjects: Map<Hex, SubjectHistory>, origin_ms: number): Promise<void> {
    const { engine, chain, from_block } = this.#parts;
    const wishes = await readWishes(engine, chain.network.id);
    const seen = JSON.stringify(wishes);
    if (seen === this.#seen) return;
    for (const { subject, wish, wished_ms, blocks_max, asked_by } of wishes) {
      const known = subjects.get(subject);
      if (wish === "untrack") {
        subjects.delete(subject);
        await known?.leave();
        continue;
      }
      const since = Math.max(wished_ms, origin_ms);
      const history =
        known !== undefined && isKept(known.record, { since, from_block })
          ? known
          : new SubjectHistory(this.#parts, newRecord(subject, since, from_block));
      history.blocks_max = blocks_max;
      history.asked_by = asked_by;
      subjects.set(subject, history);
    }
    this.#seen = seen;
  }
}
