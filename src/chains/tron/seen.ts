/** One transaction by its hash, from the block that holds it. */
import { toHex } from "../../lib/bytes.ts";
import { BadAnswer, type Fields, fieldsOf } from "../node/answer.ts";
import type { SeenTransaction } from "../seen_transaction.ts";
import { readContract } from "./contracts.ts";
import type { EndpointPool, Node } from "./pool.ts";
import type { BlockReader } from "./reader.ts";
import { transactionHash } from "./transactions.ts";
import { amountOf, countOf, presentOf } from "./wire.ts";

/** Energy is bought at most for `fee_limit`: as gas of one sun each. */
const SUN = 1n;

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
      gas_limit: amountOf(fieldsOf(fields.raw_data, "raw data").fee_limit, "fee limit"),
      gas_price_max: SUN,
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
    const [block] = await this.#blocks.range(number, number, signal);
    const transaction = block?.transactions.find((one) => toHex(one.hash) === hash);
    if (block === undefined || transaction === undefined)
      throw this.#pool.unavailable("a transaction", new BadAnswer("its block does not hold it"));
    const { fee, gas_used } = transaction;
    return {
      block: { number, hash: toHex(block.hash), parent_hash: toHex(block.parent_hash), time: block.time },
      transaction,
      gas_price: gas_used === 0n ? 0n : fee / gas_used,
      priority_price: 0n,
      layer1_fee: null,
      trace: null,
    };
  }
}

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
