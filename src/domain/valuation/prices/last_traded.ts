import type { Hex } from "../../../lib/bytes.ts";
import type { HeldFacts } from "../../context.ts";

/** The last price that a pool gave each of some tokens before a second, however long ago; those that never had one are absent. */
export const readLastTraded = async (
  { facts, snapshot }: HeldFacts,
  tokens: readonly Hex[],
  before: number,
): Promise<ReadonlyMap<Hex, number>> => {
  const rows = tokens.length === 0 ? [] : await facts.ask(snapshot, "prices/last_traded", { tokens, before });
  return new Map(rows.map(({ token, price_usd }) => [token, price_usd]));
};
