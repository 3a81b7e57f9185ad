/** Logs of bridges, word by word. */
import type { EventLog } from "../src/chains/chain.ts";
import { type Hex, hex, padHex } from "../src/lib/bytes.ts";
import { topicOf } from "../src/protocols/protocol.ts";
import { bytesOf } from "./value_rows.ts";

const evenOf = (digits: string): string => digits.padStart(digits.length + (digits.length % 2), "0");

/** A number, or shorter bytes, as a word. */
export const word = (value: number | bigint | Hex): Hex =>
  padHex(typeof value === "string" ? value : hex(evenOf(value.toString(16))), 32);

/** A log with its indexed fields after the topic, and its data. */
export const logOf = (
  address: Hex,
  event: string,
  [topics, words]: readonly [readonly Hex[], readonly Hex[]],
): EventLog => ({
  address: bytesOf(address),
  topics: [topicOf(event), ...topics.map(bytesOf)],
  data: bytesOf(hex(words.join(""))),
  index: 0,
});
