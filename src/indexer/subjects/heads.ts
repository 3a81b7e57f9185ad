/** The histories of followed addresses above the final block (docs/design/on_demand.md). */
import { type FoundHistory, type KnownAccount, TooManyBlocks } from "../../chains/account_history.ts";
import type { BlockRef } from "../../chains/chain.ts";
import { messageOf } from "../../lib/errors.ts";
import { type DatedRecord, type SubjectHead, writeSubjects } from "../../store/subjects/records.ts";
import { isLost } from "../ending.ts";
import { addsUp } from "./balance_check.ts";
import { LookPace } from "./look_pace.ts";
import type { SubjectHistory, SubjectOptions } from "./subject_history.ts";
import { TailBlocks } from "./tail_blocks.ts";

const SEARCHES_MAX = 4;
/** An address with more blocks above the final one ends there. */
const BLOCKS_MAX = 128;
/** A look requests the logs of so many blocks again: the node may have lacked the newest ones. */
const AGAIN_BLOCKS = 8;

type HeadsOptions = SubjectOptions & {
  /** The least time between two looks at an address. */
  readonly follow_ms: number;
};

interface HeadSearch {
  readonly history: SubjectHistory;
  /** The head that it goes on from. */
  readonly base: SubjectHead | null;
  readonly after: number;
  readonly to: BlockRef;
  readonly found: Pick<FoundHistory, "blocks" | "ends" | "is_proven" | "requests">;
  /** Its state after the block `to`, of a look. */
  readonly mark: string | null;
}

const ascending = (numbers: Iterable<number>): readonly number[] => [...new Set(numbers)].sort((a, b) => a - b);

/** All blocks above the final one that concern the address. */
const blocksOf = ({ history, found }: HeadSearch): readonly number[] =>
  ascending([...(history.record.head?.blocks.map(([number]) => number) ?? []), ...found.blocks]);

export class Heads {
  readonly #parts: HeadsOptions;
  readonly #tail: TailBlocks;
  readonly #pace: LookPace;
  /** They are to be searched. */
  readonly #due = new Set<SubjectHistory>();
  readonly #searches = new Map<SubjectHistory, Promise<void>>();
  #look: Promise<void> | null = null;
  #searched: HeadSearch[] = [];
  readonly #looked_ms = new WeakMap<SubjectHistory, number>();
  /** States after the block of this hash. */
  readonly #marks = new WeakMap<SubjectHistory, { readonly hash: string; readonly text: string }>();
  /** The node's head that records were compared with. */
  #compared: string | null = null;

  constructor(parts: HeadsOptions) {
    this.#parts = parts;
    this.#tail = new TailBlocks(parts);
    this.#pace = new LookPace(parts.follow_ms);
  }

