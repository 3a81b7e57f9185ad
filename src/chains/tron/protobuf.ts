/**
 * Protocol Buffers as far as Tron's blocks need them: messages without a schema, read by field number, and the few
 * writers that hashing needs (protobuf.dev, "Encoding").
 */
import { type Bytes, EMPTY } from "../../lib/bytes.ts";
import { BadAnswer } from "../node/answer.ts";

const VARINT = 0;
const FIXED64 = 1;
const LENGTH = 2;
const FIXED32 = 5;
const VARINT_BYTES_MAX = 10;
/** Seven bytes of seven bits fit a JavaScript integer. */
const EXACT_BYTES = 7;

type ProtobufValue = bigint | Bytes;

/** One message, parsed whole by the constructor. @throws BadAnswer for malformed bytes */
export class ProtobufMessage {
  readonly #fields = new Map<number, ProtobufValue[]>();

  constructor(bytes: Bytes) {
    const reader = new ProtobufReader(bytes);
    while (!reader.is_done) {
      const key = reader.count();
      const field = Math.floor(key / 8);
      const value = reader.value(key % 8);
      const before = this.#fields.get(field);
      if (before === undefined) this.#fields.set(field, [value]);
      else before.push(value);
    }
  }

  /** An int64; 0 if absent. Of several the last one counts. */
  integer(field: number): bigint {
    const value = this.#fields.get(field)?.findLast((one) => typeof one === "bigint");
    return typeof value === "bigint" ? BigInt.asIntN(64, value) : 0n;
  }

  /** Empty if absent. Of several the last one counts. */
  bytes(field: number): Bytes {
    return this.#texts(field).at(-1) ?? EMPTY;
  }

  /** Several are one: their concatenated encodings are the encoding of all of them merged. */
  message(field: number): ProtobufMessage {
    const texts = this.#texts(field);
    return new ProtobufMessage(texts.length === 1 ? (texts[0] ?? EMPTY) : Buffer.concat(texts));
  }

  /** Of a repeated field. */
  messages(field: number): ProtobufMessage[] {
    return this.#texts(field).map((text) => new ProtobufMessage(text));
  }

  #texts(field: number): Bytes[] {
    return (this.#fields.get(field) ?? []).filter((one) => typeof one !== "bigint");
  }
}

class ProtobufReader {
  readonly #bytes: Bytes;
  #at = 0;

  constructor(bytes: Bytes) {
    this.#bytes = bytes;
  }

  get is_done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** A varint that must fit a JavaScript integer. */
  count(): number {
    const value = Number(this.#varint());
    if (!Number.isSafeInteger(value)) throw new BadAnswer("a length that no message has");
    return value;
  }

  value(kind: number): ProtobufValue {
    if (kind === VARINT) return this.#varint();
    if (kind === LENGTH) return this.#take(this.count());
    if (kind === FIXED64) return this.#take(8);
    if (kind === FIXED32) return this.#take(4);
    throw new BadAnswer("a field of no known kind");
  }

  #take(length: number): Bytes {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new BadAnswer("a message that is cut off");
    const part = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return part;
  }

  #varint(): bigint {
    let low = 0;
    let high = 0n;
    for (let i = 0; i < VARINT_BYTES_MAX; i += 1) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw new BadAnswer("a message that is cut off");
      this.#at += 1;
      if (i < EXACT_BYTES) low += (byte & 0x7f) * 2 ** (7 * i);
      else high |= BigInt(byte & 0x7f) << BigInt(7 * i);
      if (byte < 0x80) return BigInt(low) | high;
    }
    throw new BadAnswer("a number that does not end");
  }
}

/** "Base 128 Varints"; a negative number is encoded in two's complement of 64 bits. */
const varint = (value: bigint): number[] => {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return bytes;
};

/** A field that holds bytes, text or a message; written even if it is empty. */
export const lengthField = (field: number, bytes: Bytes): Bytes =>
  Buffer.concat([Uint8Array.from([...varint(BigInt(field * 8 + LENGTH)), ...varint(BigInt(bytes.length))]), bytes]);

/** A field of an integer; proto3 writes no zeros. */
export const integerField = (field: number, value: bigint): Bytes =>
  value === 0n ? EMPTY : Uint8Array.from([...varint(BigInt(field * 8)), ...varint(value)]);
