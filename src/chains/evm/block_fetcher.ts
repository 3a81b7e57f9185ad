/**
 * Fetches the parts of some blocks from one node. If the node lacks a part, the fetcher requests it again, and then in
 * another way: receipts one by one, traces by another method (docs/design/nodes.md).
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Network } from "../chain.ts";
import { BadAnswer, fieldsOf, listOf } from "../node/answer.ts";
import type { RpcAnswer, RpcCall } from "../node/json_rpc.ts";
import { isMissingMethod, isMissingState, RpcError } from "../node/refusal.ts";
import { MissingBlock, ofBlock, underCheck } from "../node/refused_block.ts";
import type { TextSlice } from "../node/text_slice.ts";
import { rewardAt } from "./block_rewards.ts";
import type { RawBlock } from "./blocks.ts";
import { NodeNotes } from "./node_notes.ts";
import type { EvmRpcNode } from "./pool.ts";
import { resultOf } from "./probe.ts";
import { answersIn, sliceIn } from "./scan/answers.ts";
import { type ScannedBlock, scanBlock } from "./scan/records.ts";
import { callsOf, isFinal, isUnsettled, methodsOf, tracesIn } from "./trace_source.ts";
import type { TraceMethod } from "./traits.ts";
import { hasUncles, NO_UNCLES, type Uncles } from "./uncles.ts";
import type { BlockTexts } from "./verify/block_verifier.ts";
import { quantity } from "./wire.ts";

/** Retries of a request for what one node lacks: the first at once, the others after a pause that doubles. */
const AGAIN_MAX = 4;
const AGAIN_PAUSE_MS = 100;
/** Nodes that prune keep the states of at least this many newest blocks. */
const RECENT_BLOCKS = 64;

/** Text of a block and its receipts, its traces as JSON, and the headers of its uncles. */
export interface FetchedBlock {
  readonly number: number;
  readonly texts: BlockTexts;
  /** Null if they were not requested or are unavailable. */
  readonly traces: RawBlock["traces"];
  readonly uncles: Uncles;
}

export interface Fetching {
  /** A block without traces fails if true; else it comes without them. */
  readonly needs_traces: boolean;
  /** Called for each block that came without the requested traces. */
  readonly lost: (number: number) => void;
  readonly signal: AbortSignal;
}

/** The node does not have a state, or not yet. */
class LostTrace extends BadAnswer {}

/** Answers of a node for one block. */
interface BlockAnswers {
  readonly number: number;
  readonly block: TextSlice;
  readonly receipts: RpcAnswer | null;
  readonly method: TraceMethod | null;
  readonly trace_calls: readonly RpcCall[];
  readonly trace_answers: readonly RpcAnswer[];
}

export class BlockFetcher {
  readonly notes = new NodeNotes();
  readonly #network: Network;

  constructor(network: Network) {
    this.#network = network;
  }

  async fetch(node: EvmRpcNode, numbers: readonly number[], how: Fetching) {
    const questions = new Questions(node, how.signal);
    const fetched: FetchedBlock[] = [];
    const problems: unknown[] = [];
    for (const said of await this.#ask(node, numbers, questions)) {
      const { number, block } = said;
      let scanned: ScannedBlock | null = null;
      const scan = (): ScannedBlock => {
        scanned ??= ofBlock(number, () => scanBlock(block));
        return scanned;
      };
      const receipts = await this.#receipts(node, { said, scan, questions });
      const traces = await this.#traces(node, { said, scan, questions });
      if (traces instanceof Error) {
        how.lost(number);
        problems.push(traces);
        if (!how.needs_traces) this.#forgets(node, number, traces);
      }
      const { uncles, problem } = await this.#uncles(number, block, questions);
      if (problem !== null) {
        how.lost(number);
        problems.push(problem);
      }
      fetched.push({ number, texts: { block, receipts }, traces: traces instanceof Error ? null : traces, uncles });
    }
    if (how.needs_traces && problems.length > 0) throw problems[0];
    return { fetched, bytes: questions.bytes };
  }

