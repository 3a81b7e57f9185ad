/** The info of an executed transaction. */
import type { Bytes } from "../../lib/bytes.ts";
import type { EventLog } from "../chain.ts";
import { BadAnswer, fieldsOf, type JsonFields, listOf } from "../node/answer.ts";
import { type Inner, readInner } from "./calls.ts";
import { GOOD_RESULTS } from "./listed.ts";
import { addressOf, amountOf, bytesOf, countOf, hashOf } from "./wire.ts";

/** Each member may throw `BadAnswer`, because it is read on demand. */
export interface Info {
  /** Id of the transaction. */
  readonly id: Bytes;
  /** Number of the block. */
  readonly number: number;
  /** The info states no failure. */
  readonly is_good: boolean;
  readonly energy: bigint;
  /** In sun. */
  readonly fee: bigint;
  /** `first_log`: position of the first one in the block. */
  logs(first_log: number): readonly EventLog[];
  /** Calls, payments and stakes of contracts. */
  inner(): Inner;
  /** The whole info as JSON. */
  fields(): JsonFields;
}

/** A log has at most four topics: LOG0 to LOG4. */
const TOPICS_MAX = 4;

/** Read from JSON objects. */
export class JsonInfo implements Info {
  readonly #fields: JsonFields;

  constructor(fields: JsonFields) {
    this.#fields = fields;
  }

  get id(): Bytes {
    return hashOf(this.#fields.id, "info id");
  }

  get number(): number {
    return countOf(this.#fields.blockNumber, "block number of an info");
  }

  get is_good(): boolean {
    return this.#fields.result !== "FAILED" && GOOD_RESULTS.includes(this.#receipt.result);
  }

  get energy(): bigint {
    return amountOf(this.#receipt.energy_usage_total, "energy");
  }

  get fee(): bigint {
    return amountOf(this.#fields.fee, "fee");
  }

  logs(first_log: number): readonly EventLog[] {
    const { log } = this.#fields;
    return (log === undefined ? [] : listOf(log, "logs")).map((item, i) =>
      readLog(fieldsOf(item, "log"), first_log + i),
    );
  }

  inner(): Inner {
    return readInner(this.#fields.internal_transactions);
  }

  fields(): JsonFields {
    return this.#fields;
  }

  get #receipt(): JsonFields {
    const { receipt } = this.#fields;
    return receipt === undefined ? {} : fieldsOf(receipt, "receipt");
  }
}

const readLog = (fields: JsonFields, index: number): EventLog => {
  const topics = fields.topics === undefined ? [] : listOf(fields.topics, "topics");
  if (topics.length > TOPICS_MAX) throw new BadAnswer("a log with more than four topics");
  return {
    address: addressOf(fields.address, "log address"),
    topics: topics.map((topic) => hashOf(topic, "topic")),
    data: bytesOf(fields.data, "log data"),
    index,
  };
};
