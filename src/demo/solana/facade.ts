/**
 * A Solana node for tests: the real programs of litesvm (system, SPL Token, Token-2022) behind a node's JSON-RPC calls.
 * It seals blocks on request, skips slots, and keeps every sealed block.
 */
import { createHash, type webcrypto } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  lamports,
  pipe,
  setTransactionMessageFeePayer,
  signTransaction,
} from "@solana/kit";
import { FailedTransactionMetadata, LiteSVM, type TransactionMetadata } from "litesvm";
import { toBase58 } from "../../lib/base58.ts";
import {
  answerCall,
  errorOf,
  type FacadeFault,
  type FacadeNode,
  type FacadeRequest,
  type SealedBlock,
} from "./facade_calls.ts";
import { signatureIn } from "./facade_history.ts";

const FIRST_TIME = 1_700_000_000;
const TOKEN_PROGRAMS = ["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"];
const SYSTEM = address("11111111111111111111111111111111");
const TOKEN_ACCOUNT_BYTES = 165;
const MINT_TYPE = 1;

export class SolanaFacade {
  readonly svm = new LiteSVM().withNativeMints();
  readonly producer: Address;
  readonly genesis = toBase58(createHash("sha256").update("genesis").digest());
  /** Changes or replaces the answer of a call; null for the honest answer. */
  fault: FacadeFault | null = null;
  readonly #blocks = new Map<number, SealedBlock>();
  readonly #server = createServer();
  #slot = 1;
  #pending: unknown[] = [];
  #rewards: unknown[] = [];
  #fees = 0n;
  #last: SealedBlock;

  constructor(producer: Address) {
    this.producer = producer;
    this.#last = this.#seal(0, { blockhash: this.genesis, slot: 0 }, null);
  }