  /** Requests blocks, receipts and traces of all, in as few requests as possible. */
  async #ask(node: EvmRpcNode, numbers: readonly number[], questions: Questions): Promise<BlockAnswers[]> {
    const whole = this.notes.hasBlockReceipts(node.traits);
    const plans = numbers.map((number) => {
      const [first = null] = methodsOf(node.traits);
      const method = number < this.notes.tracesFrom(node.traits) ? null : first;
      const by_block = method !== null && method !== "debug_traceTransaction" ? callsOf(method, number, null) : [];
      const calls: RpcCall[] = [{ method: "eth_getBlockByNumber", params: [quantity(number), true] }];
      if (whole) calls.push({ method: "eth_getBlockReceipts", params: [quantity(number)] });
      return { number, method, by_block, calls: [...calls, ...by_block] };
    });
    const answers = await questions.ask(plans.flatMap(({ calls }) => calls));
    let next = 0;
    return plans.map(({ number, method, by_block, calls }) => {
      const [block, ...more] = answers.slice(next, next + calls.length);
      next += calls.length;
      const slice = block === undefined ? null : sliceIn(resultOf(block));
      if (slice === null) throw new MissingBlock(number);
      const receipts = whole ? (more[0] ?? null) : null;
      return {
        number,
        block: slice,
        receipts,
        method,
        trace_calls: by_block,
        trace_answers: more.slice(whole ? 1 : 0),
      };
    });
  }

  /**
   * One call per transaction if the node has no receipts by block. Null answers are omitted; the count check then
   * fails.
   */
  async #receipts(
    { traits }: EvmRpcNode,
    { said: { receipts }, scan, questions }: BlockAnswersInput,
  ): Promise<TextSlice[]> {
    if (receipts?.ok === true) {
      const slice = sliceIn(receipts.result);
      if (slice !== null) return [slice];
    } else if (receipts !== null && isMissingMethod(receipts.error)) this.notes.noBlockReceipts(traits);
    const hashes = scan().transactions.map(({ hash }) => hash);
    const calls = hashes.map((hash) => ({ method: "eth_getTransactionReceipt", params: [hash] }));
    const answers = await questions.ask(calls);
    return answers.map((answer) => sliceIn(resultOf(answer))).filter((receipt) => receipt !== null);
  }

  /** An error if traces were requested and are unavailable. */
  async #traces(
    { traits }: EvmRpcNode,
    { said, scan, questions }: BlockAnswersInput,
  ): Promise<RawBlock["traces"] | Error> {
    if (said.method === null) return null;
    let last: RawBlock["traces"] | Error = null;
    for (const method of methodsOf(traits)) {
      const was_asked = method === said.method && method !== "debug_traceTransaction";
      const calls = was_asked ? said.trace_calls : callsOf(method, said.number, scan());
      const answers = was_asked ? said.trace_answers : await questions.ask(calls);
      const read = tracesIn(method, calls, answers);
      if (!(read instanceof Error)) return read;
      // The last answer says most about the node, unless it only states that the method is missing.
      if (last === null || !(read instanceof RpcError && isMissingMethod(read))) last = read;
      if (read instanceof RpcError && isFinal(read) && !isMissingMethod(read)) break;
    }
    if (last instanceof RpcError && isFinal(last)) this.notes.noTracesBelow(traits, said.number + 1);
    if (!(last instanceof RpcError) || isFinal(last)) return last;
    const problem = `traces of block ${said.number}: ${last.message}`;
    return isMissingState(last) ? new LostTrace(problem) : new BadAnswer(problem);
  }

  /** Headers of the uncles, if their miners were paid. */
  async #uncles(
    number: number,
    block: TextSlice,
    questions: Questions,
  ): Promise<{ readonly uncles: Uncles; readonly problem: unknown }> {
    if (rewardAt(this.#network, number) === 0n || !hasUncles(block)) return { uncles: NO_UNCLES, problem: null };
    const named = ofBlock(number, () => listOf(fieldsOf(block.json(), "block").uncles, "uncles"));
    const calls = named.map((_, i) => ({
      method: "eth_getUncleByBlockNumberAndIndex",
      params: [quantity(number), quantity(i)],
    }));
    const answers = await questions.ask(calls);
    const found = answers.flatMap((answer) => (answer.ok ? (sliceIn(answer.result) ?? []) : []));
    const { length: count } = named;
    if (found.length < count) {
      const failed = answers.find((answer) => !answer.ok);
      const problem = failed?.ok === false ? failed.error : new BadAnswer(`uncles of block ${number} are not there`);
      return { uncles: { count, headers: null }, problem };
    }
    const headers = found.map((slice) =>
      ofBlock(number, () => underCheck("rewards", () => fieldsOf(slice.json(), "uncle"))),
    );
    return { uncles: { count, headers }, problem: null };
  }

  /** Some nodes report a pruned state with the same message as a block that they do not have yet. */
  #forgets({ traits }: EvmRpcNode, number: number, problem: Error): void {
    const is_old = number < traits.head - RECENT_BLOCKS;
    if (is_old && problem instanceof LostTrace) this.notes.noTracesBelow(traits, number + 1);
  }
}

interface BlockAnswersInput {
  readonly said: BlockAnswers;
  /** The block scanned from its text, once and on demand. */
  readonly scan: () => ScannedBlock;
  readonly questions: Questions;
}

/** Requests to one node, and the bytes of its answers. Retries what the node does not have yet, a few times. */
class Questions {
  bytes = 0;
  readonly #node: EvmRpcNode;
  readonly #signal: AbortSignal;

  constructor(node: EvmRpcNode, signal: AbortSignal) {
    this.#node = node;
    this.#signal = signal;
  }

  async ask(calls: readonly RpcCall[]): Promise<readonly RpcAnswer[]> {
    const answers = await this.#once(calls);
    for (let again = 0; again < AGAIN_MAX; again += 1) {
      const places = answers.flatMap((answer, i) => (isUnsettled(answer) ? [i] : []));
      const missing = places.flatMap((place) => calls[place] ?? []);
      if (missing.length === 0) break;
      if (again > 0) await sleep(AGAIN_PAUSE_MS * 2 ** (again - 1), undefined, { signal: this.#signal });
      const more = await this.#once(missing);
      for (const [i, answer] of more.entries()) answers[places[i] ?? answers.length] = answer;
    }
    return answers;
  }

  async #once(calls: readonly RpcCall[]): Promise<RpcAnswer[]> {
    if (calls.length === 0) return [];
    const { answers, bytes } = await this.#node.endpoint.askAs(calls, this.#signal, answersIn);
    this.bytes += bytes;
    return answers;
  }
}
