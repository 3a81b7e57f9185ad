/** Blocks from JSON-RPC: what is asked for each, and what is verified. */
import type { Block, Network, Verify } from "../chain.ts";
import { BadAnswer } from "../node/answer.ts";
import { BlockRanges, follows } from "../node/block_ranges.ts";
import type { RpcAnswer, RpcCall } from "../node/json_rpc.ts";
import { isMissingMethod, isMissingState } from "../node/refusal.ts";
import { failedIn, ofBlock } from "../node/refused_block.ts";
import type { TextSlice } from "../node/text_slice.ts";
import { authorOf } from "./author.ts";
import { type Matched, matchBlock, type RawBlock, readBlock } from "./blocks.ts";
import type { EndpointPool, Node } from "./pool.ts";
import { CALL_TRACER, resultOf, type TraceMethod } from "./probe.ts";
import { answersIn, sliceIn } from "./scan/answers.ts";
import { scanBlock, scanReceipts } from "./scan/records.ts";
import { release } from "./scan/texts.ts";
import { type BlockTexts, BlockVerifier, type Shown } from "./verify/block_verifier.ts";
import { type Rules, rulesOf } from "./verify/rules.ts";
import { quantity } from "./wire.ts";

/** Where nothing is recomputed, of long ranges every 16th block is hashed log by log; short ones throughout. */
const THOROUGH_EVERY = 16;
/** Block rewards end with the merge. */
const MERGE_BLOCK = 15_537_394;

export class BlockReader {
  readonly #pool: EndpointPool;
  readonly #network: Network;
  readonly #ranges: BlockRanges;
  readonly #rules: Rules;
  /** Null where only the links between blocks are compared. */
  readonly #verifier: BlockVerifier | null;

