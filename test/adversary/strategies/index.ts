/** Attempts of a player with 10,000 USD of his own to move figures of others. A new strategy is one function and its row. */
import { GIFTS } from "./gifts.ts";
import { LIES } from "./lies.ts";
import { MARKETS } from "./markets.ts";
import type { Strategy } from "./strategy.ts";

export const STRATEGIES: readonly Strategy[] = [...GIFTS, ...MARKETS, ...LIES];
