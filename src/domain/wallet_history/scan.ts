import type { Hex } from "../../lib/bytes.ts";
import { classify, type Hidden, type LedgerRow, type Listed, type Subject } from "./classify.ts";

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

const BATCH_ROWS_MAX = 10_000;
/** How much larger a batch is than the one before it. */
const BATCH_GROWTH = 32;
/** Ledger rows that one call reads at most; a caller with more hidden rows than this narrows the dates. */
const SCAN_ROWS_MAX = 100_000;

const DIRECTIONS = { all: 0, in: 1, out: -1 } as const;

/** Smaller first. */
const compare = <T extends number | bigint | string>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

/** Newest first, in a total order: the store leaves rows of one place as they lie. */
const byAge = (a: LedgerRow, b: LedgerRow): number =>
  b.block_number - a.block_number ||
  b.tx_index - a.tx_index ||
  b.position - a.position ||
  b.direction - a.direction ||
  compare(b.token, a.token) ||
  compare(b.token_id, a.token_id) ||
  compare(a.peer, b.peer) ||
  compare(a.amount, b.amount);

/**
 * Batches of the wallet's ledger in whole blocks, newest first, judged. The next one begins below the last block of the
 * one before: nothing repeats or is skipped, and no row is read twice but those of a block that was cut.
 */
const batches = async function* (subject: Subject, filter: Filter, first_rows: number) {
  let [before_block, limit, read] = [subject.snapshot.block.number + 1, first_rows, 0];
  while (read < SCAN_ROWS_MAX) {
    const rows = await subject.facts.ask(subject.snapshot, "wallet_history/rows", {
      wallet: subject.wallet,
      from_time: filter.from,
      until_time: filter.to,
      direction: DIRECTIONS[filter.direction],
      any_token: filter.token === null ? 1 : 0,
      token: filter.token ?? "",
      before_block,
      limit,
    });
    const is_last = rows.length < limit;
    const cut_block = is_last ? -1 : (rows.at(-1)?.block_number ?? -1);
    const whole = rows.filter(({ block_number }) => block_number !== cut_block).sort(byAge);
    if (whole.length > 0 || is_last) {
      yield { listed: await classify(subject, whole, filter.include_spam), is_last };
    }
    if (is_last) return;
    subject.signal.throwIfAborted();
    before_block = cut_block + 1;
    read += rows.length;
    // A block that fills a batch by itself is read again in a larger one.
    limit = Math.min(Math.max(BATCH_ROWS_MAX, whole.length === 0 ? limit * BATCH_GROWTH : 0), limit * BATCH_GROWTH);
  }
};

/** Spam hides a row; a minimum value drops it, as the caller asked. */
const verdict = (row: Listed | Hidden, filter: Filter): "shown" | "hidden" | "dropped" => {
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
      if (fate !== "shown" || row.ledger === null) continue;
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
