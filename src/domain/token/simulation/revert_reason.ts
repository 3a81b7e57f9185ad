import { INTERFACES } from "../../../knowledge/names.gen.ts";
import { type Bytes, toHex } from "../../../lib/bytes.ts";
import { cleanText } from "../../../lib/text.ts";
import { bytesAt, selectorOf } from "../../abi.ts";

const ERROR = selectorOf(INTERFACES.solidity.Error);
const TEXT_BYTES_MAX = 128;
const SELECTOR_BYTES = 4;

/** ERC-7751: (contract, function, its error, details). Uniswap v4 wraps errors of coins and hooks this way. */
const WRAPPED = selectorOf("WrappedError(address,bytes4,bytes,bytes)");
const REASON_AT = 2;

const unwrapped = (payload: Bytes): Bytes => {
  if (toHex(payload.subarray(0, SELECTOR_BYTES)) !== WRAPPED) return payload;
  const reason = bytesAt(payload.subarray(SELECTOR_BYTES), REASON_AT);
  return reason === null || reason.length === 0 ? payload : reason;
};

/** The reason of a revert: the contract's own words, cleaned, or the selector of its error. Empty without either. */
export const revertReason = (refusal: Bytes): string => {
  const payload = unwrapped(refusal);
  const selector = toHex(payload.subarray(0, SELECTOR_BYTES));
  if (selector !== ERROR) return selector === "" ? "" : `0x${selector}`;
  const text = bytesAt(payload.subarray(SELECTOR_BYTES), 0);
  return text === null ? `0x${selector}` : cleanText(Buffer.from(text).toString("utf8"), TEXT_BYTES_MAX);
};
