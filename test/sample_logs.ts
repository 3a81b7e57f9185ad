import type { EventLog } from "../src/chains/chain.ts";
import { type Bytes, hex, toHex } from "../src/lib/bytes.ts";
import { decodeLog } from "../src/protocols/index.ts";
import { topicOf } from "../src/protocols/protocol.ts";

/** Handwritten logs, for tests of their readings. */

export const ALICE = "a1".repeat(20);
export const BOB = hex("b0".repeat(20));
export const ZERO_ADDRESS = "00".repeat(20);

export const bytes = (hex: string): Bytes => Uint8Array.from(Buffer.from(hex, "hex"));

/** A word: hex padded left, or a number in two's complement. */
export const word = (value: string | number | bigint): string =>
  typeof value === "string"
    ? value.padStart(64, "0")
    : BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, "0");

type LogData = readonly (string | number | bigint)[];

/** `indexed` become topics behind the event's own, `data` the words of the payload. */
export const logOf = (event: string, indexed: LogData, data: LogData): EventLog => ({
  address: bytes("ee".repeat(20)),
  topics: [topicOf(event), ...indexed.map((value) => bytes(word(value)))],
  data: bytes(data.map(word).join("")),
  index: 0,
});

/** Bytes as hex, so that a failure can be read. */
export const readable = (row: object): object =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, value instanceof Uint8Array ? toHex(value) : value]),
  );

/** Facts of a log with bytes as hex. */
export const factsOf = (log: EventLog): object[] => decodeLog(log).map(readable);

/** One genuine log, its meaning, and a similar log with another meaning. */
export interface LogCase {
  readonly name: string;
  readonly log: EventLog;
  readonly facts: readonly object[];
  readonly near_miss: EventLog;
}
