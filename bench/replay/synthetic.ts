/**
 * Generated chains, the same for the same seed.
 * `transfers`: few plain blocks of ERC-20 transfers only. `mainnet`: 200 transactions, some 450 logs and 620 KB a block
 * in the mixture of a busy Ethereum block (55 % transfers, 15 % v3 swaps, 15 % syncs, 15 % approvals).
 */
import { createHash } from "node:crypto";
import { addLogs, emptyBloom } from "../../src/chains/evm/bloom.ts";
import { fromHex, toHex } from "../../src/lib/bytes.ts";
import type { ReplayBlock } from "./server.ts";

export interface SyntheticOptions {
  readonly shape: "transfers" | "mainnet";
  readonly count: number;
  readonly seed?: number;
  readonly from?: number;
  /** Hash that the first block names as its parent: to grow a branch. */
  readonly parent_hash?: string;
  /** One call tree per transaction. */
  readonly with_traces?: boolean;
}

const TOPIC = {
  transfer: "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
  swap: "0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67",
  sync: "0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1",
  approval: "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925",
};
const SHAPES = {
  transfers: { transactions: 34, logs_per_transaction: 1, accounts: 2_000, tokens: 20, withdrawals: 0 },
  mainnet: { transactions: 200, logs_per_transaction: 2.25, accounts: 200_000, tokens: 2_000, withdrawals: 16 },
};
const FIRST_TIME = 1_718_000_000;
const BLOCK_SECONDS = 12;

interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

export const syntheticBlocks = (options: SyntheticOptions): ReplayBlock[] => {
  const world = new World(options);
  const blocks: ReplayBlock[] = [];
  let parent_hash = options.parent_hash ?? `0x${"00".repeat(32)}`;
  for (let i = 0; i < options.count; i += 1) {
    const made = world.block((options.from ?? 20_000_000) + i, parent_hash);
    blocks.push(made);
    parent_hash = made.block.hash;
  }
  return blocks;
};

class World {
  readonly #options: SyntheticOptions;
  readonly #shape: (typeof SHAPES)["mainnet"];
  readonly #salt: string;
  #state: number;
  #serial = 0;

  constructor(options: SyntheticOptions) {
    this.#options = options;
    this.#shape = SHAPES[options.shape];
    this.#salt = `${options.shape}:${options.seed ?? 1}`;
    this.#state = ((options.seed ?? 1) * 2_654_435_761) >>> 0;
  }

