import { noTransactions } from "../../domain/absences.ts";
import { isMany, queryEachNetwork } from "../../domain/networks.ts";
import type { CollectedFees } from "../../domain/wallet/history/producer.ts";
import { checkDates, rangeOver } from "../../domain/window/dates.ts";
import { data, emptyOutcome } from "../../lib/outcome.ts";
import { isBeyond, ROW_DEEPEST } from "../../lib/page.ts";
import { sumOfKnown } from "../../lib/sums.ts";
import { metadataOver } from "../metadata.ts";
import { DEMO_EXAMPLES, defineTool } from "../tool.ts";
import { hiddenIn, isCovered, type MergedPage, mergedPage, readNetwork, readRows, warningsOf } from "./networks.ts";
import type { TransactionOutputRow } from "./row.ts";
import { input, output, type TransactionsOutput } from "./shape.ts";

const TYPE = "transactions";
const METHODOLOGY = "transactions/ledger@2";

interface ListExtras {
  readonly hidden_spam: number;
  readonly collected: readonly CollectedFees[];
}

const totalsOf = (rows: readonly TransactionOutputRow[], { hidden_spam, collected }: ListExtras) => {
  const total = (direction: TransactionOutputRow["direction"]) =>
    sumOfKnown(rows.filter((row) => row.direction === direction).map(({ usd_value }) => usd_value));
  return {
    tx_count: rows.length,
    total_in_usd: total("in"),
    total_out_usd: total("out"),
    rows_without_price: rows.filter(({ usd_value }) => usd_value === null).length,
    hidden_spam,
    collected_fees_count: collected.reduce((sum, { count }) => sum + count, 0),
    collected_fees_usd: collected.some(({ usd }) => usd === null)
      ? null
      : collected.reduce((sum, { usd }) => sum + (usd ?? 0), 0),
  };
};

const summaryOf = (rows: readonly TransactionOutputRow[], beside: ListExtras): TransactionsOutput["summary"] => {
  const labelled = rows.filter(({ peer }) => peer.label !== null);
  return {
    ...totalsOf(rows, beside),
    unique_tokens: new Set(rows.map(({ chain, token_address }) => `${chain} ${token_address}`)).size,
    labeled_counterparties: new Set(labelled.map(({ chain, peer }) => `${chain} ${peer.address}`)).size,
  };
};

const byNetwork = (
  { parts, has_more_data }: MergedPage,
  rows: readonly TransactionOutputRow[],
): TransactionsOutput["by_network"] =>
  parts.map((part) => {
    const network = part.of.scope.chain.network.id;
    const own = rows.filter(({ chain }) => chain === network);
    const beside = { hidden_spam: hiddenIn(part, !has_more_data), collected: [part.of.collected] };
    return { network, ...totalsOf(own, beside) };
  });

export const getWalletTransactions = defineTool({
  name: "get_wallet_transactions",
  title: "Transactions of a wallet",
  description:
    "Transactions of a wallet on one network or all, newest first. One row per transfer (native, internal, tokens, NFTs, wraps, rewards) with counterparty, USD value and spam flags, and one row per sent transaction that moved nothing, failed ones included. Each row carries the fee of its transaction; fees collected as a block producer are summed in `summary`. Use it to list the latest transactions of a wallet, incoming and outgoing transfers, deposits and payments; analyze_transaction explains a single one.",
  credits: 25,
  families: ["evm", "solana", "tron"],
  subjects: ["address"],
  input,
  output,
  example: { address: DEMO_EXAMPLES.trader, network: "demo" },
  check: (asked, { today }) => {
    if (asked.page * asked.records_per_page > ROW_DEEPEST)
      return `page * records_per_page must not exceed ${ROW_DEEPEST}. Narrow the dates instead.`;
    if (isMany(asked.network) && asked.token_address !== undefined && asked.token_address !== "native")
      return "token_address requires a single network.";
    return checkDates(asked, today);
  },
  view: {
    tokens: 2_000,
    members: "summary by_network data",
    drawn: {
      by_network: { rows_min: 2 },
      data: {
        is: "page",
        columns:
          "timestamp direction amount token usd_value peer.address peer.label peer.category status is_spam spam_reasons chain tx_type fee_usd votes token_id tx_hash method kind token_address",
      },
    },
  },
  run: async (asked, context) => {
    const spread = await queryEachNetwork(asked, context, (chain, wallet) =>
      readNetwork(context, asked, [chain, wallet]),
    );
    const lists = spread.answered.map(({ value }) => value);
    const date_range = rangeOver(
      lists.map(({ window }) => window),
      asked,
    );
    const described = metadataOver(asked, spread, {
      echo: { address: asked.address.text, date_range },
      methodology: METHODOLOGY,
      warnings: lists.flatMap(warningsOf),
    });
    const found = mergedPage(lists, asked);
    const hidden_spam = found.parts.reduce((sum, part) => sum + hiddenIn(part, !found.has_more_data), 0);
    if (found.is_empty || (isBeyond(asked, found.order) && hidden_spam === 0)) {
      const is_covered = spread.failed.length === 0 && lists.every(isCovered);
      const words = noTransactions({ spread, days: date_range, asked, is_empty: found.is_empty });
      return emptyOutcome({ type: TYPE, metadata: described }, words, is_covered);
    }
    const rows = await readRows(found, asked.include_spam);
    const is_whole = spread.failed.length === 0 && lists.every(({ gaps }) => gaps.length === 0);
    return data<TransactionsOutput>({
      type: TYPE,
      data: [...rows],
      summary: summaryOf(rows, { hidden_spam, collected: lists.map(({ collected }) => collected) }),
      by_network: byNetwork(found, rows),
      metadata: described,
      pagination: {
        page: asked.page,
        per_page: asked.records_per_page,
        returned_count: rows.length,
        has_more_data: found.has_more_data,
        is_complete: is_whole && !found.has_more_data,
        network: asked.network,
      },
    });
  },
});
