import type { CallResult } from "../../../chains/chain.ts";
import { INTERFACES } from "../../../knowledge/names.gen.ts";
import { type Bytes, concatHex, EMPTY, fromHex, type Hex, padHexEnd, toHex } from "../../../lib/bytes.ts";
import { cleanText, TEXT_BYTES_MAX } from "../../../lib/text.ts";
import { addressAt, bytesAt, integerAt, selectorOf, tailOf, wordOf } from "../../abi.ts";
import { type CcipReader, followLookup } from "./ccip.ts";
import { dnsEncode, labelHash, namehash, normalizeName } from "./ens_name.ts";

const utf8 = new TextEncoder();

const EXTENDED_RESOLVER = selectorOf("resolve(bytes,bytes)");

const nodeCall = (signature: string, node: Hex): Hex => concatHex(selectorOf(signature), node);
const textCall = (node: Hex, key: string): Hex =>
  concatHex(selectorOf("text(bytes32,string)"), node, wordOf(64n), tailOf(utf8.encode(key)));

/** Context of reading one name, all at one block. */
export interface EnsReader extends CcipReader {
  readonly registry: Hex;
  /** Name below which addresses have their names; `addr.reverse` when left out. */
  readonly reverse?: string;
}

/** One round of calls; an answer without the promised length reads as empty in the decoders. */
const callRegistry = async (reader: EnsReader, calls: readonly (readonly [to: Hex, data: Hex])[]) =>
  reader.chain.call(
    calls.map(([to, data]) => ({ to, data })),
    reader.signal,
    reader.at,
  );

const okData = (result: CallResult | undefined): Bytes => (result?.ok === true ? result.data : EMPTY);

interface Resolver {
  readonly address: Hex;
  /** Number of the name's labels before the ancestor with the resolver. */
  readonly depth: number;
}

/** The resolver of the name, or of its nearest ancestor that has one. */
const nearestResolver = async (reader: EnsReader, name: string): Promise<Resolver | null> => {
  const labels = name.split(".");
  const ancestry = labels.map((_, depth) => labels.slice(depth).join("."));
  const answers = await callRegistry(
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
  const [supports] = await callRegistry(reader, [[resolver, call]]);
  return integerAt(okData(supports), 0) === 1n;
};

type GatewayFault = "disabled" | "silent" | null;

interface RecordRead {
  /** Empty where the record is empty or could not be read. */
  readonly data: Bytes;
  readonly fault: GatewayFault;
  readonly via_ccip: boolean;
}

interface ResolverRecords {
  readonly resolver: Hex;
  readonly read: readonly RecordRead[];
}

/** Reads records of a name, through gateways when its resolver requires them. Null without a resolver. */
const readRecords = async (
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
    depth === 0 ? callRegistry(reader, plain) : [],
  ]);
  if (depth > 0 && !is_extended) return null;
  const encoded = is_extended ? dnsEncode(name) : null;
  const wrap = encoded === null ? null : wrapIn(tailOf(encoded));
  const wrapped = wrap === null ? plain : records.map((record) => [resolver, wrap(record)] as const);
  const results = wrap === null && depth === 0 ? answers : await callRegistry(reader, wrapped);
  const read = results.map(async (result): Promise<RecordRead> => {
    const looked = await followLookup(reader, resolver, result);
    if (looked.kind !== "data") return { data: EMPTY, fault: looked.kind, via_ccip: false };
    const data = wrap === null ? looked.data : (bytesAt(looked.data, 0) ?? EMPTY);
    return { data, fault: null, via_ccip: looked.via_gateway };
  });
  return { resolver, read: await Promise.all(read) };
};

/** The worst failure among them. */
const worstOf = (read: readonly RecordRead[]): GatewayFault => {
  const faults = read.flatMap(({ fault }) => (fault === null ? [] : [fault]));
  return faults.includes("disabled") ? "disabled" : (faults[0] ?? null);
};

/** `resolve(bytes,bytes)` of ENSIP-10 around a record call. */
const wrapIn = (name: Hex) => (record: Hex) =>
  concatHex(
    EXTENDED_RESOLVER,
    wordOf(64n),
    wordOf(BigInt(64 + name.length / 2)),
    name,
    tailOf(fromHex(record) ?? EMPTY),
  );

/** Result of reading a primary name; `fault` when a gateway failure leaves it unknown. */
export interface PrimaryResult {
  readonly name: string | null;
  readonly fault: GatewayFault;
}

const NO_NAME: PrimaryResult = { name: null, fault: null };

/** The primary name that `address` published. Not yet verified by its forward record. */
const claimedName = async (reader: EnsReader, address: Hex): Promise<PrimaryResult> => {
  const reverse = `${address}.${reader.reverse ?? "addr.reverse"}`;
  const [said] = (await readRecords(reader, reverse, [nodeCall("name(bytes32)", namehash(reverse))]))?.read ?? [];
  if (said === undefined) return NO_NAME;
  const { data, fault } = said;
  const name = bytesAt(data, 0);
  const normalized = name === null || name.length === 0 ? null : normalizeName(Buffer.from(name).toString("utf8"));
  return { name: normalized, fault };
};

