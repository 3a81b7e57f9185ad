import { concatHex, type Hex, keccak256, toHex } from "../../../../lib/bytes.ts";
import { addressAt, selectorOf, wordOf } from "../../../abi.ts";
import type { ContractContext } from "./power.ts";
import type { CapabilityFunction } from "./selectors.ts";

/**
 * Finds accounts with access: calls privileged functions without sending a transaction, as one candidate after another.
 */

/** A stranger to every contract. */
const STRANGER: Hex = toHex(
  keccak256(new TextEncoder().encode("a stranger who calls privileged functions")).subarray(12),
);
/** Number of storage slots to read: contracts keep their owners in the first ones. */
const SLOTS = 21;
const CANDIDATES_MAX = 8;
/** An address in storage has at least this many bits; counters and flags have fewer. */
const ADDRESS_BITS_MIN = 120;

/** A function, and an account that it accepted although it rejected a stranger. */
export interface FunctionAccess {
  readonly found: CapabilityFunction;
  readonly caller: Hex;
}

/** Arguments for trial calls: an account that has coins, and a number. */
export interface CallSample {
  readonly account: Hex;
  readonly size: bigint;
}

const sampleOf = (type: string, { account, size }: CallSample): Hex => {
  if (type === "address") return wordOf(account);
  if (type === "bool") return wordOf(1n);
  return wordOf(size);
};

/** Call data with one value of each type. Lists have one element. */
export const callDataOf = (signature: string, sample: CallSample): Hex => {
  const types = signature
    .slice(signature.indexOf("(") + 1, -1)
    .split(",")
    .filter((type) => type !== "");
  const heads: Hex[] = [];
  let tail: Hex = "";
  for (const type of types) {
    if (!type.endsWith("[]") && type !== "bytes") {
      heads.push(sampleOf(type, sample));
      continue;
    }
    heads.push(wordOf(BigInt(types.length * 32 + tail.length / 2)));
    tail = concatHex(tail, ...(type === "bytes" ? [wordOf(0n)] : [wordOf(1n), sampleOf(type.slice(0, -2), sample)]));
  }
  return concatHex(selectorOf(signature), ...heads, tail);
};

/** Addresses in the first storage slots, in slot order. */
export const storedAddresses = async ({ chain, address, at, signal }: ContractContext): Promise<readonly Hex[]> => {
  const slots = Array.from({ length: SLOTS }, (_, n) => wordOf(BigInt(n)));
  const words = await Promise.all(slots.map((slot) => chain.storage({ address, slot }, signal, at)));
  // Small flags are packed beside an address, before it in the word.
  const found = words.flatMap((word) => addressAt(word, 0) ?? packed(word) ?? []);
  return [...new Set(found)].filter((one) => BigInt(`0x${one}`) >> BigInt(ADDRESS_BITS_MIN) > 0n);
};

/** An address with one flag packed below it. */
const packed = (word: Uint8Array): Hex | null => {
  const flagged = word.subarray(0, 11).every((byte) => byte === 0) && (word[31] ?? 0) <= 1;
  return flagged ? toHex(word.subarray(11, 31)) : null;
};

/** For each function, the first candidate that it accepts where it rejects a stranger. `account`: a holder. */
export const probeCandidates = async (
  { chain, address, at, signal }: ContractContext,
  functions: readonly CapabilityFunction[],
  { candidates, account }: { readonly candidates: readonly Hex[]; readonly account: Hex },
): Promise<readonly FunctionAccess[]> => {
  const callers = [STRANGER, ...candidates.slice(0, CANDIDATES_MAX)];
  const trials = functions.flatMap((found) => callers.map((caller) => ({ found, caller })));
  const calls = trials.map(({ found, caller }) => ({
    from: caller,
    to: address,
    data: callDataOf(found.signature, { account, size: 1n }),
  }));
  const results = calls.length === 0 ? [] : await chain.call(calls, signal, at);
  const lets = trials.filter((_, i) => results[i]?.ok === true);
  const open = new Set(lets.filter(({ caller }) => caller === STRANGER).map(({ found }) => found));
  return functions.flatMap((found) =>
    open.has(found) ? [] : (lets.find((one) => one.found === found && one.caller !== STRANGER) ?? []),
  );
};

/**
 * Fees of 100 %, in hundredths of a percent and in percent. A setter that counts percent must reject more than the
 * second.
 */
const [ALL_BPS, ALL_PERCENT] = [10_000n, 100n];

/**
 * Whether a fee setter accepts 100 %; null when it rejects its holder. A setter that accepts 100 and rejects 101 counts
 * percent.
 */
export const isUncapped = async (
  { chain, address, at, signal }: ContractContext,
  { found, caller }: FunctionAccess,
): Promise<boolean | null> => {
  const calls = [ALL_BPS, ALL_PERCENT, ALL_PERCENT + 1n, 1n].map((size) => ({
    from: caller,
    to: address,
    data: callDataOf(found.signature, { account: STRANGER, size }),
  }));
  const [bps, percent, beyond, one] = (await chain.call(calls, signal, at)).map(({ ok }) => ok);
  if (one !== true) return null;
  return bps === true || (percent === true && beyond === false);
};
