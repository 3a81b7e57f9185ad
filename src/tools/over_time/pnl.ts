import * as z from "zod";
import type { SnapshotContext } from "../../domain/context.ts";
import { prepareHoldings } from "../../domain/wallet/holdings/step_holdings.ts";
import { PNL_METHODS } from "../../domain/wallet/pnl/position.ts";
import { readSteps } from "../../domain/window/steps.ts";
import { data } from "../../lib/outcome.ts";
import { address, costBasis, includeSpam, metadata, uncostedValue } from "../fields.ts";
import { metadataFor } from "../metadata.ts";
import { DEMO_EXAMPLES, defineTool } from "../tool.ts";
import { figuresOver, hasLedger, type NetworkPnl, warningsOf as pnlWarnings, readPnlAt } from "../wallet_pnl.ts";
import { checkSteps, daysOf, openSteps, over, stepFields, stepRow, warningsOf } from "./fields.ts";

const input = z.strictObject({
  wallet_address: address("Wallet address."),
  ...over,
  include_spam: includeSpam(),
  cost_basis_method: costBasis(),
});

const row = z.strictObject({
  ...stepFields,
  realized_pnl_usd: z.number().nullable().describe("USD of sales from the first day of the series on."),
  unrealized_pnl_usd: z.number().nullable().describe("USD at the block, over the holdings with a known cost."),
  total_pnl_usd: z.number().nullable(),
  uncosted_value_usd: uncostedValue,
  unpriced_tokens: z.int().nullable(),
  gas_fees_usd: z.number().nullable().describe("USD from the first day on; null when no fee had a price."),
});

const output = z.strictObject({
  type: z.literal("pnl_series"),
  steps: z.array(row).describe("Oldest first. All tokens together."),
  metadata: metadata({
    wallet_address: z.string(),
    step: z.string(),
    date_range: z.strictObject({ from: z.string(), to: z.string() }),
    cost_basis_method: z.string(),
  }),
});

const UNKNOWN = {
  realized_pnl_usd: null,
  unrealized_pnl_usd: null,
  total_pnl_usd: null,
  uncosted_value_usd: null,
  unpriced_tokens: null,
  gas_fees_usd: null,
};

const figuresOf = (found: NetworkPnl | null): Omit<z.output<typeof row>, keyof typeof stepFields> => {
  if (found === null || !hasLedger(found)) return UNKNOWN;
  const { all_tokens, gas_fees_usd } = figuresOver([found]);
  return {
    realized_pnl_usd: all_tokens.total_realized_pnl_usd,
    unrealized_pnl_usd: all_tokens.total_unrealized_pnl_usd,
    total_pnl_usd: all_tokens.total_pnl_usd,
    uncosted_value_usd: all_tokens.uncosted_value_usd,
    unpriced_tokens: all_tokens.unpriced_tokens,
    gas_fees_usd,
  };
};

const NO_FEE_PRICE = "The native coin had no price when the fees were paid.";

const reasonOf = ({ chain }: SnapshotContext, figures: ReturnType<typeof figuresOf>): string | null => {
  if (figures.realized_pnl_usd === null) return chain.network.pnl_note ?? null;
  return figures.gas_fees_usd === null ? NO_FEE_PRICE : null;
};

export const pnlSeries = defineTool({
  name: "series_pnl",
  path: "series/pnl",
  title: "Profit and loss of a wallet over time",
  description:
    "Realized and unrealized profit and loss of a wallet at the last block of each day, week or month, as get_wallet_pnl has them as of that block for the days since from_date.",
  credits: 125,
  families: ["evm", "solana", "tron"],
  input,
  output,
  example: { wallet_address: DEMO_EXAMPLES.trader, network: "demo", step: "month" },
  check: checkSteps,
  run: async (asked, context) => {
    const { scope, window, steps } = await openSteps(context, asked);
    const { text, hex } = asked.wallet_address;
    const { include_spam, cost_basis_method } = asked;
    const query = { from_date: window.from, to_date: undefined, include_spam, cost_basis_method };
    const prepare = await prepareHoldings(scope, hex);
    const read = await readSteps({ scope, steps, prepare }, (at) => readPnlAt(at, hex, query));
    return data({
      type: "pnl_series" as const,
      steps: read.map(({ value, ...of }) => {
        const figures = figuresOf(value);
        return { ...stepRow({ ...of, reason: of.reason ?? reasonOf(scope, figures) }), ...figures };
      }),
      metadata: metadataFor(scope.chain, scope.snapshot, {
        echo: { wallet_address: text, step: asked.step, date_range: daysOf(window), cost_basis_method },
        methodology: `series/${PNL_METHODS[cost_basis_method]}`,
        warnings: [
          ...window.warnings,
          ...warningsOf(read.map(({ value }) => (value === null ? [] : pnlWarnings(value)))),
        ],
      }),
    });
  },
});
