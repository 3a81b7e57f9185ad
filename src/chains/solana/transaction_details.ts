/** One transaction by its first signature, with its position in its block. */

import { SIGNATURE_FEE } from "../../knowledge/fees.gen.ts";
import { type Bytes, EMPTY, type Hex, toHex } from "../../lib/bytes.ts";
import { AssayError } from "../../lib/errors.ts";
import type { BlockRef, Network } from "../chain.ts";
import { BadAnswer, fieldsOf, type JsonFields, listOf } from "../node/answer.ts";
import type { Cost, TracedCall, TransactionDetails } from "../transaction_details.ts";
import { formatBase58 } from "./address.ts";
import { type BlockReading, mainOf, readHead, transactionOf } from "./block.ts";
import { failureOf, type TransactionFailure } from "./failure.ts";
import { u64At } from "./integers.ts";
import { effectsOf } from "./logless_transfers.ts";
import { calledBy } from "./methods.ts";
import type { SolanaRpcNode, SolanaRpcPool } from "./probe.ts";
import { COMPUTE_BUDGET_PROGRAM, SIGNATURE_PROGRAMS } from "./programs.ts";
import { refOf } from "./slots.ts";
import { type RawTransaction, readRawTransaction, type SolanaInstruction } from "./transaction.ts";
import { checkTransactions } from "./verify.ts";
import { isPlainVote } from "./votes.ts";
import { dataOf, indexOf, Keys } from "./wire.ts";

const COMMITMENT = "confirmed";
const CONFIG = { encoding: "base64", maxSupportedTransactionVersion: 0, commitment: COMMITMENT };
const SET_PRICE = 3;

export class SolanaTransactionReader {
  readonly #pool: SolanaRpcPool;
  readonly #network: Network;
  readonly #how: BlockReading;

  constructor(pool: SolanaRpcPool, network: Network, how: BlockReading) {
    this.#pool = pool;
    this.#network = network;
    this.#how = how;
  }

