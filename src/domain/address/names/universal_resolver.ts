import type { CallResult } from "../../../chains/chain.ts";
import { type Bytes, concatHex, EMPTY, fromHex, type Hex, toHex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import { addressAt, bytesAt, selectorOf, tailOf, wordOf } from "../../abi.ts";
import { followLookup, GATEWAY_ERROR } from "./ccip.ts";
import { dnsEncode, normalizeName } from "./ens_name.ts";
import {
  callAt,
  type EnsReader,
  type GatewayFault,
  type RecordRead,
  type ResolverRecords,
  wrapFor,
} from "./records.ts";

/**
 * Names by the Universal Resolver (ensdomains/ens-contracts, IUniversalResolver.sol): one contract that finds and asks
 * the resolver of any name, in the registry of ENS version 1 and in those of version 2.
 */

/** How a call of the contract ended. */
type UniversalAnswer =
  | { readonly kind: "data"; readonly data: Bytes; readonly via_gateway: boolean }
  /** `empty`: the name has a resolver without such a record. `none`: it has no resolver. */
  | { readonly kind: "empty" | "none" | "disabled" | "silent" };

const ENDINGS: ReadonlyMap<Hex, "empty" | "none" | "silent"> = new Map([
  [selectorOf("ResolverNotFound(bytes)"), "none"],
  [selectorOf("ResolverNotContract(bytes,address)"), "none"],
  [selectorOf("UnsupportedResolverProfile(bytes4)"), "empty"],
  [selectorOf("ReverseAddressMismatch(string,bytes)"), "empty"],
  [GATEWAY_ERROR, "silent"],
]);
/** The name's own resolver reverted. */
const RESOLVER_ERROR = selectorOf("ResolverError(bytes)");
const SELECTOR_BYTES = 4;
/** SLIP-44 of ether. */
const COIN_ETHER = 60n;

const strange = (resolver: Hex): AssayError => {
  const message = `The Universal Resolver 0x${resolver} gave no answer of its interface.`;
  return new AssayError({ code: "UPSTREAM_UNAVAILABLE", message, public: message });
};

/** Ends a call of the Universal Resolver. @throws AssayError UPSTREAM_UNAVAILABLE for an answer outside of its interface */
const endOf = async (reader: EnsReader, universal: Hex, result: CallResult): Promise<UniversalAnswer> => {
  const looked = await followLookup(reader, universal, result);
  if (looked.kind !== "revert") return looked;
  const selector = toHex(looked.data.subarray(0, SELECTOR_BYTES));
  if (selector === RESOLVER_ERROR) return { kind: looked.via_gateway ? "silent" : "empty" };
  const ending = ENDINGS.get(selector);
  if (ending === undefined) throw strange(universal);
  return { kind: ending };
};

/** Reads records of a name. Null where it has no resolver. */
export const readByUniversal = async (
  reader: EnsReader,
  universal: Hex,
  { name, records }: { readonly name: string; readonly records: readonly Hex[] },
): Promise<ResolverRecords | null> => {
  const wrap = wrapFor(name);
  if (wrap === null) return null;
  const results = await callAt(
    reader,
    records.map((record) => [universal, wrap(record)] as const),
  );
  const ends = await Promise.all(results.map((result) => endOf(reader, universal, result)));
  if (ends.some(({ kind }) => kind === "none")) return null;
  let resolver: Hex | null = null;
  const read = ends.map((end): RecordRead => {
    if (end.kind === "disabled" || end.kind === "silent") return { data: EMPTY, fault: end.kind, via_ccip: false };
    if (end.kind !== "data") return { data: EMPTY, fault: null, via_ccip: false };
    const data = bytesAt(end.data, 0);
    const by = addressAt(end.data, 1);
    if (data === null || by === null) throw strange(universal);
    resolver ??= by;
    return { data, fault: null, via_ccip: end.via_gateway };
  });
  return { resolver: resolver ?? (await findResolver(reader, universal, name)), read };
};

/** The resolver of a name none of whose records could be read. */
const findResolver = async (reader: EnsReader, universal: Hex, name: string): Promise<Hex> => {
  const data = concatHex(selectorOf("findResolver(bytes)"), wordOf(32n), tailOf(dnsEncode(name) ?? EMPTY));
  const [found] = await callAt(reader, [[universal, data]]);
  const address = found?.ok === true ? addressAt(found.data, 0) : null;
  if (address === null) throw strange(universal);
  return address;
};

/** Call of `reverse(bytes,uint256)`, which verifies the name by its forward record. */
const reverseCall = (address: Hex): Hex =>
  concatHex(selectorOf("reverse(bytes,uint256)"), wordOf(64n), wordOf(COIN_ETHER), tailOf(fromHex(address) ?? EMPTY));

/** The primary name of an address; null without one. `fault`: a gateway failure leaves it unknown. */
export interface ReversedName {
  readonly name: string | null;
  readonly fault: GatewayFault;
}

/**
 * Primary names of addresses, each verified by the contract. A name outside its normal form does not count: its forward
 * record belongs to no name that a user can write.
 */
export const reverseByUniversal = async (
  reader: EnsReader,
  universal: Hex,
  addresses: readonly Hex[],
): Promise<readonly ReversedName[]> => {
  const results = await callAt(
    reader,
    addresses.map((address) => [universal, reverseCall(address)] as const),
  );
  return Promise.all(
    results.map(async (result): Promise<ReversedName> => {
      const end = await endOf(reader, universal, result);
      if (end.kind === "disabled" || end.kind === "silent") return { name: null, fault: end.kind };
      if (end.kind !== "data") return { name: null, fault: null };
      const said = bytesAt(end.data, 0);
      if (said === null) throw strange(universal);
      const name = Buffer.from(said).toString("utf8");
      return { name: name !== "" && normalizeName(name) === name ? name : null, fault: null };
    }),
  );
};
