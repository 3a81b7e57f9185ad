/** Finds addresses and tokens by words: symbols, names, labels, entities. Documented in docs/operating/portal.md. */
import type { Hex } from "../../lib/bytes.ts";
import { labelsOf, UNKNOWN_PARTY } from "../address/identity/parties.ts";
import type { SnapshotContext } from "../context.ts";
import { listingIn, listingsOf } from "../token/metadata/lists.ts";
import { formatToken, storedFaces } from "../token/metadata/metadata.ts";
import {
  impersonated,
  isCanonical,
  registryOf,
  type TokenRegistry,
  type TokenWords,
} from "../token/metadata/registry.ts";
import { CLOSENESS, type Closeness, nearestOf, typosIn } from "./closeness.ts";

/** Rows of one network and kind that are compared. */
const ROWS_MAX = 200;

export interface SearchMatch {
  readonly kind: "token" | "address";
  readonly network: string;
  /** Address as its network writes it, or `native`. */
  readonly address: string;
  /** The symbol of a token, the label of an address. Strangers write symbols. */
  readonly title: string;
  /** The name of a token, the entity of an address. */
  readonly detail: string | null;
  readonly category: string | null;
  /** The list or rule that a label comes from; of a token: `registry`, the first list that names it, or `known tokens`. */
  readonly source: string | null;
  readonly closeness: Closeness;
  /** A coin of the network, or a well-known or listed token. */
  readonly is_original: boolean;
  /** The token copies the symbol or name of an original. */
  readonly is_impersonation: boolean;
}

const lowered = (text: string): string => text.trim().replace(/^\$+/, "").toLowerCase();

/** Matches on one network, in the order of `byNearness`. */
export const searchOn = async (
  scope: SnapshotContext,
  words: string,
  most: number,
): Promise<readonly SearchMatch[]> => {
  const text = lowered(words);
  if (text === "") return [];
  const [tokens, addresses] = await Promise.all([tokensOn(scope, text), addressesOn(scope, text)]);
  const named = new Set(tokens.map(({ address }) => address));
  const others = addresses.filter(({ address }) => !named.has(address));
  return [...tokens, ...others].sort(byNearness).slice(0, most);
};

/** Copies last, then the nearest, originals, tokens, and the shortest. A total order. */
export const byNearness = (a: SearchMatch, b: SearchMatch): number =>
  Number(a.is_impersonation) - Number(b.is_impersonation) ||
  CLOSENESS.indexOf(a.closeness) - CLOSENESS.indexOf(b.closeness) ||
  Number(b.is_original) - Number(a.is_original) ||
  Number(a.kind === "address") - Number(b.kind === "address") ||
  a.title.length - b.title.length ||
  (`${a.network} ${a.address}` < `${b.network} ${b.address}` ? -1 : 1);

/** Tokens of the registry need no row: a network that is read on demand has none. */
const registeredWords = ({ by_symbol }: TokenRegistry): readonly TokenWords[] =>
  [...by_symbol.values()].flat().map(({ canonical, symbol, name }) => ({ token: canonical, symbol, name }));

const tokensOn = async (scope: SnapshotContext, text: string): Promise<readonly SearchMatch[]> => {
  const { facts, snapshot } = scope;
  const [registry, rows] = await Promise.all([
    registryOf(scope),
    facts.ask(snapshot, "search/tokens", { text, typos: typosIn(text), most: ROWS_MAX }),
  ]);
  const words = new Map<Hex, TokenWords>();
  for (const one of [...registeredWords(registry), ...rows]) words.set(one.token, one);
  const near = [...words.values()].flatMap((one) => {
    const closeness = nearestOf([one.symbol, one.name], text);
    return closeness === null ? [] : [{ one, closeness }];
  });
  return tokenMatches(scope, registry, near);
};

interface NearToken {
  readonly one: TokenWords;
  readonly closeness: Closeness;
}

const tokenMatches = async (
  scope: SnapshotContext,
  registry: TokenRegistry,
  near: readonly NearToken[],
): Promise<readonly SearchMatch[]> => {
  const { chain } = scope;
  const listings = await listingsOf(
    scope,
    near.map(({ one }) => one.token),
  );
  return near.map(({ one, closeness }) => {
    const is_original = registry.originals.has(one.token);
    const [list = null] = listingIn(listings, one.token).lists;
    return {
      kind: "token",
      network: chain.network.id,
      address: formatToken(chain, one.token),
      title: one.symbol ?? one.name ?? "",
      detail: one.name,
      category: null,
      source: isCanonical(chain.network, one.token) ? "registry" : (list ?? (is_original ? "known tokens" : null)),
      closeness,
      is_original,
      is_impersonation: impersonated(registry, one, { is_traded: false }) !== null,
    };
  });
};

/** The token at an address, else its label; null where the index and the lists name neither. */
export const namedOn = async (scope: SnapshotContext, address: Hex): Promise<SearchMatch | null> => {
  const { facts, snapshot, chain } = scope;
  const [registry, stored, parties] = await Promise.all([
    registryOf(scope),
    storedFaces(scope, [address]),
    labelsOf(facts, snapshot, [address]),
  ]);
  const one = stored[0] ?? registeredWords(registry).find(({ token }) => token === address);
  if (one !== undefined && (one.symbol ?? one.name) !== null) {
    const [match = null] = await tokenMatches(scope, registry, [{ one, closeness: "exact" }]);
    return match;
  }
  const { label, entity, tags, source } = parties.get(address) ?? UNKNOWN_PARTY;
  if (label === null) return null;
  return {
    ...{ kind: "address", network: chain.network.id, address: chain.formatAddress(address) },
    ...{ title: label, detail: entity, category: tags?.[0] ?? null, source, closeness: "exact" },
    ...{ is_original: false, is_impersonation: false },
  };
};

const addressesOn = async (
  { facts, snapshot, chain }: SnapshotContext,
  text: string,
): Promise<readonly SearchMatch[]> => {
  const rows = await facts.ask(snapshot, "search/labels", { text, typos: typosIn(text), most: ROWS_MAX });
  return rows.flatMap(({ address, label, entity, category, source }): readonly SearchMatch[] => {
    const closeness = nearestOf([label, entity], text);
    if (closeness === null) return [];
    return [
      {
        ...{ kind: "address", network: chain.network.id, address: chain.formatAddress(address) },
        ...{ title: label, detail: entity === "" ? null : entity, category, source, closeness },
        ...{ is_original: false, is_impersonation: false },
      },
    ];
  });
};
