import type { Network } from "../../../chains/chain.ts";
import type { Hex } from "../../../lib/bytes.ts";
import type { Warning } from "../../context.ts";
import { PEG_WARNING_RATIO } from "./thresholds.ts";

interface PricedToken {
  readonly token: Hex;
  /** Null without a price. */
  readonly price_usd: number | null;
}

/** A warning for each dollar coin that pools priced over 1 % away from a dollar in the hour. */
export const pegWarnings = (
  { id, stablecoins }: Pick<Network, "id" | "stablecoins">,
  tokens: readonly PricedToken[],
): readonly Warning[] =>
  tokens.flatMap(({ token, price_usd }) => {
    const coin = stablecoins.find(({ address, peg }) => address === token && peg === "USD");
    if (coin === undefined || price_usd === null || Math.abs(price_usd - 1) <= PEG_WARNING_RATIO) return [];
    const away = `${Math.abs(100 * (price_usd - 1)).toFixed(1)} % ${price_usd < 1 ? "below" : "above"}`;
    return [
      {
        code: "OFF_PEG",
        message: `${coin.symbol} on ${id} traded ${away} its peg of 1 USD over the hour; values use its market price.`,
      },
    ];
  });
