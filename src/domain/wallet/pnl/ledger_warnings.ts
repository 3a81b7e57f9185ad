import type { Warning } from "../../context.ts";
import type { PnlLedger } from "./ledger.ts";

/**
 * Number of tokens with a cost, held at the end or realized in the window, that stems from an unvalued trade before it.
 */
const restsOnUnpriced = (entries: PnlLedger["entries"]): number =>
  [...entries.values()].filter((entry) => entry.sold_unpriced_cost || entry.position.has_unpriced_cost).length;

export const ledgerWarnings = ({ totals, entries }: PnlLedger): Warning[] => [
  ...(totals.unpriced_trades === 0
    ? []
    : [
        {
          code: "UNPRICED_TRADE",
          message: `${totals.unpriced_trades} trades had no priced side: their cost moved to the acquired tokens and no profit was realized.`,
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
          message: `${totals.incomplete_disposals} outflows exceeded the known holdings of the wallet.`,
        },
      ]),
];
