/**
 * Generated chains, the same for the same seed, with true signatures, roots and hashes. `transfers`: few plain blocks
 * of ERC-20 transfers only. `mainnet`: 200 transactions a block with the shares of recorded Ethereum blocks (acts.ts),
 * in pools whose reserves follow from the trades (market.ts).
 */
import { getContractAddress } from "viem";
import type { ReplayAct } from "./act.ts";
import { drawAct, traceOf } from "./acts.ts";
import { Draws, hex } from "./draws.ts";
import { type MadeLog, transferLog } from "./made_log.ts";
import { ReplayMarket } from "./market.ts";
import { type Signer, sealed, signed } from "./sealed.ts";
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

const SHAPES = {
  transfers: { transactions: 34, accounts: 2_000, signers: 500, withdrawals: 0 },
  mainnet: { transactions: 200, accounts: 200_000, signers: 200_000, withdrawals: 16 },
};
/** Tokens of the shape with transfers only. */
const PLAIN_TOKENS = 20;
const BASE_FEE = "0x3b9aca00";
/** Base fee and tip, 1.1 gwei, below the cap. */
const PRICE = "0x4190ab00";
const GAS_USED = 70_000n;
/** Fee of each transaction. */
export const FEE = GAS_USED * BigInt(PRICE);
export const FIRST_BLOCK = 20_000_000;
/** Block 20,000,000 is of June 2024, like Ethereum's. */
const FIRST_TIME = 1_478_000_000;
const BLOCK_SECONDS = 12;

export const syntheticBlocks = (options: SyntheticOptions): ReplayBlock[] => [...eachBlock(options)];

const madeBy = ({ address }: Signer, nonce: number): string =>
  getContractAddress({ from: address, nonce: BigInt(nonce) }).toLowerCase();

/** One after the other, for callers that need only the texts. */
export function* eachBlock(options: SyntheticOptions): Generator<ReplayBlock> {
  const world = new SyntheticWorld(options);
  let parent_hash = options.parent_hash ?? `0x${"00".repeat(32)}`;
  for (let i = 0; i < options.count; i += 1) {
    const made = world.block((options.from ?? FIRST_BLOCK) + i, parent_hash);
    yield made;
    parent_hash = made.block.hash;
  }
}

/** A transaction that a caller adds to a block. */
export interface OwnTransaction {
  readonly sender: Signer;
  readonly nonce: number;
  readonly act: ReplayAct;
}

interface BlockContents {
  readonly own?: readonly OwnTransaction[];
  /** Generated transactions besides. Default: as many as the shape has. */
  readonly others?: number;
}

export class SyntheticWorld {
  readonly #options: SyntheticOptions;
  readonly #shape: (typeof SHAPES)["mainnet"];
  readonly #draws: Draws;
  readonly #market = new ReplayMarket();
  readonly #nonces = new Map<string, number>();
  #signed = 0;

  constructor(options: SyntheticOptions) {
    this.#options = options;
    this.#shape = SHAPES[options.shape];
    this.#draws = new Draws(options.shape, options.seed ?? 1, this.#shape);
  }

  block(number: number, parentHash: string, { own = [], others }: BlockContents = {}): ReplayBlock {
    const drawn = Array.from({ length: others ?? this.#shape.transactions }, () => this.#drawn());
    const done = [...own, ...drawn].map((one) => this.#transaction(one));
    const transactions = done.map(({ transaction }) => transaction);
    const receipts = done.map(({ receipt }) => receipt);
    const made = sealed({ block: { ...this.#header(number, parentHash), transactions }, receipts });
    if (this.#options.with_traces !== true) return made;
    return { ...made, traces: done.map(({ transaction, trace }) => ({ txHash: transaction.hash, result: trace })) };
  }

  #header(number: number, parentHash: string) {
    const withdrawals = Array.from({ length: this.#shape.withdrawals }, (_, i) => ({
      index: hex(40_000_000 + i),
      validatorIndex: hex(800_000 + i),
      address: this.#draws.account(),
      amount: "0x1196b2a",
    }));
    return {
      parentHash,
      number: hex(number),
      timestamp: hex(FIRST_TIME + number * BLOCK_SECONDS),
      gasLimit: "0x1c9c380",
      baseFeePerGas: BASE_FEE,
      miner: this.#draws.account(),
      stateRoot: this.#draws.hash(),
      mixHash: this.#draws.hash(),
      nonce: "0x0000000000000000",
      difficulty: "0x0",
      extraData: "0x",
      blobGasUsed: "0x0",
      excessBlobGas: "0x0",
      parentBeaconBlockRoot: this.#draws.hash(),
      size: "0x1a2b3",
      uncles: [],
      withdrawals,
    };
  }

  #drawn(): OwnTransaction {
    const sender = this.#draws.sender();
    const nonce = this.#nonces.get(sender.address) ?? 0;
    this.#nonces.set(sender.address, nonce + 1);
    return { sender, nonce, act: this.#act(sender, madeBy(sender, nonce)) };
  }

  #transaction({ sender, nonce, act }: OwnTransaction) {
    const made = madeBy(sender, nonce);
    const transaction = signed(
      {
        gas: "0x5208f",
        gasPrice: PRICE,
        maxPriorityFeePerGas: "0x5f5e100",
        maxFeePerGas: "0x77359400",
        input: `0x${act.input}`,
        nonce: hex(nonce),
        to: act.to,
        value: hex(act.value),
        type: "0x2",
        accessList: [],
        chainId: "0x1",
      },
      sender,
      { chain_id: 1, place: this.#signed },
    );
    this.#signed += 1;
    const receipt = {
      contractAddress: act.to === null ? made : null,
      effectiveGasPrice: PRICE,
      from: sender.address,
      gasUsed: hex(GAS_USED),
      logs: act.logs,
      status: act.succeeded === false ? "0x0" : "0x1",
      to: act.to,
      type: "0x2",
    };
    return { transaction, receipt, trace: traceOf(act, { from: sender.address, made }) };
  }

  #act(sender: Signer, made: string): ReplayAct {
    const draws = this.#draws;
    if (this.#options.shape === "mainnet")
      return drawAct({ draws, market: this.#market, sender: sender.address, made });
    const token = draws.named("token", PLAIN_TOKENS);
    const log: MadeLog = transferLog(token, {
      ...{ from: draws.account(), to: draws.account(), amount: BigInt(draws.below(1e15)) },
    });
    return {
      to: token,
      value: BigInt(draws.below(1e15)),
      input: draws.bytes(68),
      logs: [log],
      frames: this.#paid(token),
    };
  }

  /** An inner payment in three of ten. */
  #paid(token: string): ReplayAct["frames"] {
    const draws = this.#draws;
    const call = { from: token, to: draws.account(), input: "0x", output: "0x" };
    const read = { ...call, type: "STATICCALL", value: 0n } as const;
    return draws.random() < 0.3 ? [read, { ...call, type: "CALL", value: BigInt(1 + draws.below(1e15)) }] : [read];
  }
}
