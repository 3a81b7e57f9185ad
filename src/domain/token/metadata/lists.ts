import type { Hex } from "../../../lib/bytes.ts";
import type { IndexedFacts } from "../../context.ts";

/** Entries of imported token lists for a token. */
export interface TokenListing {
  /** Names of the lists that list it, in their order. */
  readonly lists: readonly string[];
  /** The first picture that one of them names; null without one. */
  readonly logo_url: string | null;
}

const UNLISTED: TokenListing = { lists: [], logo_url: null };

/** URL schemes of pictures that answers may show. */
const PICTURE = /^(?:https|ipfs):\/\//;

/** Reads the list entries of tokens; a token on no list is absent. */
export const listingsOf = async (
  { facts, snapshot }: IndexedFacts,
  tokens: readonly Hex[],
): Promise<ReadonlyMap<Hex, TokenListing>> => {
  const wanted = [...new Set(tokens)].filter((token) => token !== "").sort();
  const rows = wanted.length === 0 ? [] : await facts.ask(snapshot, "listed_tokens_among", { tokens: wanted });
  const listings = new Map<Hex, TokenListing>();
  for (const { token, list, logo_uri } of rows) {
    const { lists, logo_url } = listings.get(token) ?? UNLISTED;
    listings.set(token, { lists: [...lists, list], logo_url: logo_url ?? (PICTURE.test(logo_uri) ? logo_uri : null) });
  }
  return listings;
};

/** The listing of this token from a map that was read for it. */
export const listingIn = (listings: ReadonlyMap<Hex, TokenListing>, token: Hex): TokenListing =>
  listings.get(token) ?? UNLISTED;
