import * as z from "zod";
import {
  address,
  asOfBlock,
  chainText,
  date,
  evidence,
  includeSpam,
  metadata,
  network,
  unavailable,
} from "../fields.ts";

export const input = z.strictObject({
  address: address("Wallet address."),
  network: network(),
  from_date: date("First day (UTC, inclusive). Default: 179 days before `to_date`."),
  to_date: date("Last day (UTC, inclusive). Default: today."),
  include_spam: includeSpam(),
  as_of_block: asOfBlock(),
});

const unknown = (description: string) => z.number().nullable().describe(description);

const activity = z.strictObject({
  tx_count: z.int().describe("Transactions that the wallet sent or that moved its coins or tokens."),
  active_days: z.int(),
  active_days_percent: z.number().describe("Percent of the window's indexed days with activity."),
  tx_per_active_day: z.number(),
  longest_gap_days: z.int().nullable().describe("Longest gap between two active days; null with one active day."),
  first_seen: z.string().describe("First activity in the window."),
  last_seen: z.string(),
  trend_percent: unknown(
    "Percent change of transactions from the first to the last third of the window; null under 30 transactions.",
  ),
});

const cadence = z.strictObject({
  hour_of_day_utc: z.array(z.int()).describe("24 counts of the wallet's own transactions, by UTC hour."),
  day_of_week: z.array(z.int()).describe("7 counts of the wallet's own transactions, Monday first."),
  hour_of_week_utc: z.array(z.int()).describe("168 counts of the wallet's own transactions, from Monday 00:00 UTC."),
  median_interval_seconds: unknown("Median seconds between the wallet's own transactions; null under 30."),
  interval_cv: unknown("Standard deviation of the intervals divided by their mean; null under 30 transactions."),
  peak_hours: z.array(z.int()).describe("UTC hours with the most transactions of the wallet."),
  inferred_utc_offset: z
    .strictObject({ offset_hours: z.int(), confidence: z.number() })
    .nullable()
    .describe(
      "UTC offset that puts the longest quiet period at night; null under 30 transactions or without such a period.",
    ),
});

const flows = z.strictObject({
  in_usd: unknown("USD received, over priced transfers, as in get_wallet_stats; null when nothing had a price."),
  out_usd: unknown("USD sent, over priced transfers, as in get_wallet_stats; null when nothing had a price."),
  net_usd: unknown("in_usd minus out_usd."),
  median_in_usd: unknown("Median USD of priced receipts."),
  median_out_usd: unknown("Median USD of priced payments."),
  median_hold_hours: unknown(
    "Median hours that received USD stayed in the wallet, first in first out, swaps excluded; null when nothing left.",
  ),
  pass_through_percent: unknown("Percent of received USD that left within an hour; null when nothing was received."),
  round_amount_percent: unknown(
    "Percent of single-token receipts and payments with a round amount: at most two digits followed by zeros.",
  ),
  in_out_symmetry: unknown("Smaller of in_usd and out_usd divided by the larger, 0..1."),
});

export const output = z.strictObject({
  type: z.literal("transaction_patterns"),
  activity,
  cadence,
  flow_patterns: flows,
  type_mix: z.array(z.strictObject({ type: z.string(), count: z.int(), percent: z.number() })),
  top_protocols: z
    .array(
      z.strictObject({
        address: z.string(),
        label: z.string(),
        category: z.string().nullable(),
        entity: z.string().nullable(),
        tx_count: z.int(),
        volume_usd: z.number().nullable(),
      }),
    )
    .describe("Labelled protocols, most transactions first."),
  top_tokens: z.array(
    z.strictObject({
      symbol: chainText("Token symbol.").nullable(),
      address: z.string().describe("Token address, or `native` for the network's native coin."),
      transfer_count: z.int(),
      volume_usd: z.number().nullable(),
    }),
  ),
  detected: z.array(
    z.strictObject({
      pattern: z.string(),
      confidence: z.number().describe("0..1"),
      evidence: z.array(evidence),
    }),
  ),
  automation_score: z
    .int()
    .nullable()
    .describe("0..100, higher when the wallet behaves like a program; null under 30 transactions."),
  summary: z.strictObject({
    own_tx_count: z.int(),
    unpriced_tx_count: z.int().describe("Transactions with a transfer that has no price."),
    hidden_spam: z.int().describe("Flagged transactions that are not counted."),
  }),
  unavailable,
  metadata: metadata({
    address: z.string(),
    date_range: z.strictObject({ from: z.string(), to: z.string() }),
  }),
});

export type PatternsOutput = z.output<typeof output>;
