/** The facts of networks that are read on demand, as one call may see them: only of followed addresses (docs/design/on_demand.md). */
import { type Hex, hex } from "../../lib/bytes.ts";
import { AssayError } from "../../lib/errors.ts";
import type { PinnedBlock } from "../../lib/parsed.ts";
import type { Facts, PriceQuestion, QueryName, ReadState, Snapshot } from "../facts.ts";
import { AdmittedAddresses, commonEnd } from "./admitted.ts";
import { coverageOf, stateCoverage } from "./coverage.ts";
import { dropsUnder, headEnd } from "./head_end.ts";
import { NodeBlocks } from "./node_blocks.ts";
import { QUERY_RULES } from "./query_rules.ts";
import type { SubjectRecord } from "./records.ts";
import type { SubjectCall } from "./subject_call.ts";

const notOnDemand = ({ tool }: SubjectCall, network: string, query = ""): AssayError => {
  const text = `${tool} needs facts about more than the addresses that ${network} follows: this service reads ${network} on demand, address by address. A network with 'index: whole' serves it.`;
  return new AssayError({ code: "NOT_ON_DEMAND", message: `${text} ${query}`.trim(), public: text });
};

const generationOf = (records: readonly SubjectRecord[]): string =>
  records
    .map(({ subject, wished_ms, from_block, rewrites }) => `${subject}@${wished_ms}:${from_block}:${rewrites}`)
    .join(" ");

/** The history of a token's movements: its events show them all, whatever happened to the coins of its contract. */
const asToken = (record: SubjectRecord): SubjectRecord => ({
  ...{ ...record, is_plain: true, is_balanced: true },
  head: record.head === null ? null : { ...record.head, is_plain: true, is_balanced: true },
});

/** Rows that a call has used besides those of its own addresses. The same for all parts of one call. */
class UsedFacts {
  readonly admitted = new AdmittedAddresses();
  /** When each block that it needed was stored, by network. */
  readonly held = new Map<string, Map<number, number>>();
}

class SubjectFacts implements Facts {
  readonly #facts: Facts;
  readonly #call: SubjectCall;
  readonly #signal: AbortSignal;
  readonly #used: UsedFacts;
  readonly #blocks: NodeBlocks;

  constructor(facts: Facts, how: { readonly call: SubjectCall; readonly used: UsedFacts }, signal: AbortSignal) {
    this.#facts = facts.withSignal(signal);
    this.#call = how.call;
    this.#used = how.used;
    this.#signal = signal;
    this.#blocks = new NodeBlocks((network, number) => how.call.ref(network, number, signal));
  }

