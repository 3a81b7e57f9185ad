import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { AssayError, messageOf } from "../../lib/errors.ts";
import { UnreachableLog } from "../../lib/unreachable_log.ts";
import type { Network } from "../chain.ts";
import type { EndpointReport, EndpointTraits } from "../open_chain.ts";
import { BadAnswer } from "./answer.ts";
import { digestOf } from "./digest.ts";
import type { EndpointCounts } from "./endpoint_counters.ts";
import type { Endpoint, EndpointKind, EndpointQuery, PoolOptions, ProbedEndpoint, Task } from "./endpoints.ts";
import { LeftOut } from "./left_out.ts";
import { orAborted } from "./or_aborted.ts";
import { inBackground } from "./priority.ts";
import { probed } from "./probing.ts";
import { pausedProblem, problemOf } from "./problem.ts";
import { NodeRefusal, WrongChain } from "./refusal.ts";
import { FailedChecks, RefusedBlock } from "./refused_block.ts";
import { endpointOf } from "./rpc_address.ts";
import { chosenSlot, countsOf, REST_MS, restOf, type Slot, waitsForRate } from "./slot.ts";
import { unavailableError } from "./unavailable.ts";
import { Votes } from "./votes.ts";

const OPEN_WAIT_MS = 3_000;
/** A request waits no longer for the rate of one endpoint while others may answer. */
const RATE_WAIT_MS_MAX = 1_000;
/** If no endpoint accepts requests for longer than this, the caller gets an error. */
const PAUSE_MS_MAX = 20_000;
/** Longest wait for endpoints in a request to all of them. */
const EACH_MS_MAX = 2_000;

/** The endpoints of one network: picks one, fails over, backs off, and gives up with UPSTREAM_UNAVAILABLE. */
export class EndpointPool<E extends Endpoint, T extends EndpointTraits> {
  readonly #network: Network;
  readonly #options: PoolOptions;
  readonly #kind: EndpointKind<E, T>;
  readonly #slots: readonly Slot<E, T>[];
  readonly #notes: UnreachableLog;
  readonly #closing = new AbortController();
  #disagreements = 0;

