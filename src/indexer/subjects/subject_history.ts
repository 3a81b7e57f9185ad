/** The history of one address on a network that is read on demand: searched, then read, then followed. */
import { type FoundHistory, type HeldAmount, TooManyBlocks } from "../../chains/account_history.ts";
import type { BlockRef } from "../../chains/chain.ts";
import { EMPTY, fromHex, type Hex } from "../../lib/bytes.ts";
import { AssayError } from "../../lib/errors.ts";
import { leastVerified, type VerificationLevel } from "../../lib/verified.ts";
import type { Facts } from "../../store/facts.ts";
import {
  readSubjectBlocks,
  type SubjectRecord,
  writeSubject,
  writeSubjectBlocks,
} from "../../store/subjects/records.ts";
import type { TableRows } from "../../store/tables.gen.ts";
import { addsUp } from "./balance_check.ts";
import { type StoredBlocks, untracedIn } from "./stretches.ts";
import type { BatchOptions } from "./write_batch.ts";

/** Progress is shown at most this often. */
const PROGRESS_MS = 1_000;
/** After so many failures in a row to read blocks, they are searched again. */
const FAILURES_PER_SEARCH = 5;

const bytesOf = (hex: Hex) => fromHex(hex) ?? EMPTY;

export type SubjectOptions = BatchOptions & {
  readonly engine: Parameters<typeof readSubjectBlocks>[0];
  readonly facts: Pick<Facts, "balanceOf">;
  /** First block of the network. */
  readonly from_block: number;
};

const verifiedOf = (blocks: StoredBlocks): VerificationLevel =>
  leastVerified(blocks.map(({ stored }) => stored?.verified ?? "none"));

/** The result of a search up to the block `to`. */
interface SearchResult extends FoundHistory {
  /** Blocks up to this one are read, or lost. */
  readonly above: number;
  readonly to: BlockRef;
  /** Of blocks before a history that is read already. */
  readonly is_older: boolean;
}

const isMissing = ({ number, stored }: StoredBlocks[number], { above, to }: SearchResult): boolean =>
  stored === null && number > above && number <= to.number;

export class SubjectHistory {
  /** With more blocks it is not read; 0: no limit. */
  blocks_max = 0;
  readonly #parts: SubjectOptions;
  #record: SubjectRecord;
  #shown_ms = Number.NEGATIVE_INFINITY;
  #written_ms = 0;
  /** It is followed no more: a search that still runs changes nothing. */
  #has_left = false;
  /** Found and not stored, ascending. */
  #missing: readonly number[] = [];
  #searched: SearchResult | null = null;
  #search: Promise<void> | null = null;
  /** Nodes do not have what is before it. */
  #is_oldest = false;
  /** Failures in a row, and when the next attempt is due (monotonic milliseconds). */
  #failures = 0;
  #rests_until = 0;

  constructor(parts: SubjectOptions, record: SubjectRecord) {
    this.#parts = parts;
    this.#record = record;
  }

  get record(): SubjectRecord {
    return this.#record;
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
    return this.#record.state === "read" && !this.#is_oldest && this.#record.from_block > first;
  }

  /** A search has ended, and its blocks are to be read. */
  get is_searched(): boolean {
    return this.#searched !== null;
  }

