import { inTurns } from "../../../lib/turns.ts";
import { readActs } from "./acts/act.ts";
import { openFlows } from "./flows.ts";
import type { ValuedHistory } from "./history.ts";
import { transactionsOf } from "./transactions.ts";

/** A wallet's transactions in a history without spam, oldest first, and its flows. */
export const readWalletActivity = async (history: ValuedHistory) => {
  const acts = await readActs(history);
  const flows = await openFlows(history, acts);
  const { list } = await inTurns(transactionsOf(history, { acts, include_spam: false }), history.scope.signal);
  return { flows, transactions: list };
};
