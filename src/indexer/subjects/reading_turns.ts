/** Which blocks are read together next, on a network that is read on demand (docs/design/on_demand.md). */
import type { SubjectRecord } from "../../store/subjects/records.ts";

/** An address as reading sees it. */
export interface Reader {
  /** Found and not stored, ascending. */
  readonly missing: readonly number[];
  readonly is_resting: boolean;
  readonly record: Pick<SubjectRecord, "state">;
  /** The account that asked; '' for the operator. */
  readonly asked_by: string;
  /** Above 0: a counterparty, for which no call waits. */
  readonly blocks_max: number;
  /** Its last turn; 0 before the first. */
  turn: number;
  /** A batch with its blocks failed: until they are read it has batches of its own. */
  is_alone: boolean;
  failed(error: unknown, signal: AbortSignal): Promise<void>;
}

interface NextBatch<R> {
  /** Those whose blocks these are, the one whose turn it is first. */
  readonly readers: readonly R[];
  /** Ascending. */
  readonly blocks: readonly number[];
}

/** First those that calls wait for, then new blocks of read addresses, then counterparties. */
const urgencyOf = ({ record, blocks_max }: Reader): number => (record.state === "read" ? 1 : blocks_max === 0 ? 0 : 2);

export class ReadingTurns {
  #turn = 0;

  /**
   * At most `most` blocks. The turn goes to the account that has waited longest, and to its address that has. It has half of the batch; in
   * the rest others are read to their end, those with the fewest blocks first, so that a large address never holds up a small one.
   */
  next<R extends Reader>(all: readonly R[], most: number): NextBatch<R> | null {
    const waiting = all.filter(({ missing, is_resting }) => missing.length > 0 && !is_resting);
    const first = this.#holder(all, waiting);
    if (first === null) return null;
    this.#turn += 1;
    first.turn = this.#turn;
    if (first.is_alone) return { readers: [first], blocks: first.missing.slice(0, most) };
    const others = waiting.filter((one) => one !== first && !one.is_alone);
    others.sort((a, b) => urgencyOf(a) - urgencyOf(b) || a.missing.length - b.missing.length);
    const blocks = new Set(first.missing.slice(0, others.length === 0 ? most : Math.ceil(most / 2)));
    const readers = new Set([first]);
    for (const reader of [...others, first]) {
      for (const block of reader.missing) {
        if (blocks.size >= most) break;
        blocks.add(block);
        readers.add(reader);
      }
    }
    return { readers: [...readers], blocks: [...blocks].sort((a, b) => a - b) };
  }

  /** The batch could not be read: one of its blocks may be to blame, and holds up its own addresses alone. */
  async failed({ readers }: NextBatch<Reader>, error: unknown, signal: AbortSignal): Promise<void> {
    const [first, ...more] = readers;
    for (const reader of readers) reader.is_alone = true;
    if (more.length === 0) await first?.failed(error, signal);
  }

  #holder<R extends Reader>(all: readonly R[], waiting: readonly R[]): R | null {
    const last = new Map<string, number>();
    for (const { asked_by, turn } of all) last.set(asked_by, Math.max(turn, last.get(asked_by) ?? 0));
    const byTurn = (a: R, b: R): number => (last.get(a.asked_by) ?? 0) - (last.get(b.asked_by) ?? 0) || a.turn - b.turn;
    return [...waiting].sort(byTurn)[0] ?? null;
  }
}
