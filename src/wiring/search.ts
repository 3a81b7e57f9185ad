import type { Chain } from "../chains/chain.ts";
import { byNearness, namedOn, type SearchMatch, searchOn } from "../domain/search/search.ts";
import { AssayError, messageOf } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import type { Facts } from "../store/facts.ts";
import type { ContextFor } from "../surfaces/call/call_tool.ts";
import type { RunSearch, SearchAnswer } from "../surfaces/rest/account/search_operations.ts";
import { parseName } from "../tools/fields.ts";
import { resolveTokenSymbol } from "../tools/resolve_token_symbol.ts";
import { chainNamed } from "./read_networks.ts";

interface SearchParts {
  /** Every enabled network, in configuration order. */
  readonly chains: readonly Chain[];
  readonly contextFor: ContextFor;
  readonly log: Log;
}

interface NamingParts {
  readonly facts: Facts;
  readonly signal: AbortSignal;
  readonly log: Log;
}

type FoundMatch = SearchAnswer["matches"][number];

const UNNAMED = { title: null, detail: null, category: null, source: null } as const;
const ITSELF = { ...UNNAMED, closeness: "exact", is_original: false, is_impersonation: false } as const;

/** A text by its form: an address or a transaction of some networks, or a name. */
const byForm = (text: string, chains: readonly Chain[]): readonly FoundMatch[] => {
  const named = text.includes(".") && parseName(text) !== null;
  return [
    ...chains.flatMap((chain): readonly FoundMatch[] => {
      const network = chain.network.id;
      const address = chain.parseAddress(text);
      if (address !== null) return [{ ...ITSELF, kind: "address", network, id: chain.formatAddress(address) }];
      return chain.parseHash(text) === null ? [] : [{ ...ITSELF, kind: "transaction", network, id: text }];
    }),
    ...(named ? [{ ...ITSELF, kind: "name" as const, network: null, id: text.toLowerCase() }] : []),
  ];
};

const matchOf = ({ address, ...match }: SearchMatch): FoundMatch => ({ ...match, id: address });

/** The token or the label at an address that is searched on one network. Without a reading of the index it has no name. */
const named = async (match: FoundMatch, chain: Chain, { facts, signal, log }: NamingParts): Promise<FoundMatch> => {
  const address = match.kind === "address" ? chain.parseAddress(match.id) : null;
  if (address === null) return match;
  try {
    const snapshot = await facts.snapshot(chain.network.id, null);
    const found = await namedOn({ facts, chain, snapshot, signal }, address);
    return found === null ? match : { ...matchOf(found), kind: "address", id: match.id };
  } catch (error) {
    log.warn({ network: chain.network.id, error: messageOf(error) }, "an address could not be named");
    return match;
  }
};

/**
 * Searches the indexed networks. A network that fails is named instead of failing the search. On networks that are read on demand, only
 * lists and registries are complete, as for `resolve_token_symbol`, whose facts this uses.
 */
export const openSearch =
  ({ chains, contextFor, log }: SearchParts): RunSearch =>
  async ({ text, network, limit }, signal) => {
    const wanted = network === null ? chains : [chainNamed(network, chains)];
    const formed = byForm(text.trim(), wanted);
    const networks = wanted.map((chain) => chain.network.id);
    if (formed.some(({ kind }) => kind !== "name")) {
      const { facts } = contextFor(resolveTokenSymbol, signal);
      const [only] = wanted;
      const matches =
        wanted.length === 1 && only !== undefined
          ? await Promise.all(formed.map((match) => named(match, only, { facts, signal, log })))
          : formed;
      return { matches: matches.slice(0, limit), networks, not_searched: [] };
    }
    const searched = await Promise.all(
      wanted.map(async (chain) => {
        const { id } = chain.network;
        try {
          const { facts } = contextFor(resolveTokenSymbol, signal);
          const snapshot = await facts.snapshot(id, null);
          return { id, matches: await searchOn({ facts, chain, snapshot, signal }, text, limit), reason: null };
        } catch (error) {
          log.warn({ network: id, error: messageOf(error) }, "a network could not be searched");
          return { id, matches: [], reason: error instanceof AssayError ? error.public : "The search failed." };
        }
      }),
    );
    const found = searched.flatMap(({ matches }) => matches).sort(byNearness);
    return {
      matches: [...formed, ...found.map(matchOf)].slice(0, limit),
      networks: searched.flatMap(({ id, reason }) => (reason === null ? [id] : [])),
      not_searched: searched.flatMap(({ id, reason }) => (reason === null ? [] : [{ network: id, reason }])),
    };
  };
