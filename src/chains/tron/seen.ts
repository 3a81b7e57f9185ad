/** One transaction by its hash, from the block that holds it. */
import { toHex } from "../../lib/bytes.ts";
import { BadAnswer, type Fields, fieldsOf } from "../node/answer.ts";
import type { SeenTransaction } from "../seen_transaction.ts";
import { readContract } from "./contracts.ts";
import type { EndpointPool, Node } from "./pool.ts";
import type { BlockReader } from "./reader.ts";
import { costOf, failureOf, traceOf } from "./told.ts";
import { transactionHash } from "./transactions.ts";
import { countOf, hashOf, presentOf } from "./wire.ts";

export class SeenReader {
  readonly #pool: EndpointPool;
  readonly #blocks: BlockReader;

  constructor(pool: EndpointPool, blocks: BlockReader) {
    this.#pool = pool;
    this.#blocks = blocks;
  }

  /** Null when no endpoint knows the hash. @throws AssayError UPSTREAM_UNAVAILABLE */
  async transaction(hash: string, signal: AbortSignal): Promise<SeenTransaction | null> {
    const found = await this.#find(hash, signal);
    if (found === null) return null;
    const { fields, block_number } = found;
    const mined = block_number === null ? null : await this.#mined(hash, block_number, signal);
    const contract = readContract(fieldsOf(fields.raw_data, "raw data"), {});
    return {
      hash: transactionHash(fields),
      sender: contract.sender,
      recipient: contract.recipient,
      value: contract.value,
      nonce: 0,
      input: contract.input,
      ...(RUNS_CODE.has(contract.type) ? {} : { called: { selector: null, name: contract.type, is_protocol: true } }),
      authorizations: [],
      mined,
    };
  }

  async #find(hash: string, signal: AbortSignal) {
    const what = "gettransactionbyid";
    const first = await this.#pool.run({ what }, signal, (node) => ask(node, hash, signal));
    if (first !== null || this.#pool.size < 2) return first;
    const others = await this.#pool.each(what, signal, (node, limit) => ask(node, hash, limit));
    return others.find((found) => found !== null) ?? null;
  }

  async #mined(hash: string, number: number, signal: AbortSignal): Promise<SeenTransaction["mined"]> {
    const [[block], told] = await Promise.all([this.#blocks.range(number, number, signal), this.#told(hash, signal)]);
    const transaction = block?.transactions.find((one) => toHex(one.hash) === hash);
    if (block === undefined || transaction === undefined)
      throw this.#pool.unavailable("a transaction", new BadAnswer("its block does not hold it"));
    const { info, has_inner } = told;
    return {
      block: { number, hash: toHex(block.hash), parent_hash: toHex(block.parent_hash), time: block.time },
      transaction,
      cost: costOf(info),
      verified: block.verified,
      trace: has_inner ? traceOf(transaction, info) : null,
      ...(transaction.succeeded ? {} : { failure: failureOf(info) }),
    };
  }

  /** The transaction's info, from a node that keeps inner calls where there is one. */
  #told(hash: string, signal: AbortSignal): Promise<{ readonly info: Fields; readonly has_inner: boolean }> {
    const has_inner = this.#pool.known.some((traits) => traits.traces !== null);
    const question = {
      what: "gettransactioninfobyid",
      accepts: (traits: Node["traits"]) => !has_inner || traits.traces !== null,
    };
    return this.#pool.run(question, signal, async ({ endpoint }) => {
      const answer = await endpoint.ask("/wallet/gettransactioninfobyid", { value: hash }, signal);
      const info = presentOf(answer.json, "info");
      if (info === null || toHex(hashOf(info.id, "info id")) !== hash)
        throw new BadAnswer("the info of a transaction is not there");
      return { info, has_inner };
    });
  }
}

/** Contracts whose call data says what is called. */
const RUNS_CODE: ReadonlySet<string> = new Set(["TriggerSmartContract", "CreateSmartContract"]);

const ask = async (
  { endpoint }: Node,
  hash: string,
  signal: AbortSignal,
): Promise<{ readonly fields: Fields; readonly block_number: number | null } | null> => {
  const [transaction, answered] = await Promise.all([
    endpoint.ask("/wallet/gettransactionbyid", { value: hash }, signal),
    endpoint.ask("/wallet/gettransactioninfobyid", { value: hash }, signal),
  ]);
  const fields = presentOf(transaction.json, "transaction");
  if (fields === null) return null;
  if (toHex(transactionHash(fields)) !== hash) throw new BadAnswer("another transaction than asked for");
  const info = presentOf(answered.json, "info");
  return { fields, block_number: info === null ? null : countOf(info.blockNumber, "block number") };
};
