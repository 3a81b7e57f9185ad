/** Little-endian integers in the data of programs and accounts; null if the bytes end before. */
import type { Bytes } from "../../lib/bytes.ts";

const view = (bytes: Bytes): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const fits = (bytes: Bytes, at: number, count: number): boolean => at >= 0 && at + count <= bytes.length;

export const u16At = (bytes: Bytes, at: number): number | null =>
  fits(bytes, at, 2) ? view(bytes).getUint16(at, true) : null;

export const u32At = (bytes: Bytes, at: number): number | null =>
  fits(bytes, at, 4) ? view(bytes).getUint32(at, true) : null;

export const u64At = (bytes: Bytes, at: number): bigint | null =>
  fits(bytes, at, 8) ? view(bytes).getBigUint64(at, true) : null;

/** 32 bytes of an address. */
export const keyAt = (bytes: Bytes, at: number): Bytes | null =>
  fits(bytes, at, 32) ? bytes.subarray(at, at + 32) : null;
