import { ens_normalize, ens_split } from "@adraffy/ens-normalize";
import type { CallResult, Chain } from "../chains/chain.ts";
import { type Bytes, fromHex, type Hex, keccak256, toHex } from "../lib/bytes.ts";
import { cleanText, TEXT_BYTES_MAX } from "../lib/text.ts";
import { addressAt, bytesAt, integerAt, selectorOf, tailOf, wordOf } from "./abi.ts";
import { skeletonOf } from "./lookalikes.ts";

const utf8 = new TextEncoder();

/** ENSIP-15. Null when the name cannot be normalised (and so cannot exist). */
export const normalizeName = (name: string): string | null => {
  try {
    const normalized = ens_normalize(name);
    return normalized === "" || normalized.split(".").includes("") ? null : normalized;
  } catch {
    // The library's only way to say "not a valid name".
    return null;
  }
};

const labelHash = (label: string): Bytes => keccak256(utf8.encode(label));

/** ENSIP-1 namehash of a normalised name. */
export const namehash = (name: string): Hex =>
  name === ""
    ? "00".repeat(32)
    : toHex(
        name
          .split(".")
          .reverse()
          .reduce<Bytes>((node, label) => keccak256(Buffer.concat([node, labelHash(label)])), new Uint8Array(32)),
      );

/** Wire format of RFC 1035 as ENSIP-10 uses it; null when a label is longer than 255 bytes. */
export const dnsEncode = (name: string): Bytes | null => {
  const labels = name.split(".").map((label) => utf8.encode(label));
  if (labels.some((label) => label.length > 255)) return null;
  return Buffer.concat([...labels.flatMap((label) => [Uint8Array.of(label.length), label]), Uint8Array.of(0)]);
};

/** True when a normalised name mixes scripts, or is drawn like a different, plain ASCII name. */
export const isConfusable = (name: string): boolean => {
  const scripts = new Set(ens_split(name).map(({ type }) => type));
  for (const neutral of ["ASCII", "Emoji", undefined]) scripts.delete(neutral);
  if (scripts.has("Latin")) scripts.delete("Latin");
  const foreign = /[^\x20-\x7e]/.test(name);
  const drawnAsAscii = /^[\x20-\x7e]*$/.test(skeletonOf(name));
  return scripts.size > 1 || (foreign && drawnAsAscii);
};

/** Revert of a resolver that wants a gateway asked (EIP-3668). */
const OFFCHAIN_LOOKUP = selectorOf("OffchainLookup(address,string[],bytes,bytes4,bytes)");
const EXTENDED_RESOLVER = selectorOf("resolve(bytes,bytes)");

const nodeCall = (signature: string, node: Hex): Hex => selectorOf(signature) + node;
const textCall = (node: Hex, key: string): Hex =>
  selectorOf("text(bytes32,string)") + node + wordOf(64n) + tailOf(utf8.encode(key));

const isOffchain = (result: CallResult): boolean => !result.ok && toHex(result.data.subarray(0, 4)) === OFFCHAIN_LOOKUP;

/** Where one name is asked, all at one block. */
export interface EnsReader {
  readonly chain: Chain;
  readonly registry: Hex;
  readonly at: number;
  readonly signal: AbortSignal;
}

/** One round of calls; an answer without the promised length reads as empty in the decoders. */
const ask = async (reader: EnsReader, calls: readonly (readonly [to: Hex, data: Hex])[]) =>
  reader.chain.call(
    calls.map(([to, data]) => ({ to, data })),
    reader.signal,
    reader.at,
  );

const okData = (result: CallResult | undefined): Bytes => (result?.ok === true ? result.data : new Uint8Array(0));

interface Resolver {
  readonly address: Hex;
  /** ENSIP-10: asked by `resolve(bytes,bytes)`. */
  readonly extended: boolean;
}

/** The resolver of the name or, when it is a wildcard one, of its nearest ancestor (ENSIP-10). */
const findResolver = async (reader: EnsReader, name: string): Promise<Resolver | null> => {
  const labels = name.split(".");
  const ancestry = labels.map((_, depth) => labels.slice(depth).join("."));
  const answers = await ask(
    reader,
    ancestry.map((ancestor) => [reader.registry, nodeCall("resolver(bytes32)", namehash(ancestor))] as const),
  );
  const depth = answers.findIndex((answer) => addressAt(okData(answer), 0) !== null);
  const address = addressAt(okData(answers[depth]), 0);
  if (address === null) return null;
  const [supports] = await ask(reader, [
    [address, selectorOf("supportsInterface(bytes4)") + EXTENDED_RESOLVER.padEnd(64, "0")],
  ]);
  const extended = integerAt(okData(supports), 0) === 1n;
  return depth === 0 || extended ? { address, extended } : null;
};

