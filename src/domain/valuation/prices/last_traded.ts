import type { Hex } from "../../../lib/bytes.ts";
import type { IndexedFacts } from "../../context.ts";
import { type SalePrice, storedDepth } from "../worth.ts";

/** The last price of each token from a pool before a second, of any age, with what could be sold at it; tokens that never had one are absent. */
export const readLastTraded = async (
  { facts, snapshot }: IndexedFacts,
  tokens: readonly Hex[],
  before: number,
): Promise<ReadonlyMap<Hex, SalePrice>> => {
  const rows = tokens.length === 0 ? [] : await facts.ask(snapshot, "prices/last_traded", { tokens, before });
  return new Map(
    rows.map(({ token, price_usd, sell_reserve, sell_payout_usd }) => [
      token,
      { price_usd, sells: storedDepth(sell_reserve, sell_payout_usd) },
    ]),
  );
};
