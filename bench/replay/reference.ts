/** The ERC-20 transfers of some blocks, found in the plainest way; and the same from stored rows. */
import { createHash } from "node:crypto";
import type { ReplayBlock } from "./server.ts";

export interface ReferenceTotals {
  readonly count: number;
  /** Of the raw amounts, in decimal. */
  readonly sum: string;
  /** SHA-256 of all rows in order of block and log. */
  readonly hash: string;
}

export interface TransferRow {
  readonly block_number: number;
  readonly log_index: number;
  /** Addresses in lower case, with 0x. */
  readonly token: string;
  readonly source: string;
  readonly destination: string;
  readonly amount: bigint;
}

const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** Rows one by one, in order of block and log. */
export class TransferSum {
  readonly #hash = createHash("sha256");
  #count = 0;
  #sum = 0n;

  add({ block_number, log_index, token, source, destination, amount }: TransferRow): void {
    this.#hash.update(`${block_number},${log_index},${token},${source},${destination},${amount}\n`);
    this.#count += 1;
    this.#sum += amount;
  }

  /** Call it once. */
  totals(): ReferenceTotals {
    return { count: this.#count, sum: this.#sum.toString(), hash: this.#hash.digest("hex") };
  }
}

/** `rows` in order of block and log. */
export const totalsOf = (rows: Iterable<TransferRow>): ReferenceTotals => {
  const sum = new TransferSum();
  for (const row of rows) sum.add(row);
  return sum.totals();
};

interface JsonLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly blockNumber: string;
  readonly logIndex: string;
}

export const logsOf = ({ receipts }: ReplayBlock): readonly JsonLog[] =>
  // Receipts of replay blocks are complete, as a node sends them.
  (receipts as readonly { readonly logs?: readonly JsonLog[] }[]).flatMap(({ logs }) => logs ?? []);

/** Every log with the topic of Transfer, two indexed addresses and one word of data (EIP-20). */
export function* transfersIn(block: ReplayBlock): Generator<TransferRow> {
  for (const { address, topics, data, blockNumber, logIndex } of logsOf(block)) {
    const [topic, from, to] = topics;
    if (topic !== TRANSFER || from === undefined || to === undefined || topics.length !== 3) continue;
    yield {
      block_number: Number(blockNumber),
      log_index: Number(logIndex),
      token: address,
      source: `0x${from.slice(26)}`,
      destination: `0x${to.slice(26)}`,
      amount: BigInt(data),
    };
  }
}
