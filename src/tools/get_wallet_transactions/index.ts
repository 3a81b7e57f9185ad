import * as z from "zod";
import type { CallContext, Warning } from "../../domain/context.ts";
import { labelsOf } from "../../domain/identity/parties.ts";
import { preparePrices } from "../../domain/prices/price_now.ts";
import { parseToken } from "../../domain/tokens/metadata.ts";
import type { Subject } from "../../domain/wallet_history/classify.ts";
import { type Page, readPage } from "../../domain/wallet_history/scan.ts";
import { checkDates, type DateWindow, dateWindow } from "../../domain/window/dates.ts";
import { gapsOf } from "../../domain/window/gaps.ts";
import type { Hex } from "../../lib/bytes.ts";
import { AssayError } from "../../lib/errors.ts";
import { data, failed, noData } from "../../lib/outcome.ts";
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
import { defineTool } from "../tool.ts";
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

type Input = z.output<typeof input>;

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

const CUT: Warning = {
  code: "SCAN_LIMIT",
  message: "More rows were filtered out than one call reads. Narrow the dates.",
};

const subjectOf = async (asked: Input, context: CallContext): Promise<Subject> => {
  const chain = context.chain(asked.network);
  const wallet = chain.parseAddress(asked.address);
  if (wallet === null) throw new AssayError({ code: "BUG", message: `binding let ${asked.address} through` });
  const snapshot = await context.facts.snapshot(asked.network, asked.as_of_block ?? null);
  preparePrices({ facts: context.facts, network: chain.network, snapshot });
  const contracts = await context.facts.ask(snapshot, "contracts_among", { addresses: [wallet] });
  const is_wallet_contract = contracts.length > 0;
  return { facts: context.facts, chain, snapshot, signal: context.signal, wallet, is_wallet_contract };
};

const filterOf = (asked: Input, subject: Subject, { from, until }: DateWindow) => {
  const { token_address, direction, min_usd, include_spam } = asked;
  const wanted: Hex | null = token_address === undefined ? null : parseToken(subject.chain, token_address);
  if (token_address !== undefined && wanted === null) {
    throw new AssayError({ code: "BUG", message: `binding let ${token_address} through` });
  }
  return { from, to: until - 1, direction, token: wanted, min_usd, include_spam };
};

const rowsOf = async (subject: Subject, found: Page): Promise<readonly Row[]> => {
  const parties = await labelsOf(
    subject.facts,
    subject.snapshot,
    found.rows.map(({ peer }) => peer),
  );
  return found.rows.map((row) => transactionOf(subject, row, parties.get(row.peer)));
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
    const subject = await subjectOf(asked, context);
    const { chain, snapshot } = subject;
    const window = dateWindow(asked, snapshot.block.time);
    const [found, gaps] = await Promise.all([
      readPage(subject, filterOf(asked, subject, window), asked),
      gapsOf(subject, window),
    ]);
    const described = metadataFor(chain, snapshot, {
      echo: { address: asked.address, date_range: { from: window.from_date, to: window.to_date } },
      methodology: METHODOLOGY,
      warnings: [...window.warnings, ...gaps, ...(found.is_cut ? [CUT] : [])],
    });
    const is_empty = found.is_empty || (isBeyond(asked, found.rows) && found.hidden_spam === 0);
    if (is_empty && (gaps.length > 0 || found.is_cut)) {
      return failed(
        "COVERAGE_INCOMPLETE",
        "Nothing was found, and the index does not cover the whole window.",
        described,
      );
    }
    if (is_empty) return noData("transactions", described);
    const rows = await rowsOf(subject, found);
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
