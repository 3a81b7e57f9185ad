import type { Hex } from "../../../lib/bytes.ts";

/**
 * Tokens whose contract answers otherwise than the index, by network. Answers note them, and an indexer of this process
 * reads them again with its next block; an indexer of another process finds them on its schedule.
 */
const noted = new Map<string, Set<Hex>>();
/** More are noise: the schedule finds the others. */
const NOTED_MAX = 1_000;

export const requestReread = (network: string, token: Hex): void => {
  const tokens = noted.get(network) ?? new Set<Hex>();
  noted.set(network, tokens);
  if (tokens.size < NOTED_MAX) tokens.add(token);
};

/** The noted tokens of a network, which are then no longer noted. */
export const takeRereads = (network: string): readonly Hex[] => {
  const tokens = [...(noted.get(network) ?? [])];
  noted.delete(network);
  return tokens;
};
