/** Requests for the logs of old blocks, and their answers. */
import { type Hex, toHex } from "../../lib/bytes.ts";
import type { PastLog, PastLogsQuery } from "../account_history.ts";
import { BadAnswer, type JsonFields } from "../node/answer.ts";
import { logOf } from "./receipt_logs.ts";
import { countOf, hashOf } from "./wire.ts";

/** Logs that name an address. */
export const namingFilters = (address: Hex): readonly object[] => {
  const topic = `0x${address.padStart(64, "0")}`;
  return [
    { topics: [null, topic] },
    { topics: [null, null, topic] },
    { topics: [null, null, null, topic] },
    { address: `0x${address}` },
  ];
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
