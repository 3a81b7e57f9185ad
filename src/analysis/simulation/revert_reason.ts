import { type Bytes, toHex } from "../../lib/bytes.ts";
import { cleanText } from "../../lib/text.ts";
import { bytesAt, selectorOf } from "../abi.ts";

const ERROR = selectorOf("Error(string)");
const TEXT_BYTES_MAX = 128;
const SELECTOR_BYTES = 4;

/** What a contract said when it refused: its own words, cleaned, or the selector of its error. Empty when it said nothing. */
export const revertReason = (payload: Bytes): string => {
  const selector = toHex(payload.subarray(0, SELECTOR_BYTES));
  if (selector !== ERROR) return selector === "" ? "" : `0x${selector}`;
  const text = bytesAt(payload.subarray(SELECTOR_BYTES), 0);
  return text === null ? `0x${selector}` : cleanText(Buffer.from(text).toString("utf8"), TEXT_BYTES_MAX);
};
