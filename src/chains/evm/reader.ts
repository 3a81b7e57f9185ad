/** Ranges of blocks: cut into requests that fit an endpoint, read in parallel, verified, and joined by their parents. */
import { equalBytes } from "../../lib/bytes.ts";
import type { Block, Network } from "../chain.ts";
import { BadAnswer, fieldsOf, listOf } from "../node/answer.ts";
import type { RpcAnswer, RpcCall } from "../node/json_rpc.ts";
import { isMissingMethod, isMissingState } from "../node/refusal.ts";
import { type RawBlock, readBlock } from "./blocks.ts";
import type { EndpointPool, Node } from "./pool.ts";
import { CALL_TRACER, resultsOf, type TraceMethod } from "./probe.ts";
import { quantity } from "./wire.ts";

/** One answer of about this size keeps the process responsive while it is parsed (some 5 ms). */
const ANSWER_BYTES_TARGET = 1_500_000;
const BLOCK_BYTES_FIRST_GUESS = 300_000;
/** Short ranges (the tail) are hashed log by log; of long ones every 16th block is. */
const THOROUGH_BLOCKS = 4;
const THOROUGH_EVERY = 16;
/** A range that was read across a reorganisation does not join: its loose ends are read again this often. */
const JOINS_MAX = 3;
/** Block rewards end with the merge. */
const MERGE_BLOCK = 15_537_394;

export class BlockReader {
  readonly #pool: EndpointPool;
  readonly #network: Network;
  #bytes_per_block = BLOCK_BYTES_FIRST_GUESS;

  constructor(pool: EndpointPool, network: Network) {
    this.#pool = pool;
    this.#network = network;
  }

  /** @throws AssayError UPSTREAM_UNAVAILABLE when any block of the range cannot be had whole */
  async range(from: number, to: number, signal: AbortSignal): Promise<readonly Block[]> {
    if (to < from) return [];
    const thorough_all = to - from < THOROUGH_BLOCKS;
    // The first failure stops the other requests of the range.
    const stop = new AbortController();
    const both = AbortSignal.any([signal, stop.signal]);
    const read = (numbers: readonly number[]): Promise<readonly Block[]> => this.#chunk(numbers, thorough_all, both);
    try {
      const chunks = await this.#pieces(from, to, read);
      return await this.#join(chunks, read);
    } catch (error) {
      stop.abort(error);
      throw error;
    }
  }

