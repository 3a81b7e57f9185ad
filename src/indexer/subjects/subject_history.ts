/** The history of one address on a network that is read on demand: searched, then read, then followed. */
import { TooManyBlocks, type UnchangedAccount } from "../../chains/account_history.ts";
import type { BlockRef } from "../../chains/chain.ts";
import { AssayError } from "../../lib/errors.ts";
import type { Facts } from "../../store/facts.ts";
import {
  type DatedRecord,
  readSubjectBlocks,
  type SubjectHead,
  type SubjectRecord,
  writeSubjectBlocks,
} from "../../store/subjects/records.ts";
import { addsUp } from "./balance_check.ts";
import { KeptRecord } from "./kept_record.ts";
import { headAbove } from "./new_record.ts";
import { writeOpenings } from "./openings.ts";
import { isMissing, type SearchResult, searchResult } from "./search_result.ts";
import { countsOf, untracedIn } from "./stretches.ts";
import type { BatchOptions } from "./write_batch.ts";

/** After so many failures in a row to read blocks, they are searched again. */
const FAILURES_PER_SEARCH = 5;

export type SubjectOptions = BatchOptions & {
  readonly engine: Parameters<typeof readSubjectBlocks>[0];
  readonly facts: Pick<Facts, "balanceOf">;
  /** First block of the network. */
  readonly from_block: number;
};

export class SubjectHistory {
  /** With more blocks it is not read; 0: no limit. */
  blocks_max = 0;
  /** The account that asked; '' for the operator. */
  asked_by = "";
  /** Its last turn to be read (`ReadingTurns`). */
  turn = 0;
  is_alone = false;
  /** A look found news since its last block, or could not: it is to be searched. */
  has_news = false;
  /** Its last look or search began then, monotonic milliseconds. */
  looked_ms = Number.NEGATIVE_INFINITY;
  readonly #parts: SubjectOptions;
  readonly #kept: KeptRecord;
  /** Found and not stored, ascending. */
  #missing: readonly number[] = [];
  #searched: SearchResult | null = null;
  #search: Promise<void> | null = null;
  /** Nodes do not have what is before it. */
  #is_oldest = false;
  /** Failures in a row, and when the next attempt is due (monotonic milliseconds). */
  #failures = 0;
  #rests_until = 0;
  /** The state of the address after a block, as the chain's reader writes it. */
  #mark: { readonly block: number; readonly text: string } | null = null;

  constructor(parts: SubjectOptions, record: SubjectRecord) {
    this.#parts = parts;
    this.#kept = new KeptRecord(parts, record);
  }

  get record(): SubjectRecord {
    return this.#kept.record;
  }

  get search(): Promise<void> | null {
    return this.#search;
  }

  get missing(): readonly number[] {
    return this.#missing;
  }

  /** Failures in a row. */
  get failures(): number {
    return this.#failures;
  }

  /** It waits after a failure. */
  get is_resting(): boolean {
    return performance.now() < this.#rests_until;
  }

  /** The network's first block was lowered: blocks before this history are to be read. */
  get grows(): boolean {
    const { chain, from_block } = this.#parts;
    const first = Math.max(from_block, chain.oldest?.() ?? 0);
    return this.record.state === "read" && !this.#is_oldest && this.record.from_block > first;
  }

  /** A search has ended, and its blocks are to be read. */
  get is_searched(): boolean {
    return this.#searched !== null;
  }

  /** It is read, and nothing runs or waits: a look may include it. */
  get is_quiet(): boolean {
    const is_busy = this.#search !== null || this.#searched !== null || this.has_news;
    return this.record.state === "read" && !is_busy && !this.is_resting && !this.grows;
  }

  /** Its state after block `to_block`, as the last look left it; null if no look has ended there. */
  get mark(): string | null {
    return this.#mark?.block === this.record.to_block ? this.#mark.text : null;
  }

  /** A look found nothing new up to a block. Returns the record to write; null if its tail has a block of it that the look did not find. */
  stays(to: BlockRef, { is_proven, mark, requests }: UnchangedAccount): DatedRecord | null {
    const { head, to_block } = this.record;
    if (head?.blocks.some(([number]) => number > to_block && number <= to.number)) return null;
    this.#mark = { block: to.number, text: mark };
    const reached = {
      ...{ to_block: to.number, to_hash: to.hash, to_time: to.time },
      ...{ problem: "", head: headAbove(this.record, to) },
    };
    const is_plain = is_proven && this.record.is_plain;
    return this.#kept.change({ ...reached, is_plain, requests: this.record.requests + requests });
  }

