import { cleanText } from "../../lib/text.ts";

const SHOWN_BYTES_MAX = 64;

/** Text of a caller as an answer repeats it: cut, without control characters, in single quotes. */
export const quoteText = (text: string): string => {
  const clean = cleanText(text, SHOWN_BYTES_MAX);
  if (clean === text) return `'${clean}'`;
  return Buffer.byteLength(text) > SHOWN_BYTES_MAX ? `'${clean}…'` : `'${clean}' with characters that are not shown`;
};
