/** Positions of logs in their block, and the log filter of the header that they must give. */
import { type Bytes, equalBytes } from "../../lib/bytes.ts";
import type { Transaction, Verify } from "../chain.ts";
import { BadAnswer, type JsonFields } from "../node/answer.ts";
import { addLogs, emptyBloom } from "./bloom.ts";
import { isBookkeeping } from "./bookkeeping.ts";
import type { Receipts } from "./matched_receipts.ts";
import { bloomOf } from "./wire.ts";

const BLOOM_OF_NOTHING = `0x${"0".repeat(512)}`;

interface LogAssignment {
  readonly transactions: readonly Transaction[];
  /** The node counts from 0 in each transaction, so that positions do not show an omitted log. */
  readonly counts_anew: boolean;
}

/**
 * Gives logs their positions in the block. Some nodes count from 0 in each transaction; a loose chain may omit
 * positions. `verify: "header"` does not compare a node's positions with the order.
 * @throws BadAnswer
 */
export const positionLogs = (
  transactions: readonly Transaction[],
  { loose, verify }: { readonly loose: boolean; readonly verify: Verify },
): LogAssignment => {
  if (areCounted(transactions, loose)) return { transactions, counts_anew: false };
  const counts_anew = transactions.every(({ logs }) => logs.every((log, i) => log.index === i));
  if (verify === "full" && (!counts_anew || loose)) throw new BadAnswer("log positions have a gap", "log_positions");
  let next = 0;
  const placed = transactions.map((transaction) => {
    const first = next;
    next += transaction.logs.length;
    return { ...transaction, logs: transaction.logs.map((log, i) => ({ ...log, index: first + i })) };
  });
  return { transactions: placed, counts_anew };
};

const areCounted = (transactions: readonly Transaction[], loose: boolean): boolean => {
  let next = 0;
  for (const { logs } of transactions) {
    for (const { index } of logs) {
      if (loose ? index < next : index !== next) return false;
      next = index + 1;
    }
  }
  return true;
};

interface BlockLogsInput {
  readonly list: readonly JsonFields[];
  readonly receipts: Receipts;
  readonly transactions: readonly Transaction[];
}

/**
 * Compares the header's filter with the logs. Always: no receipt lacks its logs altogether, the receipts' filters add
 * up to the header's, and the last receipt with logs has all of them (a log missing anywhere else leaves a gap in the
 * positions). Thorough: the logs themselves give the header's filter.
 */
export const checkBloom = (
  header: Bytes,
  { list, receipts, transactions }: BlockLogsInput,
  { thorough, loose }: { thorough: boolean; loose: boolean },
): void => {
  const sum = emptyBloom();
  let last: FilteredLogs | null = null;
  for (let i = 0; i < receipts.length; i += 1) {
    const logs = transactions[i]?.logs ?? [];
    const claimed = receipts[i]?.fields.logsBloom;
    if (isBookkeeping(list[i] ?? {})) continue;
    if (typeof claimed === "string" && (claimed === BLOOM_OF_NOTHING) !== (logs.length === 0))
      throw new BadAnswer("a receipt's logs do not fit its log filter", "log_filter");
    if (logs.length === 0) continue;
    if (thorough || typeof claimed !== "string") {
      addLogs(sum, logs);
      continue;
    }
    const filter = bloomOf(claimed, "receipt log filter");
    addBloom(sum, filter);
    last = { filter, logs };
  }
  if (last !== null) checkLast(last);
  const may_be_less = loose && transactions.some((transaction) => !transaction.succeeded);
  const fits = may_be_less ? sum.every((byte, i) => (byte & ~(header[i] ?? 0)) === 0) : equalBytes(sum, header);
  if (!fits) throw new BadAnswer("logs do not fit the block's log filter", "log_filter");
};

interface FilteredLogs {
  readonly filter: Bytes;
  readonly logs: Transaction["logs"];
}

const checkLast = ({ filter, logs }: FilteredLogs): void => {
  const own = emptyBloom();
  addLogs(own, logs);
  if (!equalBytes(own, filter))
    throw new BadAnswer("the last logs do not fit their receipt's log filter", "log_filter");
};

const addBloom = (sum: Bytes, bloom: Bytes): void => {
  for (let i = 0; i < sum.length; i += 1) sum[i] = (sum[i] ?? 0) | (bloom[i] ?? 0);
};