  /** Chunks are cut while reading, because only reading tells how large blocks are. */
  async #pieces(from: number, to: number, read: Read): Promise<(readonly Block[])[]> {
    const chunks: (readonly Block[])[] = [];
    let next = from;
    const worker = async (): Promise<void> => {
      while (next <= to) {
        const first = next;
        const count = Math.min(this.#chunkBlocks(), to - first + 1);
        next += count;
        const place = chunks.push([]) - 1;
        chunks[place] = await read(Array.from({ length: count }, (_, i) => first + i));
      }
    };
    await Promise.all(Array.from({ length: Math.min(this.#pool.concurrency_max, to - from + 1) }, worker));
    return chunks;
  }

  async #join(chunks: (readonly Block[])[], read: Read): Promise<readonly Block[]> {
    for (let round = 0; ; round += 1) {
      const broken = chunks.findIndex((chunk, i) => i > 0 && !follows(chunks[i - 1]?.at(-1), chunk[0]));
      if (broken === -1) return chunks.flat();
      if (round === JOINS_MAX) {
        const number = chunks[broken]?.[0]?.number ?? 0;
        throw this.#pool.unavailable("blocks", new BadAnswer(`block ${number} does not follow its parent`));
      }
      for (const place of [broken - 1, broken])
        chunks[place] = await read((chunks[place] ?? []).map((block) => block.number));
    }
  }

  #chunkBlocks(): number {
    return Math.max(1, Math.floor(ANSWER_BYTES_TARGET / this.#bytes_per_block));
  }

  #chunk(numbers: readonly number[], thorough_all: boolean, signal: AbortSignal): Promise<readonly Block[]> {
    const wants_traces = this.#pool.known.some((traits) => traits.traces !== null);
    const question = {
      what: `blocks ${numbers[0]}..${numbers.at(-1)}`,
      spread: true,
      accepts: (traits: Node["traits"]) => !wants_traces || traits.traces !== null,
    };
    return this.#pool.run(question, signal, async (node) => {
      const { raws, bytes } = await this.#fetch(node, numbers, signal);
      const blocks = raws.map((raw, i) => {
        const number = numbers[i] ?? 0;
        const thorough = thorough_all || number % THOROUGH_EVERY === 0;
        return readBlock(raw, { number, network: this.#network, thorough });
      });
      for (let i = 1; i < blocks.length; i += 1)
        if (!follows(blocks[i - 1], blocks[i])) throw new BadAnswer(`block ${numbers[i]} does not follow its parent`);
      this.#bytes_per_block = this.#bytes_per_block * 0.75 + (bytes / numbers.length) * 0.25;
      return blocks;
    });
  }

  async #fetch(
    node: Node,
    numbers: readonly number[],
    signal: AbortSignal,
  ): Promise<{ raws: RawBlock[]; bytes: number }> {
    const whole = node.traits.receipts === "block";
    const calls = numbers.flatMap((number): RpcCall[] => {
      const method = this.#traceMethod(node, number);
      const asked: RpcCall[] = [{ method: "eth_getBlockByNumber", params: [quantity(number), true] }];
      if (whole) asked.push({ method: "eth_getBlockReceipts", params: [quantity(number)] });
      if (method === "trace_block") asked.push({ method, params: [quantity(number)] });
      else if (method !== null) asked.push({ method, params: [quantity(number), CALL_TRACER] });
      return asked;
    });
    const { answers, bytes } = await node.endpoint.ask(calls, signal);
    let next = 0;
    const take = (): RpcAnswer => {
      const answer = answers[next];
      next += 1;
      if (answer === undefined) throw new BadAnswer("a call has no answer");
      return answer;
    };
    const raws: RawBlock[] = [];
    for (const number of numbers) {
      const method = this.#traceMethod(node, number);
      const [block] = resultsOf([take()]);
      if (block === null) throw new BadAnswer(`block ${number} is not there`);
      const receipts = whole ? resultsOf([take()])[0] : await this.#receipts(node, block, signal);
      raws.push({ block, receipts, traces: method === null ? null : tracesOf(method, take()) });
    }
    return { raws, bytes };
  }

  /** Rewards are only in `trace_block`, so it is preferred where blocks still have them. */
  #traceMethod({ traits }: Node, number: number): TraceMethod | null {
    const has_rewards = this.#network.chain_id === 1 && number < MERGE_BLOCK;
    return has_rewards && traits.has_trace_block ? "trace_block" : traits.traces;
  }

  /** One call per transaction, for nodes without `eth_getBlockReceipts`. Null answers are left out and then missed. */
  async #receipts(node: Node, block: unknown, signal: AbortSignal): Promise<unknown[]> {
    const list = listOf(fieldsOf(block, "block").transactions, "transactions");
    const calls = list.map((item) => ({
      method: "eth_getTransactionReceipt",
      params: [fieldsOf(item, "transaction").hash],
    }));
    const { answers } = await node.endpoint.ask(calls, signal);
    return resultsOf(answers).filter((receipt) => receipt !== null);
  }
}

type Read = (numbers: readonly number[]) => Promise<readonly Block[]>;

const follows = (parent: Block | undefined, child: Block | undefined): boolean =>
  parent !== undefined && child !== undefined && equalBytes(parent.hash, child.parent_hash);

/** Null when the node has thrown the state away or lost the method: the block is then read without traces, and says so. */
const tracesOf = (method: TraceMethod, answer: RpcAnswer): RawBlock["traces"] => {
  if (answer.ok) return { method, answer: answer.result };
  if (isMissingState(answer.error) || isMissingMethod(answer.error)) return null;
  throw answer.error;
};
