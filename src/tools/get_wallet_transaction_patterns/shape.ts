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
  address: address("Wallet."),
  network: network(),
  from_date: date("First day; omitted: 179 days before to_date."),
  to_date: date("Last day; omitted: today."),
  include_spam: includeSpam(),
  as_of_block: asOfBlock(),
});

const unknown = (description: string) => z.number().nullable().meta({ description });

const activity = z.strictObject({
  tx_count: z.int().meta({ description: "Transactions that the wallet sent or that moved something of it." }),
  active_days: z.int(),
  active_days_percent: z.number().meta({ description: "Of the days of the window that the index reaches." }),
  tx_per_active_day: z.number(),
  longest_gap_days: z.int().nullable().meta({ description: "Between two active days; null with one only." }),
  first_seen: z.string().meta({ description: "In the window." }),
  last_seen: z.string(),
  trend_percent: unknown("Transactions of the last third of the window against the first; null under 30."),
});

const cadence = z.strictObject({
  hour_of_day_utc: z.array(z.int()).meta({ description: "24 counts of own transactions." }),
  day_of_week: z.array(z.int()).meta({ description: "7 counts of own transactions, Monday first." }),
  hour_of_week_utc: z.array(z.int()).meta({ description: "168 counts of own transactions, Monday from 00:00 first." }),
  median_interval_seconds: unknown("Between own transactions; null under 30."),
  interval_cv: unknown("Standard deviation of the intervals as a share of their mean; null under 30."),
  peak_hours: z.array(z.int()).meta({ description: "UTC hours with the most own transactions." }),
  inferred_utc_offset: z
    .strictObject({ offset_hours: z.int(), confidence: z.number() })
    .nullable()
    .meta({ description: "Puts the longest quiet time into the night; null under 30 or without a night." }),
});

const flows = z.strictObject({
  in_usd: unknown("All that came in, as far as priced, as in get_wallet_stats; null when nothing was."),
  out_usd: unknown("All that went out, as far as priced, as in get_wallet_stats; null when nothing was."),
  net_usd: unknown("Difference of both."),
  median_in_usd: unknown("Of priced receipts."),
  median_out_usd: unknown("Of priced payments."),
  median_hold_hours: unknown("How long received USD stayed, first in first out, swaps aside; null when none left."),
  pass_through_percent: unknown("Of received USD, what left within an hour; null when nothing was received."),
  round_amount_percent: unknown("Receipts and payments of one token in an amount of at most two digits and zeros."),
  in_out_symmetry: unknown("Smaller of in_usd and out_usd as a share of the larger, 0..1."),
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
    .meta({ description: "Labelled counterparties, most transactions first." }),
  top_tokens: z.array(
    z.strictObject({
      symbol: chainText("Token symbol.").nullable(),
      address: z.string().meta({ description: "`native` for the coin of the network." }),
      transfer_count: z.int(),
      volume_usd: z.number().nullable(),
    }),
  ),
  detected: z.array(
    z.strictObject({
      pattern: z.string(),
      confidence: z.number().meta({ description: "0..1" }),
      evidence: z.array(evidence),
    }),
  ),
  automation_score: z.int().nullable().meta({ description: "0..100, signs of a program; null under 30." }),
  summary: z.strictObject({
    own_tx_count: z.int(),
    unpriced_tx_count: z.int().meta({ description: "Transactions with a part that has no price." }),
    hidden_spam: z.int().meta({ description: "Transactions that were left out." }),
  }),
  unavailable,
  metadata: metadata({
    address: z.string(),
    date_range: z.strictObject({ from: z.string(), to: z.string() }),
  }),
});

export type PatternsOutput = z.output<typeof output>;
