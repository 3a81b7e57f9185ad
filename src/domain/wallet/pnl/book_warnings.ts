import type { Warning } from "../../context.ts";
import type { Book } from "./book.ts";

/** Tokens whose cost, held at the end or realized in the window, came through a trade before it that nothing valued. */
const restsOnUnpriced = (entries: Book["entries"]): number =>
  [...entries.values()].filter((entry) => entry.sold_unpriced_cost || entry.position.has_unpriced_cost).length;

export const bookWarnings = ({ totals, entries }: Book): Warning[] => [
  ...(totals.unpriced_trades === 0
    ? []
    : [
        {
          code: "UNPRICED_TRADE",
          message: `${totals.unpriced_trades} trades had no priced side: their cost moved on and nothing was realized.`,
        },
      ]),
  ...(restsOnUnpriced(entries) === 0
    ? []
    : [
        {
          code: "UNPRICED_TRADE",
          message: `The cost of ${restsOnUnpriced(entries)} tokens rests on trades before the window that had no priced side.`,
        },
      ]),
  ...(totals.incomplete_disposals === 0
    ? []
    : [
        {
          code: "INCOMPLETE_HISTORY",
          message: `${totals.incomplete_disposals} times more left the wallet than its known history held.`,
        },
      ]),
];
