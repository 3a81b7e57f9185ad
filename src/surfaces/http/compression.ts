/** Content codings of HTTP: which of them a client takes, and bytes in it. */
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

export type Coding = "br" | "gzip" | "identity";

/** Compression gains nothing below this size. */
const COMPRESSED_FROM_BYTES = 1_024;

/** Fonts and pictures of pixels are compressed already. */
const COMPRESSIBLE = /^(text\/|application\/(json|wasm|javascript)|image\/svg)/;

/** The best coding of those that a client takes. */
export const codingFor = (accepted: string | undefined): Coding => {
  const taken = (accepted ?? "")
    .split(",")
    .map((part) => part.trim().toLowerCase())
    .filter((part) => !/;\s*q=0(\.0+)?$/.test(part))
    .map((part) => part.split(";", 1)[0]?.trim() ?? "");
  if (taken.includes("br")) return "br";
  return taken.includes("gzip") ? "gzip" : "identity";
};

export const isCompressible = (type: string, length: number): boolean =>
  length >= COMPRESSED_FROM_BYTES && COMPRESSIBLE.test(type);

export const codedAs = (bytes: Buffer, coding: Coding): Buffer => {
  if (coding === "gzip") return gzipSync(bytes, { level: 9 });
  // The best that brotli does takes ten times as long, for some 2 %.
  if (coding === "br") return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
  return bytes;
};
