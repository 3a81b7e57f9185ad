import { INTERFACES } from "../../../knowledge/names.gen.ts";
import { concatHex, EMPTY, type Hex, padHexEnd } from "../../../lib/bytes.ts";
import { addressAt, bytesAt, integerAt, selectorOf } from "../../abi.ts";
import { followLookup } from "./ccip.ts";
import { namehash } from "./ens_name.ts";
import {
  callAt,
  type EnsReader,
  EXTENDED_RESOLVER,
  nodeCall,
  okData,
  type RecordRead,
  type ResolverRecords,
  wrapFor,
} from "./records.ts";

/** Names by their registry: the resolver of a name, then its records. */

interface Resolver {
  readonly address: Hex;
  /** Number of the name's labels before the ancestor with the resolver. */
  readonly depth: number;
}

/** The resolver of the name, or of its nearest ancestor that has one. */
export const nearestResolver = async (reader: EnsReader, name: string): Promise<Resolver | null> => {
  const labels = name.split(".");
  const ancestry = labels.map((_, depth) => labels.slice(depth).join("."));
  const answers = await callAt(
    reader,
    ancestry.map((ancestor) => [reader.registry, nodeCall(INTERFACES.ens.resolver, namehash(ancestor))] as const),
  );
  const depth = answers.findIndex((answer) => addressAt(okData(answer), 0) !== null);
  const address = addressAt(okData(answers[depth]), 0);
  return address === null ? null : { address, depth };
};

/** ENSIP-10: a resolver that is called by `resolve(bytes,bytes)`, also for names below its own. */
const isExtended = async (reader: EnsReader, resolver: Hex): Promise<boolean> => {
  const wanted = padHexEnd(EXTENDED_RESOLVER, 32);
  const call = concatHex(selectorOf(INTERFACES.erc165.supportsInterface), wanted);
  const [supports] = await callAt(reader, [[resolver, call]]);
  return integerAt(okData(supports), 0) === 1n;
};

/** Reads records of a name, through gateways when its resolver requires them. Null without a resolver. */
export const readByRegistry = async (
  reader: EnsReader,
  name: string,
  records: readonly Hex[],
): Promise<ResolverRecords | null> => {
  const found = await nearestResolver(reader, name);
  if (found === null) return null;
  const { address: resolver, depth } = found;
  const plain = records.map((record) => [resolver, record] as const);
  // Few resolvers are extended ones, so the records are read before the resolver reports its kind.
  const [is_extended, answers] = await Promise.all([
    isExtended(reader, resolver),
    depth === 0 ? callAt(reader, plain) : [],
  ]);
  if (depth > 0 && !is_extended) return null;
  const wrap = is_extended ? wrapFor(name) : null;
  const wrapped = wrap === null ? plain : records.map((record) => [resolver, wrap(record)] as const);
  const results = wrap === null && depth === 0 ? answers : await callAt(reader, wrapped);
  const read = results.map(async (result): Promise<RecordRead> => {
    const looked = await followLookup(reader, resolver, result);
    if (looked.kind === "disabled" || looked.kind === "silent")
      return { data: EMPTY, fault: looked.kind, via_ccip: false };
    // The resolver rejects what the gateway answered: there is no answer.
    if (looked.kind === "revert") return { data: EMPTY, fault: looked.via_gateway ? "silent" : null, via_ccip: false };
    const data = wrap === null ? looked.data : (bytesAt(looked.data, 0) ?? EMPTY);
    return { data, fault: null, via_ccip: looked.via_gateway };
  });
  return { resolver, read: await Promise.all(read) };
};
