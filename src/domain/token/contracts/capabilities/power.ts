import type { Chain } from "../../../../chains/chain.ts";
import { INTERFACES } from "../../../../knowledge/names.gen.ts";
import { type Bytes, EMPTY, type Hex, padHex } from "../../../../lib/bytes.ts";
import { addressAt, integerAt, selectorOf } from "../../../abi.ts";
import { delegateOf, readSafe } from "../../../address/code/account_code.ts";
import { burnAddressesOf } from "../../holders/burn_addresses.ts";

/** Kind of account that controls a contract. */

export type OwnerType = "renounced" | "eoa" | "multisig" | "timelock" | "contract";

export interface ContractOwner {
  readonly address: Hex;
  readonly type: OwnerType;
  /** `2 of 3` of a multisig. */
  readonly threshold: number | null;
  readonly owner_count: number | null;
  /** Waiting time of a timelock, in seconds. */
  readonly delay_s: number | null;
}

/** A contract at a block. */
export interface ContractContext {
  readonly chain: Chain;
  readonly address: Hex;
  /** Block number. */
  readonly at: number;
  readonly signal: AbortSignal;
}

/** A longer delay is a mistake or a joke, and in practice never ends. */
const DELAY_MAX_S = 10n ** 10n;

const plain = { threshold: null, owner_count: null, delay_s: null };

/** Answers of views without arguments; empty when a view does not exist. */
const readOwnerViews = async (
  { chain, at, signal }: ContractContext,
  to: Hex,
  views: readonly string[],
): Promise<readonly Bytes[]> => {
  const calls = views.map((view) => ({ to, data: selectorOf(view) }));
  const results = await chain.call(calls, signal, at);
  return results.map(({ ok, data }) => (ok ? data : EMPTY));
};

/** The kind of account at an address. */
export const ownerAt = async (examined: ContractContext, address: Hex): Promise<ContractOwner> => {
  const { chain, signal, at } = examined;
  if (burnAddressesOf(chain.network).includes(address)) return { address, type: "renounced", ...plain };
  const { code } = await chain.account(address, signal, at);
  if (code.length === 0 || delegateOf(code) !== null) return personAt(examined, address);
  const safe = await readSafe({ chain, address, code, at, signal });
  if (safe !== null) {
    return { address, type: "multisig", threshold: safe.threshold, owner_count: safe.owners.length, delay_s: null };
  }
  // OpenZeppelin TimelockController, Compound Timelock.
  const [min, delay] = await readOwnerViews(examined, address, [INTERFACES.timelock.getMinDelay, "delay()"]);
  const told = integerAt(min ?? EMPTY, 0) ?? integerAt(delay ?? EMPTY, 0);
  if (told !== null && told > 0n && told < DELAY_MAX_S) {
    return { address, type: "timelock", ...plain, delay_s: Number(told) };
  }
  return { address, type: "contract", ...plain };
};

/** An account without code: a single key, or a multisig when its owner permission requires several. */
const personAt = async ({ chain, at, signal }: ContractContext, address: Hex): Promise<ContractOwner> => {
  const permission = (await chain.describe?.(address, signal, at))?.resources?.owner_permission ?? null;
  if (permission === null || permission.keys.some(({ weight }) => weight >= permission.threshold))
    return { address, type: "eoa", ...plain };
  const { threshold, keys } = permission;
  return { address, type: "multisig", threshold, owner_count: keys.length, delay_s: null };
};

/** The address that `owner()` or `getOwner()` names, which may be zeros; null when the contract has neither. */
export const readOwner = async (examined: ContractContext): Promise<Hex | null> => {
  for (const data of await readOwnerViews(examined, examined.address, [
    INTERFACES.ownable.owner,
    INTERFACES.ownable.getOwner,
  ])) {
    if (data.length !== 32) continue;
    const address = addressAt(data, 0);
    if (address !== null) return address;
    if (integerAt(data, 0) === 0n) return padHex("", 20);
  }
  return null;
};