  constructor(network: Network, kind: EndpointKind<E, T>, options: PoolOptions) {
    this.#network = network;
    this.#notes = new UnreachableLog({ network: network.id, log: options.log, now: () => performance.now() });
    this.#options = options;
    this.#kind = kind;
    // An address listed twice is one endpoint: it agrees only with itself.
    const addresses = [...new Map(options.rpc.map((address) => [endpointOf(address).url, address])).values()];
    const rate_wait_ms_max = addresses.length === 1 ? Number.POSITIVE_INFINITY : RATE_WAIT_MS_MAX;
    this.#slots = addresses.map((address) => ({
      endpoint: kind.open(address, { ...options, rate_wait_ms_max }),
      traits: null,
      probing: null,
      problem: null,
      failures: 0,
      resting_until: 0,
      is_behind: false,
    }));
  }

  /** Traits of the endpoints that have answered so far. */
  get known(): readonly T[] {
    return this.#slots.flatMap((slot) => (slot.traits === null ? [] : [slot.traits]));
  }

  /** Upper bound of the requests in flight to all endpoints together. */
  get concurrency_max(): number {
    return this.#slots.length * this.#options.concurrency_max;
  }

  get size(): number {
    return this.#slots.length;
  }

  get agree(): number {
    return this.#options.agree;
  }

  get disagreements(): number {
    return this.#disagreements;
  }

  /** Counters of each endpoint so far, in order. Several with one address get numbers. */
  get counts(): readonly EndpointCounts[] {
    return countsOf(this.#slots);
  }

  get some_behind(): boolean {
    return this.#slots.some((slot) => slot.is_behind);
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error("the network is closed"));
    await Promise.all(this.#slots.map((slot) => slot.endpoint.close()));
  }

  /** Probes every endpoint and waits at most `wait_ms`. */
  async probeAtStart(wait_ms: number | undefined, signal: AbortSignal): Promise<void> {
    const waited = new AbortController();
    const wait = sleep(wait_ms ?? OPEN_WAIT_MS, undefined, { signal: AbortSignal.any([signal, waited.signal]) });
    // Losing the race is no failure: a later result or failure of a probe is kept.
    await Promise.race([this.probe(signal), wait]).finally(() => Promise.allSettled([waited.abort(), wait]));
  }

  /** Probes every endpoint again. Never rejects because of an endpoint: its failure is in the report. */
  probe(signal: AbortSignal): Promise<EndpointReport[]> {
    return Promise.all(
      this.#slots.map(async (slot) => {
        slot.traits = null;
        try {
          await this.#traits(slot, signal);
        } catch (error) {
          signal.throwIfAborted();
          this.#rest(slot, error, "probe");
        }
        return { endpoint: slot.endpoint.name, problem: slot.problem, traits: slot.traits };
      }),
    );
  }

  /**
   * Runs `task` on endpoints until one succeeds. The pool waits out a refusal; an endpoint that fails rests while
   * others are tried; an endpoint without the method or the state is skipped for this question.
   * @throws AssayError UPSTREAM_UNAVAILABLE, or the signal's reason when aborted
   */
  async run<R>(question: EndpointQuery<T>, signal: AbortSignal, task: Task<E, T, R>): Promise<R> {
    return (await this.#run(question, { signal, asked: new Set() }, task)).result;
  }

  /**
   * `run` for data that no block commits to: runs on as many endpoints as must agree, which must all return the same
   * (`told` selects the part to compare). Outvoted endpoints have given a bad answer.
   * @throws AssayError UPSTREAM_UNAVAILABLE also if too few answer, or too few agree
   */
  async agreed<R>(
    question: EndpointQuery<T> & { readonly told?: (result: R) => unknown },
    signal: AbortSignal,
    task: Task<E, T, R>,
  ): Promise<R> {
    const { told = (result: R): unknown => result } = question;
    if (this.agree === 1) return this.run(question, signal, task);
    const votes = new Votes<Slot<E, T>, R>(this.agree);
    for (;;) {
      const { slot, result } = await this.#run(question, { signal, asked: votes.voters }, task).catch((error) => {
        throw votes.voters.size === 0 || signal.aborted ? error : this.#notAgreed(question.what, votes, error);
      });
      const won = votes.add(slot, digestOf(told(result)), result);
      if (won !== null && won.outvoted.length > 0) this.#disagree(question.what, won.outvoted);
      if (won !== null) return won.result;
    }
  }

  #notAgreed(what: string, votes: Votes<Slot<E, T>, unknown>, cause: unknown): AssayError {
    if (cause instanceof RefusedBlock) return cause;
    const voters = [...votes.voters];
    if (votes.opinions > 1) this.#disagree(what, voters);
    const names = voters.map(({ endpoint }) => endpoint.name);
    return this.unavailable(what, new BadAnswer(votes.problem(names, messageOf(cause))));
  }

  #disagree(what: string, slots: readonly Slot<E, T>[]): void {
    this.#disagreements += 1;
    const endpoints = slots.map(({ endpoint }) => endpoint.name);
    this.#options.log.warn({ network: this.#network.id, endpoints, what }, "RPC endpoints do not agree");
    for (const slot of slots) this.#rest(slot, new BadAnswer("others say something else"), what);
  }

  async #run<R>(
    question: EndpointQuery<T>,
    { signal, asked }: { readonly signal: AbortSignal; readonly asked: ReadonlySet<Slot<E, T>> },
    task: Task<E, T, R>,
  ): Promise<{ readonly slot: Slot<E, T>; readonly result: R }> {
    // One question may be many requests at once, each of which adds a listener.
    setMaxListeners(0, signal);
    const is_background = question.spread === true;
    const left_out = new LeftOut(asked);
    let last: unknown = new Error("no endpoint is configured");
    const failed = new FailedChecks();
    let failures = 0;
    while (failures < this.#options.attempts_max) {
      signal.throwIfAborted();
      const slot = chosenSlot(this.#slots, left_out.slots, is_background);
      if (slot === null && (await left_out.again(signal))) continue;
      if (slot === null) break;
      const rest_ms = slot.resting_until - performance.now();
      if (rest_ms > REST_MS.most) break;
      const pause_ms = slot.endpoint.pacer.pause_ms;
      if (!is_background && pause_ms > PAUSE_MS_MAX) {
        last = new NodeRefusal("rate", pausedProblem(pause_ms));
        break;
      }
      try {
        if (rest_ms > 0) await sleep(rest_ms, undefined, { signal });
        const traits = await this.#traits(slot, signal);
        if (question.accepts !== undefined && !question.accepts(traits)) {
          left_out.add(slot);
          continue;
        }
        const work = () => task({ endpoint: slot.endpoint, traits });
        const result = await (is_background ? inBackground(work) : work());
        slot.failures = 0;
        slot.problem = null;
        slot.resting_until = 0;
        return { slot, result };
      } catch (error) {
        signal.throwIfAborted();
        last = error;
        if (error instanceof AssayError) throw error;
        // The endpoint waits by its own pace while the pool tries another one: no endpoint has failed.
        if (waitsForRate(slot.endpoint, error)) {
          slot.problem = problemOf(error);
          continue;
        }
        failed.note(slot.endpoint.name, error);
        // The request has already been made smaller: too large even alone is a failure.
        failures += 1;
        if (!left_out.lacks(slot, error)) this.#rest(slot, error, question.what);
      }
    }
    throw failed.refusal(this.#network, this.#slots) ?? this.unavailable(question.what, last);
  }

  /**
   * The result of each endpoint, in order: null for one that rests, fails, or does not answer within two seconds.
   * @throws the signal's reason when aborted
   */
  each<R>(what: string, signal: AbortSignal, task: (node: ProbedEndpoint<E, T>, signal: AbortSignal) => Promise<R>) {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(EACH_MS_MAX)]);
    return Promise.all(
      this.#slots.map(async (slot): Promise<R | null> => {
        if (slot.resting_until > performance.now() || slot.endpoint.pacer.rate_wait_ms > EACH_MS_MAX) return null;
        try {
          const traits = await this.#traits(slot, limit);
          return await task({ endpoint: slot.endpoint, traits }, limit);
        } catch (error) {
          signal.throwIfAborted();
          if (slot.endpoint.pacer.rate_wait_ms === 0) this.#rest(slot, error, what);
          return null;
        }
      }),
    );
  }

  /** Moves endpoints more than `blocks_max` blocks below the highest of `heads` to the end of the preference. */
  noteHeads(heads: readonly (number | null)[], blocks_max: number): void {
    const newest = Math.max(...heads.map((head) => head ?? 0));
    for (const [i, slot] of this.#slots.entries()) {
      const head = heads[i] ?? null;
      const is_behind = head !== null && newest - head > blocks_max;
      if (is_behind && !slot.is_behind) {
        const facts = { network: this.#network.id, endpoint: slot.endpoint.name, head, newest };
        this.#options.log.warn(facts, "an RPC endpoint is behind and comes last");
      }
      slot.is_behind = is_behind;
    }
  }

  unavailable(what: string, cause: unknown): AssayError {
    const problems = this.#slots.flatMap((slot) =>
      slot.problem === null ? [] : [`${slot.endpoint.name}: ${slot.problem}`],
    );
    return unavailableError(this.#network, problems, { what, cause });
  }

  #rest(slot: Slot<E, T>, error: unknown, what: string): void {
    const problem = problemOf(error);
    // Requests in flight fail together: that is one failure.
    if (slot.resting_until > performance.now()) return;
    slot.failures += 1;
    const rest_ms = restOf(error, slot.failures);
    slot.resting_until = performance.now() + rest_ms;
    slot.problem = problem;
    const facts = { network: this.#network.id, endpoint: slot.endpoint.name, what, problem, rest_ms };
    if (error instanceof WrongChain)
      this.#options.log.error(facts, "an RPC endpoint serves another chain and is not used");
    // If no endpoint remains, the caller reports it. A network with one node has no other endpoint to use.
    else if (this.#slots.some(({ problem: ill }) => ill === null))
      this.#notes.away({}, `${slot.endpoint.name}: ${problem}; Assay uses the other endpoints`);
    else this.#options.log.debug(facts, "an RPC endpoint failed and rests");
  }

  /** Probed once, and by one caller at a time. */
  #traits(slot: Slot<E, T>, signal: AbortSignal): Promise<T> {
    if (slot.traits !== null) return Promise.resolve(slot.traits);
    const { endpoint } = slot;
    slot.probing ??= probed(this.#kind, { endpoint, network: this.#network, closing: this.#closing.signal })
      .then((traits) => {
        slot.traits = traits;
        slot.problem = null;
        slot.failures = 0;
        slot.resting_until = 0;
        const facts = { network: this.#network.id, endpoint: slot.endpoint.name, ...traits };
        this.#options.log.info(facts, "RPC endpoint probed");
        return traits;
      })
      .finally(() => {
        slot.probing = null;
      });
    return orAborted(slot.probing, signal);
  }
}
