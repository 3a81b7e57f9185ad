import type { Chain } from "../chains/chain.ts";
import { type Bytes, type Hex, keccak256, toBigInt, toHex } from "../lib/bytes.ts";
import { cleanText } from "../lib/text.ts";
import { addressAt, addressesAt, bytesAt, integerAt, selectorOf, wordOf } from "./abi.ts";

/** What the code of an account says about it. Live reads, all at one block. */

const utf8 = new TextEncoder();

/** EIP-1967: keccak-256 of the name, minus one. */
const slotOf = (name: string): Hex => wordOf(toBigInt(keccak256(utf8.encode(name))) - 1n);

const IMPLEMENTATION_SLOT = slotOf("eip1967.proxy.implementation");
const BEACON_SLOT = slotOf("eip1967.proxy.beacon");

/** EIP-7702: an account whose code is this prefix and an address runs that address's code. */
const DELEGATION = "ef0100";
/** EIP-1167 minimal proxy, around the address it calls. */
const MINIMAL = /^363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3/;

/** The address an EIP-7702 account delegates to, or null. */
export const delegateOf = (code: Bytes): Hex | null => {
  const hex = toHex(code);
  return hex.startsWith(DELEGATION) && code.length === 23 ? hex.slice(DELEGATION.length) : null;
};

export interface LiveAccount {
  readonly chain: Chain;
  readonly address: Hex;
  readonly code: Bytes;
  /** Block number. */
  readonly at: number;
  readonly signal: AbortSignal;
}

const callAll = async (account: LiveAccount, to: Hex, signatures: readonly string[]): Promise<readonly Bytes[]> => {
  const calls = signatures.map((signature) => ({ to, data: selectorOf(signature) }));
  const results = await account.chain.call(calls, account.signal, account.at);
  return results.map(({ ok, data }) => (ok ? data : new Uint8Array(0)));
};

/** Safe proxies of all versions are shorter than this; longer codes are not asked. */
const SAFE_PROXY_BYTES_MAX = 512;

/**
 * A Safe proxy runs the code of the address in its slot 0 and answers `masterCopy()` with it (safe-smart-account
 * SafeProxy.sol). Both must say the same.
 */
const readMasterCopy = async (account: LiveAccount): Promise<Hex | null> => {
  if (account.code.length > SAFE_PROXY_BYTES_MAX) return null;
  const [answer] = await callAll(account, account.address, ["masterCopy()"]);
  const said = answer === undefined || answer.length !== 32 ? null : addressAt(answer, 0);
  if (said === null) return null;
  const slot = await account.chain.storage(account.address, wordOf(0n), account.signal, account.at);
  return addressAt(slot, 0) === said ? said : null;
};

/** Where a proxy sends its calls: EIP-1167, EIP-1967 and its beacon, Safe. Null when the contract is no such proxy. */
export const readImplementation = async (account: LiveAccount): Promise<Hex | null> => {
  if (account.code.length === 0) return null;
  const minimal = MINIMAL.exec(toHex(account.code))?.[1];
  if (minimal !== undefined) return minimal;
  const { chain, address, signal, at } = account;
  const [direct, beaconSlot] = await Promise.all([
    chain.storage(address, IMPLEMENTATION_SLOT, signal, at),
    chain.storage(address, BEACON_SLOT, signal, at),
  ]);
  const beacon = addressAt(beaconSlot, 0);
  if (addressAt(direct, 0) !== null) return addressAt(direct, 0);
  if (beacon === null) return readMasterCopy(account);
  const [answer] = await callAll(account, beacon, ["implementation()"]);
  return answer === undefined ? null : addressAt(answer, 0);
};

export interface Safe {
  readonly version: string;
  readonly threshold: number;
  readonly owners: readonly Hex[];
  /** The singleton whose code a Safe proxy runs (storage slot 0). */
  readonly singleton: Hex | null;
}

/** A Safe answers for its version, owners and threshold consistently; anything else is none. */
export const readSafe = async (account: LiveAccount): Promise<Safe | null> => {
  if (account.code.length === 0) return null;
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
  const slot = await account.chain.storage(account.address, wordOf(0n), account.signal, account.at);
  return { version, threshold: Number(threshold), owners, singleton: addressAt(slot, 0) };
};

/** The entry point of an ERC-4337 account, which says it by `entryPoint()`. Null when it says none. */
export const readEntryPoint = async (account: LiveAccount): Promise<Hex | null> => {
  if (account.code.length === 0) return null;
  const [answer] = await callAll(account, account.address, ["entryPoint()"]);
  return answer === undefined || answer.length !== 32 ? null : addressAt(answer, 0);
};
