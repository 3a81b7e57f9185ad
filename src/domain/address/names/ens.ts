import { INTERFACES } from "../../../knowledge/names.gen.ts";
import { type Bytes, concatHex, EMPTY, type Hex, toHex } from "../../../lib/bytes.ts";
import { cleanText, TEXT_BYTES_MAX } from "../../../lib/text.ts";
import { addressAt, bytesAt, integerAt, selectorOf, tailOf, wordOf } from "../../abi.ts";
import { labelHash, namehash, normalizeName } from "./ens_name.ts";
import {
  callAt,
  type EnsReader,
  type GatewayFault,
  nodeCall,
  okData,
  type RecordRead,
  type ResolverRecords,
} from "./records.ts";
import { nearestResolver, readByRegistry } from "./registry_records.ts";
import { type ReversedName, readByUniversal, reverseByUniversal } from "./universal_resolver.ts";

const utf8 = new TextEncoder();

const textCall = (node: Hex, key: string): Hex =>
  concatHex(selectorOf("text(bytes32,string)"), node, wordOf(64n), tailOf(utf8.encode(key)));

/** Reads records of a name, through gateways when its resolver requires them. Null without a resolver. */
const readRecords = (reader: EnsReader, name: string, records: readonly Hex[]): Promise<ResolverRecords | null> => {
  const universal = reader.universal_resolver ?? null;
  return universal === null
    ? readByRegistry(reader, name, records)
    : readByUniversal(reader, universal, { name, records });
};

/** The worst failure among them. */
const worstOf = (read: readonly RecordRead[]): GatewayFault => {
  const faults = read.flatMap(({ fault }) => (fault === null ? [] : [fault]));
  return faults.includes("disabled") ? "disabled" : (faults[0] ?? null);
};

const NO_NAME: ReversedName = { name: null, fault: null };

/** The primary name that `address` published. Not yet verified by its forward record. */
const claimedName = async (reader: EnsReader, address: Hex): Promise<ReversedName> => {
  const reverse = `${address}.${reader.reverse ?? "addr.reverse"}`;
  const [said] = (await readRecords(reader, reverse, [nodeCall("name(bytes32)", namehash(reverse))]))?.read ?? [];
  if (said === undefined) return NO_NAME;
  const { data, fault } = said;
  const name = bytesAt(data, 0);
  const normalized = name === null || name.length === 0 ? null : normalizeName(Buffer.from(name).toString("utf8"));
  return { name: normalized, fault };
};

/** The primary name of `address`, only when that name resolves back to it. `known` is a name already resolved to it. */
export const readPrimary = async (reader: EnsReader, address: Hex, known: string | null): Promise<ReversedName> => {
  const universal = reader.universal_resolver ?? null;
  if (universal !== null) {
    const [reversed = NO_NAME] = await reverseByUniversal(reader, universal, [address]);
    return reversed;
  }
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
  /** The resolver of the name, or of its nearest ancestor with one, in the registry. Null without one. */
  readonly resolver: Hex | null;
}

/** Ownership and, for names right below `top`, expiry from the registrar (owner of the `top` node). */
export const readRegistration = async (reader: EnsReader, name: string, top = "eth"): Promise<Registration> => {
  const node = namehash(name);
  const [[ownerAnswer, registrarAnswer], nearest] = await Promise.all([
    callAt(reader, [
      [reader.registry, nodeCall("owner(bytes32)", node)],
      [reader.registry, nodeCall("owner(bytes32)", namehash(top))],
    ]),
    nearestResolver(reader, name),
  ]);
  const owner = addressAt(okData(ownerAnswer), 0);
  const registrar = addressAt(okData(registrarAnswer), 0);
  const label = name.endsWith(`.${top}`) ? name.slice(0, -top.length - 1) : "";
  const expires = label !== "" && !label.includes(".") && registrar !== null;
  const [wrapped, expiry] = await callAt(reader, [
    [owner ?? reader.registry, nodeCall(INTERFACES.erc721.ownerOf, node)],
    [registrar ?? reader.registry, nodeCall("nameExpires(uint256)", toHex(labelHash(label)))],
  ]);
  const time = expires ? integerAt(okData(expiry), 0) : null;
  return {
    owner: addressAt(okData(wrapped), 0) ?? owner,
    expires_at: time === null || time === 0n || time > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(time),
    resolver: nearest?.address ?? null,
  };
};

const UNKNOWN_REGISTRATION: Registration = { owner: null, expires_at: null, resolver: null };

/**
 * The registration that belongs to records. A name that the Universal Resolver finds at another resolver than the
 * registry is kept elsewhere (ENS version 2): the registry's owner and expiry are those of a left entry.
 */
export const registrationOf = (
  { universal_resolver = null }: EnsReader,
  records: EnsRecords,
  registration: Registration,
): { readonly registration: Registration; readonly is_elsewhere: boolean } => {
  const is_elsewhere =
    universal_resolver !== null && records.kind !== "none" && records.resolver !== registration.resolver;
  return { registration: is_elsewhere ? UNKNOWN_REGISTRATION : registration, is_elsewhere };
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
