import type { Hex } from "../../../lib/bytes.ts";
import type { IndexedFacts } from "../../context.ts";

/** The last price of each token from a pool before a second, of any age; tokens that never had one are absent. */
export const readLastTraded = async (
  { facts, snapshot }: IndexedFacts,
  tokens: readonly Hex[],
  before: number,
): Promise<ReadonlyMap<Hex, number>> => {
  const rows = tokens.length === 0 ? [] : await facts.ask(snapshot, "prices/last_traded", { tokens, before });
  return new Map(rows.map(({ token, price_usd }) => [token, price_usd]));
};
