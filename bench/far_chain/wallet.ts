/**
 * A wallet of a chain that exists by formula: which blocks concern it, and what its state is after any block. Of five
 * appearances it pays coins in one, sends tokens in one, is paid coins in one, is paid by an inner call in one, and
 * receives tokens in one.
 */
import type { ReplayAct } from "../replay/act.ts";
import { addressOf } from "../replay/draws.ts";
import { transferLog } from "../replay/made_log.ts";
import { type Signer, signerOf } from "../replay/sealed.ts";
import { FEE, type OwnTransaction } from "../replay/synthetic.ts";

const KINDS = ["pays", "sends_tokens", "is_paid", "is_paid_inside", "gets_tokens"] as const;
type AppearanceKind = (typeof KINDS)[number];

const GWEI = 10n ** 9n;
/** Coins before the first block. */
const OPENING = 10n ** 20n;
const TOKEN = addressOf("token:far");
const VENUE = addressOf("contract:far");
const STRANGER = addressOf("account:far");

interface Appearance {
  readonly block: number;
  readonly kind: AppearanceKind;
  /** Base units that the act moves. */
  readonly amount: bigint;
  /** The wallet after the block. */
  readonly nonce: number;
  readonly balance: bigint;
}

/** Ascending even numbers below a limit, evenly spread, the same in each run: no two blocks are neighbours. */
const spreadBlocks = (count: number, below: number, seed: number): readonly number[] => {
  const found = new Set<number>();
  let state = count + 7 + seed * 1_000_003;
  while (found.size < count) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    found.add(2 + 2 * Math.floor((state / 2 ** 32) * (below / 2 - 1)));
  }
  return [...found].sort((a, b) => a - b);
};

const appearancesIn = (blocks: readonly number[]): readonly Appearance[] => {
  let [nonce, balance] = [0, OPENING];
  return blocks.map((block, i) => {
    const kind = KINDS[i % KINDS.length] ?? "pays";
    const amount = BigInt(i + 1) * GWEI;
    const is_sender = kind === "pays" || kind === "sends_tokens";
    if (is_sender) nonce += 1;
    if (is_sender) balance -= FEE;
    if (kind === "pays") balance -= amount;
    if (kind === "is_paid" || kind === "is_paid_inside") balance += amount;
    return { block, kind, amount, nonce, balance };
  });
};

export interface WalletState {
  readonly nonce: number;
  readonly balance: bigint;
}

export class FarWallet {
  readonly #signer: Signer;
  readonly #other: Signer;
  readonly appearances: readonly Appearance[];

  /** @param seed another one is another wallet */
  constructor(count: number, chain_blocks: number, seed = 0) {
    this.#signer = signerOf(`wallet:${count}:${seed}`);
    this.#other = signerOf(`other:${count}:${seed}`);
    this.appearances = appearancesIn(spreadBlocks(count, chain_blocks, seed));
  }

  get address(): string {
    return this.#signer.address;
  }

  /** After a block. */
  stateAt(block: number): WalletState {
    let [low, high] = [0, this.appearances.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.appearances[middle]?.block ?? 0) <= block) low = middle + 1;
      else high = middle;
    }
    return this.appearances[low - 1] ?? { nonce: 0, balance: OPENING };
  }

  /** The transaction of an appearance; `place` counts them from 0. */
  transaction({ kind, amount, nonce }: Appearance, place: number): OwnTransaction {
    const wallet = this.#signer.address;
    const plain = { value: 0n, input: "", logs: [], frames: [] };
    const tokens = (from: string, to: string): ReplayAct => {
      return { ...plain, to: TOKEN, logs: [transferLog(TOKEN, { from, to, amount })] };
    };
    const inner = { type: "CALL", from: VENUE, to: wallet, value: amount, input: "0x", output: "0x" } as const;
    const acts: Readonly<Record<AppearanceKind, () => ReplayAct>> = {
      pays: () => ({ ...plain, to: STRANGER, value: amount }),
      sends_tokens: () => tokens(wallet, STRANGER),
      is_paid: () => ({ ...plain, to: wallet, value: amount }),
      is_paid_inside: () => ({ ...plain, to: VENUE, value: amount, frames: [inner] }),
      gets_tokens: () => tokens(STRANGER, wallet),
    };
    const is_sender = kind === "pays" || kind === "sends_tokens";
    const [sender, own_nonce] = is_sender ? [this.#signer, nonce - 1] : [this.#other, place];
    return { sender, nonce: own_nonce, act: acts[kind]() };
  }
}
