import { type Bytes, type Hex, toBigInt, toHex } from "../../../lib/bytes.ts";
import { addressAt } from "../../abi.ts";
import type { SimulationState } from "../simulation/market.ts";
import { addressesInCode, type CodeFunction, isPlausible } from "./code_functions.ts";

/** Accounts that may have power over a token: those that its code, its views and its storage name. */

/** Number of accounts that are tried. */
const CALLERS_MAX = 8;
/** An identifier of a role is a hash: it has at least this many significant bits. */
const ROLE_BITS_MIN = 200n;
const ROLES_MAX = 6;
const WORD_BYTES = 32;

export interface NamedByViews {
  readonly addresses: readonly Hex[];
  readonly roles: readonly Hex[];
}

const isRole = (word: Bytes): boolean => word.length === WORD_BYTES && toBigInt(word) >> ROLE_BITS_MIN > 0n;

/** Addresses and identifiers of roles that views without arguments return. */
export const readNamed = async (
  { chain, block, signal }: SimulationState,
  token: Hex,
  functions: readonly CodeFunction[],
): Promise<NamedByViews> => {
  const views = functions.filter(({ is_view, types }) => is_view && types === "");
  const calls = views.map(({ selector }) => ({ to: token, data: selector }));
  const results = calls.length === 0 ? [] : await chain.call(calls, signal, block.number);
  const words = results.flatMap(({ ok, data }) => (ok && data.length === WORD_BYTES ? [data] : []));
  return {
    addresses: words.flatMap((word) => addressAt(word, 0) ?? []).filter(isPlausible),
    roles: words.filter(isRole).slice(0, ROLES_MAX).map(toHex),
  };
};

/** Addresses that a contract names, the likeliest holders of power first. */
export const namedBy = ({
  views,
  stored,
  codes,
}: {
  readonly views: readonly Hex[];
  readonly stored: readonly Hex[];
  readonly codes: readonly Bytes[];
}): readonly Hex[] => [...new Set([...views, ...codes.flatMap(addressesInCode), ...stored])];

/** Accounts to try, the likeliest first. `never`: pools, routers, burn addresses. */
export const callersOf = (likeliest: readonly Hex[], never: readonly Hex[]): readonly Hex[] =>
  [...new Set(likeliest)].filter((address) => !never.includes(address)).slice(0, CALLERS_MAX);
