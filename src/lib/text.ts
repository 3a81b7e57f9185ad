/** Limits for text that a chain carries, in UTF-8 bytes (06, section 3). */
export const TEXT_BYTES_MAX = { symbol: 64, name: 256, uri: 2048 } as const;

// Controls, format characters (bidi, zero-width, tags), line and paragraph separators, everything shown as nothing.
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Text written by a stranger, made fit to be shown: well-formed, without control, bidi, zero-width or tag characters,
 * cut to `bytes_max` of UTF-8 at a character boundary.
 */
export const cleanText = (text: string, bytes_max: number): string => {
  const safe = text.toWellFormed().replace(UNSAFE, "").trim();
  const bytes = Buffer.from(safe, "utf8");
  if (bytes.length <= bytes_max) return safe;
  let end = bytes_max;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString("utf8").trim();
};

const UNSAFE_IN_LINES = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Text of several lines written by a stranger (source code): as `cleanText`, but tabs, line ends and edges stay. */
export const cleanLines = (text: string): string =>
  text.toWellFormed().replaceAll("\r\n", "\n").replace(UNSAFE_IN_LINES, "");
