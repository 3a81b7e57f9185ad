/** Looks for news of addresses that are read: many together, at an even pace (docs/design/on_demand.md). */
import type { BlockRef, Chain } from "../../chains/chain.ts";
import type { Log } from "../../lib/log.ts";
import { type DatedRecord, writeSubjects } from "../../store/subjects/records.ts";
import type { Writer } from "../../store/writer.ts";
import { LookPace } from "./look_pace.ts";
import type { SubjectHistory } from "./subject_history.ts";

interface FollowedLooksOptions {
  readonly chain: Pick<Chain, "network" | "past">;
  readonly writer: Pick<Writer, "insert">;
  readonly log: Log;
  /** The least time between two looks at an address. */
  readonly follow_ms: number;
}

export class FollowedLooks {
  readonly #parts: FollowedLooksOptions;
  readonly #pace: LookPace;
  #running: Promise<void> | null = null;

  constructor(parts: FollowedLooksOptions) {
    this.#parts = parts;
    this.#pace = new LookPace(parts.follow_ms);
  }

  /** Settles when the running look has ended. */
  get running(): Promise<void> | null {
    return this.#running;
  }

  /**
   * Looks at those that have waited longest, if it is time. Those with news are searched later. `is_hurried`: without a pace, for a run
   * with an end.
   */
  look(
    histories: readonly SubjectHistory[],
    to: BlockRef,
    how: { readonly is_hurried: boolean; readonly signal: AbortSignal },
  ): void {
    if (this.#running !== null || !(how.is_hurried || this.#pace.is_time)) return;
    const read = histories.filter(({ record }) => record.state === "read");
    const behind = read.filter((history) => history.is_quiet && history.record.to_block < to.number);
    const longest = behind.sort((a, b) => a.looked_ms - b.looked_ms);
    const group = this.#pace.next(longest, read.length);
    if (group.length === 0) return;
    for (const history of group) history.looked_ms = performance.now();
    this.#running = this.#lookAt(group, to, how.signal).finally(() => {
      this.#running = null;
    });
  }

  async #lookAt(group: readonly SubjectHistory[], to: BlockRef, signal: AbortSignal): Promise<void> {
    const { chain, writer, log } = this.#parts;
    const network = chain.network.id;
    try {
      const asked = group.map(({ record, mark }) => ({ address: record.subject, after: record.to_block, mark }));
      const found = await chain.past?.unchanged?.({ accounts: asked, to: to.number }, signal);
      const same: DatedRecord[] = [];
      for (const history of group) {
        const state = found?.get(history.record.subject);
        const record = state === undefined ? null : history.stays(to, state);
        if (record === null) history.has_news = true;
        else same.push(record);
      }
      if (same.length > 0) await writeSubjects(writer, network, same);
    } catch (error) {
      if (signal.aborted) return;
      log.warn(
        { network, addresses: group.length, err: error },
        "a look for news of many addresses failed: each is searched",
      );
      for (const history of group) history.has_news = true;
    }
  }
}
