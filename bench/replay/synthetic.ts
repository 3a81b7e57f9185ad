/**
 * Generated chains, the same for the same seed, with true signatures, roots and hashes.
 * `transfers`: few plain blocks of ERC-20 transfers only. `mainnet`: 200 transactions, some 450 logs and 620 KB a block
 * in the mixture of a busy Ethereum block (55 % transfers, 15 % v3 swaps, 15 % syncs, 15 % approvals).
 */
import { createHash } from "node:crypto";
import { type Signer, sealed, signed, signerOf } from "./sealed.ts";
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
const BASE_FEE = "0x3b9aca00";
/** Base fee and tip, 1.1 gwei, below the cap. */
const PRICE = "0x4190ab00";
/** Block 20,000,000 is of June 2024, as Ethereum's is. */
const FIRST_TIME = 1_478_000_000;
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
    const transactions = Array.from({ length: this.#shape.transactions }, () => this.#transaction());
    const receipts = transactions.map((transaction) => receiptOf(transaction, this.#logs()));
    const made = sealed({ block: { ...this.#header(number, parentHash), transactions }, receipts });
    if (this.#options.with_traces !== true) return made;
    const traces = transactions.map((transaction) => ({ txHash: transaction.hash, result: this.#trace(transaction) }));
    return { ...made, traces };
  }

  #header(number: number, parentHash: string) {
    const withdrawals = Array.from({ length: this.#shape.withdrawals }, (_, i) => ({
      index: hex(40_000_000 + i),
      validatorIndex: hex(800_000 + i),
      address: this.#account(),
      amount: "0x1196b2a",
    }));
    return {
      parentHash,
      number: hex(number),
      timestamp: hex(FIRST_TIME + number * BLOCK_SECONDS),
      gasLimit: "0x1c9c380",
      baseFeePerGas: BASE_FEE,
      miner: this.#account(),
      stateRoot: this.#hash(),
      mixHash: this.#hash(),
      nonce: "0x0000000000000000",
      difficulty: "0x0",
      extraData: "0x",
      blobGasUsed: "0x0",
      excessBlobGas: "0x0",
      parentBeaconBlockRoot: this.#hash(),
      size: "0x1a2b3",
      uncles: [],
      withdrawals,
    };
  }

  #transaction() {
    const input_bytes = this.#random() < 0.4 ? 0 : this.#random() < 0.7 ? 68 : 484;
    const sender = this.#sender();
    const transaction = {
      gas: "0x5208f",
      gasPrice: PRICE,
      maxPriorityFeePerGas: "0x5f5e100",
      maxFeePerGas: "0x77359400",
      input: `0x${this.#bytes(input_bytes)}`,
      nonce: hex(this.#below(9_999)),
      to: this.#token(),
      value: hex(this.#below(1e15)),
      type: "0x2",
      accessList: [],
      chainId: "0x1",
    };
    return signed(transaction, sender, 1);
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

  /** One of the busiest accounts: their keys are known. */
  #sender(): Signer {
    return keyed(Math.floor(KEYED * this.#random() ** 3));
  }

  /** Few names are busy and most are rare. */
  #named(kind: string, count: number): string {
    const place = Math.floor(count * this.#random() ** 3);
    if (kind === "account" && place < KEYED) return keyed(place).address;
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

const receiptOf = (transaction: { from: string; to: string }, logs: readonly Log[]) => ({
  contractAddress: null,
  effectiveGasPrice: PRICE,
  from: transaction.from,
  gasUsed: "0x11170",
  logs,
  status: "0x1",
  to: transaction.to,
  type: "0x2",
});

/** Accounts that sign. */
const KEYED = 500;
const signers: Signer[] = [];
const keyed = (place: number): Signer => {
  signers[place] ??= signerOf(`account:${place}`);
  return signers[place];
};

const hex = (value: number): string => `0x${value.toString(16)}`;
const padded = (address: string): string => `0x${"0".repeat(24)}${address.slice(2)}`;
