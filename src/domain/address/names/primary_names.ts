import type { Chain } from "../../../chains/chain.ts";
import { INTERFACES } from "../../../knowledge/names.gen.ts";
import { concatHex, EMPTY, type Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import { cleanText, TEXT_BYTES_MAX } from "../../../lib/text.ts";
import { addressAt, bytesAt, selectorOf } from "../../abi.ts";
import { deployedUniversal } from "./deployed_universal.ts";
import { isConfusable, namehash, normalizeName } from "./ens_name.ts";
import type { EnsReader } from "./records.ts";
import { reverseByUniversal } from "./universal_resolver.ts";

/**
 * Names that the addresses of an answer claim and that resolve back to them, read from the network's name service in
 * one batch. Names that are not known in time are left out: no answer waits for names.
 */

/** Limit of addresses per answer whose names are read; others have no name. */
const ADDRESSES_MAX = 50;
/** Networks with a name service of their own. */
const SINGLE_MAX = 8;
const WAIT_MS = 3_000;
/** How long a name, or its absence, is cached. */
const CACHE_MS = 600_000;
const CACHE_MAX = 20_000;

export interface PrimaryName {
  readonly name: string;
  /** The name service. */
  readonly source: "ens" | "sns";
}

interface CachedName {
  readonly name: PrimaryName | null;
  readonly until_ms: number;
}

/** Per chain, newest last. */
const memory = new WeakMap<Chain, Map<Hex, CachedName>>();

const cacheOf = (chain: Chain): Map<Hex, CachedName> => {
  const known = memory.get(chain) ?? new Map<Hex, CachedName>();
  memory.set(chain, known);
  return known;
};

type NameCalls = readonly (readonly [to: Hex, signature: string, node: Hex])[];

const callNames = async (chain: Chain, asked: NameCalls, signal: AbortSignal) => {
  if (asked.length === 0) return [];
  const calls = asked.map(([to, signature, node]) => ({ to, data: concatHex(selectorOf(signature), node) }));
  return (await chain.call(calls, signal)).map(({ ok, data }) => (ok ? data : EMPTY));
};

/** Resolvers of nodes, in their order; null for none. */
const resolversOf = async (
  chain: Chain,
  registry: Hex,
  { nodes, signal }: { nodes: readonly Hex[]; signal: AbortSignal },
) =>
  (
    await callNames(
      chain,
      nodes.map((node) => [registry, INTERFACES.ens.resolver, node] as const),
      signal,
    )
  ).map((data) => addressAt(data, 0));

interface NameClaim {
  readonly address: Hex;
  readonly node: Hex;
  readonly resolver: Hex;
}

const claimsIn = async (
  chain: Chain,
  registry: Hex,
  { named, signal }: { readonly named: readonly (readonly [address: Hex, node: Hex])[]; readonly signal: AbortSignal },
): Promise<readonly NameClaim[]> => {
  const resolvers = await resolversOf(chain, registry, { nodes: named.map(([, node]) => node), signal });
  return named.flatMap(([address, node], i) => {
    const resolver = resolvers[i] ?? null;
    return resolver === null ? [] : [{ address, node, resolver }];
  });
};

/** A look-alike name would be mistaken for another. */
const isShown = (name: string): boolean => name.length <= TEXT_BYTES_MAX.name && !isConfusable(name);

/** Four rounds of calls for any number of addresses: resolver and name of the reverse node, then of the name itself. */
const inRegistry = async (
  chain: Chain,
  registry: Hex,
  { addresses, signal }: { readonly addresses: readonly Hex[]; readonly signal: AbortSignal },
): Promise<ReadonlyMap<Hex, PrimaryName>> => {
  const reverse = addresses.map((address) => [address, namehash(`${address}.addr.reverse`)] as const);
  const claims = await claimsIn(chain, registry, { named: reverse, signal });
  const said = await callNames(
    chain,
    claims.map(({ resolver, node }) => [resolver, "name(bytes32)", node] as const),
    signal,
  );
  const names = new Map<Hex, string>();
  for (const [i, { address }] of claims.entries()) {
    const text = bytesAt(said[i] ?? EMPTY, 0);
    const name = text === null ? null : normalizeName(Buffer.from(text).toString("utf8"));
    if (name !== null && isShown(name)) names.set(address, name);
  }
  const forward = [...names].map(([address, name]) => [address, namehash(name)] as const);
  const owners = await claimsIn(chain, registry, { named: forward, signal });
  const led = await callNames(
    chain,
    owners.map(({ resolver, node }) => [resolver, INTERFACES.ens.addr, node] as const),
    signal,
  );
  return new Map(
    owners.flatMap(({ address }, i) => {
      const name = cleanText(names.get(address) ?? "", TEXT_BYTES_MAX.name);
      const leads_back = addressAt(led[i] ?? EMPTY, 0) === address;
      return leads_back && name !== "" ? [[address, { name, source: "ens" }] as const] : [];
    }),
  );
};

/** One call for each address. Without a gateway: no outsider learns which addresses an answer lists. */
const inUniversal = async (
  reader: EnsReader & { readonly universal_resolver: Hex },
  addresses: readonly Hex[],
): Promise<ReadonlyMap<Hex, PrimaryName>> => {
  const reversed = await reverseByUniversal(reader, reader.universal_resolver, addresses);
  return new Map(
    addresses.flatMap((address, i) => {
      const said = reversed[i]?.name ?? null;
      const name = said === null || !isShown(said) ? "" : cleanText(said, TEXT_BYTES_MAX.name);
      return name === "" ? [] : [[address, { name, source: "ens" }] as const];
    }),
  );
};

const inAccounts = async (chain: Chain, addresses: readonly Hex[], signal: AbortSignal) => {
  const { names } = chain;
  if (names === undefined) return new Map<Hex, PrimaryName>();
  const found = await Promise.all(addresses.map((address) => names.primaryOf(address, signal)));
  return new Map(
    addresses.flatMap((address, i) => {
      const name = cleanText(found[i] ?? "", TEXT_BYTES_MAX.name);
      return name === "" ? [] : [[address, { name, source: names.service }] as const];
    }),
  );
};

const universalNow = async (chain: Chain, resolver: Hex, signal: AbortSignal): Promise<Hex | null> =>
  deployedUniversal(chain, resolver, { at: (await chain.head(signal)).number, signal });

/** Names by address; an address without a name, or with one not known in time, is absent. */
export const primaryNames = async (
  { chain, signal }: { readonly chain: Chain; readonly signal: AbortSignal },
  addresses: readonly Hex[],
): Promise<ReadonlyMap<Hex, PrimaryName>> => {
  const { registry = null, universal_resolver = null } = chain.network.ens ?? {};
  if (registry === null && chain.names === undefined) return new Map();
  const kept = cacheOf(chain);
  const now_ms = Date.now();
  const wanted = [...new Set(addresses)].filter((address) => address !== "").slice(0, ADDRESSES_MAX);
  const open = wanted.filter((address) => (kept.get(address)?.until_ms ?? 0) <= now_ms);
  const soon = AbortSignal.timeout(WAIT_MS);
  const within = AbortSignal.any([signal, soon]);
  try {
    const universal = universal_resolver === null ? null : await universalNow(chain, universal_resolver, within);
    const asked = registry === null ? open.slice(0, SINGLE_MAX) : open;
    const found =
      registry === null
        ? await inAccounts(chain, asked, within)
        : universal === null
          ? await inRegistry(chain, registry, { addresses: asked, signal: within })
          : await inUniversal({ chain, registry, universal_resolver: universal, signal: within }, asked);
    if (kept.size + asked.length > CACHE_MAX) kept.clear();
    for (const address of asked) kept.set(address, { name: found.get(address) ?? null, until_ms: now_ms + CACHE_MS });
  } catch (error) {
    const is_away = error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE";
    if (signal.aborted || !(is_away || soon.aborted)) throw error;
  }
  return new Map(
    wanted.flatMap((address) => {
      const name = kept.get(address)?.name ?? null;
      return name === null ? [] : [[address, name] as const];
    }),
  );
};
