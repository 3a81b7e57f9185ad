import type { Hex } from "../../lib/bytes.ts";
import { classify, type Listed, type Subject } from "./classify.ts";

export interface Filter {
  /** Unix seconds, both inside. */
  readonly from: number;
  readonly to: number;
  readonly direction: "all" | "in" | "out";
  /** Null: every token. */
  readonly token: Hex | null;
  readonly min_usd: number;
  readonly include_spam: boolean;
}

export interface PageOf {
  readonly page: number;
  readonly records_per_page: number;
}

export interface Page {
  /** `fee_usd` only on the first listed row of each transaction. */
  readonly rows: readonly Listed[];
  readonly has_more_data: boolean;
  /** Spam hidden between the end of the page before and the end of this page (of the window, on the last page). */
  readonly hidden_spam: number;
  /** Nothing at all lies in the window, hidden rows included. */
  readonly is_empty: boolean;
  /** The scan ended at its limit, before the page was full. */
  readonly is_cut: boolean;
}

const BATCH_ROWS_MAX = 1000;
/** Ledger rows that one call reads at most; a caller with more hidden rows than this narrows the dates. */
const SCAN_ROWS_MAX = 100_000;

const DIRECTIONS = { all: 0, in: 1, out: -1 } as const;

/** Batches of the wallet's ledger, newest first, judged. Reads by offset in a total order: nothing repeats or is skipped. */
const batches = async function* (subject: Subject, filter: Filter, first_rows: number) {
  for (let offset = 0, limit = first_rows; offset < SCAN_ROWS_MAX; limit = BATCH_ROWS_MAX) {
    const rows = await subject.facts.ask(subject.snapshot, "get_wallet_transactions/rows", {
      wallet: subject.wallet,
      from_time: filter.from,
      until_time: filter.to,
      direction: DIRECTIONS[filter.direction],
      any_token: filter.token === null ? 1 : 0,
      token: filter.token ?? "",
      limit,
      offset,
    });
    yield { listed: await classify(subject, rows), is_last: rows.length < limit };
    if (rows.length < limit) return;
    offset += rows.length;
    subject.signal.throwIfAborted();
  }
};

/** Spam hides a row; a minimum value drops it, as the caller asked. */
const verdict = (row: Listed, filter: Filter): "shown" | "hidden" | "dropped" => {
  if (filter.min_usd > 0 && (row.usd_value === null || row.usd_value < filter.min_usd)) return "dropped";
  return row.spam_reasons.length > 0 && !filter.include_spam ? "hidden" : "shown";
};

/** The rows of one page. Counts shown rows from the top of the window, so that pages join without gap or overlap. */
export const readPage = async (subject: Subject, filter: Filter, { page, records_per_page }: PageOf): Promise<Page> => {
  const skipped = (page - 1) * records_per_page;
  const end = skipped + records_per_page;
  const rows: Listed[] = [];
  let [shown, hidden, pending, last_tx, is_last, is_empty] = [0, 0, 0, "", false, true];
  for await (const batch of batches(subject, filter, Math.min(BATCH_ROWS_MAX, 2 * end + 20))) {
    is_last = batch.is_last;
    for (const row of batch.listed) {
      const fate = verdict(row, filter);
      if (fate !== "dropped") is_empty = false;
      if (fate === "hidden" && shown >= skipped) pending += 1;
      if (fate !== "shown") continue;
      if (shown === end) return { rows, has_more_data: true, hidden_spam: hidden, is_empty: false, is_cut: false };
      const tx = `${row.ledger.block_number}:${row.ledger.tx_index}`;
      if (shown >= skipped) {
        rows.push(tx === last_tx ? { ...row, fee_usd: null } : row);
        hidden += pending;
        pending = 0;
      }
      last_tx = tx;
      shown += 1;
    }
  }
  return {
    rows,
    has_more_data: !is_last,
    hidden_spam: hidden + pending,
    is_empty,
    is_cut: !is_last,
  };
};