  constructor(pool: EndpointPool, network: Network, verify: Verify) {
    this.#pool = pool;
    this.#network = network;
    this.#rules = rulesOf(network);
    this.#verifier = verify === "full" ? new BlockVerifier(this.#rules) : null;
    this.#ranges = new BlockRanges({
      read: (numbers, { thorough, signal }) => this.#chunk(numbers, thorough, signal),
      concurrency_max: () => pool.concurrency_max,
      unavailable: (what, cause) => pool.unavailable(what, cause),
    });
  }

  /** @throws AssayError UPSTREAM_UNAVAILABLE when any block of the range cannot be had whole */
  range(from: number, to: number, signal: AbortSignal): Promise<readonly Block[]> {
    return this.#ranges.range(from, to, signal);
  }

  #chunk(numbers: readonly number[], thorough_all: boolean, signal: AbortSignal) {
    const wants_traces = this.#pool.known.some((traits) => traits.traces !== null);
    const question = {
      what: `blocks ${numbers[0]}..${numbers.at(-1)}`,
      spread: true,
      accepts: (traits: Node["traits"]) => !wants_traces || traits.traces !== null,
    };
    const read = async (node: Node) => {
      const { fetched, bytes } = await this.#fetch(node, numbers, signal);
      // All texts first, one behind the other, while they are where they are read; then who signed, which waits.
      const shown = fetched.map((one, i) => ofBlock(numbers[i] ?? 0, () => this.#read(one, numbers[i] ?? 0)));
      release();
      const blocks: Block[] = [];
      for (const one of shown) {
        const thorough = thorough_all || one.number % THOROUGH_EVERY === 0;
        const block = await this.#prove(one, thorough).catch((error: unknown) => {
          throw failedIn(one.number, error);
        });
        blocks.push(block);
      }
      for (let i = 1; i < blocks.length; i += 1)
        if (!follows(blocks[i - 1], blocks[i])) throw new BadAnswer(`block ${numbers[i]} does not follow its parent`);
      return { blocks, bytes };
    };
    return this.#pool.agreed({ ...question, told: ({ blocks }) => blocks }, signal, read);
  }

  /** A block whose senders are compared with the signatures. @throws BadAnswer */
  async #prove({ matched, shown, number }: Read, thorough: boolean): Promise<Block> {
    const proof = shown === null || this.#verifier === null ? null : await this.#verifier.prove(shown);
    const author = authorOf(matched.header, this.#network);
    const now = Math.floor(Date.now() / 1000);
    return readBlock(matched, { number, network: this.#network, thorough, rules: this.#rules, proof, author, now });
  }

  /** What the texts of a block say, and what they show of its header; waits for nothing. */
  #read({ texts, traces }: Fetched, number: number): Read {
    const block = scanBlock(texts.block);
    const with_filters = this.#verifier?.requires(number) !== true;
    const receipts = texts.receipts.flatMap((slice) => scanReceipts(slice, with_filters));
    const matched = matchBlock({ block, receipts, traces }, { number, network: this.#network });
    return { number, matched, shown: this.#verifier?.show(texts, number) ?? null };
  }

  async #fetch(
    node: Node,
    numbers: readonly number[],
    signal: AbortSignal,
  ): Promise<{ fetched: Fetched[]; bytes: number }> {
    const whole = node.traits.receipts === "block";
    const calls = numbers.flatMap((number): RpcCall[] => {
      const method = this.#traceMethod(node, number);
      const asked: RpcCall[] = [{ method: "eth_getBlockByNumber", params: [quantity(number), true] }];
      if (whole) asked.push({ method: "eth_getBlockReceipts", params: [quantity(number)] });
      if (method === "trace_block") asked.push({ method, params: [quantity(number)] });
      else if (method !== null) asked.push({ method, params: [quantity(number), CALL_TRACER] });
      return asked;
    });
    const { answers, bytes } = await node.endpoint.askAs(calls, signal, answersIn);
    let next = 0;
    const take = (): RpcAnswer => {
      const answer = answers[next];
      next += 1;
      if (answer === undefined) throw new BadAnswer("a call has no answer");
      return answer;
    };
    const fetched: Fetched[] = [];
    for (const number of numbers) {
      const method = this.#traceMethod(node, number);
      const block = sliceIn(resultOf(take()));
      if (block === null) throw new BadAnswer(`block ${number} is not there`);
      const receipts = whole ? [receiptsIn(take())] : await this.#receipts(node, block, signal);
      fetched.push({ texts: { block, receipts }, traces: method === null ? null : tracesOf(method, take()) });
    }
    return { fetched, bytes };
  }

  /** Rewards are only in `trace_block`, so it is preferred where blocks still have them. */
  #traceMethod({ traits }: Node, number: number): TraceMethod | null {
    const has_rewards = this.#network.chain_id === 1 && number < MERGE_BLOCK;
    return has_rewards && traits.has_trace_block ? "trace_block" : traits.traces;
  }

  /** One call per transaction, for nodes without `eth_getBlockReceipts`. Null answers are left out and then missed. */
  async #receipts(node: Node, block: TextSlice, signal: AbortSignal): Promise<TextSlice[]> {
    const calls = scanBlock(block).transactions.map(({ hash }) => ({
      method: "eth_getTransactionReceipt",
      params: [hash],
    }));
    const { answers } = await node.endpoint.askAs(calls, signal, answersIn);
    return answers.map((answer) => sliceIn(resultOf(answer))).filter((receipt) => receipt !== null);
  }
}

/** A block as its texts say it, before its signatures are looked at. */
interface Read {
  readonly number: number;
  readonly matched: Matched;
  /** Null where nothing is recomputed. */
  readonly shown: Shown | null;
}

/** Where the text of a block and its receipts stands, and its traces as JSON. */
interface Fetched {
  readonly texts: BlockTexts;
  readonly traces: RawBlock["traces"];
}

const receiptsIn = (answer: RpcAnswer): TextSlice => {
  const receipts = sliceIn(resultOf(answer));
  if (receipts === null) throw new BadAnswer("receipts is no list");
  return receipts;
};

/** Null when the node has thrown the state away or lost the method: the block is then read without traces, and says so. */
const tracesOf = (method: TraceMethod, answer: RpcAnswer): RawBlock["traces"] => {
  if (answer.ok) return { method, answer: sliceIn(answer.result)?.json() ?? null };
  if (isMissingState(answer.error) || isMissingMethod(answer.error)) return null;
  throw answer.error;
};
