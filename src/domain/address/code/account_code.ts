import { type Bytes, type Hex, sliceHex, toHex } from "../../../lib/bytes.ts";
import { cleanText } from "../../../lib/text.ts";
import { addressAt, addressesAt, bytesAt, integerAt, wordOf } from "../../abi.ts";
import { callAll, type LiveAccount, readProxy } from "./proxies.ts";

/** Facts from the code of an account. Live reads, all at one block. */

/** EIP-7702: an account whose code is this prefix and an address runs that address's code. */
const DELEGATION = "ef0100";
/** The delegate address of an EIP-7702 account, or null. */
export const delegateOf = (code: Bytes): Hex | null => {
  const text = toHex(code);
  return text.startsWith(DELEGATION) && code.length === 23 ? sliceHex(text, DELEGATION.length / 2) : null;
};

/** The implementation of a proxy, the first one of several. Null when the contract is no known proxy. */
export const readImplementation = async (account: LiveAccount): Promise<Hex | null> =>
  (await readProxy(account))?.implementations[0] ?? null;

export interface Safe {
  readonly version: string;
  readonly threshold: number;
  readonly owners: readonly Hex[];
  /** The singleton whose code a Safe proxy runs (storage slot 0). */
  readonly singleton: Hex | null;
}

/** A Safe reports its version, owners and threshold consistently; null for any other contract. */
export const readSafe = async (account: LiveAccount): Promise<Safe | null> => {
  if (account.code.length === 0 || !account.chain.can.contract_calls) return null;
  const [versionData, thresholdData, ownersData] = await callAll(account, account.address, [
    "VERSION()",
    "getThreshold()",
    "getOwners()",
  ]);
  const version = cleanText(Buffer.from(bytesAt(versionData ?? new Uint8Array(0), 0) ?? []).toString("utf8"), 32);
  const threshold = integerAt(thresholdData ?? new Uint8Array(0), 0) ?? 0n;
  const owners = addressesAt(ownersData ?? new Uint8Array(0), 0) ?? [];
  const consistent = threshold >= 1n && threshold <= BigInt(owners.length);
  if (!consistent || !/^\d+\.\d+\.\d+/.test(version)) return null;
  const slot = await account.chain.storage({ address: account.address, slot: wordOf(0n) }, account.signal, account.at);
  return { version, threshold: Number(threshold), owners, singleton: addressAt(slot, 0) };
};

/** The entry point that an ERC-4337 account reports by `entryPoint()`. Null without one. */
export const readEntryPoint = async (account: LiveAccount): Promise<Hex | null> => {
  if (account.code.length === 0 || !account.chain.can.contract_calls) return null;
  const [answer] = await callAll(account, account.address, ["entryPoint()"]);
  return answer === undefined || answer.length !== 32 ? null : addressAt(answer, 0);
};