  async start(): Promise<void> {
    const node: FacadeNode = {
      svm: this.svm,
      blocks: this.#blocks,
      genesis: this.genesis,
      head: () => this.#last.slot,
      fault: (asked) => this.fault?.(asked),
    };
    this.#server.on("request", (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const asked = JSON.parse(Buffer.concat(chunks).toString("utf8")) as FacadeRequest | FacadeRequest[]; // our own client's request
        const answers = Array.isArray(asked) ? asked.map((one) => answerCall(node, one)) : answerCall(node, asked);
        response.setHeader("content-type", "application/json");
        response.end(withBigIntegers(answers));
      });
    });
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`; // listening on a TCP port
  }

  get head(): number {
    return this.#last.slot;
  }

  get slots(): readonly number[] {
    return [...this.#blocks.keys()];
  }

  /** Base58; null where no block was sealed. */
  hashOf(slot: number): string | null {
    return this.#blocks.get(slot)?.blockhash ?? null;
  }

  /** First signature of the newest sealed transaction; `''` when its block has none. */
  get newest(): string {
    const last = this.#last.transactions.at(-1);
    return last === undefined ? "" : signatureIn(last);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Coins from the chain itself, reported as a reward of the block. */
  credit(to: Address, amount: bigint): void {
    const after = (this.svm.getBalance(to) ?? 0n) + amount;
    const empty = { address: to, data: new Uint8Array(0), executable: false, programAddress: SYSTEM, space: 0n };
    this.svm.setAccount({ ...empty, lamports: lamports(after) });
    const rewardType = to === this.producer ? "Fee" : "Staking";
    this.#rewards.push({ pubkey: to, lamports: amount, postBalance: after, rewardType, commission: null });
  }

  /** Runs a transaction of the pending block; the first key pays. Returns null on success, else its error. */
  async send(
    instructions: readonly Instruction[],
    signers: readonly [webcrypto.CryptoKeyPair, ...webcrypto.CryptoKeyPair[]],
    payer: Address,
  ) {
    this.svm.expireBlockhash();
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (empty) => setTransactionMessageFeePayer(payer, empty),
      (paid) => this.svm.setTransactionMessageLifetimeUsingLatestBlockhash(paid),
      (timed) => appendTransactionMessageInstructions(instructions, timed),
    );
    const transaction = await signTransaction([...signers], compileTransaction(message));
    const wire = Buffer.from(getTransactionEncoder().encode(transaction));
    const keys = keysOf(Buffer.from(transaction.messageBytes));
    const before = { lamports: this.#lamports(keys), tokens: this.#tokens(keys) };
    const result = this.svm.sendTransaction(transaction);
    const failed = result instanceof FailedTransactionMetadata;
    const details: TransactionMetadata = failed ? result.meta() : result;
    const after = this.#lamports(keys);
    // No program destroys lamports: the decrease of all accounts is the fee.
    const fee = sumOf(before.lamports) - sumOf(after);
    this.#fees += fee;
    this.#pending.push({
      transaction: [wire.toString("base64"), "base64"],
      version: 0,
      meta: {
        err: failed ? errorOf(result.err()) : null,
        fee,
        preBalances: before.lamports,
        postBalances: after,
        preTokenBalances: before.tokens,
        postTokenBalances: this.#tokens(keys),
        innerInstructions: innerOf(details),
        loadedAddresses: { writable: [], readonly: [] },
        logMessages: details.logs(),
        computeUnitsConsumed: details.computeUnitsConsumed(),
        rewards: null,
      },
    });
    return failed ? String(result.err()) : null;
  }

  /** Seals the pending block at `time` (unix seconds); `skipped` slots before it stay empty. */
  seal(skipped = 0, time: number | null = null): number {
    if (this.#fees > 0n) this.credit(this.producer, this.#fees / 2n);
    this.#slot += skipped;
    this.#last = this.#seal(this.#slot, this.#last, time);
    this.#slot += 1;
    this.#fees = 0n;
    return this.#last.slot;
  }

  /**
   * Reverts the newest blocks, as a fork does: their transactions wait for the next block, their slots were skipped.
   */
  fork(depth: number): void {
    const dropped = [...this.#blocks.values()].slice(-depth);
    for (const { slot } of dropped) this.#blocks.delete(slot);
    this.#pending = [...dropped.flatMap(({ transactions }) => transactions), ...this.#pending];
    this.#rewards = [...dropped.flatMap(({ rewards }) => rewards), ...this.#rewards];
    this.#last = [...this.#blocks.values()].at(-1) ?? this.#last;
  }

  #seal(slot: number, parent: { readonly slot: number; readonly blockhash: string }, time: number | null): SealedBlock {
    const blockTime = time ?? FIRST_TIME + Math.floor(slot * 0.4);
    const content = withBigIntegers([parent.blockhash, slot, blockTime, this.#pending, this.#rewards]);
    const block: SealedBlock = {
      slot,
      blockhash: toBase58(createHash("sha256").update(content).digest()),
      previousBlockhash: parent.blockhash,
      parentSlot: parent.slot,
      blockTime,
      blockHeight: this.#blocks.size,
      transactions: this.#pending,
      rewards: this.#rewards,
    };
    this.#pending = [];
    this.#rewards = [];
    this.#blocks.set(slot, block);
    return block;
  }

  #lamports(keys: readonly Address[]): bigint[] {
    return keys.map((key) => this.svm.getBalance(key) ?? 0n);
  }

  #tokens(keys: readonly Address[]): unknown[] {
    return keys.flatMap((key, accountIndex) => {
      const account = this.svm.getAccount(key);
      if (!account.exists || !TOKEN_PROGRAMS.includes(account.programAddress)) return [];
      const data = Buffer.from(account.data);
      const is_mint = data.length < TOKEN_ACCOUNT_BYTES || data[TOKEN_ACCOUNT_BYTES] === MINT_TYPE;
      if (is_mint || data[108] === 0) return [];
      const amount = String(data.readBigUInt64LE(64));
      return [
        {
          accountIndex,
          mint: toBase58(data.subarray(0, 32)),
          owner: toBase58(data.subarray(32, 64)),
          programId: account.programAddress,
          uiTokenAmount: { amount, decimals: 6, uiAmount: null, uiAmountString: amount },
        },
      ];
    });
  }
}

const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n);

/** Keys of a version 0 message: a byte of version, three of header, their number (below 128), then 32 bytes each. */
const keysOf = (message: Buffer): Address[] =>
  Array.from({ length: message[4] ?? 0 }, (_, i) => address(toBase58(message.subarray(5 + 32 * i, 37 + 32 * i))));

const innerOf = (details: TransactionMetadata): unknown[] =>
  details.innerInstructions().flatMap((list, index) => {
    const instructions = list.map((one) => ({
      programIdIndex: one.instruction().programIdIndex(),
      accounts: [...one.instruction().accounts()],
      data: toBase58(one.instruction().data()),
      stackHeight: one.stackHeight(),
    }));
    return instructions.length === 0 ? [] : [{ index, instructions }];
  });

/** Integers as a node writes them: with all their digits. */
const withBigIntegers = (value: unknown): string =>
  JSON.stringify(value, (_, item) => (typeof item === "bigint" ? `<${item}>` : item)).replace(/"<(\d+)>"/g, "$1");