  block(number: number, parentHash: string): ReplayBlock {
    const hash = this.#hash();
    const place = {
      blockHash: hash,
      blockNumber: hex(number),
      blockTimestamp: hex(FIRST_TIME + number * BLOCK_SECONDS),
    };
    const transactions = [];
    const receipts = [];
    const traces = [];
    const sum = emptyBloom();
    let log_index = 0;
    for (let i = 0; i < this.#shape.transactions; i += 1) {
      const transaction = this.#transaction(place, i);
      const logs = this.#logs();
      const bloom = emptyBloom();
      addLogs(bloom, logs.map(logBytes));
      for (let k = 0; k < sum.length; k += 1) sum[k] = (sum[k] ?? 0) | (bloom[k] ?? 0);
      transactions.push(transaction);
      receipts.push(receiptOf(transaction, { logs, bloom: `0x${toHex(bloom)}`, place, log_index, index: i }));
      if (this.#options.with_traces === true)
        traces.push({ txHash: transaction.hash, result: this.#trace(transaction) });
      log_index += logs.length;
    }
    const header = this.#header({ number, hash, parentHash, logsBloom: `0x${toHex(sum)}` });
    return {
      block: { ...header, transactions },
      receipts,
      ...(this.#options.with_traces === true ? { traces } : {}),
    };
  }

  #header(given: { number: number; hash: string; parentHash: string; logsBloom: string }) {
    const withdrawals = Array.from({ length: this.#shape.withdrawals }, (_, i) => ({
      index: hex(40_000_000 + i),
      validatorIndex: hex(800_000 + i),
      address: this.#account(),
      amount: "0x1196b2a",
    }));
    return {
      ...given,
      number: hex(given.number),
      timestamp: hex(FIRST_TIME + given.number * BLOCK_SECONDS),
      gasUsed: "0xe4e1c0",
      gasLimit: "0x1c9c380",
      baseFeePerGas: "0x3b9aca00",
      miner: this.#account(),
      stateRoot: this.#hash(),
      transactionsRoot: this.#hash(),
      receiptsRoot: this.#hash(),
      sha3Uncles: this.#hash(),
      mixHash: this.#hash(),
      nonce: "0x0000000000000000",
      difficulty: "0x0",
      extraData: "0x",
      size: "0x1a2b3",
      uncles: [],
      withdrawals,
    };
  }

  #transaction(place: { blockHash: string; blockNumber: string }, index: number) {
    const input_bytes = this.#random() < 0.4 ? 0 : this.#random() < 0.7 ? 68 : 484;
    return {
      blockHash: place.blockHash,
      blockNumber: place.blockNumber,
      from: this.#account(),
      gas: "0x5208f",
      gasPrice: "0x3b9aca07",
      maxPriorityFeePerGas: "0x5f5e100",
      maxFeePerGas: "0x77359400",
      hash: this.#hash(),
      input: `0x${this.#bytes(input_bytes)}`,
      nonce: hex(this.#below(9_999)),
      to: this.#token(),
      transactionIndex: hex(index),
      value: hex(this.#below(1e15)),
      type: "0x2",
      accessList: [],
      chainId: "0x1",
      v: "0x1",
      r: this.#hash(),
      s: this.#hash(),
      yParity: "0x1",
    };
  }

  #logs(): Log[] {
    const mean = this.#shape.logs_per_transaction;
    const count = this.#options.shape === "transfers" ? mean : Math.floor(-Math.log(1 - this.#random()) * mean);
    return Array.from({ length: count }, () => this.#log());
  }

  #log(): Log {
    const address = this.#token();
    const kind = this.#options.shape === "transfers" ? 0 : this.#random();
    const pair = (topic: string): string[] => [topic, padded(this.#account()), padded(this.#account())];
    if (kind < 0.55)
      return { address, topics: pair(TOPIC.transfer), data: `0x${this.#below(1e15).toString(16).padStart(64, "0")}` };
    if (kind < 0.7) return { address, topics: pair(TOPIC.swap), data: `0x${this.#bytes(160)}` };
    if (kind < 0.85) return { address, topics: [TOPIC.sync], data: `0x${this.#bytes(64)}` };
    return { address, topics: pair(TOPIC.approval), data: `0x${this.#bytes(32)}` };
  }

  #trace(transaction: { from: string; to: string; value: string; input: string }) {
    const inner = {
      type: "CALL",
      from: transaction.to,
      to: this.#account(),
      gas: "0x5208",
      gasUsed: "0x0",
      input: "0x",
    };
    const read = { ...inner, type: "STATICCALL", output: `0x${this.#bytes(32)}` };
    const calls = this.#random() < 0.3 ? [read, { ...inner, value: hex(this.#below(1e15)) }] : [read];
    return { ...transaction, type: "CALL", gasUsed: "0x11170", output: "0x", calls };
  }

  #account(): string {
    return this.#named("account", this.#shape.accounts);
  }

  #token(): string {
    return this.#named("token", this.#shape.tokens);
  }

  /** Few names are busy and most are rare. */
  #named(kind: string, count: number): string {
    const place = Math.floor(count * this.#random() ** 3);
    return `0x${createHash("sha1").update(`${kind}:${place}`).digest("hex")}`;
  }

  #hash(): string {
    return `0x${this.#bytes(32)}`;
  }

  #bytes(count: number): string {
    let text = "";
    while (text.length < count * 2) {
      this.#serial += 1;
      text += createHash("sha512").update(`${this.#salt}:${this.#serial}`).digest("hex");
    }
    return text.slice(0, count * 2);
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  /** A linear congruential generator (Numerical Recipes), in [0, 1). */
  #random(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#state / 4_294_967_296;
  }
}

interface Position {
  readonly logs: readonly Log[];
  readonly bloom: string;
  readonly place: { readonly blockHash: string; readonly blockNumber: string; readonly blockTimestamp: string };
  readonly log_index: number;
  readonly index: number;
}

const receiptOf = (transaction: { hash: string; from: string; to: string }, at: Position) => ({
  blockHash: at.place.blockHash,
  blockNumber: at.place.blockNumber,
  contractAddress: null,
  cumulativeGasUsed: hex((at.index + 1) * 70_000),
  effectiveGasPrice: "0x3b9aca07",
  from: transaction.from,
  gasUsed: "0x11170",
  logs: at.logs.map((log, i) => ({
    ...log,
    ...at.place,
    transactionHash: transaction.hash,
    transactionIndex: hex(at.index),
    logIndex: hex(at.log_index + i),
    removed: false,
  })),
  logsBloom: at.bloom,
  status: "0x1",
  to: transaction.to,
  transactionHash: transaction.hash,
  transactionIndex: hex(at.index),
  type: "0x2",
});

const hex = (value: number): string => `0x${value.toString(16)}`;
const padded = (address: string): string => `0x${"0".repeat(24)}${address.slice(2)}`;

const logBytes = (log: Log) => ({
  address: bytesOf(log.address),
  topics: log.topics.map(bytesOf),
  data: bytesOf(log.data),
  index: 0,
});

const bytesOf = (text: string): Uint8Array => {
  const bytes = fromHex(text);
  if (bytes === null) throw new Error(`not hex: ${text}`);
  return bytes;
};