/** The primary name of `address`, only when that name resolves back to it. `known` is a name already resolved to it. */
export const readPrimary = async (reader: EnsReader, address: Hex, known: string | null): Promise<PrimaryResult> => {
  const claimed = await claimedName(reader, address);
  if (claimed.name === null || claimed.name === known) return claimed;
  const forward = await readRecords(reader, claimed.name, [nodeCall(INTERFACES.ens.addr, namehash(claimed.name))]);
  const [said] = forward?.read ?? [];
  if (said === undefined) return NO_NAME;
  return { name: addressAt(said.data, 0) === address ? claimed.name : null, fault: said.fault };
};

/** The verified primary name of `address`; null also when a gateway failure leaves it unknown. */
export const primaryName = async (reader: EnsReader, address: Hex, known: string | null): Promise<string | null> =>
  (await readPrimary(reader, address, known)).name;

/** Addresses of a name by coin type (ENSIP-9), as the resolver keeps them; coins without a record are absent. */
export const readAddresses = async (
  reader: EnsReader,
  name: string,
  coins: readonly number[],
): Promise<ReadonlyMap<number, Bytes>> => {
  const call = concatHex(selectorOf("addr(bytes32,uint256)"), namehash(name));
  const records = coins.map((coin) => concatHex(call, wordOf(BigInt(coin))));
  const { read = [] } = (await readRecords(reader, name, records)) ?? {};
  const found = new Map<number, Bytes>();
  for (const [i, coin] of coins.entries()) {
    const bytes = bytesAt(read[i]?.data ?? EMPTY, 0);
    if (bytes !== null && bytes.length > 0) found.set(coin, bytes);
  }
  return found;
};

export interface Registration {
  /** Controller of the name: the registry's owner, or the holder of the wrapped name. */
  readonly owner: Hex | null;
  /** Unix seconds; null when it does not expire or the registrar does not say. */
  readonly expires_at: number | null;
}

/** Ownership and, for names right below `top`, expiry from the registrar (owner of the `top` node). */
export const readRegistration = async (reader: EnsReader, name: string, top = "eth"): Promise<Registration> => {
  const node = namehash(name);
  const [ownerAnswer, registrarAnswer] = await callRegistry(reader, [
    [reader.registry, nodeCall("owner(bytes32)", node)],
    [reader.registry, nodeCall("owner(bytes32)", namehash(top))],
  ]);
  const owner = addressAt(okData(ownerAnswer), 0);
  const registrar = addressAt(okData(registrarAnswer), 0);
  const label = name.endsWith(`.${top}`) ? name.slice(0, -top.length - 1) : "";
  const expires = label !== "" && !label.includes(".") && registrar !== null;
  const [wrapped, expiry] = await callRegistry(reader, [
    [owner ?? reader.registry, nodeCall(INTERFACES.erc721.ownerOf, node)],
    [registrar ?? reader.registry, nodeCall("nameExpires(uint256)", toHex(labelHash(label)))],
  ]);
  const time = expires ? integerAt(okData(expiry), 0) : null;
  return {
    owner: addressAt(okData(wrapped), 0) ?? owner,
    expires_at: time === null || time === 0n || time > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(time),
  };
};

export type EnsRecords =
  | { readonly kind: "none" }
  /** The resolver answers only through external gateways, which are not allowed (`disabled`) or did not answer. */
  | { readonly kind: "disabled" | "silent"; readonly resolver: Hex }
  | {
      readonly kind: "found";
      readonly resolver: Hex;
      readonly address: Hex | null;
      readonly avatar: string | null;
      readonly contenthash: Hex | null;
      /** False when a gateway left out avatar or content hash: null is then inconclusive. */
      readonly is_whole: boolean;
      readonly via_ccip: boolean;
    };

/** Records of a normalised name. Throws `UPSTREAM_UNAVAILABLE` when no endpoint answers. */
export const readEns = async (reader: EnsReader, name: string): Promise<EnsRecords> => {
  const node = namehash(name);
  const records = [
    nodeCall(INTERFACES.ens.addr, node),
    textCall(node, "avatar"),
    nodeCall("contenthash(bytes32)", node),
  ];
  const found = await readRecords(reader, name, records);
  const [address, ...extras] = found?.read ?? [];
  if (found === null || address === undefined) return { kind: "none" };
  const { resolver } = found;
  if (address.fault !== null) return { kind: address.fault, resolver };
  const [avatar = null, hash = null] = extras.map(({ data }) => bytesAt(data, 0));
  const avatarText = avatar === null ? "" : cleanText(Buffer.from(avatar).toString("utf8"), TEXT_BYTES_MAX.uri);
  return {
    kind: "found",
    resolver,
    address: addressAt(address.data, 0),
    avatar: avatarText === "" ? null : avatarText,
    contenthash: hash === null || hash.length === 0 ? null : toHex(hash),
    is_whole: worstOf(extras) === null,
    via_ccip: address.via_ccip,
  };
};

/** Text records of a name, in the order of `keys`; null where the owner published none. */
export const readTexts = async (
  reader: EnsReader,
  name: string,
  keys: readonly string[],
): Promise<{ readonly is_offchain: boolean; readonly texts: readonly (string | null)[] }> => {
  const node = namehash(name);
  const records = keys.map((key) => textCall(node, key));
  const found = await readRecords(reader, name, records);
  if (found === null) return { is_offchain: false, texts: keys.map(() => null) };
  const texts = found.read.map(({ data }) => {
    const bytes = bytesAt(data, 0);
    const text = bytes === null ? "" : cleanText(Buffer.from(bytes).toString("utf8"), TEXT_BYTES_MAX.uri);
    return text === "" ? null : text;
  });
  return { is_offchain: worstOf(found.read) !== null, texts };
};