  /**
   * Null if no endpoint knows the signature; nodes only know transactions in a block.
   * @throws AssayError UPSTREAM_UNAVAILABLE, or COVERAGE_INCOMPLETE if its movements were not kept
   */
  async transaction(hash: Hex, signal: AbortSignal): Promise<TransactionDetails | null> {
    const what = "getTransaction";
    const ask = (node: SolanaRpcNode, limit: AbortSignal) => read(node, { hash, ...this.#how }, limit);
    const first = await this.#pool.agreed({ what }, signal, (node) => ask(node, signal));
    if (first !== null || this.#pool.size < 2 || this.#pool.agree > 1) return this.#whole(first);
    const others = await this.#pool.each(what, signal, ask);
    return this.#whole(others.find((one) => one !== null) ?? null);
  }

  #whole(found: DetailsMatch | null): TransactionDetails | null {
    if (found === null) return null;
    if (found.has_owners) return found.seen;
    const { id, name } = this.#network;
    const message = `${id}: no node kept the owners of the token accounts of ${formatBase58(toHex(found.seen.hash))}`;
    const shown = `The transaction is in a block of ${name} for which no node kept the owners of its token accounts.`;
    throw new AssayError({ code: "COVERAGE_INCOMPLETE", message, public: shown });
  }
}

interface DetailsMatch {
  readonly seen: TransactionDetails;
  /** False for blocks before 2022, whose owners of token accounts were not recorded. */
  readonly has_owners: boolean;
}

interface TransactionQuery extends BlockReading {
  readonly hash: Hex;
}

const read = async (
  { endpoint }: SolanaRpcNode,
  { hash, verify, votes }: TransactionQuery,
  signal: AbortSignal,
): Promise<DetailsMatch | null> => {
  const signature = formatBase58(hash);
  const answer = await endpoint.result({ method: "getTransaction", params: [signature, CONFIG] }, signal);
  if (answer === null) return null;
  const fields = fieldsOf(answer, "transaction");
  const slot = indexOf(fields.slot, "slot");
  const raw = readRawTransaction(fields, new Keys());
  if (toHex(raw.signature) !== hash) throw new BadAnswer("another transaction than asked for");
  const config = { transactionDetails: "signatures", rewards: false, commitment: COMMITMENT };
  const params = [slot, { ...config, maxSupportedTransactionVersion: 0 }];
  const block = fieldsOf(await endpoint.result({ method: "getBlock", params }, signal), "block");
  const index = listOf(block.signatures, "signatures").indexOf(signature);
  if (index < 0) throw new BadAnswer("the block of a transaction does not hold it");
  const place = blockRef(block, slot);
  if (verify === "full") checkTransactions([raw], place.time);
  return seenOf({
    raw,
    meta: fieldsOf(fields.meta, "meta data"),
    index,
    block: place,
    is_summed: votes === "summed" && isPlainVote(raw),
  });
};

const blockRef = (block: JsonFields, slot: number): BlockRef => {
  const head = readHead(block, slot);
  const { time } = head;
  if (time === null) throw new BadAnswer(`the node does not know when slot ${slot} was`);
  return refOf({ ...head, time });
};

interface DetailsInput {
  readonly raw: RawTransaction;
  readonly meta: JsonFields;
  readonly index: number;
  readonly block: BlockRef;
  readonly is_summed: boolean;
}

/** @throws BadAnswer */
const seenOf = ({ raw, meta, index, block, is_summed }: DetailsInput): DetailsMatch => {
  const effects = effectsOf(raw);
  const transaction = transactionOf(raw, index, effects);
  const { hash, sender, recipient, value, nonce, input } = transaction;
  const main = mainOf(raw);
  const failure = failureOf(meta);
  const seen: TransactionDetails = {
    ...{ hash, sender, recipient, value, nonce, input },
    called: main === null ? { selector: null, name: null, is_protocol: true } : calledBy(main, raw.accounts),
    authorizations: [],
    mined: {
      block,
      transaction,
      cost: costOf(raw),
      verified: "none",
      ...(is_summed ? { is_summed_vote: true } : {}),
      trace: raw.has_inner ? traceOf(raw, failure) : null,
      ...(failure === null ? {} : { failure: { payload: null, words: failure.words, depth: failure.depth } }),
    },
  };
  return { seen, has_owners: effects.has_owners };
};

const bytesIn = ({ call }: SolanaInstruction): Bytes => {
  if ("type" in call) return EMPTY;
  return typeof call.data === "string" ? dataOf(call.data, "data") : call.data;
};

/** Without a price for compute units the priority fee is zero; else it is the part that signatures do not explain. */
export const costOf = (raw: RawTransaction): Cost => {
  const { instructions, accounts, signers, fee, compute_units } = raw;
  const of = (program: (id: Hex) => boolean) => instructions.filter((one) => program(accounts.hex(one.program)));
  const budget = of((id) => id === COMPUTE_BUDGET_PROGRAM).map(bytesIn);
  const is_priced = budget.some((data) => data[0] === SET_PRICE && (u64At(data, 1) ?? 0n) > 0n);
  const verified = of((id) => SIGNATURE_PROGRAMS.has(id)).reduce((sum, one) => sum + (bytesIn(one)[0] ?? 0), 0);
  const rest = fee - SIGNATURE_FEE * BigInt(signers + verified);
  return { unit: "compute_unit", units: compute_units, priority_fee: is_priced && rest > 0n ? rest : 0n };
};

/**
 * Every instruction except those that only buy compute units, which the cost shows. Those of the transaction itself
 * have depth 0 and the payer as sender; the sender of the others is the calling program.
 */
export const traceOf = (raw: RawTransaction, failure: TransactionFailure | null): readonly TracedCall[] => {
  const { accounts, instructions, succeeded } = raw;
  const failed = instructions.filter(({ depth }) => depth === 1)[failure?.instruction ?? -1];
  const kept = instructions.filter(({ program }) => accounts.hex(program) !== COMPUTE_BUDGET_PROGRAM);
  const callers: Bytes[] = [accounts.bytes(0)];
  return (kept.length === 0 ? instructions.slice(0, 1) : kept).map((one): TracedCall => {
    const recipient = accounts.bytes(one.program);
    callers[one.depth] = recipient;
    return {
      depth: one.depth - 1,
      kind: "call",
      sender: callers[one.depth - 1] ?? accounts.bytes(0),
      recipient,
      value: 0n,
      input: bytesIn(one),
      called: calledBy(one, accounts),
      output: null,
      error: one === failed ? (failure?.words ?? null) : null,
      is_undone: !succeeded,
    };
  });
};
