/** Requests for the logs of old blocks, and their answers. */
import { type Hex, toHex } from "../../lib/bytes.ts";
import type { PastLog, PastLogsQuery } from "../account_history.ts";
import { BadAnswer, type JsonFields } from "../node/answer.ts";
import { logOf } from "./receipt_logs.ts";
import { countOf, hashOf } from "./wire.ts";

const TOPIC_DIGITS = 64;

/** Logs that name one of some addresses. */
export const namingFilters = (addresses: readonly Hex[]): readonly object[] => {
  const oneOrAll = (texts: readonly string[]): unknown => (texts.length === 1 ? texts[0] : texts);
  const topic = oneOrAll(addresses.map((address) => `0x${address.padStart(TOPIC_DIGITS, "0")}`));
  return [
    { topics: [null, topic] },
    { topics: [null, null, topic] },
    { topics: [null, null, null, topic] },
    { address: oneOrAll(addresses.map((address) => `0x${address}`)) },
  ];
};

/** An address that a log names, or that emitted it. */
export interface NamedIn {
  readonly address: Hex;
  readonly block: number;
}

export const namedIn =
  (addresses: ReadonlySet<Hex>) =>
  (fields: JsonFields): readonly NamedIn[] => {
    const { address, topics } = logOf(fields);
    const texts = [address, ...topics.slice(1).map((topic) => topic.subarray(-address.length))].map(toHex);
    const named = texts.filter((text) => addresses.has(text));
    if (named.length === 0) throw new BadAnswer("a log of another address");
    return named.map((text) => ({ address: text, block: blockIn(fields) }));
  };

/** Contracts that one filter names: common providers accept so many. */
const ADDRESSES_PER_FILTER = 100;

export const emittedFilters = ({ addresses, events }: PastLogsQuery): readonly object[] =>
  Array.from({ length: Math.ceil(addresses.length / ADDRESSES_PER_FILTER) }, (_, i) => ({
    address: addresses.slice(i * ADDRESSES_PER_FILTER, (i + 1) * ADDRESSES_PER_FILTER).map((one) => `0x${one}`),
    topics: [events.map((topic) => `0x${topic}`)],
  }));

export const blockIn = (log: JsonFields): number => countOf(log.blockNumber, "log block");

export const pastLogOf =
  (addresses: ReadonlySet<Hex>) =>
  (fields: JsonFields): PastLog => {
    const log = logOf(fields);
    if (!addresses.has(toHex(log.address))) throw new BadAnswer("a log of another contract");
    const { blockTimestamp } = fields;
    return {
      ...log,
      block: blockIn(fields),
      tx_index: countOf(fields.transactionIndex, "transaction index"),
      tx_hash: toHex(hashOf(fields.transactionHash, "transaction hash")),
      time: blockTimestamp === undefined || blockTimestamp === null ? null : countOf(blockTimestamp, "log time"),
    };
  };
