import * as z from "zod";
import type { SnapshotContext } from "../../domain/context.ts";
import { labelsOf } from "../../domain/identity/parties.ts";
import { type History, readHistory } from "../../domain/wallet_history/history.ts";
import { type ListFilter, type ListPage, pageOf } from "../../domain/wallet_history/list.ts";
import { readListed } from "../../domain/wallet_history/listed.ts";
import { checkDates, dateWindow } from "../../domain/window/dates.ts";
import { gapsOf } from "../../domain/window/gaps.ts";
import { data, emptyOutcome } from "../../lib/outcome.ts";
import { isBeyond, ROW_DEEPEST } from "../../lib/page.ts";
import {
  address,
  asOfBlock,
  date,
  includeSpam,
  metadata,
  network,
  page,
  pagination,
  recordsPerPage,
  token,
} from "../fields.ts";
import { metadataFor } from "../metadata.ts";
import { type Asked, defineTool } from "../tool.ts";
import { transaction, transactionOf } from "./row.ts";

const METHODOLOGY = "transactions/ledger@1";

const input = z.strictObject({
  address: address("Wallet."),
  network: network(),
  from_date: date("First day; omitted: 89 days before to_date."),
  to_date: date("Last day; omitted: today."),
  page: page(),
  records_per_page: recordsPerPage(),
  direction: z
    .enum(["all", "in", "out"])
    .default("all")
    .meta({ description: "Only what came in or went out; transfers to oneself are neither." }),
  token_address: token("Only this token.").optional(),
  min_usd: z.number().min(0).default(0).meta({ description: "Only rows known to be worth at least this." }),
  include_spam: includeSpam(),
  as_of_block: asOfBlock(),
});

type Input = Asked<typeof input>;

const output = z.strictObject({
  type: z.literal("transactions"),
  data: z.array(transaction),
  summary: z.strictObject({
    tx_count: z.int().meta({ description: "Rows returned." }),
    unique_tokens: z.int(),
    labeled_counterparties: z.int(),
    total_in_usd: z.number().meta({ description: "Of the returned rows with a price." }),
    total_out_usd: z.number().meta({ description: "Of the returned rows with a price." }),
    rows_without_price: z.int(),
    hidden_spam: z.int().meta({ description: "Rows hidden since the end of the page before." }),
  }),
  metadata: metadata({
    address: z.string(),
    date_range: z.strictObject({ from: z.string(), to: z.string() }),
  }),
  pagination,
});

type Row = z.output<typeof transaction>;

const summaryOf = (rows: readonly Row[], hidden_spam: number) => {
  const total = (direction: Row["direction"]) =>
    rows.filter((row) => row.direction === direction).reduce((sum, { usd_value }) => sum + (usd_value ?? 0), 0);
  return {
    tx_count: rows.length,
    unique_tokens: new Set(rows.map(({ token_address }) => token_address)).size,
    labeled_counterparties: new Set(rows.filter(({ peer }) => peer.label !== null).map(({ peer }) => peer.address))
      .size,
    total_in_usd: total("in"),
    total_out_usd: total("out"),
    rows_without_price: rows.filter(({ usd_value }) => usd_value === null).length,
    hidden_spam,
  };
};

const filterOf = ({ token_address, direction, min_usd, include_spam }: Input): ListFilter => ({
  direction,
  token: token_address?.hex ?? null,
  min_usd,
  include_spam,
});

const rowsOf = async (history: History, found: ListPage, include_spam: boolean): Promise<readonly Row[]> => {
  const { place, wallet } = history;
  const listed = await readListed(history, found, include_spam);
  const parties = await labelsOf(
    place.facts,
    place.snapshot,
    listed.map(({ peer }) => peer),
  );
  return listed.map((row) => transactionOf({ chain: place.chain, wallet }, row, parties.get(row.peer)));
};

export const getWalletTransactions = defineTool({
  name: "get_wallet_transactions",
  title: "Transactions of a wallet",
  description:
    "What came into and left a wallet, newest first: one row per value movement (native, internal, tokens, collectibles, wraps, rewards) with counterparty, USD value and spam flags, and one row for each transaction the wallet sent that moved nothing, failed ones included. Fees stand beside their transaction; tips that a block producer collects are not listed.",
  credits: 25,
  families: ["evm", "solana", "tron"],
  input,
  output,
  example: { address: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC", network: "demo" },
  check: (asked, { today }) =>
    asked.page * asked.records_per_page > ROW_DEEPEST
      ? `page * records_per_page must not exceed ${ROW_DEEPEST}; narrow the dates instead.`
      : checkDates(asked, today),
  run: async (asked, context) => {
    const chain = context.chain(asked.network);
    const wallet = asked.address.hex;
    const snapshot = await context.facts.snapshot(asked.network, asked.as_of_block ?? null);
    const place: SnapshotContext = { facts: context.facts, chain, snapshot, signal: context.signal };
    const window = dateWindow(asked, snapshot.block.time);
    const [history, gaps] = await Promise.all([readHistory(place, wallet, window), gapsOf(place, window)]);
    const found = pageOf(history, filterOf(asked), asked);
    const described = metadataFor(chain, snapshot, {
      echo: { address: asked.address.text, date_range: { from: window.from_date, to: window.to_date } },
      methodology: METHODOLOGY,
      warnings: [...window.warnings, ...gaps, ...history.warnings],
    });
    const is_empty = found.is_empty || (isBeyond(asked, found.rows) && found.hidden_spam === 0);
    if (is_empty) {
      const is_proven = gaps.length + history.warnings.length === 0;
      const message = "Nothing was found, and the index does not cover the whole window.";
      return emptyOutcome({ type: "transactions", metadata: described }, is_proven, message);
    }
    const rows = await rowsOf(history, found, asked.include_spam);
    return data({
      type: "transactions" as const,
      data: [...rows],
      summary: summaryOf(rows, found.hidden_spam),
      metadata: described,
      pagination: {
        page: asked.page,
        per_page: asked.records_per_page,
        returned_count: rows.length,
        has_more_data: found.has_more_data,
        is_complete: gaps.length === 0 && !found.has_more_data,
        network: asked.network,
      },
    });
  },
});
