/**
 * The 2,048-bit log filter of a block header (yellow paper 4.3.1): each log's address and each topic set three bits.
 * Without rebuilding a trie, nothing else in a header can be compared with logs.
 */
import { type Bytes, keccak256 } from "../../lib/bytes.ts";
import type { EventLog } from "../chain.ts";

const BLOOM_BYTES = 256;
const CACHE_MAX = 65_536;

/**
 * Bit positions of recent addresses and topics, three to an entry. Hashing dominates the cost of a filter (5 us an
 * item).
 */
const positions = new Map<string, readonly [number, number, number]>();

export const emptyBloom = (): Bytes => new Uint8Array(BLOOM_BYTES);

export const addLogs = (bloom: Bytes, logs: readonly EventLog[]): void => {
  for (const log of logs) {
    addItem(bloom, log.address);
    for (const topic of log.topics) addItem(bloom, topic);
  }
};

const addItem = (bloom: Bytes, item: Bytes): void => {
  for (const bit of positionsOf(item)) {
    const place = BLOOM_BYTES - 1 - (bit >> 3);
    bloom[place] = (bloom[place] ?? 0) | (1 << (bit & 7));
  }
};

const positionsOf = (item: Bytes): readonly [number, number, number] => {
  const key = Buffer.from(item.buffer, item.byteOffset, item.length).toString("latin1");
  const known = positions.get(key);
  if (known !== undefined) return known;
  const hash = keccak256(item);
  const at = (i: number): number => (((hash[i] ?? 0) << 8) | (hash[i + 1] ?? 0)) & 2047;
  const found = [at(0), at(2), at(4)] as const;
  if (positions.size >= CACHE_MAX) positions.clear();
  positions.set(key, found);
  return found;
};
