import * as z from "zod";
import { COST_BASES } from "../../domain/wallet/pnl/position.ts";
import {
  address,
  asOfBlock,
  costBasis,
  date,
  includeSpam,
  metadata,
  networks,
  page,
  pagination,
  recordsPerPage,
} from "../fields.ts";
import { row, totals, unknownUsd } from "../pnl_rows/shape.ts";
import type { ToolInput } from "../tool.ts";

export const input = z.strictObject({
  address: address("Wallet whose profit and loss is computed."),
  network: networks(),
  from_date: date("First day (UTC, inclusive). Default: 89 days before `to_date`."),
  to_date: date("Last day (UTC, inclusive). Default: the day of the newest block."),
  page: page(),
  records_per_page: recordsPerPage(),
  include_spam: includeSpam(),
  cost_basis_method: costBasis(),
  as_of_block: asOfBlock(),
});

const described = metadata({
  address: z.string(),
  date_range: z.strictObject({ from: z.string(), to: z.string() }),
  cost_basis_method: z.enum(COST_BASES),
  cost_coverage_percent: z.number().nullable().describe("Percent of proceeds and holdings by value with a known cost."),
});

export const detailed = z.strictObject({
  type: z.literal("pnl_detailed"),
  note: z.string(),
  summary: z.strictObject({
    ...totals,
    all_tokens: z.strictObject(totals).describe("The same figures over the rows of all pages."),
    win_rate_percent: z
      .number()
      .nullable()
      .describe("Percent of sales with a known cost that made a gain, over the rows of all pages."),
    gas_fees_usd: unknownUsd("USD of all fees that the wallet paid in the window, failed transactions included."),
    hidden_spam: z.int(),
  }),
  data: z.array(row),
  by_network: z
    .array(
      z.strictObject({
        network: z.string(),
        ...totals,
        win_rate_percent: z.number().nullable(),
        gas_fees_usd: z.number().nullable(),
        hidden_spam: z.int(),
        cost_coverage_percent: z.number().nullable(),
      }),
    )
    .describe("Each network's part of the sums over the rows of all pages. Costs are tracked per network."),
  pagination,
  metadata: described,
});

/** On networks without profits `type` and `note` say so, and there are no rows. */
export const output = detailed.extend({
  type: z.enum(["pnl_detailed", "pnl_unavailable"]),
  summary: detailed.shape.summary.optional(),
  data: detailed.shape.data.optional(),
  by_network: detailed.shape.by_network.optional(),
  pagination: pagination.optional(),
});

export type PnlInput = ToolInput<typeof input>;
export type PnlOutput = z.output<typeof output>;
export type DetailedPnl = z.output<typeof detailed>;
