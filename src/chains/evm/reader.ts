/** Blocks from JSON-RPC: what is asked for each, and what is verified. */
import type { Block, Network, Verify } from "../chain.ts";
import { BadAnswer, fieldsOf, listOf } from "../node/answer.ts";
import { BlockRanges, follows } from "../node/block_ranges.ts";
import type { Place, RpcAnswer, RpcCall } from "../node/json_rpc.ts";
import { isMissingMethod, isMissingState } from "../node/refusal.ts";
import { authorOf } from "./author.ts";
import { matchBlock, type RawBlock, readBlock } from "./blocks.ts";
import type { EndpointPool, Node } from "./pool.ts";
import { CALL_TRACER, resultsOf, type TraceMethod } from "./probe.ts";
import { type BlockTexts, BlockVerifier, type Proof } from "./verify/block_verifier.ts";
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
      const blocks: Block[] = [];
      for (const [i, { raw, texts }] of fetched.entries()) {
        const number = numbers[i] ?? 0;
        const thorough = thorough_all || number % THOROUGH_EVERY === 0;
        const matched = matchBlock(raw, { number, network: this.#network });
        const proof = await this.#prove(texts, number);
        const author = authorOf(matched.header, this.#network);
        const now = Math.floor(Date.now() / 1000);
        const reading = { number, network: this.#network, thorough, rules: this.#rules, proof, author, now };
        blocks.push(readBlock(matched, reading));
      }
      BlockVerifier.release();
      for (let i = 1; i < blocks.length; i += 1)
        if (!follows(blocks[i - 1], blocks[i])) throw new BadAnswer(`block ${numbers[i]} does not follow its parent`);
      return { blocks, bytes };
    };
    return this.#pool.agreed({ ...question, told: ({ blocks }) => blocks }, signal, read);
  }

  #prove(texts: BlockTexts, number: number): Promise<Proof | null> {
    return this.#verifier === null ? Promise.resolve(null) : this.#verifier.verify(texts, number);
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
    const { answers, places, bytes } = await node.endpoint.ask(calls, signal);
    let next = 0;
    const take = (): Told => {
      const [answer, place] = [answers[next], places[next]];
      next += 1;
      if (answer === undefined || place === undefined) throw new BadAnswer("a call has no answer");
      return { answer, place };
    };
    const fetched: Fetched[] = [];
    for (const number of numbers) {
      const method = this.#traceMethod(node, number);
      const told = take();
      const [block] = resultsOf([told.answer]);
      if (block === null) throw new BadAnswer(`block ${number} is not there`);
      const { receipts, where } = whole ? receiptsIn(take()) : await this.#receipts(node, block, signal);
      const raw = { block, receipts, traces: method === null ? null : tracesOf(method, take().answer) };
      fetched.push({ raw, texts: { block: told.place, receipts: where } });
    }
    return { fetched, bytes };
  }

  /** Rewards are only in `trace_block`, so it is preferred where blocks still have them. */
  #traceMethod({ traits }: Node, number: number): TraceMethod | null {
    const has_rewards = this.#network.chain_id === 1 && number < MERGE_BLOCK;
    return has_rewards && traits.has_trace_block ? "trace_block" : traits.traces;
  }

  /** One call per transaction, for nodes without `eth_getBlockReceipts`. Null answers are left out and then missed. */
  async #receipts(node: Node, block: unknown, signal: AbortSignal): Promise<Receipts> {
    const list = listOf(fieldsOf(block, "block").transactions, "transactions");
    const calls = list.map((item) => ({
      method: "eth_getTransactionReceipt",
      params: [fieldsOf(item, "transaction").hash],
    }));
    const { answers, places } = await node.endpoint.ask(calls, signal);
    const receipts = resultsOf(answers);
    return {
      receipts: receipts.filter((receipt) => receipt !== null),
      where: places.filter((_, i) => receipts[i] !== null),
    };
  }
}

/** A block as JSON, and where its text stands. */
interface Fetched {
  readonly raw: RawBlock;
  readonly texts: BlockTexts;
}

interface Told {
  readonly answer: RpcAnswer;
  readonly place: Place;
}

interface Receipts {
  readonly receipts: unknown;
  readonly where: readonly Place[];
}

const receiptsIn = ({ answer, place }: Told): Receipts => ({ receipts: resultsOf([answer])[0], where: [place] });

/** Null when the node has thrown the state away or lost the method: the block is then read without traces, and says so. */
const tracesOf = (method: TraceMethod, answer: RpcAnswer): RawBlock["traces"] => {
  if (answer.ok) return { method, answer: answer.result };
  if (isMissingState(answer.error) || isMissingMethod(answer.error)) return null;
  throw answer.error;
};