  async snapshot(network: string, as_of_block: PinnedBlock | null): Promise<Snapshot> {
    const call = this.#call;
    if (!call.isOnDemand(network)) return this.#facts.snapshot(network, as_of_block);
    const addresses = this.#subjects(network);
    if (addresses.length === 0) return this.#stateAt(network, as_of_block);
    const read = await call.whenRead(network, addresses, this.#signal);
    const records = call.are_tokens ? read.map(asToken) : read;
    // At a block that the call names, an address counts if it is read so far.
    const all = call.has_counterparties ? await call.recordsOf(network, []) : [];
    const end = as_of_block === null ? all : [];
    const snapshot = await this.#snapshotOf(network, { records, end, as_of_block });
    // Caches hold parts of counterparties under it as well.
    return { ...snapshot, rewrites: [...records, ...all].reduce((sum, { rewrites }) => sum + rewrites, 0) };
  }

  async snapshotAbout(network: string, address: Hex, block: number): Promise<Snapshot | ReadState> {
    const found = (await this.#call.counterparties(network, [address], true)).get(address);
    const { state = "unread", record = null } = found ?? {};
    if (record === null || (state !== "read" && state !== "partial")) return state;
    if (record.to_block < block) return "reading";
    const snapshot = await this.#snapshotOf(network, { records: [record], end: [], as_of_block: block });
    this.#used.admitted.admit(snapshot, new Map([[address, { state, record }]]));
    return snapshot;
  }

  /** Up to the block that they, and the followed addresses `end`, have in common. */
  async #snapshotOf(
    network: string,
    {
      records,
      end,
      as_of_block,
    }: {
      readonly records: readonly SubjectRecord[];
      readonly end: readonly SubjectRecord[];
      readonly as_of_block: PinnedBlock | null;
    },
  ): Promise<Snapshot> {
    const [first] = [...records].sort((a, b) => a.to_block - b.to_block);
    if (first === undefined) throw notOnDemand(this.#call, network);
    const { to_block, to_hash, to_time } = commonEnd(first, end);
    const final = { number: to_block, hash: to_hash, time: to_time };
    // Counterparties end at the final block.
    const head = this.#call.has_counterparties
      ? null
      : await headEnd(records, final, (blocks) => this.#call.tailOf(network, blocks));
    const newest = head?.newest ?? final;
    const from_block = Math.max(...records.map((record) => record.from_block));
    const block = await this.#blocks.pinned(network, as_of_block, { from_block, newest });
    const is_in_tail = head !== null && block.number > final.number;
    if (is_in_tail) await this.#blocks.mustBeUnder(network, block, newest);
    return {
      network,
      generation: generationOf(records),
      block,
      final_block: final.number,
      from_block,
      // Sums hold movements of other addresses' blocks as well: nothing is subtracted from them.
      settled_to: from_block - 1,
      coverage: coverageOf(is_in_tail ? head.records : records, block.number),
      ...(block.number === newest.number ? {} : { is_past: true }),
      tail_drops: is_in_tail ? head.tail_drops : 0,
      followed: {
        is_plain: (is_in_tail ? head.records : records).every(({ is_plain }) => is_plain),
        addresses: records.map(({ subject }) => subject),
        ...(this.#call.are_tokens ? { tokens: records.map(({ subject }) => subject) } : {}),
        ...(is_in_tail ? { tail: head.tail, priced_at: final } : {}),
      },
    };
  }

  async #stateAt(network: string, as_of_block: PinnedBlock | null): Promise<Snapshot> {
    const ends = await this.#call.ends(network, this.#signal);
    const block = await this.#blocks.pinned(network, as_of_block, ends);
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
    const { network, block, generation, final_block, followed } = snapshot;
    if (!this.#call.isOnDemand(network)) return this.#facts.isCurrent(snapshot);
    if (!(await this.#isUnchanged(network))) return false;
    const subjects = this.#subjects(network);
    // Final blocks of the node do not change.
    if (subjects.length === 0) return true;
    const records = await this.#call.recordsOf(network, subjects);
    const last_final = Math.min(block.number, final_block);
    const is_read = records.every(({ state, to_block }) => state === "read" && to_block >= last_final);
    const tail = followed?.tail ?? [];
    // A cut is counted before it and after it, and takes the rows of blocks first.
    const drops = await dropsUnder(tail, (blocks) => this.#call.tailOf(network, blocks));
    if (drops !== snapshot.tail_drops) return false;
    return is_read && records.length === new Set(subjects).size && generationOf(records) === generation;
  }

  /** No rows of blocks and counterparties that the call has used were written again meanwhile. */
  async #isUnchanged(network: string): Promise<boolean> {
    const held = await Promise.all(
      [...(this.#used.held.get(network) ?? [])].map(
        async ([block, since]) => (await this.#call.heldSince(network, block)) === since,
      ),
    );
    const used = this.#used.admitted.recordsOn(network);
    if (used.length === 0 || !held.every(Boolean)) return held.every(Boolean);
    const now = await this.#call.recordsOf(
      network,
      used.map(({ subject }) => subject),
    );
    const rewrites = new Map(now.map((record) => [record.subject, record.state === "read" ? record.rewrites : null]));
    return used.every((record) => rewrites.get(record.subject) === record.rewrites);
  }

  async hold(snapshot: Snapshot, block: number): Promise<void> {
    const { network, from_block, final_block } = snapshot;
    if (!this.#call.isOnDemand(network)) return this.#facts.hold(snapshot, block);
    if (block < from_block || block > final_block) return;
    const since = await this.#call.whenHeld(network, block, this.#signal);
    const held = this.#used.held.get(network) ?? new Map<number, number>();
    // The first one: a block that is written again is noticed (`isCurrent`).
    this.#used.held.set(network, held.set(block, held.get(block) ?? since));
  }

  ask: Facts["ask"] = async (snapshot, query, params) => {
    if (!this.#call.isOnDemand(snapshot.network)) return this.#facts.ask(snapshot, query, params);
    // The row of this query, whose parameter is a time in unix seconds (block_at_time.sql).
    if (query === "block_at_time")
      return (await this.#blocks.atTime(snapshot, Number(Reflect.get(params, "time")))) as never;
    const rows = this.#permits(snapshot, query, params) ? await this.#facts.ask(snapshot, query, params) : [];
    // The same: its parameter is a list of numbers (block_times.sql).
    if (query === "block_times")
      return (await this.#blocks.withTimes(snapshot, rows as never, Reflect.get(params, "blocks") as never)) as never;
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
    const others = pairs.filter(({ token }) => !this.#isToken(snapshot, token));
    this.#mustBeAbout(
      snapshot,
      others.map(({ holder }) => holder),
    );
    return this.#facts.balanceOf(snapshot, pairs);
  };

  tokenHolders: Facts["tokenHolders"] = (snapshot, tokens, limit) => {
    this.#mustBeOf(snapshot, tokens);
    return this.#facts.tokenHolders(snapshot, tokens, limit);
  };

  holderCounts: Facts["holderCounts"] = (snapshot, tokens) => {
    this.#mustBeOf(snapshot, tokens);
    return this.#facts.holderCounts(snapshot, tokens);
  };

  demandedPrices = ({ network }: Snapshot, asked: readonly PriceQuestion[], now?: "now") =>
    this.#call.whenPriced(network, { asked, now: now !== undefined }, this.#signal);

  nodePools: NonNullable<Facts["nodePools"]> = (network, asked) => this.#call.poolsOf(network, asked, this.#signal);
  isOnDemand = (network: string): boolean => this.#call.isOnDemand(network);
  readStates = async (snapshot: Snapshot, addresses: readonly Hex[], wished?: "wished") =>
    this.#used.admitted.admit(
      snapshot,
      await this.#call.counterparties(snapshot.network, addresses, wished !== undefined),
    );

  lists: Facts["lists"] = (query, as_of) => this.#facts.lists(query, as_of);

  /** Reading for other subjects writes all the time. */
  stampOf: Facts["stampOf"] = async () => null;

  withSignal(signal: AbortSignal): Facts {
    const how = { call: this.#call, used: this.#used };
    return new SubjectFacts(this.#facts, how, AbortSignal.any([this.#signal, signal]));
  }

  own<T extends object>(kind: new () => T): T {
    return this.#facts.own(kind);
  }

  #subjects(network: string): readonly Hex[] {
    const subjects = this.#call.subjectsOn(network);
    if (subjects === null) throw notOnDemand(this.#call, network);
    return subjects;
  }

  #mustBeAbout(snapshot: Snapshot, addresses: readonly unknown[]): void {
    const { network } = snapshot;
    if (!this.#call.isOnDemand(network)) return;
    const subjects = this.#subjects(network);
    const [length = this.#used.admitted.lengthOn(network)] = subjects.map((subject) => subject.length);
    // A longer text is a piece of a collection, which no address is.
    const isFollowed = (one: unknown) =>
      typeof one === "string" &&
      (one.length > length ||
        subjects.some((subject) => subject === one) ||
        this.#used.admitted.has(snapshot, hex(one)));
    if (!addresses.every(isFollowed)) throw notOnDemand(this.#call, network);
  }

  /** A token of the call, with all its movements. */
  #isToken({ followed }: Snapshot, token: unknown): boolean {
    return followed?.tokens?.some((one) => one === token) === true;
  }

  #mustBeOf(snapshot: Snapshot, tokens: readonly unknown[]): void {
    const { network } = snapshot;
    if (!this.#call.isOnDemand(network) || tokens.every((token) => this.#isToken(snapshot, token))) return;
    throw notOnDemand(this.#call, network);
  }

  /** False if the query has no rows here. @throws AssayError NOT_ON_DEMAND */
  #permits(snapshot: Snapshot, query: QueryName, params: object): boolean {
    const rule = QUERY_RULES[query];
    if (rule === undefined) throw notOnDemand(this.#call, snapshot.network, query);
    const named = (names: readonly string[]): readonly unknown[] =>
      names.flatMap((name) => Reflect.get(params, name) ?? [null]);
    if (rule === "pools") return this.#call.are_tokens;
    if (typeof rule === "string") return rule === "true";
    if ("about" in rule) this.#mustBeAbout(snapshot, named(rule.about));
    else if (rule.elsewhere === "unread") return named(rule.of).every((token) => this.#isToken(snapshot, token));
    else this.#mustBeOf(snapshot, named(rule.of));
    return true;
  }
}

/** `facts`, which on a network that is read on demand answer only about the addresses of the call. */
export const openSubjectFacts = (facts: Facts, call: SubjectCall, signal: AbortSignal): Facts =>
  new SubjectFacts(facts, { call, used: new UsedFacts() }, signal);
