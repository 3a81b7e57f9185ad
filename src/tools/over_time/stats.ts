import * as z from "zod";
import { type NetworkResult, readStatsAt } from "../../domain/wallet/history/stats/read.ts";
import { prepareHoldings } from "../../domain/wallet/holdings/step_holdings.ts";
import { readSteps } from "../../domain/window/steps.ts";
import { data } from "../../lib/outcome.ts";
import { address, metadata } from "../fields.ts";
import { metadataFor } from "../metadata.ts";
import { DEMO_EXAMPLES, defineTool } from "../tool.ts";
import { checkSteps, daysOf, openSteps, over, stepFields, stepRow, warningsOf } from "./fields.ts";

const METHODOLOGY = "series/wallet-stats@1";

const input = z.strictObject({ wallet_address: address("Wallet address."), ...over });

const count = (description: string) => z.int().nullable().describe(description);
const usd = (description: string) => z.number().nullable().describe(description);

/** Figures of get_wallet_stats that grow with time, from the wallet's first transaction on. */
const figures = {
  tx_count: count("Transactions that the wallet sent or that moved its coins or tokens."),
  tx_sent: count("Transactions that the wallet signed, failed ones included."),
  tx_received: count("Transactions of other signers from which the wallet received something."),
  failed_tx: count("Failed transactions of tx_sent."),
  token_transfer_count: count("Transfers of fungible tokens, without the native coin."),
  nft_transfer_count: count("Transfers of NFTs."),
  spam_transfers: count("Flagged transfers, counted nowhere else."),
  unique_counterparties: count("Distinct counterparties."),
  unique_contracts_called: count("Distinct addresses that the wallet called with data."),
  unique_tokens: count("Distinct tokens that moved, the native coin included."),
  active_days: count("UTC days with at least one transaction."),
  total_in_usd: usd("USD received at hourly prices; null when nothing had a price."),
  total_out_usd: usd("USD sent at hourly prices, without fees; null when nothing had a price."),
  unpriced_transfers: count("Transfers without a price, in none of the totals."),
  gas_spent_native: z.number().nullable().describe("Fees in the native coin, failed transactions included."),
  gas_spent_usd: usd("The same fees at hourly prices; null when no fee had a price."),
  swap_count: count("Transactions that exchanged one token for another."),
  swap_volume_usd: usd("USD value of the swaps; null when no side had a price."),
  bridge_count: count("Transactions with a labelled bridge; null without a source of such labels."),
  contracts_deployed: count("Contracts created in the wallet's transactions."),
  nonce: count("Nonce at the block."),
};

const row = z.strictObject({ ...stepFields, ...figures });
type Figures = Omit<z.output<typeof row>, keyof typeof stepFields>;
// The keys of `figures`.
const NAMES = Object.keys(figures) as readonly (keyof Figures)[];

const output = z.strictObject({
  type: z.literal("stats_series"),
  steps: z.array(row).describe("Oldest first. Each counts from the wallet's first transaction to the block."),
  metadata: metadata({
    wallet_address: z.string(),
    step: z.string(),
    date_range: z.strictObject({ from: z.string(), to: z.string() }),
  }),
});

/** True where the index may lack what the wallet did. */
const isUnproven = ({ is_seen, gaps }: NetworkResult): boolean => !is_seen && gaps.length > 0;

const figuresOf = (found: NetworkResult | null): Figures => {
  const known = found === null || isUnproven(found) ? null : found.stats;
  // One value for each name.
  return Object.fromEntries(NAMES.map((name) => [name, known?.[name] ?? null])) as Figures;
};

const reasonOf = (found: NetworkResult | null): string | null => {
  if (found === null) return null;
  if (isUnproven(found)) return found.gaps.map(({ message }) => message).join(" ");
  const lacking = NAMES.flatMap((name) => {
    const reason = found.unknown.get(name);
    return reason === undefined ? [] : [`${name}: ${reason}.`];
  });
  return lacking.length === 0 ? null : lacking.join(" ");
};

export const statsSeries = defineTool({
  name: "series_stats",
  path: "series/stats",
  title: "Statistics of a wallet over time",
  description:
    "Counts and totals of a wallet from its first transaction to the last block of each day, week or month, as get_wallet_stats has them as of that block.",
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
    const read = await readSteps({ scope, steps, prepare }, (at) => readStatsAt(at, hex, {}));
    return data({
      type: "stats_series" as const,
      steps: read.map(({ value, ...of }) => ({
        ...stepRow({ ...of, reason: of.reason ?? reasonOf(value) }),
        ...figuresOf(value),
      })),
      metadata: metadataFor(scope.chain, scope.snapshot, {
        echo: { wallet_address: text, step: asked.step, date_range: daysOf(window) },
        methodology: METHODOLOGY,
        warnings: [...window.warnings, ...warningsOf(read.map(({ value }) => value?.warnings ?? []))],
      }),
    });
  },
});
