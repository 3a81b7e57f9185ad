import type { Hex } from "../lib/bytes.ts";
import type { Snapshot } from "../store/facts.ts";
import type { IndexedFacts } from "./context.ts";

/** All movements of the token are stored: on a network that is indexed whole, on demand of the tokens that the call is about. */
export const isTokenRead = ({ followed }: Pick<Snapshot, "followed">, token: Hex): boolean =>
  followed === undefined || followed.tokens?.includes(token) === true;

/**
 * Those of these addresses whose rows are whole, in their order: all on a network that is indexed whole, on demand those that are read.
 * `wished`: there the indexer reads the first of the others for later calls.
 */
export const readAmong = async (
  { facts, snapshot }: IndexedFacts,
  addresses: readonly Hex[],
  wished?: "wished",
): Promise<readonly Hex[]> => {
  if (snapshot.followed === undefined || addresses.length === 0) return addresses;
  const states = await facts.readStates?.(snapshot, addresses, wished);
  return addresses.filter((address) => ["read", "partial"].includes(states?.get(address) ?? "unread"));
};
