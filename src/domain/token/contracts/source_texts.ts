import { cleanLines } from "../../../lib/lines.ts";
import { isRecord } from "../../../lib/record.ts";
import { cleanText } from "../../../lib/text.ts";
import type { SourceFile, VerifiedSource } from "../../../sources/source.ts";

const PATH_BYTES_MAX = 1_024;
const WORD_BYTES_MAX = 256;
const ABI_VALUES_MAX = 50_000;
const ABI_DEPTH_MAX = 24;
const ABI_TEXT_BYTES_MAX = 1_024;
const LICENSE_BYTES_MAX = 64;

/** A compiler version or a name. */
export const word = (text: string | null): string | null => (text === null ? null : cleanText(text, WORD_BYTES_MAX));

/** A file of a source; content null: not shown. */
interface ShownFile {
  path: string;
  /** Size of the whole file. */
  bytes: number;
  content: string | null;
  truncated: boolean;
}

export interface ShownFiles {
  readonly files: ShownFile[];
  readonly is_path_known: boolean;
  /** Whether invisible or direction-changing characters were removed. */
  readonly is_cleaned: boolean;
}

interface FileQuery {
  readonly file_path: string | null;
  readonly bytes_max: number;
}

/** At most `bytes_max` of UTF-8, cut at a character. */
const cut = (text: string, bytes_max: number): string => {
  const bytes = Buffer.from(text, "utf8");
  let end = Math.min(bytes.length, bytes_max);
  while (end > 0 && end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString("utf8");
};

/** All paths, and the contents until the bytes are used up; with `file_path` that file's alone. */
export const shownFiles = (sources: readonly SourceFile[], { file_path, bytes_max }: FileQuery): ShownFiles => {
  let left = bytes_max;
  let is_cleaned = false;
  const paths = sources.map(({ path }) => cleanText(path, PATH_BYTES_MAX));
  const files = sources.map(({ content }, i) => {
    const path = paths[i] ?? "";
    const bytes = Buffer.byteLength(content, "utf8");
    const is_wanted = file_path === null || file_path === path;
    if (!is_wanted || left <= 0) return { path, bytes, content: null, truncated: true };
    const clean = cleanLines(content);
    is_cleaned ||= clean !== content.replaceAll("\r\n", "\n");
    const shown = cut(clean, left);
    left -= Buffer.byteLength(shown, "utf8");
    return { path, bytes, content: shown, truncated: shown.length < clean.length };
  });
  return { files, is_path_known: file_path === null || paths.includes(file_path), is_cleaned };
};

/** The SPDX identifier that solc asks for in a comment; null when the file says none. */
export const licenseOf = ([first]: readonly SourceFile[]): string | null => {
  const found = /SPDX-License-Identifier:\s*([^\s*]+(?:\s+(?:AND|OR|WITH)\s+[^\s*]+)*)/.exec(first?.content ?? "")?.[1];
  return found === undefined ? null : cleanText(found, LICENSE_BYTES_MAX);
};

class TooLarge extends Error {}

const cleanValue = (value: unknown, depth: number, spend: () => void): unknown => {
  spend();
  if (depth > ABI_DEPTH_MAX) throw new TooLarge();
  if (typeof value === "string") return cleanText(value, ABI_TEXT_BYTES_MAX);
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, depth + 1, spend));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      cleanText(key, ABI_TEXT_BYTES_MAX),
      cleanValue(item, depth + 1, spend),
    ]),
  );
};

/** Null without an ABI, or when it is larger or deeper than any contract's. */
export const cleanAbi = (abi: VerifiedSource["abi"]): Record<string, unknown>[] | null => {
  if (abi === null) return null;
  let left = ABI_VALUES_MAX;
  const spend = (): void => {
    left -= 1;
    if (left < 0) throw new TooLarge();
  };
  try {
    return abi
      .filter(isRecord)
      .map((entry) =>
        Object.fromEntries(
          Object.entries(entry).map(([key, value]) => [
            cleanText(key, ABI_TEXT_BYTES_MAX),
            cleanValue(value, 1, spend),
          ]),
        ),
      );
  } catch (error) {
    if (error instanceof TooLarge) return null;
    throw error;
  }
};
