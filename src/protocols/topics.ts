import { type Bytes, EMPTY } from "../lib/bytes.ts";
import { addressAt } from "../lib/words.ts";

/** Address in an indexed field, a view of its last 20 bytes. Empty when the topic is not a whole word. */
export const topicAddress = (topic: Bytes): Bytes => addressAt(topic, 0);

/** Token standards write the zero address for mint and burn; in fact rows that is the void, no bytes. */
export const orVoid = (address: Bytes): Bytes => {
  for (let at = 0; at < address.length; at += 1) if (address[at] !== 0) return address;
  return EMPTY;
};
