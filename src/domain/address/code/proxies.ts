import type { Chain } from "../../../chains/chain.ts";
import { ADMIN_SLOTS, PROXY_SHAPES } from "../../../knowledge/proxies.gen.ts";
import type { CallMatch, ProxyShape } from "../../../knowledge/proxy_shape.ts";
import { type Bytes, type Hex, toHex } from "../../../lib/bytes.ts";
import { addressAt, addressesAt, integerAt, selectorOf } from "../../abi.ts";
import { mayDelegate } from "./code_scan.ts";
import { matchCode, pushesSelector } from "./proxy_code.ts";

/** Where a proxy sends its calls, by the shapes of `knowledge/proxies.yaml`. Live reads, all at one block. */

export interface LiveAccount {
  readonly chain: Chain;
  readonly address: Hex;
  readonly code: Bytes;
  /** Block number; undefined = the node's newest. */
  readonly at: number | undefined;
  readonly signal: AbortSignal;
}

export interface ProxyTarget {
  /** Null for shapes that answers have no word for. */
  readonly kind: ProxyShape["kind"];
  /** Contracts whose code it runs, at least one; several only behind a diamond. */
  readonly implementations: readonly Hex[];
  readonly shape: ProxyShape;
  /** The account that its code itself lets replace the implementation; null when the code names none. */
  readonly code_admin: Hex | null;
}

type LocatedProxyShape<Way extends ProxyShape["found_by"]["way"]> = ProxyShape & {
  readonly found_by: Extract<ProxyShape["found_by"], { readonly way: Way }>;
};

const shapesBy = <Way extends ProxyShape["found_by"]["way"]>(way: Way): readonly LocatedProxyShape<Way>[] =>
  PROXY_SHAPES.filter((shape): shape is LocatedProxyShape<Way> => shape.found_by.way === way);

const BY_CODE = shapesBy("code");
const BY_SLOT = shapesBy("slot");
const BY_CALL = shapesBy("call");

/** Facets that are read of one diamond. */
const FACETS_MAX = 64;

const targetOf = (
  shape: ProxyShape,
  implementations: readonly Hex[],
  code_admin: Hex | null = null,
): ProxyTarget | null =>
  implementations.length === 0 ? null : { kind: shape.kind, implementations, shape, code_admin };

/** Return data of calls to one contract by selector; empty where a call failed. */
const callSelectors = async (
  { chain, signal, at }: LiveAccount,
  to: Hex,
  selectors: readonly Hex[],
): Promise<readonly Bytes[]> => {
  const results = await chain.call(
    selectors.map((data) => ({ to, data })),
    signal,
    at,
  );
  return results.map(({ ok, data }) => (ok ? data : new Uint8Array(0)));
};

/** Return data of calls to one contract; empty where a call failed. */
export const callAll = (account: LiveAccount, to: Hex, signatures: readonly string[]): Promise<readonly Bytes[]> =>
  callSelectors(account, to, signatures.map(selectorOf));

const addressInSlot = async ({ chain, address, signal, at }: LiveAccount, slot: Hex): Promise<Hex | null> =>
  addressAt(await chain.storage({ address, slot }, signal, at), 0);

const readByCode = async (account: LiveAccount): Promise<ProxyTarget | null> => {
  const code = toHex(account.code);
  for (const shape of BY_CODE) {
    const { pieces, implementation_slot } = shape.found_by;
    const held = matchCode(code, pieces);
    if (held === null) continue;
    const named =
      implementation_slot === null ? held.implementation : await addressInSlot(account, implementation_slot);
    return targetOf(shape, named === null ? [] : [named], held.admin);
  }
  return null;
};

const readBySlot = async (account: LiveAccount): Promise<ProxyTarget | null> => {
  const named = await Promise.all(BY_SLOT.map(({ found_by }) => addressInSlot(account, found_by.slot)));
  for (const [i, shape] of BY_SLOT.entries()) {
    const address = named[i] ?? null;
    if (address === null) continue;
    const { then_call } = shape.found_by;
    if (then_call === null) return targetOf(shape, [address]);
    const [answer] = await callSelectors(account, address, [then_call]);
    const target = answer === undefined ? null : addressAt(answer, 0);
    return targetOf(shape, target === null ? [] : [target]);
  }
  return null;
};

const selectorsOf = ({ selector, where }: CallMatch): readonly Hex[] =>
  where === null ? [selector] : [selector, where.selector];

/** False for code that cannot be of the shape, whatever it answers. */
const mayBe = (code: Hex, found_by: CallMatch): boolean =>
  (found_by.code_bytes_max === null || code.length / 2 <= found_by.code_bytes_max) &&
  (!found_by.in_own_code || selectorsOf(found_by).every((selector) => pushesSelector(code, selector)));

const readByCall = async (account: LiveAccount): Promise<ProxyTarget | null> => {
  const code = toHex(account.code);
  const shapes = BY_CALL.filter(({ found_by }) => mayBe(code, found_by));
  const selectors = [...new Set(shapes.flatMap(({ found_by }) => selectorsOf(found_by)))];
  const data = await callSelectors(account, account.address, selectors);
  const answers = new Map(selectors.map((selector, i) => [selector, data[i] ?? new Uint8Array(0)]));
  const answerOf = (selector: Hex): Bytes => answers.get(selector) ?? new Uint8Array(0);
  for (const shape of shapes) {
    const { selector, returns, same_in_slot, where } = shape.found_by;
    if (where !== null && integerAt(answerOf(where.selector), 0) !== where.returns) continue;
    const implementations = addressesIn(answerOf(selector), returns, account.address);
    if (implementations.length === 0) continue;
    if (same_in_slot !== null && (await addressInSlot(account, same_in_slot)) !== implementations[0]) continue;
    return targetOf(shape, implementations);
  }
  return null;
};

/** Without the proxy's own address: a diamond lists itself for the functions that it has itself. */
const addressesIn = (data: Bytes, returns: CallMatch["returns"], own: Hex): readonly Hex[] => {
  const single = data.length === 32 ? addressAt(data, 0) : null;
  const found = returns === "addresses" ? (addressesAt(data, 0) ?? []) : single === null ? [] : [single];
  return [...new Set(found)].filter((address) => address !== own).slice(0, FACETS_MAX);
};

/** Null when the contract is no proxy of a known shape. */
export const readProxy = async (account: LiveAccount): Promise<ProxyTarget | null> => {
  if (!account.chain.can.contract_calls || !mayDelegate(account.code)) return null;
  return (await readByCode(account)) ?? (await readBySlot(account)) ?? readByCall(account);
};

/** The account that may replace the implementation of a proxy, by its code, its shape's function or its storage; null when none is named. */
export const readProxyAdmin = async (account: LiveAccount, { shape, code_admin }: ProxyTarget): Promise<Hex | null> => {
  if (code_admin !== null) return code_admin;
  if (shape.admin_call !== null) {
    const [answer] = await callSelectors(account, account.address, [shape.admin_call]);
    return answer === undefined ? null : addressAt(answer, 0);
  }
  const admins = await Promise.all(ADMIN_SLOTS.map((slot) => addressInSlot(account, slot)));
  return admins.find((admin) => admin !== null) ?? null;
};
