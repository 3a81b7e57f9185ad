/** The facts of networks that are read on demand, as one call may see them: only of followed addresses (docs/design/on_demand.md). */
import type { Hex } from "../../lib/bytes.ts";
import { AssayError } from "../../lib/errors.ts";
import type { PinnedBlock } from "../../lib/parsed.ts";
import type { DemandedPrice, Facts, PriceQuestion, QueryName, QueryRow, Snapshot } from "../facts.ts";
import { coverageOf, stateCoverage } from "./coverage.ts";
import { QUERY_RULES } from "./query_rules.ts";
import type { SubjectRecord } from "./records.ts";

type BlockAt = Snapshot["block"];
type BlockTime = QueryRow<"block_times">;

/** One call, on the networks that are read on demand. */
export interface SubjectCall {
  readonly tool: string;
  readonly isOnDemand: (network: string) => boolean;
  /**
   * The addresses that the call is about there; none if it needs no address's rows, null if the tool is about more than addresses.
   */
  readonly subjectsOn: (network: string) => readonly Hex[] | null;
  /** Their records once all are read. @throws AssayError READING, UPSTREAM_UNAVAILABLE, SUBJECT_LIMIT */
  readonly whenRead: (
    network: string,
    subjects: readonly Hex[],
    signal: AbortSignal,
  ) => Promise<readonly SubjectRecord[]>;
  /** Settles when everything about this block is stored. @throws AssayError READING, SUBJECT_LIMIT */
  readonly whenHeld: (network: string, block: number, signal: AbortSignal) => Promise<void>;
  /** The newest final block of the node, and the first block of the network. */
  readonly ends: (
    network: string,
    signal: AbortSignal,
  ) => Promise<{ readonly newest: BlockAt; readonly from_block: number }>;
  /** Their records now. */
  readonly recordsOf: (network: string, subjects: readonly Hex[]) => Promise<readonly SubjectRecord[]>;
  /** Prices, once the indexer has read them. @throws AssayError READING, SUBJECT_LIMIT */
  readonly whenPriced: (
    network: string,
    asked: readonly PriceQuestion[],
    signal: AbortSignal,
  ) => Promise<readonly DemandedPrice[]>;
  /** A block of the node; null if it has none of that number. */
  readonly ref: (network: string, number: number, signal: AbortSignal) => Promise<BlockAt | null>;
}

const incomplete = (message: string): AssayError =>
  new AssayError({ code: "COVERAGE_INCOMPLETE", message, public: message, retryable: false });

const notOnDemand = ({ tool }: SubjectCall, network: string): AssayError => {
  const message = `${tool} needs facts about more than the addresses that ${network} follows: this service reads ${network} on demand, address by address. A network with 'index: whole' serves it.`;
  return new AssayError({ code: "NOT_ON_DEMAND", message, public: message });
};

const generationOf = (records: readonly SubjectRecord[]): string =>
  records.map(({ subject, wished_ms }) => `${subject}@${wished_ms}`).join(" ");

class SubjectFacts implements Facts {
  readonly #facts: Facts;
  readonly #call: SubjectCall;
  readonly #signal: AbortSignal;

  constructor(facts: Facts, call: SubjectCall, signal: AbortSignal) {
    this.#facts = facts.withSignal(signal);
    this.#call = call;
    this.#signal = signal;
  }

  async snapshot(network: string, as_of_block: PinnedBlock | null): Promise<Snapshot> {
    const call = this.#call;
    if (!call.isOnDemand(network)) return this.#facts.snapshot(network, as_of_block);
    const addresses = this.#subjects(network);
    if (addresses.length === 0) return this.#stateAt(network, as_of_block);
    const records = await call.whenRead(network, addresses, this.#signal);
    const [first] = [...records].sort((a, b) => a.to_block - b.to_block);
    if (first === undefined) throw notOnDemand(call, network);
    const newest = { number: first.to_block, hash: first.to_hash, time: first.to_time };
    const from_block = Math.max(...records.map((record) => record.from_block));
    const block = await this.#blockFor(network, as_of_block, { from_block, newest });
    return {
      network,
      generation: generationOf(records),
      block,
      final_block: newest.number,
      from_block,
      // Sums hold movements of other addresses' blocks as well: nothing is subtracted from them.
      settled_to: from_block - 1,
      coverage: coverageOf(records, block.number),
      ...(block.number === newest.number ? {} : { is_past: true }),
      tail_drops: 0,
      followed: { is_plain: records.every(({ is_plain }) => is_plain), addresses },
    };
  }

  async #stateAt(network: string, as_of_block: PinnedBlock | null): Promise<Snapshot> {
    const ends = await this.#call.ends(network, this.#signal);
    const block = await this.#blockFor(network, as_of_block, ends);
    const { newest, from_block } = ends;
    return {
      ...{ network, generation: "", block, final_block: newest.number, from_block, settled_to: from_block - 1 },
      coverage: stateCoverage(block.number),
      ...(block.number === newest.number ? {} : { is_past: true }),
      tail_drops: 0,
      followed: { is_plain: true, addresses: [] },
    };
  }

