import type { EventLog } from "../chains/chain.ts";
import { type Bytes, EMPTY } from "../lib/bytes.ts";
import { addressAt, uintAt, WORD_BYTES } from "../lib/words.ts";
import { topicAddress } from "./topics.ts";

/** Readers of the fields of a log, from their places and types in `knowledge`. */

const FIELD = /^(?<kind>[tw])(?<number>\d+)(?: (?<shift>\d+))? (?<type>\w+)$/;

interface FieldPlace {
  readonly is_topic: boolean;
  readonly number: number;
  /** First bit; null for a whole word. */
  readonly shift: bigint | null;
  readonly type: string;
}

const placeOf = (field: string): FieldPlace => {
  const { kind, number, shift, type = "" } = FIELD.exec(field)?.groups ?? {};
  return {
    ...{ is_topic: kind === "t", number: Number(number), type },
    shift: shift === undefined ? null : BigInt(shift),
  };
};

const rawOf = ({ is_topic, number }: FieldPlace): ((log: EventLog) => bigint) =>
  is_topic ? ({ topics }) => uintAt(topics[number] ?? EMPTY, 0) : ({ data }) => uintAt(data, number);

/** The whole word of a field as an unsigned number. */
export const wordReader = (field: string): ((log: EventLog) => bigint) => rawOf(placeOf(field));

/** The number of a field; null when the word holds more than its type. A boolean is 0 or 1. */
export const numberReader = (field: string): ((log: EventLog) => bigint | null) => {
  const place = placeOf(field);
  const raw = rawOf(place);
  const is_signed = place.type.startsWith("int");
  const bits = place.type === "bool" ? 1 : Number(/\d+$/.exec(place.type)?.[0] ?? 256);
  const { shift } = place;
  if (shift !== null)
    return (log) => (is_signed ? BigInt.asIntN(bits, raw(log) >> shift) : BigInt.asUintN(bits, raw(log) >> shift));
  return (log) => {
    const word = raw(log);
    const value = is_signed ? BigInt.asIntN(256, word) : word;
    return (is_signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value)) === value ? value : null;
  };
};

/** The bytes of a field: the last 20 of an address, else the whole word. */
export const bytesReader = (field: string): ((log: EventLog) => Bytes) => {
  const { is_topic, number, type } = placeOf(field);
  if (type === "address")
    return is_topic ? ({ topics }) => topicAddress(topics[number] ?? EMPTY) : ({ data }) => addressAt(data, number);
  return is_topic
    ? ({ topics }) => topics[number] ?? EMPTY
    : ({ data }) => data.subarray(number * WORD_BYTES, (number + 1) * WORD_BYTES);
};
