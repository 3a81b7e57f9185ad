/**
 * Answers column by column, for queries with very many rows. Format `Native` of ClickHouse: blocks of
 * columns, each a run of values of one width, or a dictionary and places in it; everything little-endian.
 */

import type { Pieces } from "../lib/turns.ts";

/** Distinct texts (some may be unused), and the index of each row's text. */
export interface TextColumn<T extends string = string> {
  readonly texts: readonly T[];
  readonly codes: Uint32Array;
}

/** Integers too large for a number. */
export interface BigColumn {
  readonly byteLength: number;
  at(row: number): bigint;
}

/** A column of values that a row would hold as `T`. Booleans of SQL are numbers here as there. */
export type ColumnOf<T> = [T] extends [number] ? ArrayLike<number> : [T] extends [string] ? TextColumn<T> : BigColumn;

export type ColumnsOf<R> = { readonly length: number } & { readonly [K in keyof R]: ColumnOf<R[K]> };

type DataColumn = ArrayLike<number> | TextColumn | BigColumn;

/** Reads the bytes of an answer in order. Throws RangeError where they end too early. */
class NativeReader {
  readonly #bytes: Buffer;
  at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get is_done(): boolean {
    return this.at >= this.#bytes.length;
  }

  take(length: number): Buffer {
    const from = this.at;
    this.at += length;
    if (this.at > this.#bytes.length) throw new RangeError("an answer in columns was cut off");
    return this.#bytes.subarray(from, this.at);
  }

  /** LEB128, up to 2^32. */
  length(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.take(1)[0] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  text(): string {
    return this.take(this.length()).toString("utf8");
  }

  uint64(): number {
    return Number(this.take(8).readBigUInt64LE());
  }
}

interface Gatherer {
  /** Takes the rows of one block. */
  read(reader: NativeReader, rows: number): void;
  done(): DataColumn;
}

/** Values of `width` bytes, block after block, as one run that typed arrays can look at. */
const gatherBytes = (width: number, view: (bytes: ArrayBuffer) => DataColumn): Gatherer => {
  const parts: Buffer[] = [];
  return {
    read: (reader, rows) => parts.push(reader.take(rows * width)),
    done: () => {
      const all = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
      let at = 0;
      for (const part of parts) {
        all.set(part, at);
        at += part.length;
      }
      return view(all.buffer);
    },
  };
};

const TWO_32 = 2 ** 32;

/** 64 bits as numbers. One beyond 2^53 throws, as it does in rows. */
const wideNumbers = (bytes: ArrayBuffer): Float64Array => {
  const words = new Uint32Array(bytes);
  const values = new Float64Array(words.length / 2);
  for (let i = 0; i < values.length; i += 1) {
    const value = (words[2 * i + 1] ?? 0) * TWO_32 + (words[2 * i] ?? 0);
    if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is no safe integer`);
    values[i] = value;
  }
  return values;
};

const LIMBS_256 = 4;

class Unsigned256 implements BigColumn {
  readonly #limbs: BigUint64Array;
  readonly #words: Uint32Array;

  constructor(bytes: ArrayBuffer) {
    this.#limbs = new BigUint64Array(bytes);
    this.#words = new Uint32Array(bytes);
  }

  get byteLength(): number {
    return this.#limbs.byteLength;
  }

  at(row: number): bigint {
    const words = this.#words;
    const from = row * 2 * LIMBS_256;
    // Amounts rarely exceed 128 bits.
    const has = (word: number): boolean => words[from + word] !== 0;
    let value = this.#limb(row, 0);
    if (has(2) || has(3)) value |= this.#limb(row, 1) << 64n;
    if (has(4) || has(5)) value |= this.#limb(row, 2) << 128n;
    if (has(6) || has(7)) value |= this.#limb(row, 3) << 192n;
    return value;
  }

  #limb(row: number, limb: number): bigint {
    const value = this.#limbs[row * LIMBS_256 + limb];
    if (value === undefined) throw new RangeError(`there is no row ${row}`);
    return value;
  }
}

/** Version of the dictionaries, and the bits of each part's head (ClickHouse: SerializationLowCardinality.cpp). */
const DICTIONARY_VERSION = 1;
const HAS_SHARED_KEYS = 1 << 8;
const INDEX_TYPE = 0xff;

/** A text per distinct value and block; the codes of all blocks speak of one list. */
const gatherTexts = (): Gatherer => {
  const texts: string[] = [];
  const known = new Map<string, number>();
  const parts: Uint32Array[] = [];
  const codeOf = (text: string): number => {
    const found = known.get(text);
    if (found !== undefined) return found;
    known.set(text, texts.length);
    return texts.push(text) - 1;
  };
  const readPart = (reader: NativeReader): number => {
    const head = reader.uint64();
    if ((head & HAS_SHARED_KEYS) !== 0) throw new RangeError("a dictionary of another part is not read");
    const width = 1 << (head & INDEX_TYPE);
    const keys = new Uint32Array(reader.uint64());
    for (let key = 0; key < keys.length; key += 1) keys[key] = codeOf(reader.text());
    const codes = new Uint32Array(reader.uint64());
    const places = reader.take(codes.length * width);
    for (let i = 0; i < codes.length; i += 1) {
      const place = width === 1 ? places[i] : width === 2 ? places.readUInt16LE(2 * i) : places.readUInt32LE(width * i);
      codes[i] = keys[place ?? 0] ?? 0;
    }
    parts.push(codes);
    return codes.length;
  };
  return {
    read: (reader, rows) => {
      const version = reader.uint64();
      if (version !== DICTIONARY_VERSION) throw new RangeError(`dictionaries of version ${version} are not read`);
      for (let read = 0; read < rows; ) read += readPart(reader);
    },
    done: () => {
      const codes = new Uint32Array(parts.reduce((total, part) => total + part.length, 0));
      let at = 0;
      for (const part of parts) {
        codes.set(part, at);
        at += part.length;
      }
      return { texts, codes };
    },
  };
};

const GATHERERS: Readonly<Record<string, () => Gatherer>> = {
  UInt8: () => gatherBytes(1, (bytes) => new Uint8Array(bytes)),
  Int8: () => gatherBytes(1, (bytes) => new Int8Array(bytes)),
  UInt32: () => gatherBytes(4, (bytes) => new Uint32Array(bytes)),
  UInt64: () => gatherBytes(8, wideNumbers),
  UInt256: () => gatherBytes(32, (bytes) => new Unsigned256(bytes)),
  Float64: () => gatherBytes(8, (bytes) => new Float64Array(bytes)),
  "LowCardinality(String)": gatherTexts,
};

/**
 * The columns of an answer, as DESCRIBE named them (`[name, type]`), a column of a block in each piece. Throws TypeError for a type
 * that is not read in columns: a bug; RangeError when the bytes are others.
 */
export function* decodeColumns(
  bytes: Buffer,
  described: readonly (readonly [string, string])[],
): Pieces<Readonly<Record<string, DataColumn | number>>> {
  const gatherers = described.map(([name, type]) => {
    const gatherer = GATHERERS[type]?.();
    if (gatherer === undefined) throw new TypeError(`${name}: ${type} is not read in columns`);
    return { name, type, gatherer };
  });
  const reader = new NativeReader(bytes);
  let length = 0;
  while (!reader.is_done) {
    const columns = reader.length();
    const rows = reader.length();
    if (columns !== gatherers.length) throw new RangeError(`${columns} columns instead of ${gatherers.length}`);
    for (const { name, type, gatherer } of gatherers) {
      const [found, of] = [reader.text(), reader.text()];
      if (found !== name || of !== type) throw new RangeError(`${found} ${of} instead of ${name} ${type}`);
      if (rows > 0) gatherer.read(reader, rows);
      yield;
    }
    length += rows;
  }
  const all: [string, DataColumn | number][] = [["length", length]];
  for (const { name, gatherer } of gatherers) {
    all.push([name, gatherer.done()]);
    yield;
  }
  return Object.fromEntries(all);
}
