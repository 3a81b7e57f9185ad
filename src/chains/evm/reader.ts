/** Reads blocks over JSON-RPC: the requests for each, and its verification. */
import { setImmediate as afterOthers } from "node:timers/promises";
import type { Block, Network, Verify } from "../chain.ts";
import { BadAnswer } from "../node/answer.ts";
import { BlockRanges, follows } from "../node/block_ranges.ts";
import { ofBlock } from "../node/refused_block.ts";
import type { ChainOptions } from "../open_chain.ts";
import { authorOf, signerOrNull } from "./author.ts";
import { BlockFetcher, type FetchedBlock, type Fetching } from "./block_fetcher.ts";
import { type MatchedBlock, matchBlock, readBlock } from "./blocks.ts";
import type { EvmRpcNode, EvmRpcPool } from "./pool.ts";
import { scanBlock, scanReceipts } from "./scan/records.ts";
import { release } from "./scan/texts.ts";
import type { EvmTraits } from "./traits.ts";
import { type BlockEvidence, BlockVerifier } from "./verify/block_verifier.ts";
import { type Rules, rulesOf } from "./verify/rules.ts";
import { statedSenders } from "./verify/senders.ts";
import { OWN_THREAD } from "./verify/signer_threads.ts";

/** If nothing is recomputed, every 16th block of a long range is hashed log by log, and every block of a short one. */
const THOROUGH_EVERY = 16;

export class BlockReader {
  readonly #pool: EvmRpcPool;
  readonly #network: Network;
  readonly #ranges: BlockRanges;
  readonly #rules: Rules;
  readonly #verify: Verify;
  readonly #fetcher: BlockFetcher;
  /** Null if only the links between blocks are compared. */
  readonly #verifier: BlockVerifier | null;

  constructor(
    pool: EvmRpcPool,
    network: Network,
    { verify = "full", signers = OWN_THREAD }: Pick<ChainOptions, "verify" | "signers">,
  ) {
    this.#pool = pool;
    this.#network = network;
    this.#rules = rulesOf(network);
    this.#verify = verify;
    this.#fetcher = new BlockFetcher(network);
    this.#verifier = verify === "full" ? new BlockVerifier(this.#rules, signers) : null;
    this.#ranges = new BlockRanges({
      read: (numbers, { thorough, signal }) => this.#chunk(numbers, thorough, signal),
      concurrency_max: () => pool.concurrency_max,
      unavailable: (what, cause) => pool.unavailable(what, cause),
    });
  }

  /** @throws AssayError UPSTREAM_UNAVAILABLE if any block of the range is unavailable or incomplete */
  range(from: number, to: number, signal: AbortSignal): Promise<readonly Block[]> {
    return this.#ranges.range(from, to, signal);
  }

  /**
   * Reads blocks with traces from any endpoint that has them. A block comes without traces only if each endpoint tried
   * lost them (docs/design/nodes.md).
   */
  async #chunk(numbers: readonly number[], thorough: boolean, signal: AbortSignal) {
    const [first = 0] = numbers;
    const { notes } = this.#fetcher;
    const may_have = (traits: EvmTraits): boolean => traits.traces !== null && notes.tracesFrom(traits) <= first;
    const lost = new Set<number>();
    const how = { thorough, signal, lost: (number: number) => void lost.add(number) };
    if (this.#pool.known.some(may_have)) {
      try {
        return await this.#ask(numbers, { ...how, needs_traces: true, accepts: may_have });
      } catch (error) {
        if (signal.aborted || lost.size === 0) throw error;
      }
    }
    const wants_traces = this.#pool.known.some((traits) => traits.traces !== null);
    const accepts = (traits: EvmTraits): boolean => !wants_traces || traits.traces !== null;
    return this.#ask(numbers, { ...how, needs_traces: false, accepts });
  }

  #ask(numbers: readonly number[], { thorough: thorough_all, accepts, ...how }: BlockRequest) {
    const question = { what: `blocks ${numbers[0]}..${numbers.at(-1)}`, spread: true, accepts };
    const read = async (node: EvmRpcNode) => {
      const { fetched, bytes } = await this.#fetcher.fetch(node, numbers, how);
      // Reads all texts first, one after another, while they are in the module's memory; recovering the senders comes
      // after, because it waits.
      const parsed = fetched.map((one) => ofBlock(one.number, () => this.#read(one)));
      release();
      const blocks = await this.#prove(parsed, thorough_all);
      for (let i = 1; i < blocks.length; i += 1)
        if (!follows(blocks[i - 1], blocks[i])) throw new BadAnswer(`block ${numbers[i]} does not follow its parent`);
      return { blocks, bytes };
    };
    return this.#pool.agreed({ ...question, told: ({ blocks }) => blocks }, how.signal, read);
  }

  /** Blocks whose senders match the signatures. @throws BadAnswer */
  async #prove(parsed: readonly ParsedBlock[], thorough_all: boolean): Promise<Block[]> {
    const signed = parsed.flatMap(({ shown, matched }) =>
      shown === null ? [] : [{ shown, stated: statedSenders(matched.list) }],
    );
    const answers = (await this.#verifier?.recover(signed))?.values();
    const blocks: Block[] = [];
    for (const one of parsed) {
      const answer = one.shown === null ? null : (answers?.next().value ?? null);
      const block = ofBlock(one.number, () => this.#proven(one, answer, thorough_all));
      blocks.push(block);
      await afterOthers();
    }
    return blocks;
  }

  #proven({ matched, shown, number }: ParsedBlock, answers: Buffer | null, thorough_all: boolean): Block {
    const proof = shown === null || answers === null ? null : (this.#verifier?.prove(shown, answers) ?? null);
    const [network, verify, rules] = [this.#network, this.#verify, this.#rules];
    const author = verify === "full" ? authorOf(matched.header, network) : signerOrNull(matched.header, network);
    const thorough = thorough_all || number % THOROUGH_EVERY === 0;
    const now = Math.floor(Date.now() / 1000);
    return readBlock(matched, { number, network, verify, thorough, rules, proof, author, now });
  }

  /** Parses the texts of a block and recomputes its header; synchronous. */
  #read({ number, texts, traces, uncles }: FetchedBlock): ParsedBlock {
    const block = scanBlock(texts.block);
    const with_filters = this.#verifier !== null && !this.#verifier.requires(number);
    const receipts = texts.receipts.flatMap((slice) => scanReceipts(slice, with_filters));
    const reading = { number, network: this.#network, verify: this.#verify };
    const matched = matchBlock({ block, receipts, traces, uncles }, reading);
    return { number, matched, shown: this.#verifier?.show(texts, number) ?? null };
  }
}

/** How to request and read some blocks. */
interface BlockRequest extends Fetching {
  readonly thorough: boolean;
  readonly accepts: (traits: EvmTraits) => boolean;
}

/** A parsed block before its signatures are checked. */
interface ParsedBlock {
  readonly number: number;
  readonly matched: MatchedBlock;
  /** Null if nothing is recomputed. */
  readonly shown: BlockEvidence | null;
}