  /** Searches, and a look. */
  get running(): readonly Promise<void>[] {
    return [...this.#searches.values(), ...(this.#look === null ? [] : [this.#look])];
  }

  /** The tail of an earlier process is dropped: it is short, and read again. */
  async open(histories: Iterable<SubjectHistory>): Promise<void> {
    await this.#endAtFinal([...histories].filter(({ record }) => record.head !== null));
    await this.#tail.clear();
  }

  /** Has it searched to the head, without waiting for a look. */
  want(history: SubjectHistory): void {
    this.#due.add(history);
  }

  /** Compares what is there with the node, then writes what was found, then looks on. */
  async step(histories: readonly SubjectHistory[], node_head: BlockRef, signal: AbortSignal): Promise<void> {
    if (this.#parts.chain.past?.reaches_head !== true) return;
    await this.#compare(histories, node_head, signal);
    const floors = histories.flatMap(({ record: { head } }) => (head === null ? [] : [head.after]));
    await this.#tail.promoted(Math.min(node_head.number, ...floors));
    await this.#publish(histories, signal);
    this.#beginLook(histories, node_head, signal);
    for (const history of this.#due) {
      if (this.#searches.size >= SEARCHES_MAX) return;
      const { record, search, is_searched, is_resting } = history;
      // Its final blocks come first.
      if (record.state === "read" && !is_resting && (search !== null || is_searched)) continue;
      this.#due.delete(history);
      if (histories.includes(history) && this.#isBehind(history, node_head)) this.#begin(history, node_head, signal);
    }
  }

  /** Those of counterparties end at the final block. */
  #isBehind(history: SubjectHistory, node_head: BlockRef): boolean {
    const { record, blocks_max, search, is_searched, is_resting } = history;
    if (record.state !== "read" || blocks_max > 0 || search !== null || is_searched || is_resting) return false;
    if (this.#searches.has(history) || this.#due.has(history)) return false;
    return node_head.number > (record.head?.number ?? record.to_block);
  }

  async #compare(histories: readonly SubjectHistory[], node_head: BlockRef, signal: AbortSignal): Promise<void> {
    if (this.#compared === node_head.hash) return;
    const ends = new Map(histories.flatMap(({ record: { head } }) => (head === null ? [] : [[head.hash, head]])));
    const replaced = new Set<string>();
    for (const [hash, end] of ends) if (await this.#tail.isReplaced(end, node_head, signal)) replaced.add(hash);
    this.#compared = node_head.hash;
    if (replaced.size === 0) return;
    this.#searched = [];
    const { chain, log, counts } = this.#parts;
    log.warn({ network: chain.network.id }, "the tail was reorganised");
    if (counts !== undefined) counts.reorganisations += 1;
    await this.#endAtFinal(histories.filter(({ record: { head } }) => head !== null && replaced.has(head.hash)));
    await this.#tail.compare(this.#tail.numbers, signal);
    this.#pace.hurry();
  }

  #beginLook(histories: readonly SubjectHistory[], to: BlockRef, signal: AbortSignal): void {
    if (this.#look !== null || !this.#pace.is_time) return;
    const behind = histories.filter((history) => this.#isBehind(history, to));
    const lookedOf = (history: SubjectHistory): number => this.#looked_ms.get(history) ?? Number.NEGATIVE_INFINITY;
    const longest = behind.sort((a, b) => (lookedOf(a) < lookedOf(b) ? -1 : 1));
    const group = this.#pace.next(longest, histories.length);
    if (group.length === 0) return;
    for (const history of group) this.#looked_ms.set(history, performance.now());
    this.#look = this.#lookAt(group, to, signal).finally(() => {
      this.#look = null;
    });
  }

  async #lookAt(group: readonly SubjectHistory[], to: BlockRef, signal: AbortSignal): Promise<void> {
    const { chain, log } = this.#parts;
    const asked = group.map((history) => ({ history, base: history.record.head, account: this.#accountOf(history) }));
    try {
      const accounts = asked.map(({ account }) => account);
      const same = await chain.past?.unchanged?.({ accounts, to: to.number }, signal);
      for (const { history, base, account } of asked) {
        const state = same?.get(account.address);
        if (state === undefined) this.#due.add(history);
        else {
          const { mark, is_proven, requests } = state;
          const found = { blocks: [], ends: [], is_proven, requests };
          this.#searched.push({ history, base, after: account.after, to, found, mark });
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      log.debug({ network: chain.network.id, err: error }, "a look near the head failed: each address is searched");
      for (const history of group) this.#due.add(history);
    }
  }

  #accountOf(history: SubjectHistory): KnownAccount {
    const { subject, head, to_block } = history.record;
    if (head === null) return { address: subject, after: to_block, mark: history.mark };
    const known = this.#marks.get(history);
    const again = {
      after: Math.max(to_block, head.number - AGAIN_BLOCKS),
      known: head.blocks.map(([number]) => number),
    };
    return { address: subject, after: head.number, mark: known?.hash === head.hash ? known.text : null, again };
  }

  #begin(history: SubjectHistory, to: BlockRef, signal: AbortSignal): void {
    const { chain, log } = this.#parts;
    const { subject, head: base, to_block } = history.record;
    const after = Math.max(to_block, (base?.number ?? 0) - AGAIN_BLOCKS);
    const asked = { address: subject, after, is_followed: true, to: to.number, blocks_max: BLOCKS_MAX };
    const run = async (): Promise<void> => {
      try {
        const found = await chain.past?.find(asked, signal);
        if (found !== undefined) this.#searched.push({ history, base, after, to, found, mark: null });
      } catch (error) {
        if (error instanceof TooManyBlocks) await this.#endAtFinal([history], error.requests).catch(() => undefined);
        // The search of final blocks finds the same blocks later.
        else if (!signal.aborted)
          log.debug({ network: chain.network.id, subject, err: error }, "no search to the head");
      } finally {
        this.#searches.delete(history);
      }
    };
    this.#looked_ms.set(history, performance.now());
    this.#searches.set(history, run());
  }

  async #publish(histories: readonly SubjectHistory[], signal: AbortSignal): Promise<void> {
    const followed = new Set(histories);
    const searched = this.#searched.filter(
      ({ history, base }) =>
        // An address that was left, or is read again from its beginning, has another history.
        followed.has(history) && history.record.state === "read" && history.record.head?.hash === base?.hash,
    );
    this.#searched = [];
    if (searched.length === 0) return;
    const fresh = ascending(searched.flatMap(blocksOf).filter((number) => !this.#tail.has(number)));
    try {
      await this.#tail.write(fresh, signal);
    } catch (error) {
      if (signal.aborted || isLost(error)) throw error;
      // Addresses without new blocks go on.
      this.#parts.log.debug({ err: error }, `blocks near the head were not read: ${messageOf(error)}`);
    }
    const shown = searched.filter((one) => this.#tail.describe(blocksOf(one)) !== null);
    const compared = ascending([...fresh, ...searched.flatMap(({ found }) => found.blocks)]);
    if (
      await this.#tail.compare(
        compared.filter((number) => this.#tail.has(number)),
        signal,
      )
    ) {
      this.#compared = null;
      return;
    }
    // All that a search read is of the branch of its end, if the node still has this end.
    const there = new Map<number, string | undefined>();
    for (const { to } of shown)
      if (!there.has(to.number)) there.set(to.number, (await this.#parts.chain.ref(to.number, signal))?.hash);
    const rows: DatedRecord[] = [];
    for (const one of shown) if (there.get(one.to.number) === one.to.hash) rows.push(...(await this.#end(one, signal)));
    await this.#write(rows);
  }

  /** The record of a history that ends there from now on. */
  async #end(one: HeadSearch, signal: AbortSignal): Promise<readonly DatedRecord[]> {
    const { history, base, after, to, found, mark } = one;
    const { record } = history;
    const blocks = blocksOf(one);
    const described = this.#tail.describe(blocks);
    if (described === null || to.number <= record.to_block) return [];
    const is_known = blocks.length === (record.head?.blocks.length ?? 0);
    const { subject, from_block, to_block: final_block } = record;
    const checked = { subject, ends: found.ends, from_block, to, final_block };
    const is_balanced = is_known ? (base ?? record).is_balanced : await addsUp(this.#parts, checked, signal);
    // A node that is some blocks behind knew one state and not the other: the next search finds both.
    const is_refused = (record.is_balanced && !is_balanced) || blocks.length > BLOCKS_MAX;
    const { number, hash, time } = to;
    const is_plain = found.is_proven && (base?.is_plain ?? true);
    const head = { after: record.head?.after ?? after, number, hash, time, ...described, is_balanced, is_plain };
    if (mark !== null) this.#marks.set(history, { hash, text: mark });
    return history.headed(is_refused ? null : head, found.requests);
  }

  async #endAtFinal(histories: readonly SubjectHistory[], requests = 0): Promise<void> {
    await this.#write(histories.flatMap((history) => history.headed(null, requests)));
  }

  async #write(rows: readonly DatedRecord[]): Promise<void> {
    const { writer, chain } = this.#parts;
    if (rows.length > 0) await writeSubjects(writer, chain.network.id, rows);
  }
}
