/** Limits for text that a chain carries, in UTF-8 bytes (06, section 3). */
export const TEXT_BYTES_MAX = { symbol: 64, name: 256, uri: 2048 } as const;

// C0, C1, soft hyphen, bidi marks and overrides, zero-width, word joiner, BOM, variation selectors, tags, interlinear.
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

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