  /** Reads on from the last followed block, or from the beginning. Settles when the search has ended, however it ends. */
  begin(to: BlockRef, signal: AbortSignal): void {
    if (this.#search !== null || this.#searched !== null || this.is_resting) return;
    if (this.#record.state === "too_large") return;
    const is_followed = this.#record.state === "read";
    if (is_followed && this.#record.to_block >= to.number && !this.grows) return;
    this.#search = (this.grows ? this.#findOlder(signal) : this.#find(to, signal))
      .then(() => {
        this.#failures = 0;
      })
      .catch((error: unknown) => this.failed(error, signal))
      .finally(() => {
        this.#search = null;
      });
  }

  /** Waits longer after each failure. Blocks that are read stay. */
  async failed(error: unknown, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    this.#failures += 1;
    this.#rests_until = performance.now() + Math.min(60_000, 500 * 2 ** Math.min(10, this.#failures));
    const { chain, log } = this.#parts;
    log.warn(
      { network: chain.network.id, subject: this.#record.subject, err: error },
      "reading an address waits and tries again",
    );
    // Nodes may have dropped found blocks since the search.
    if (this.#searched !== null && this.#failures % FAILURES_PER_SEARCH === 0) {
      this.#searched = null;
      this.#missing = [];
    }
    const problem = error instanceof AssayError ? error.message : "an unexpected error";
    if (error instanceof TooManyBlocks) {
      const requests = this.#record.requests + error.requests;
      return this.#save({ state: "too_large", problem, found: 0, fetched: 0, requests });
    }
    await this.#save({ ...(this.#record.state === "read" ? {} : { state: "failed" as const }), problem });
  }

  async leave(): Promise<void> {
    await this.#save({ state: "left", found: 0, fetched: 0, to_block: 0 });
    this.#has_left = true;
  }

  /** Blocks of it were written by this or another address. */
  async wrote(stored: ReadonlySet<number>): Promise<void> {
    this.#missing = this.#missing.filter((block) => !stored.has(block));
    this.#failures = 0;
    const found = this.#record.found;
    await this.#progress({ fetched: Math.max(0, found - this.#missing.length) });
  }

  /** Everything that was found is stored: answers may use it. */
  async complete(signal: AbortSignal): Promise<void> {
    const searched = this.#searched;
    if (searched === null || this.#missing.length > 0) return;
    if (searched.is_older) return this.#grow(searched, signal);
    const { engine, chain, from_block } = this.#parts;
    const { subject, state, requests } = this.#record;
    const { to, lost_before } = searched;
    const is_followed = state === "read";
    // Doubt about an earlier part of the history stays; blocks that nodes lost between two searches are one.
    const is_plain = searched.is_proven && (!is_followed || (this.#record.is_plain && lost_before === null));
    const reached = {
      ...{ to_block: to.number, to_hash: to.hash, to_time: to.time, requests: requests + searched.requests },
      ...{ is_plain, problem: "" },
      ...(is_followed ? {} : { from_block: Math.max(from_block, lost_before ?? 0) }),
    };
    const is_new = !is_followed || searched.blocks.length > 0;
    if (!is_new) await this.#save(reached);
    else {
      const known = await readSubjectBlocks(engine, chain.network.id, subject);
      const blocks = known.filter(({ stored }) => stored !== null);
      const lost = known.find((block) => isMissing(block, searched));
      if (lost !== undefined) throw new AssayError({ code: "BUG", message: `block ${lost.number} was not written` });
      const untraced = untracedIn(blocks, [from_block, to.number]);
      const is_balanced = await this.#isBalanced(to, searched, signal);
      const found = { found: blocks.length, fetched: blocks.length, verified: verifiedOf(blocks), untraced };
      await this.#save({ ...reached, ...found, state: "read", is_balanced });
    }
    this.#searched = null;
  }

  async #find(to: BlockRef, signal: AbortSignal): Promise<void> {
    const { chain, writer, from_block } = this.#parts;
    const { subject, state, to_block } = this.#record;
    const { past } = chain;
    if (past === undefined)
      throw new AssayError({ code: "BUG", message: `${chain.network.id} cannot be read on demand` });
    const is_followed = state === "read";
    if (!is_followed) await this.#save({ state: "searching", found: 0, fetched: 0, problem: "" });
    // The first block of a chain has no transactions: its coins are openings.
    const after = is_followed ? to_block : Math.max(0, from_block - 1);
    const onFound = (found: number): void => {
      if (!is_followed) void this.#progress({ found }).catch(() => undefined);
    };
    const blocks_max = is_followed || this.blocks_max === 0 ? undefined : this.blocks_max;
    const found = await past.find({ address: subject, after, is_followed, to: to.number, blocks_max, onFound }, signal);
    if (!is_followed) await this.#open(after, found.openings);
    const network = chain.network.id;
    await writeSubjectBlocks(writer, network, { subject, blocks: found.blocks });
    const known = await readSubjectBlocks(this.#parts.engine, network, subject);
    const searched = { ...found, above: Math.max(after, (found.lost_before ?? 0) - 1), to, is_older: false };
    this.#missing = known.flatMap((block) => (isMissing(block, searched) ? [block.number] : []));
    if (!is_followed)
      await this.#save({ state: "reading", found: known.length, fetched: known.length - this.#missing.length });
    this.#searched = searched;
  }

  /** Searches the blocks between the network's first one and the history. Answers go on meanwhile. */
  async #findOlder(signal: AbortSignal): Promise<void> {
    const { chain, engine, writer, from_block } = this.#parts;
    const { subject, from_block: first } = this.#record;
    const network = chain.network.id;
    const [after, to] = [Math.max(0, from_block - 1), await chain.ref(first - 1, signal)];
    const found = await chain.past?.find({ address: subject, after, is_followed: false, to: first - 1 }, signal);
    if (to === null || found === undefined || (found.lost_before ?? 0) >= first) {
      this.#is_oldest = true;
      return;
    }
    await writeSubjectBlocks(writer, network, { subject, blocks: found.blocks });
    const searched = { ...found, above: Math.max(after, (found.lost_before ?? 0) - 1), to, is_older: true };
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
    const { subject, is_plain, is_balanced, requests, to_block } = this.#record;
    const first = Math.max(from_block, searched.lost_before ?? 0);
    await this.#save({ state: "searching", from_block: first });
    await this.#open(Math.max(0, from_block - 1), searched.openings);
    const blocks = await readSubjectBlocks(engine, chain.network.id, subject);
    const older = await this.#isBalanced(searched.to, searched, signal);
    this.#searched = null;
    this.#is_oldest = first > from_block;
    await this.#save({
      ...{ state: "read", is_plain: is_plain && searched.is_proven, is_balanced: is_balanced && older },
      ...{
        found: blocks.length,
        fetched: blocks.length,
        verified: verifiedOf(blocks),
        requests: requests + searched.requests,
      },
      untraced: untracedIn(blocks, [from_block, to_block]),
    });
  }

  /** Its holdings before its first transaction. An earlier search may have begun elsewhere. */
  async #open(block_number: number, openings: readonly HeldAmount[]): Promise<void> {
    const { chain, writer, store } = this.#parts;
    const holder = bytesOf(this.#record.subject);
    await store.dropOpeningsOf(this.#record.subject);
    const rows = openings.map(({ token, amount }): TableRows["openings"] => {
      return { network: chain.network.id, holder, token: bytesOf(token), amount, block_number };
    });
    const held = rows.filter(({ amount }) => amount > 0n);
    if (held.length > 0) await writer.insert("openings", held);
  }

  /** Its stored movements add up to those of the node. */
  #isBalanced(to: BlockRef, { ends, lost_before }: SearchResult, signal: AbortSignal): Promise<boolean> {
    const { subject, state } = this.#record;
    const from_block = Math.max(this.#record.from_block, state === "read" ? 0 : (lost_before ?? 0));
    return addsUp(this.#parts, { subject, ends, from_block, to }, signal);
  }

  async #progress(change: Partial<SubjectRecord>): Promise<void> {
    this.#record = { ...this.#record, ...change };
    if (this.#record.state === "read" || performance.now() - this.#shown_ms < PROGRESS_MS) return;
    await this.#save({});
  }

  async #save(change: Partial<SubjectRecord>): Promise<void> {
    if (this.#has_left) return;
    this.#record = { ...this.#record, ...change };
    this.#shown_ms = performance.now();
    const { writer, chain, now_ms } = this.#parts;
    // The newest row counts, also of one millisecond.
    this.#written_ms = Math.max(now_ms(), this.#written_ms + 1);
    await writeSubject(writer, this.#record, { network: chain.network.id, now_ms: this.#written_ms });
  }
}
