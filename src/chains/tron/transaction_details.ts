/**
 * One transaction by its hash, with the block that holds it: all of it from one endpoint, so that any fault is its own.
 */
import { type Hex, toHex } from "../../lib/bytes.ts";
import { BadAnswer, type JsonFields } from "../node/answer.ts";
import type { TransactionDetails } from "../transaction_details.ts";
import { readListed } from "./listed.ts";
import type { TronRpcNode, TronRpcPool } from "./pool.ts";
import type { BlockReader } from "./reader.ts";
import { costOf, failureOf, traceOf } from "./transaction_info.ts";
import { countOf, presentOf } from "./wire.ts";

export class TronTransactionReader {
  readonly #pool: TronRpcPool;

  readonly #blocks: BlockReader;

  constructor(pool: TronRpcPool, blocks: BlockReader) {
    this.#pool = pool;
    this.#blocks = blocks;
  }

  /** Null if no endpoint knows the hash. @throws AssayError UPSTREAM_UNAVAILABLE */
  async transaction(hash: Hex, signal: AbortSignal): Promise<TransactionDetails | null> {
    const has_inner = this.#pool.known.some((traits) => traits.traces !== null);
    const what = "gettransactionbyid";
    const accepts = (traits: TronRpcNode["traits"]) => !has_inner || traits.traces !== null;
    const read = (node: TronRpcNode, limit: AbortSignal) => this.#read(node, hash, limit);
    const first = await this.#pool.agreed({ what, accepts }, signal, (node) => read(node, signal));
    if (first !== null || this.#pool.size < 2 || this.#pool.agree > 1) return first;
    const others = await this.#pool.each(what, signal, read);
    return others.find((found) => found !== null) ?? null;
  }

  /** @throws BadAnswer if transaction, info and block do not belong together */
  async #read(node: TronRpcNode, hash: Hex, signal: AbortSignal): Promise<TransactionDetails | null> {
    const { endpoint } = node;
    const [transaction, answered] = await Promise.all([
      endpoint.ask("/wallet/gettransactionbyid", { value: hash }, signal),
      endpoint.ask("/wallet/gettransactioninfobyid", { value: hash }, signal),
    ]);
    const fields = presentOf(transaction.json, "transaction");
    if (fields === null) return null;
    const listed = readListed(fields);
    if (toHex(listed.hash) !== hash) throw new BadAnswer("another transaction than asked for");
    const info = presentOf(answered.json, "info");
    const contract = listed.contract(() => ({}));
    return {
      hash: listed.hash,
      sender: contract.sender,
      recipient: contract.recipient,
      value: contract.value,
      nonce: 0,
      input: contract.input,
      ...(RUNS_CODE.has(contract.type) ? {} : { called: { selector: null, name: contract.type, is_protocol: true } }),
      authorizations: [],
      mined: info === null ? null : await this.#mined(node, { hash, info }, signal),
    };
  }

  /** Its facts come from its block; the info by its hash only states which block that is. */
  async #mined(node: TronRpcNode, { hash, info }: { hash: Hex; info: JsonFields }, signal: AbortSignal) {
    const number = countOf(info.blockNumber, "block number");
    const { block, infos } = await this.#blocks.one(node, number, signal);
    const transaction = block.transactions.find((one) => toHex(one.hash) === hash);
    const told = infos.get(hash)?.fields();
    if (transaction === undefined || told === undefined)
      throw new BadAnswer("the block of a transaction does not hold it");
    return {
      block: { number, hash: toHex(block.hash), parent_hash: toHex(block.parent_hash), time: block.time },
      transaction,
      cost: costOf(told),
      verified: block.verified,
      trace: node.traits.traces === null ? null : traceOf(transaction, told),
      ...(transaction.succeeded ? {} : { failure: failureOf(told) }),
    };
  }
}

/** Contracts whose call data identifies the function. */
const RUNS_CODE: ReadonlySet<string> = new Set(["TriggerSmartContract", "CreateSmartContract"]);
