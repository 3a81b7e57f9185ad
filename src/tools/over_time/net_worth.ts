import * as z from "zod";
import type { SnapshotContext } from "../../domain/context.ts";
import { readHoldingsAt } from "../../domain/wallet/holdings/holdings.ts";
import { prepareHoldings } from "../../domain/wallet/holdings/step_holdings.ts";
import { assetComposition } from "../../domain/wallet/positions/asset_composition.ts";
import { readAssets } from "../../domain/wallet/positions/read.ts";
import { worthOf } from "../../domain/wallet/positions/worth.ts";
import { readSteps } from "../../domain/window/steps.ts";
import type { Hex } from "../../lib/bytes.ts";
import { data } from "../../lib/outcome.ts";
import { address, includeSpam, metadata } from "../fields.ts";
import { metadataFor } from "../metadata.ts";
import { worth } from "../position_rows.ts";
import { DEMO_EXAMPLES, defineTool } from "../tool.ts";
import { checkSteps, daysOf, openSteps, over, stepFields, stepRow, warningsOf } from "./fields.ts";

const METHODOLOGY = "series/net-worth@1";

const input = z.strictObject({ wallet_address: address("Wallet address."), ...over, include_spam: includeSpam() });

const row = z.strictObject({
  ...stepFields,
  ...worth,
  tokens_without_price: z.int().nullable(),
  hidden_spam: z.int().nullable(),
});

const output = z.strictObject({
  type: z.literal("net_worth_series"),
  steps: z.array(row).describe("Oldest first."),
  metadata: metadata({
    wallet_address: z.string(),
    step: z.string(),
    date_range: z.strictObject({ from: z.string(), to: z.string() }),
  }),
});

const NO_PRICE = "Nothing of it has a price.";
const UNPROVEN = "Nothing was found, and the index does not cover the whole history.";

const readWorth = async (scope: SnapshotContext, wallet: Hex, include_spam: boolean) => {
  const { holdings, is_proven, warnings } = await readHoldingsAt(scope, wallet);
  const found = await readAssets(scope, wallet, holdings);
  const { assets, positions } = found;
  const counted = include_spam ? assets : assets.filter(({ spam_reasons }) => spam_reasons.length === 0);
  const is_unknown = holdings.length === 0 && positions.length === 0 && !is_proven;
  const values = {
    ...worthOf(counted, positions),
    tokens_without_price: assetComposition(counted, positions).unpriced_count,
    hidden_spam: assets.length - counted.length,
  };
  return { values: is_unknown ? null : values, warnings: [...warnings, ...found.warnings] };
};

const UNKNOWN = {
  holdings_value_usd: null,
  positions_value_usd: null,
  total_value_usd: null,
  tokens_without_price: null,
  hidden_spam: null,
};

export const netWorthSeries = defineTool({
  name: "series_net_worth",
  path: "series/net_worth",
  title: "Net worth of a wallet over time",
  description:
    "USD value of a wallet at the last block of each day, week or month, as get_wallet_portfolio_breakdown has it as of that block.",
  credits: 40,
  families: ["evm", "solana", "tron"],
  input,
  output,
  example: { wallet_address: DEMO_EXAMPLES.trader, network: "demo", step: "month" },
  check: checkSteps,
  run: async (asked, context) => {
    const { scope, window, steps } = await openSteps(context, asked);
    const { text, hex } = asked.wallet_address;
    const prepare = await prepareHoldings(scope, hex);
    const read = await readSteps({ scope, steps, prepare }, (at) => readWorth(at, hex, asked.include_spam));
    const rows = read.map(({ value, ...of }) => {
      const values = value?.values ?? UNKNOWN;
      const unknown = value !== null && value.values === null ? UNPROVEN : null;
      const reason = of.reason ?? unknown ?? (values.total_value_usd === null ? NO_PRICE : null);
      return { ...stepRow({ ...of, reason }), ...values };
    });
    return data({
      type: "net_worth_series" as const,
      steps: rows,
      metadata: metadataFor(scope.chain, scope.snapshot, {
        echo: { wallet_address: text, step: asked.step, date_range: daysOf(window) },
        methodology: METHODOLOGY,
        warnings: [...window.warnings, ...warningsOf(read.map(({ value }) => value?.warnings ?? []))],
      }),
    });
  },
});