  async isCurrent(snapshot: Snapshot): Promise<boolean> {
    const { network, block, generation } = snapshot;
    if (!this.#call.isOnDemand(network)) return this.#facts.isCurrent(snapshot);
    const subjects = this.#subjects(network);
    // Final blocks of the node do not change.
    if (subjects.length === 0) return true;
    const records = await this.#call.recordsOf(network, subjects);
    const is_read = records.every(({ state, to_block }) => state === "read" && to_block >= block.number);
    return is_read && records.length === new Set(subjects).size && generationOf(records) === generation;
  }

  async hold(snapshot: Snapshot, block: number): Promise<void> {
    const { network, from_block, final_block } = snapshot;
    if (!this.#call.isOnDemand(network)) return this.#facts.hold(snapshot, block);
    if (block >= from_block && block <= final_block) await this.#call.whenHeld(network, block, this.#signal);
  }

  ask: Facts["ask"] = async (snapshot, query, params) => {
    if (!this.#call.isOnDemand(snapshot.network)) return this.#facts.ask(snapshot, query, params);
    // The row of this query, whose parameter is a time in unix seconds (block_at_time.sql).
    if (query === "block_at_time")
      return (await this.#blockAtTime(snapshot, Number(Reflect.get(params, "time")))) as never;
    const rows = this.#permits(snapshot, query, params) ? await this.#facts.ask(snapshot, query, params) : [];
    // The same: its parameter is a list of numbers (block_times.sql).
    if (query === "block_times")
      return (await this.#withTimes(snapshot, rows as never, Reflect.get(params, "blocks") as never)) as never;
    return rows;
  };

  columns: Facts["columns"] = (snapshot, query, params) => {
    if (this.#call.isOnDemand(snapshot.network) && !this.#permits(snapshot, query, params))
      throw notOnDemand(this.#call, snapshot.network);
    return this.#facts.columns(snapshot, query, params);
  };

  walletBalances: Facts["walletBalances"] = (snapshot, wallet) => {
    this.#mustBeAbout(snapshot, [wallet]);
    return this.#facts.walletBalances(snapshot, wallet);
  };

  balanceOf: Facts["balanceOf"] = (snapshot, pairs) => {
    this.#mustBeAbout(
      snapshot,
      pairs.map(({ holder }) => holder),
    );
    return this.#facts.balanceOf(snapshot, pairs);
  };

  tokenHolders: Facts["tokenHolders"] = (snapshot, ...asked) => {
    if (this.#call.isOnDemand(snapshot.network)) throw notOnDemand(this.#call, snapshot.network);
    return this.#facts.tokenHolders(snapshot, ...asked);
  };

  holderCounts: Facts["holderCounts"] = (snapshot, tokens) => {
    if (this.#call.isOnDemand(snapshot.network)) throw notOnDemand(this.#call, snapshot.network);
    return this.#facts.holderCounts(snapshot, tokens);
  };

  demandedPrices = (snapshot: Snapshot, asked: readonly PriceQuestion[]): Promise<readonly DemandedPrice[]> =>
    this.#call.whenPriced(snapshot.network, asked, this.#signal);

  lists: Facts["lists"] = (query, as_of) => this.#facts.lists(query, as_of);

  /** Reading for other subjects writes all the time. */
  stampOf: Facts["stampOf"] = async () => null;

  withSignal(signal: AbortSignal): Facts {
    return new SubjectFacts(this.#facts, this.#call, AbortSignal.any([this.#signal, signal]));
  }

  own<T extends object>(kind: new () => T): T {
    return this.#facts.own(kind);
  }

  #subjects(network: string): readonly Hex[] {
    const subjects = this.#call.subjectsOn(network);
    if (subjects === null) throw notOnDemand(this.#call, network);
    return subjects;
  }

  #mustBeAbout({ network }: Snapshot, addresses: readonly unknown[]): void {
    if (!this.#call.isOnDemand(network)) return;
    const subjects = this.#subjects(network);
    const [length = Number.POSITIVE_INFINITY] = subjects.map((subject) => subject.length);
    // A longer text is a piece of a collection, which no address is.
    const isFollowed = (one: unknown) =>
      typeof one === "string" && (one.length > length || subjects.some((subject) => subject === one));
    if (!addresses.every(isFollowed)) throw notOnDemand(this.#call, network);
  }

  /** False if the query has no rows here. @throws AssayError NOT_ON_DEMAND */
  #permits(snapshot: Snapshot, query: QueryName, params: object): boolean {
    const rule = QUERY_RULES[query];
    if (rule === undefined) throw notOnDemand(this.#call, snapshot.network);
    if (typeof rule === "object")
      this.#mustBeAbout(
        snapshot,
        rule.about.flatMap((name) => Reflect.get(params, name) ?? [null]),
      );
    return rule !== "unread";
  }

  async #blockFor(
    network: string,
    pinned: PinnedBlock | null,
    { from_block, newest }: { readonly from_block: number; readonly newest: BlockAt },
  ): Promise<BlockAt> {
    if (pinned === null || pinned === newest.number) return newest;
    const number =
      typeof pinned === "number" ? pinned : await this.#lastBefore(network, pinned.until, { from_block, newest });
    const is_proven = typeof pinned === "number" || number === null || number < newest.number;
    if (!is_proven)
      throw incomplete(`Whether a block of ${network} follows ${number} up to that moment is not known yet.`);
    if (number === null || number < from_block || number > newest.number)
      throw incomplete(`The history that is read of ${network} has blocks ${from_block} to ${newest.number}.`);
    return number === newest.number ? newest : this.#ref(network, number);
  }

  async #ref(network: string, number: number): Promise<BlockAt> {
    const block = await this.#call.ref(network, number, this.#signal);
    if (block === null) throw incomplete(`The nodes of ${network} do not have block ${number}.`);
    return block;
  }

  /** Stored blocks are few, so the node tells which block was the last one of a moment. */
  async #blockAtTime(snapshot: Snapshot, time: number) {
    const { network, from_block, block } = snapshot;
    const number = await this.#lastBefore(network, time, { from_block, newest: block });
    if (number === null) return [];
    const found = number === block.number ? block : await this.#ref(network, number);
    return [{ block_number: number, hash: found.hash, time: found.time }];
  }

  /** Times of blocks that are stored, and of others from the node. */
  async #withTimes(
    { network, block, from_block }: Snapshot,
    rows: readonly BlockTime[],
    asked: readonly number[],
  ): Promise<readonly BlockTime[]> {
    const known = new Set(rows.map(({ block_number }) => block_number));
    // Blocks before the history are those of openings, which nodes need not keep.
    const isIn = (number: number): boolean => number >= from_block && number <= block.number;
    const missing = [...new Set(asked)].filter((number) => !known.has(number) && isIn(number));
    const read = missing.map(async (number) => ({
      block_number: number,
      time: (await this.#ref(network, number)).time,
    }));
    return [...rows, ...(await Promise.all(read))].sort((a, b) => a.block_number - b.block_number);
  }

  /** The last block at or before a time, up to `newest`; null if all are later. */
  async #lastBefore(
    network: string,
    time: number,
    { from_block, newest }: { readonly from_block: number; readonly newest: BlockAt },
  ): Promise<number | null> {
    if (newest.time <= time) return newest.number;
    if ((await this.#ref(network, from_block)).time > time) return null;
    let [low, high] = [from_block, newest.number];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if ((await this.#ref(network, middle)).time <= time) low = middle;
      else high = middle;
    }
    return low;
  }
}

/** `facts`, which on a network that is read on demand answer only about the addresses of the call. */
export const openSubjectFacts = (facts: Facts, call: SubjectCall, signal: AbortSignal): Facts =>
  new SubjectFacts(facts, call, signal);
