import type { CallResult } from "../../../chains/chain.ts";
import { type Bytes, concatHex, EMPTY, fromHex, type Hex } from "../../../lib/bytes.ts";
import { selectorOf, tailOf, wordOf } from "../../abi.ts";
import type { CcipReader } from "./ccip.ts";
import { dnsEncode } from "./ens_name.ts";

/** Records of names, as the registry's resolvers and the Universal Resolver return them. */

/** Context of reading one name, all at one block. */
export interface EnsReader extends CcipReader {
  readonly registry: Hex;
  /** The contract that resolves every name of the service; omitted or null: names resolve by the registry. */
  readonly universal_resolver?: Hex | null;
  /** Name below which addresses have their names; `addr.reverse` when left out. */
  readonly reverse?: string;
}

/** `disabled`: the operator allows no gateways. `silent`: no gateway gave an answer that the resolver accepts. */
export type GatewayFault = "disabled" | "silent" | null;

export interface RecordRead {
  /** Empty where the record is empty or could not be read. */
  readonly data: Bytes;
  readonly fault: GatewayFault;
  readonly via_ccip: boolean;
}

export interface ResolverRecords {
  readonly resolver: Hex;
  readonly read: readonly RecordRead[];
}

export const EXTENDED_RESOLVER = selectorOf("resolve(bytes,bytes)");

/** A call `signature` of a name's node. */
export const nodeCall = (signature: string, node: Hex): Hex => concatHex(selectorOf(signature), node);

/** `resolve(bytes,bytes)` of ENSIP-10 around a record call; null for a name that has no wire format. */
export const wrapFor = (name: string): ((record: Hex) => Hex) | null => {
  const encoded = dnsEncode(name);
  if (encoded === null) return null;
  const tail = tailOf(encoded);
  const head = concatHex(EXTENDED_RESOLVER, wordOf(64n), wordOf(BigInt(64 + tail.length / 2)), tail);
  return (record) => concatHex(head, tailOf(fromHex(record) ?? EMPTY));
};

/** One round of calls at the reader's block. */
export const callAt = (
  { chain, signal, at }: CcipReader,
  calls: readonly (readonly [to: Hex, data: Hex])[],
): Promise<readonly CallResult[]> =>
  chain.call(
    calls.map(([to, data]) => ({ to, data })),
    signal,
    at,
  );

/** The data of a successful call. Decoders read an answer without the promised length as empty. */
export const okData = (result: CallResult | undefined): Bytes => (result?.ok === true ? result.data : EMPTY);
