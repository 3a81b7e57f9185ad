import type { Failure, TracedCall } from "../../../chains/transaction_details.ts";
import { INTERFACES } from "../../../knowledge/names.gen.ts";
import { type Bytes, EMPTY, equalBytes, type Hex, toHex } from "../../../lib/bytes.ts";
import { cleanText } from "../../../lib/text.ts";
import { uintAt } from "../../../lib/words.ts";
import { selectorOf } from "../../abi.ts";
import { argumentsOf, entryIn } from "./abi_entries.ts";
import { type AddressText, decodeArguments } from "./calldata.ts";

/** Reason of a failed transaction. */
export interface Revert {
  /** Message of the contract or the virtual machine, cleaned; null without a readable one. */
  readonly reason: string | null;
  /** First four bytes of the payload; null without one. */
  readonly selector: Hex | null;
  /** 0 = the outermost call; null when the node does not report it. */
  readonly failed_at_depth: number | null;
}

const ERROR = selectorOf(INTERFACES.solidity.Error);
const PANIC = selectorOf("Panic(uint256)");
const REASON_BYTES_MAX = 256;

/** Solidity documentation, "Panic via assert and Error via require". */
const PANICS: Readonly<Record<string, string>> = {
  "0": "generic panic",
  "1": "assertion failed",
  "17": "arithmetic overflow or underflow",
  "18": "division by zero",
  "33": "conversion to an enum out of range",
  "34": "incorrectly encoded storage bytes",
  "49": "pop of an empty array",
  "50": "array index out of bounds",
  "65": "too much memory was allocated",
  "81": "call of an uninitialised function",
};

/** Errors that many contracts share (EIP-6093, OpenZeppelin, Uniswap, Permit2, Safe). */
const CUSTOM: ReadonlyMap<Hex, string> = new Map(
  [
    "ERC20InsufficientBalance(address,uint256,uint256)",
    "ERC20InsufficientAllowance(address,uint256,uint256)",
    "ERC20InvalidSender(address)",
    "ERC20InvalidReceiver(address)",
    "ERC721NonexistentToken(uint256)",
    "ERC721InsufficientApproval(address,uint256)",
    "ERC721IncorrectOwner(address,uint256,address)",
    "ERC1155InsufficientBalance(address,uint256,uint256,uint256)",
    "OwnableUnauthorizedAccount(address)",
    "AccessControlUnauthorizedAccount(address,bytes32)",
    "SafeERC20FailedOperation(address)",
    "FailedCall()",
    "EnforcedPause()",
    "ReentrancyGuardReentrantCall()",
    "InsufficientBalance(uint256,uint256)",
    "AllowanceExpired(uint256)",
    "InsufficientAllowance(uint256)",
    "SignatureExpired(uint256)",
    "InvalidSigner()",
    "FailedOp(uint256,string)",
    "FailedOpWithRevert(uint256,string,bytes)",
    "V2TooLittleReceived()",
    "V3TooLittleReceived()",
    "TransactionDeadlinePassed()",
    "ExecutionFailed(uint256,bytes)",
  ].map((signature) => [selectorOf(signature), signature]),
);

/** The called contract as far as it is known. */
export interface Callee {
  /** Its published interface; null without one. */
  readonly abi: readonly unknown[] | null;
  readonly shown: AddressText;
}

const callText = (name: string, args: readonly { readonly value: string }[]): string =>
  cleanText(`${name}(${args.map(({ value }) => value).join(", ")})`, REASON_BYTES_MAX);

/** A contract's own error, by its published interface. */
const publishedError = ({ abi, shown }: Callee, selector: Hex, rest: Bytes): string | null => {
  const entry = abi === null ? null : entryIn(abi, "error", selector);
  const args = entry === null ? null : argumentsOf(entry, rest, shown);
  return entry === null || args === null ? null : callText(entry.name, args);
};

/** A revert payload in words; null when unreadable. Never throws. */
export const reasonOf = (payload: Bytes, callee: Callee): string | null => {
  if (payload.length < 4) return null;
  const selector = toHex(payload.subarray(0, 4));
  const rest = payload.subarray(4);
  if (selector === ERROR) {
    const text = decodeArguments(INTERFACES.solidity.Error, rest, callee.shown)?.[0]?.value ?? "";
    return text === "" ? null : cleanText(text, REASON_BYTES_MAX);
  }
  if (selector === PANIC) {
    const code = uintAt(rest, 0);
    return `Panic(${code}): ${PANICS[code.toString()] ?? "unknown code"}`;
  }
  const signature = CUSTOM.get(selector);
  const args = signature === undefined ? null : decodeArguments(signature, rest, callee.shown);
  if (signature === undefined || args === null) return publishedError(callee, selector, rest);
  return callText(signature.slice(0, signature.indexOf("(")), args);
};

/** The last call directly below `parent` when it failed, else null. */
const failedChild = (calls: readonly TracedCall[], parent: number): number | null => {
  const depth = calls[parent]?.depth ?? 0;
  let found: number | null = null;
  for (let at = parent + 1; at < calls.length && (calls[at]?.depth ?? 0) > depth; at += 1) {
    const call = calls[at];
    if (call !== undefined && call.depth === depth + 1) found = call.error === null ? null : at;
  }
  return found;
};

/**
 * Finds the origin of the failure: from the outermost call downwards, as long as the last call failed with the same
 * payload. Null when the outermost call did not fail, or no call is known.
 */
export const revertOf = (calls: readonly TracedCall[], callee: Callee): Revert | null => {
  const [outermost] = calls;
  if (outermost === undefined || outermost.error === null) return null;
  const output = outermost.output ?? EMPTY;
  let at = 0;
  for (let below = failedChild(calls, at); below !== null; below = failedChild(calls, at)) {
    if (!equalBytes(calls[below]?.output ?? output, output)) break;
    at = below;
  }
  const origin = calls[at] ?? outermost;
  return revertBy(output, callee, { words: origin.error, depth: origin.depth });
};

/** The failure as the chain itself reports it. */
export const revertOfFailure = ({ payload, words, depth }: Failure, callee: Callee): Revert =>
  revertBy(payload ?? EMPTY, callee, { words, depth });

const revertBy = (output: Bytes, callee: Callee, { words, depth }: Pick<Failure, "words" | "depth">): Revert => {
  const said = output.length === 0 ? cleanText(words ?? "", REASON_BYTES_MAX) : "";
  return {
    reason: reasonOf(output, callee) ?? (said === "" ? null : said),
    selector: output.length < 4 ? null : toHex(output.subarray(0, 4)),
    failed_at_depth: depth,
  };
};
