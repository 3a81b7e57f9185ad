import type { Hex } from "../../../lib/bytes.ts";
import type { IndexedFacts } from "../../context.ts";

/** Ids shown per collection. */
export const PIECES_MAX = 50;
/** Collections per query: servers limit the length of a query. */
const TOKENS_MAX = 1_000;

/** Ids of the pieces that a wallet holds, by collection, the last received first; at most `PIECES_MAX` each. */
export const piecesOf = async (
  { facts, snapshot }: IndexedFacts,
  wallet: Hex,
  collections: readonly Hex[],
): Promise<ReadonlyMap<Hex, readonly bigint[]>> => {
  const pieces = new Map<Hex, bigint[]>();
  for (let at = 0; at < collections.length; at += TOKENS_MAX) {
    const tokens = collections.slice(at, at + TOKENS_MAX);
    for (const { token, token_id } of await facts.ask(snapshot, "holdings/pieces", {
      wallet,
      tokens,
      most: PIECES_MAX,
    })) {
      const own = pieces.get(token);
      if (own === undefined) pieces.set(token, [token_id]);
      else own.push(token_id);
    }
  }
  return pieces;
};
