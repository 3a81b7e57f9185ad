/** A transaction in a block's list: the data that its id hashes, its outcome, and its part of the block's root. */
import { type Bytes, equalBytes } from "../../lib/bytes.ts";
import { BadAnswer, fieldsOf, type JsonFields, listOf } from "../node/answer.ts";
import { readContract, type TronContract } from "./contracts.ts";
import { ProtobufMessage } from "./protobuf.ts";
import { sha256, wholeOf } from "./root.ts";
import { bytesOf, hashOf } from "./wire.ts";

/** Outcome of a transaction. */
export interface TransactionEnding {
  readonly is_good: boolean;
  /** False for old transactions, which do not state it. */
  readonly is_said: boolean;
}

/** Each member may throw `BadAnswer`, because it is read on demand. */
export interface ListedTransaction {
  readonly hash: Bytes;
  /** The data that its id is the hash of. */
  readonly raw: Bytes;
  readonly ending: TransactionEnding;
  /** The encoding of the whole transaction. */
  whole(): Bytes;
  /** `info`: the transaction's own. */
  contract(info: () => JsonFields): TronContract;
}

/** Transactions of system contracts have `DEFAULT`, and so do all from before results were kept. */
export const GOOD_RESULTS: readonly unknown[] = [undefined, "SUCCESS", "DEFAULT"];

/** Read from JSON objects. */
export class JsonListedTransaction implements ListedTransaction {
  readonly hash: Bytes;
  readonly raw: Bytes;
  readonly #fields: JsonFields;

  constructor(fields: JsonFields) {
    this.#fields = fields;
    this.hash = hashOf(fields.txID, "transaction id");
    this.raw = bytesOf(fields.raw_data_hex, "raw data");
  }

  get ending(): TransactionEnding {
    const { ret } = this.#fields;
    const results = ret === undefined ? [] : listOf(ret, "results").map((item) => fieldsOf(item, "result"));
    return {
      is_good: results.every(({ contractRet }) => GOOD_RESULTS.includes(contractRet)),
      is_said: results.some(({ contractRet }) => contractRet !== undefined && contractRet !== "DEFAULT"),
    };
  }

  whole(): Bytes {
    return wholeOf(this.#fields, this.raw);
  }

  contract(info: () => JsonFields): TronContract {
    return readContract(new ProtobufMessage(this.raw), info);
  }
}

/**
 * The id of a transaction is the SHA-256 of its raw data; the node's JSON of that data is ignored. @throws BadAnswer
 */
export const readListed = (fields: JsonFields): ListedTransaction => checked(new JsonListedTransaction(fields));

/** @throws BadAnswer if its id is another transaction's */
export const checked = (listed: ListedTransaction): ListedTransaction => {
  if (!equalBytes(sha256(listed.raw), listed.hash))
    throw new BadAnswer("a transaction's id is not the hash of its raw data", "transaction_hash");
  return listed;
};
