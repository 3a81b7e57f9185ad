import * as z from "zod";
import {
  address,
  asOfBlock,
  date,
  includeSpam,
  metadata,
  networks,
  page,
  pagination,
  recordsPerPage,
  token,
} from "../fields.ts";
import type { ToolInput } from "../tool.ts";
import { transaction } from "./row.ts";

export const input = z.strictObject({
  address: address("Wallet address."),
  network: networks(),
  from_date: date("First day (UTC, inclusive). Default: 89 days before `to_date`."),
  to_date: date("Last day (UTC, inclusive). Default: today."),
  page: page(),
  records_per_page: recordsPerPage(),
  direction: z
    .enum(["all", "in", "out"])
    .default("all")
    .describe("Only incoming or only outgoing rows; a transfer to oneself and the deposit of an account are neither."),
  token_address: token("Only rows of this token.").optional(),
  counterparty: address("Only with it.").optional(),
  min_usd: z.number().min(0).default(0).describe("Only rows with a known value of at least this many USD."),
  include_spam: includeSpam(),
  as_of_block: asOfBlock(),
});

export type TransactionsInput = ToolInput<typeof input>;

const ROWS_USD = "USD over the returned rows of this direction that have a price; null when none of them has one.";

const totals = {
  tx_count: z.int().describe("Rows in this answer."),
  total_in_usd: z.number().nullable().describe(ROWS_USD),
  total_out_usd: z.number().nullable().describe(ROWS_USD),
  rows_without_price: z.int(),
  hidden_spam: z.int().describe("Rows hidden since the end of the previous page."),
  collected_fees_count: z
    .int()
    .describe(
      "Number of fees and tips that the wallet collected as a block producer in the window; they are not listed.",
    ),
  collected_fees_usd: z.number().nullable().describe("USD of the collected fees; null without a price."),
};

export const output = z.strictObject({
  type: z.literal("transactions"),
  data: z.array(transaction),
  summary: z.strictObject({ ...totals, unique_tokens: z.int(), labeled_counterparties: z.int() }),
  by_network: z
    .array(z.strictObject({ network: z.string(), ...totals }))
    .describe("Each network's part of the summary."),
  metadata: metadata({
    address: z.string(),
    date_range: z.strictObject({ from: z.string(), to: z.string() }),
  }),
  pagination,
});

export type TransactionsOutput = z.output<typeof output>;
