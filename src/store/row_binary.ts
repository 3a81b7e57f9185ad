/**
 * Rows as ClickHouse RowBinary: fixed-width integers little-endian, strings with a LEB128 length, Nullable with a
 * leading byte (1 = null). One encoder per column, built once from its type.
 */

/** A value of a column: `tables.gen.ts` says which column takes which. */
export type ColumnValue = string | number | bigint | Uint8Array | null;

/** A growing buffer that rows are appended to. */
export class RowBuffer {
  bytes: Buffer;
  view: DataView;
  at = 0;

  constructor(capacity: number) {
    this.bytes = Buffer.allocUnsafeSlow(capacity);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Makes room for `count` more bytes. */
  reserve(count: number): void {
    if (this.at + count <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, this.at + count));
    this.bytes.copy(larger, 0, 0, this.at);
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }

  written(): Buffer {
    return this.bytes.subarray(0, this.at);
  }
}

export type Encode = (out: RowBuffer, value: ColumnValue) => void;

const MASK_64 = (1n << 64n) - 1n;
const TWO_32 = 0x1_0000_0000;
const LENGTH_BYTES_MAX = 5;
const LOOPED_BYTES_MAX = 8;

const wrong = (type: string, value: unknown): RangeError => {
  const shown = typeof value === "bigint" ? `${value}n` : (JSON.stringify(value) ?? "undefined");
  return new RangeError(`${shown.slice(0, 80)} does not fit into ${type}`);
};

const writeBytes = (out: RowBuffer, bytes: Uint8Array): void => {
  const { length } = bytes;
  out.reserve(length + LENGTH_BYTES_MAX);
  let rest = length;
  while (rest >= 0x80) {
    out.bytes[out.at++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  out.bytes[out.at++] = rest;
  // Of few bytes a call costs more than the loop.
  if (length > LOOPED_BYTES_MAX) out.bytes.set(bytes, out.at);
  else for (let i = 0; i < length; i += 1) out.bytes[out.at + i] = bytes[i] ?? 0;
  out.at += length;
};

/** Text of a column repeats (network, family, kind): its bytes are kept for the next row. */
const stringEncoder = (): Encode => {
  let last = "";
  let last_bytes: Uint8Array = Buffer.alloc(0);
  return (out, value) => {
    if (typeof value === "string") {
      if (value !== last) {
        last = value;
        last_bytes = Buffer.from(value, "utf8");
      }
      writeBytes(out, last_bytes);
    } else if (value instanceof Uint8Array) writeBytes(out, value);
    else throw wrong("String", value);
  };
};

const smallInteger = (type: string, bits: number, is_signed: boolean): Encode => {
  const min = is_signed ? -(2 ** (bits - 1)) : 0;
  const max = is_signed ? 2 ** (bits - 1) - 1 : 2 ** bits - 1;
  const bytes = bits / 8;
  return (out, value) => {
    const number = typeof value === "bigint" ? Number(value) : value;
    if (typeof number !== "number" || !Number.isInteger(number) || number < min || number > max)
      throw wrong(type, value);
    out.reserve(bytes);
    if (bytes === 4) out.view.setUint32(out.at, number, true);
    else if (bytes === 2) out.view.setUint16(out.at, number, true);
    else out.view.setUint8(out.at, number);
    out.at += bytes;
  };
};

/** 64 to 256 bits in words of 64; negative numbers in two's complement. */
const wideInteger = (type: string, bits: number, is_signed: boolean): Encode => {
  const min = is_signed ? -(1n << BigInt(bits - 1)) : 0n;
  const max = is_signed ? (1n << BigInt(bits - 1)) - 1n : (1n << BigInt(bits)) - 1n;
  const words = bits / 64;
  const writeBig = (out: RowBuffer, value: bigint): void => {
    if (value >= 0n && value <= MASK_64 && value <= max) {
      // Most amounts.
      out.view.setBigUint64(out.at, value, true);
      for (let word = 1; word < words; word += 1) out.view.setBigUint64(out.at + word * 8, 0n, true);
      return;
    }
    if (value < min || value > max) throw wrong(type, value);
    let rest = value;
    for (let word = 0; word < words; word += 1) {
      out.view.setBigUint64(out.at + word * 8, rest & MASK_64, true);
      rest >>= 64n;
    }
  };
  return (out, value) => {
    out.reserve(words * 8);
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) {
      out.bytes.fill(0, out.at, out.at + words * 8);
      out.view.setUint32(out.at, value % TWO_32, true);
      out.view.setUint32(out.at + 4, value / TWO_32, true);
    } else if (typeof value === "bigint") writeBig(out, value);
    else if (typeof value === "number" && Number.isSafeInteger(value)) writeBig(out, BigInt(value));
    else throw wrong(type, value);
    out.at += words * 8;
  };
};

const float = (type: string, bytes: number): Encode => {
  return (out, value) => {
    if (typeof value !== "number") throw wrong(type, value);
    out.reserve(bytes);
    if (bytes === 8) out.view.setFloat64(out.at, value, true);
    else out.view.setFloat32(out.at, value, true);
    out.at += bytes;
  };
};

/** `Enum8('a' = 1, 'b' = 2)` as names and numbers. */
const enumEntries = (type: string): readonly (readonly [string, number])[] =>
  [...type.matchAll(/'([^']*)' = (-?\d+)/g)].map(([, name, number]) => [name ?? "", Number(number)]);

const enumEncoder = (type: string): Encode => {
  const numbers = new Map(enumEntries(type));
  return (out, value) => {
    const number = typeof value === "string" ? numbers.get(value) : undefined;
    if (number === undefined) throw wrong(type, value);
    out.reserve(1);
    out.view.setInt8(out.at, number);
    out.at += 1;
  };
};

/** Unix seconds, with fractions, in ticks of 10^-scale. */
const dateTime64 = (type: string, scale: number): Encode => {
  const ticks = wideInteger(type, 64, true);
  return (out, value) => {
    if (typeof value !== "number" || !Number.isFinite(value)) throw wrong(type, value);
    ticks(out, BigInt(Math.round(value * 10 ** scale)));
  };
};

const nullable = (inner: Encode): Encode => {
  return (out, value) => {
    out.reserve(1);
    out.bytes[out.at++] = value === null ? 1 : 0;
    if (value !== null) inner(out, value);
  };
};

/** The encoder of a column type. Throws for types that no table of ours has. */
export const encoderFor = (type: string): Encode => {
  const wrapped = /^(LowCardinality|Nullable|SimpleAggregateFunction)\((?:\w+, )?(.*)\)$/.exec(type);
  if (wrapped?.[2] !== undefined)
    return wrapped[1] === "Nullable" ? nullable(encoderFor(wrapped[2])) : encoderFor(wrapped[2]);
  const integer = /^(U?)Int(\d+)$/.exec(type);
  if (integer !== null) {
    const bits = Number(integer[2]);
    return (bits < 64 ? smallInteger : wideInteger)(type, bits, integer[1] === "");
  }
  if (type === "String") return stringEncoder();
  if (type === "Float64") return float(type, 8);
  if (type === "Float32") return float(type, 4);
  if (type.startsWith("Enum8(")) return enumEncoder(type);
  if (/^DateTime(\(|$)/.test(type)) return smallInteger(type, 32, false);
  const scale = /^DateTime64\((\d)/.exec(type)?.[1];
  if (scale !== undefined) return dateTime64(type, Number(scale));
  throw new TypeError(`no RowBinary encoder for ${type}`);
};