  /**
   * Reads on from the last followed block, or from the beginning. Null if nothing began; else it settles when the search has ended,
   * however it ends.
   */
  begin(to: BlockRef, signal: AbortSignal): Promise<void> | null {
    if (this.#search !== null || this.#searched !== null || this.is_resting) return null;
    if (this.record.state === "too_large") return null;
    const is_followed = this.record.state === "read";
    if (is_followed && this.record.to_block >= to.number && !this.grows) return null;
    this.looked_ms = performance.now();
    this.#search = (this.grows ? this.#findOlder(signal) : this.#find(to, signal))
      .then(() => {
        this.#failures = 0;
      })
      .catch((error: unknown) => this.failed(error, signal))
      .finally(() => {
        this.#search = null;
      });
    return this.#search;
  }

  /** Waits longer after each failure. Blocks that are read stay. */
  async failed(error: unknown, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    this.#failures += 1;
    this.#rests_until = performance.now() + Math.min(60_000, 500 * 2 ** Math.min(10, this.#failures));
    const { chain, log } = this.#parts;
    log.warn(
      { network: chain.network.id, subject: this.record.subject, err: error },
      "reading an address waits and tries again",
    );
    // Nodes may have dropped found blocks since the search.
    if (this.#searched !== null && this.#failures % FAILURES_PER_SEARCH === 0) {
      this.#searched = null;
      this.#missing = [];
    }
    const problem = error instanceof AssayError ? error.message : "an unexpected error";
    if (error instanceof TooManyBlocks) {
      const requests = this.record.requests + error.requests;
      return this.#kept.save({ state: "too_large", problem, found: 0, fetched: 0, requests });
    }
    const { state, is_rewriting } = this.record;
    await this.#kept.save({ ...(state === "read" || is_rewriting ? {} : { state: "failed" as const }), problem });
  }

  /** Stored blocks of it are written again. */
  restate(change: Partial<SubjectRecord>): Promise<void> {
    return this.#kept.save(change);
  }

  /** Answers end there from now on; null: at the final block. Returns the record to write, if it is followed still. */
  headed(head: SubjectHead | null, requests: number): readonly DatedRecord[] {
    const changed = this.#kept.change({ head, requests: this.record.requests + requests });
    return changed === null ? [] : [changed];
  }

  async leave(): Promise<void> {
    await this.#kept.save({ state: "left", head: null, found: 0, fetched: 0, to_block: 0 });
    this.#kept.close();
  }

  /** Blocks of it were written by this or another address. */
  async wrote(stored: ReadonlySet<number>): Promise<void> {
    const missing = this.#missing.filter((block) => !stored.has(block));
    if (missing.length === this.#missing.length) return;
    this.#missing = missing;
    this.#failures = 0;
    this.is_alone = false;
    const found = this.record.found;
    await this.#kept.progress({ fetched: Math.max(0, found - this.#missing.length) });
  }

  /** Everything that was found is stored: answers may use it. */
  async complete(signal: AbortSignal): Promise<void> {
    const searched = this.#searched;
    if (searched === null || this.#missing.length > 0) return;
    if (searched.is_older) return this.#grow(searched, signal);
    const { engine, chain, from_block } = this.#parts;
    const { subject, state, requests } = this.record;
    const { to, lost_before, needs_sums = false } = searched;
    const is_followed = state === "read";
    // Doubt about an earlier part of the history stays; blocks that nodes lost between two searches are one.
    const is_plain = searched.is_proven && (!is_followed || (this.record.is_plain && lost_before === null));
    const reached = {
      ...{ to_block: to.number, to_hash: to.hash, to_time: to.time, requests: requests + searched.requests },
      ...{ is_plain, problem: "", head: headAbove(this.record, to) },
      ...(is_followed ? {} : { from_block: Math.max(from_block, lost_before ?? 0) }),
    };
    const is_new = !is_followed || searched.has_blocks;
    if (!is_new) await this.#kept.save(reached);
    else {
      const known = await readSubjectBlocks(engine, chain.network.id, subject);
      const blocks = known.filter(({ stored }) => stored !== null);
      const lost = known.find((block) => isMissing(block, searched));
      if (lost !== undefined) throw new AssayError({ code: "BUG", message: `block ${lost.number} was not written` });
      const untraced = untracedIn(blocks, [from_block, to.number]);
      const is_balanced = await this.#isBalanced(to, searched, signal);
      // Sums are those of the whole history.
      const proof = needs_sums ? { is_plain: searched.is_proven && is_balanced } : {};
      await this.#kept.save({ ...reached, ...countsOf(blocks), untraced, ...proof, state: "read", is_balanced });
    }
    this.#searched = null;
    this.has_news = false;
  }

  async #find(to: BlockRef, signal: AbortSignal): Promise<void> {
    const { chain, writer, from_block } = this.#parts;
    const { subject, state, to_block } = this.record;
    const { past } = chain;
    if (past === undefined)
      throw new AssayError({ code: "BUG", message: `${chain.network.id} cannot be read on demand` });
    const is_followed = state === "read";
    if (!is_followed) await this.#kept.save({ state: "searching", found: 0, fetched: 0, problem: "" });
    // The first block of a chain has no transactions: its coins are openings.
    const after = is_followed ? to_block : Math.max(0, from_block - 1);
    const onFound = (found: number): void => {
      if (!is_followed) void this.#kept.progress({ found }).catch(() => undefined);
    };
    const blocks_max = is_followed || this.blocks_max === 0 ? undefined : this.blocks_max;
    const found = await past.find({ address: subject, after, is_followed, to: to.number, blocks_max, onFound }, signal);
    if (!is_followed) await writeOpenings(this.#parts, { subject, block_number: after, openings: found.openings });
    const network = chain.network.id;
    await writeSubjectBlocks(writer, network, { subject, blocks: found.blocks });
    const known = await readSubjectBlocks(this.#parts.engine, network, subject);
    const searched = searchResult(found, { after, to, is_older: false });
    this.#missing = known.flatMap((block) => (isMissing(block, searched) ? [block.number] : []));
    if (!is_followed)
      await this.#kept.save({ state: "reading", found: known.length, fetched: known.length - this.#missing.length });
    this.#searched = searched;
  }

  /** Searches the blocks between the network's first one and the history. Answers go on meanwhile. */
  async #findOlder(signal: AbortSignal): Promise<void> {
    const { chain, engine, writer, from_block } = this.#parts;
    const { subject, from_block: first } = this.record;
    const network = chain.network.id;
    const [after, to] = [Math.max(0, from_block - 1), await chain.ref(first - 1, signal)];
    const found = await chain.past?.find({ address: subject, after, is_followed: false, to: first - 1 }, signal);
    if (to === null || found === undefined || (found.lost_before ?? 0) >= first) {
      this.#is_oldest = true;
      return;
    }
    await writeSubjectBlocks(writer, network, { subject, blocks: found.blocks });
    const searched = searchResult(found, { after, to, is_older: true });
    const known = await readSubjectBlocks(engine, network, subject);
    this.#missing = known.flatMap((block) => (isMissing(block, searched) ? [block.number] : []));
    this.#searched = searched;
  }

  /**
   * The older blocks are stored: the history begins with them. No call may see the openings of both beginnings, so for a moment it is not
   * `read`. After a process that ends in between, all of it is searched again.
   */
  async #grow(searched: SearchResult, signal: AbortSignal): Promise<void> {
    const { engine, chain, from_block } = this.#parts;
    const { subject, is_plain, is_balanced, requests, to_block } = this.record;
    const first = Math.max(from_block, searched.lost_before ?? 0);
    await this.#kept.save({ state: "searching", from_block: first, head: null });
    await writeOpenings(this.#parts, {
      subject,
      block_number: Math.max(0, from_block - 1),
      openings: searched.openings,
    });
    const blocks = await readSubjectBlocks(engine, chain.network.id, subject);
    const older = await this.#isBalanced(searched.to, searched, signal);
    this.#searched = null;
    this.#is_oldest = first > from_block;
    await this.#kept.save({
      ...{ state: "read", is_plain: is_plain && searched.is_proven, is_balanced: is_balanced && older },
      ...{ ...countsOf(blocks), requests: requests + searched.requests },
      untraced: untracedIn(blocks, [from_block, to_block]),
    });
  }

  /** Its stored movements add up to those of the node. */
  #isBalanced(to: BlockRef, { ends, lost_before }: SearchResult, signal: AbortSignal): Promise<boolean> {
    const { subject, state } = this.record;
    const from_block = Math.max(this.record.from_block, state === "read" ? 0 : (lost_before ?? 0));
    return addsUp(this.#parts, { subject, ends, from_block, to }, signal);
  }
}
