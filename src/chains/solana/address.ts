import { fromBase58 } from "../../lib/base58.ts";
import { type Hex, toHex } from "../../lib/bytes.ts";

const ADDRESS_BYTES = 32;
/** Base58 of 32 bytes has 32 to 44 digits; decoding takes the square of the length. */
const TEXT_LENGTH_MAX = 44;

/** Base58 of 32 bytes; there is no checksum. */
export const parseAddress = (text: string): Hex | null => {
  const bytes = text.length > TEXT_LENGTH_MAX ? null : fromBase58(text);
  return bytes?.length === ADDRESS_BYTES ? toHex(bytes) : null;
};
