/** Limits for text from a chain, in UTF-8 bytes. */
export const TEXT_BYTES_MAX = { symbol: 64, name: 256, uri: 2048 } as const;

// Controls, format characters (bidi, zero-width, tags), line and paragraph separators, everything shown as nothing, and
// the pattern of braille without a dot.
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * Untrusted text, made safe to show: well-formed, without control, bidi, zero-width or tag characters,
 * cut to `bytes_max` of UTF-8 at a character boundary.
 */
export const cleanText = (text: string, bytes_max: number): string => {
  const safe = text.toWellFormed().replace(UNSAFE, "").trim();
  const cut = cutText(safe, bytes_max);
  return cut === safe ? safe : cut.trim();
};

/** The beginning of a well-formed text: at most `bytes_max` of UTF-8, whole characters. */
export const cutText = (text: string, bytes_max: number): string => {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length <= bytes_max) return text;
  let end = bytes_max;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString("utf8");
};

// Padding of fixed-size texts, and surrounding characters that `cleanText` trims anyway.
const EDGES = /^[ \t\n\r]+|[ \t\n\r\0]+$/g;
// Scripts that use joiners within words.
const JOINING = ["Arabic", "Bengali", "Devanagari", "Gujarati", "Gurmukhi", "Kannada", "Malayalam", "Oriya", "Sinhala"]
  .concat(["Tamil", "Telugu"])
  .map((script) => `\\p{Script=${script}}`)
  .join("");
// Legitimate joiners: those of such scripts, and those that combine characters to one emoji.
const SPELLING = new RegExp(
  [
    `(?<=[${JOINING}])(?:\\u200C|\\u200D)(?=[${JOINING}])`,
    "(?<=\\p{Extended_Pictographic}|\\p{Emoji_Modifier})(?:\\uFE0E|\\uFE0F)",
    "(?<=[0-9#*])\\uFE0F(?=\\u20E3)",
    "(?<=\\p{Extended_Pictographic}|\\p{Emoji_Modifier}|\\uFE0F)\\u200D(?=\\p{Extended_Pictographic})",
  ].join("|"),
  "gu",
);
const HIDDEN = new RegExp(UNSAFE.source, "u");

/**
 * True for a text with invisible characters: zero-width and bidi characters, tags, variation selectors, soft hyphens,
 * controls. Call it before `cleanText`, which removes them.
 */
export const hasHidden = (text: string): boolean => {
  const inside = text.toWellFormed().replace(EDGES, "").replace(SPELLING, "");
  return HIDDEN.test(inside);
};