/** Asks records of a name. `offchain` when the resolver answers only through a gateway. */
const readRecords = async (reader: EnsReader, of: { name: string; resolver: Resolver; records: readonly Hex[] }) => {
  const encoded = dnsEncode(of.name);
  if (!of.resolver.extended || encoded === null) {
    const results = await ask(
      reader,
      of.records.map((data) => [of.resolver.address, data] as const),
    );
    return { offchain: results.some(isOffchain), data: results.map(okData) };
  }
  const name = tailOf(encoded);
  const wrapped = of.records.map((record) => {
    const inner = tailOf(fromHex(record) ?? new Uint8Array(0));
    return EXTENDED_RESOLVER + wordOf(64n) + wordOf(BigInt(64 + name.length / 2)) + name + inner;
  });
  const results = await ask(
    reader,
    wrapped.map((data) => [of.resolver.address, data] as const),
  );
  return {
    offchain: results.some(isOffchain),
    data: results.map((result) => bytesAt(okData(result), 0) ?? new Uint8Array(0)),
  };
};

/** The primary name that `address` published, or null. Not yet verified by its forward record. */
const claimedName = async (reader: EnsReader, address: Hex): Promise<string | null> => {
  const reverse = `${address}.addr.reverse`;
  const resolver = await findResolver(reader, reverse);
  if (resolver === null) return null;
  const read = await readRecords(reader, {
    name: reverse,
    resolver,
    records: [nodeCall("name(bytes32)", namehash(reverse))],
  });
  const name = bytesAt(read.data[0] ?? new Uint8Array(0), 0);
  return name === null || name.length === 0 ? null : normalizeName(Buffer.from(name).toString("utf8"));
};

/** The primary name of `address`, only when that name resolves back to it. `known` is a name already resolved to it. */
export const primaryName = async (reader: EnsReader, address: Hex, known: string | null): Promise<string | null> => {
  const claimed = await claimedName(reader, address);
  if (claimed === null || claimed === known) return claimed;
  const resolver = await findResolver(reader, claimed);
  if (resolver === null) return null;
  const records = [nodeCall("addr(bytes32)", namehash(claimed))];
  const read = await readRecords(reader, { name: claimed, resolver, records });
  return addressAt(read.data[0] ?? new Uint8Array(0), 0) === address ? claimed : null;
};

export interface Registration {
  /** Who controls the name: the registry's owner, or the holder of the wrapped name. */
  readonly owner: Hex | null;
  /** Unix seconds; null when it does not expire or the registrar does not say. */
  readonly expires_at: number | null;
}

/** Ownership and, for second-level `.eth` names, expiry as the base registrar (owner of the `eth` node) tells it. */
export const readRegistration = async (reader: EnsReader, name: string): Promise<Registration> => {
  const node = namehash(name);
  const [label, parent, ...rest] = name.split(".");
  const [ownerAnswer, registrarAnswer] = await ask(reader, [
    [reader.registry, nodeCall("owner(bytes32)", node)],
    [reader.registry, nodeCall("owner(bytes32)", namehash("eth"))],
  ]);
  const owner = addressAt(okData(ownerAnswer), 0);
  const registrar = addressAt(okData(registrarAnswer), 0);
  const expires = label !== undefined && parent === "eth" && rest.length === 0 && registrar !== null;
  const [wrapped, expiry] = await ask(reader, [
    [owner ?? reader.registry, nodeCall("ownerOf(uint256)", node)],
    [registrar ?? reader.registry, nodeCall("nameExpires(uint256)", toHex(labelHash(label ?? "")))],
  ]);
  const time = expires ? integerAt(okData(expiry), 0) : null;
  return {
    owner: addressAt(okData(wrapped), 0) ?? owner,
    expires_at: time === null || time === 0n || time > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(time),
  };
};

export type EnsRecords =
  | { readonly kind: "none" }
  /** The resolver answers only through an outside gateway. */
  | { readonly kind: "offchain"; readonly resolver: Hex }
  | {
      readonly kind: "found";
      readonly resolver: Hex;
      readonly address: Hex | null;
      readonly avatar: string | null;
      readonly contenthash: Hex | null;
    };

/** Records of a normalised name. Throws `UPSTREAM_UNAVAILABLE` when no endpoint answers. */
export const readEns = async (reader: EnsReader, name: string): Promise<EnsRecords> => {
  const resolver = await findResolver(reader, name);
  if (resolver === null) return { kind: "none" };
  const node = namehash(name);
  const records = [nodeCall("addr(bytes32)", node), textCall(node, "avatar"), nodeCall("contenthash(bytes32)", node)];
  const [address, extras] = await Promise.all([
    readRecords(reader, { name, resolver, records: records.slice(0, 1) }),
    readRecords(reader, { name, resolver, records: records.slice(1) }),
  ]);
  if (address.offchain) return { kind: "offchain", resolver: resolver.address };
  const [avatarData, hashData] = extras.data;
  const avatar = bytesAt(avatarData ?? new Uint8Array(0), 0);
  const hash = bytesAt(hashData ?? new Uint8Array(0), 0);
  const avatarText = avatar === null ? "" : cleanText(Buffer.from(avatar).toString("utf8"), TEXT_BYTES_MAX.uri);
  return {
    kind: "found",
    resolver: resolver.address,
    address: addressAt(address.data[0] ?? new Uint8Array(0), 0),
    avatar: avatarText === "" ? null : avatarText,
    contenthash: hash === null || hash.length === 0 ? null : toHex(hash),
  };
};
