import type { Hex } from "../../../lib/bytes.ts";
import type { HeldFacts } from "../../context.ts";

/** What imported token lists say of a token. */
export interface Listing {
  /** Names of the lists that hold it, in their order. */
  readonly lists: readonly string[];
  /** The first picture that one of them names; null when none does. */
  readonly logo_url: string | null;
}

const UNLISTED: Listing = { lists: [], logo_url: null };

/** Schemes of a picture that may be shown. */
const PICTURE = /^(?:https|ipfs):\/\//;

/** What lists say of tokens; one that stands on none is absent. */
export const listingsOf = async (
  { facts, snapshot }: HeldFacts,
  tokens: readonly Hex[],
): Promise<ReadonlyMap<Hex, Listing>> => {
  const wanted = [...new Set(tokens)].filter((token) => token !== "").sort();
  const rows = wanted.length === 0 ? [] : await facts.ask(snapshot, "listed_tokens_among", { tokens: wanted });
  const listings = new Map<Hex, Listing>();
  for (const { token, list, logo_uri } of rows) {
    const { lists, logo_url } = listings.get(token) ?? UNLISTED;
    listings.set(token, { lists: [...lists, list], logo_url: logo_url ?? (PICTURE.test(logo_uri) ? logo_uri : null) });
  }
  return listings;
};

/** The listing in a map that was asked for this token. */
export const listingIn = (listings: ReadonlyMap<Hex, Listing>, token: Hex): Listing => listings.get(token) ?? UNLISTED;
