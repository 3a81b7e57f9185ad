import type { Chain } from "../../../chains/chain.ts";
import { type Bytes, type Hex, hex, keccak256, toBigInt, toHex } from "../../../lib/bytes.ts";
import { addressAt, addressesAt, selectorOf, wordOf } from "../../abi.ts";
import { mayDelegate } from "./code_scan.ts";

/** Where a proxy sends its calls. Live reads, all at one block. */

export interface LiveAccount {
  readonly chain: Chain;
  readonly address: Hex;
  readonly code: Bytes;
  /** Block number; undefined = the node's newest. */
  readonly at: number | undefined;
  readonly signal: AbortSignal;
}

export interface ProxyTarget {
  /** Null for the forerunner of EIP-1967 that early OpenZeppelin proxies use. */
  readonly kind: "eip1967" | "beacon" | "minimal" | "eip1822" | "safe" | "diamond" | null;
  /** Contracts whose code it runs, at least one; several only behind a diamond. */
  readonly implementations: readonly Hex[];
}

const utf8 = new TextEncoder();
const named = (name: string): bigint => toBigInt(keccak256(utf8.encode(name)));

const SLOTS = {
  // EIP-1967: keccak-256 of the name, minus one.
  eip1967: wordOf(named("eip1967.proxy.implementation") - 1n),
  beacon: wordOf(named("eip1967.proxy.beacon") - 1n),
  eip1822: wordOf(named("PROXIABLE")),
  // OpenZeppelin before EIP-1967 (zos-lib UpgradeabilityProxy.sol); the USDC proxy on ethereum is one.
  early: wordOf(named("org.zeppelinos.proxy.implementation")),
} as const;

/** Where EIP-1967 proxies, and early OpenZeppelin ones, keep who may exchange the code. */
const ADMIN_SLOTS = [wordOf(named("eip1967.proxy.admin") - 1n), wordOf(named("org.zeppelinos.proxy.admin"))] as const;

/** EIP-1167 minimal proxy, around the address it calls. */
const MINIMAL = /^363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3/;
/** Safe proxies of all versions are shorter than this; longer codes are not asked. */
const SAFE_PROXY_BYTES_MAX = 512;
/** Facets that are read of one diamond. */
const FACETS_MAX = 64;

/** Return data of calls to one contract; empty where a call failed. */
export const callAll = async (
  account: LiveAccount,
  to: Hex,
  signatures: readonly string[],
): Promise<readonly Bytes[]> => {
  const calls = signatures.map((signature) => ({ to, data: selectorOf(signature) }));
  const results = await account.chain.call(calls, account.signal, account.at);
  return results.map(({ ok, data }) => (ok ? data : new Uint8Array(0)));
};

/** A Safe says `masterCopy()` and a diamond `facetAddresses()`. Neither has a slot of its own to be known by. */
const readSpoken = async (account: LiveAccount): Promise<ProxyTarget | null> => {
  const [master, facets] = await callAll(account, account.address, ["masterCopy()", "facetAddresses()"]);
  const said = master === undefined || master.length !== 32 ? null : addressAt(master, 0);
  if (said !== null && account.code.length <= SAFE_PROXY_BYTES_MAX) {
    // safe-smart-account SafeProxy.sol: it runs the code of the address in its slot 0. Both must say the same.
    const slot = await account.chain.storage(
      { address: account.address, slot: wordOf(0n) },
      account.signal,
      account.at,
    );
    if (addressAt(slot, 0) === said) return { kind: "safe", implementations: [said] };
  }
  // EIP-2535 IDiamondLoupe.
  const found = facets === undefined ? null : addressesAt(facets, 0);
  const others = [...new Set(found ?? [])].filter((facet) => facet !== account.address).slice(0, FACETS_MAX);
  return others.length === 0 ? null : { kind: "diamond", implementations: others };
};

/** Null when the contract is no proxy of a known kind. */
export const readProxy = async (account: LiveAccount): Promise<ProxyTarget | null> => {
  if (!account.chain.can.contract_calls || !mayDelegate(account.code)) return null;
  const minimal = MINIMAL.exec(toHex(account.code))?.[1];
  if (minimal !== undefined) return { kind: "minimal", implementations: [hex(minimal)] };
  const { chain, address, signal, at } = account;
  const [eip1967, beacon, eip1822, early] = await Promise.all(
    [SLOTS.eip1967, SLOTS.beacon, SLOTS.eip1822, SLOTS.early].map(async (slot) =>
      addressAt(await chain.storage({ address, slot }, signal, at), 0),
    ),
  );
  if (typeof eip1967 === "string") return { kind: "eip1967", implementations: [eip1967] };
  if (typeof beacon === "string") {
    const [answer] = await callAll(account, beacon, ["implementation()"]);
    const target = answer === undefined ? null : addressAt(answer, 0);
    return target === null ? null : { kind: "beacon", implementations: [target] };
  }
  if (typeof eip1822 === "string") return { kind: "eip1822", implementations: [eip1822] };
  if (typeof early === "string") return { kind: null, implementations: [early] };
  return readSpoken(account);
};

/** Who may exchange the code of a proxy, as its own storage says; null when it names nobody. */
export const readProxyAdmin = async ({ chain, address, signal, at }: LiveAccount): Promise<Hex | null> => {
  const words = await Promise.all(ADMIN_SLOTS.map((slot) => chain.storage({ address, slot }, signal, at)));
  return words.map((word) => addressAt(word, 0)).find((admin) => admin !== null) ?? null;
};
