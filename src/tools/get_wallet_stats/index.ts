import { noStats } from "../../domain/absences.ts";
import { queryEachNetwork } from "../../domain/networks.ts";
import { daysOf, type NetworkResult, readNetwork } from "../../domain/wallet/history/stats/read.ts";
import { totals } from "../../domain/wallet/history/stats/sum.ts";
import { checkDates } from "../../domain/window/dates.ts";
import { data, emptyOutcome } from "../../lib/outcome.ts";
import { metadataOver } from "../metadata.ts";
import { DEMO_EXAMPLES, defineTool } from "../tool.ts";
import { input, output, type StatsOutput } from "./shape.ts";

const METHODOLOGY = "wallet-stats/ledger@1";

/** Null fields, each once, with the networks that it is null on. */
const unavailableOf = (seen: readonly NetworkResult[]): StatsOutput["unavailable"] => {
  const reasons = new Map<string, { field: string; reason: string; networks: string[] }>();
  for (const { stats, unknown } of seen) {
    for (const [field, reason] of unknown) {
      const known = reasons.get(field) ?? { field, reason, networks: [] };
      known.networks.push(stats.network);
      reasons.set(field, known);
    }
  }
  const named = [...reasons.values()].map(({ field, reason, networks }) => ({
    field,
    reason: `${reason} (${networks.join(", ")})`,
  }));
  const coins = new Set(seen.map(({ scope }) => scope.chain.network.native.symbol));
  return [
    ...named,
    ...(coins.size > 1 ? [{ field: "gas_spent_native", reason: "the networks have different native coins" }] : []),
    ...(seen.length > 1 ? [{ field: "nonce", reason: "each network has its own nonce" }] : []),
  ];
};

export const getWalletStats = defineTool({
  name: "get_wallet_stats",
  title: "Statistics of a wallet",
  description:
    "Counts and totals of a wallet over its indexed history or a window: transactions, counterparties, tokens, active days, USD in and out, largest transfers, fees, swaps, deployments; in total and per network. Use it for counts and totals: how many transactions, gas spent, when a wallet was first and last active, on how many days.",
  credits: 8,
  families: ["evm", "solana", "tron"],
  subjects: ["address"],
  input,
  output,
  example: { address: DEMO_EXAMPLES.deployer, network: "demo" },
  check: (asked, { today }) => checkDates(asked, today),
  run: async (asked, context) => {
    const spread = await queryEachNetwork(asked, context, (chain, wallet) =>
      readNetwork(context, asked, [chain, wallet]),
    );
    const found = spread.answered.map(({ value }) => value);
    const described = metadataOver(asked, spread, {
      echo: { address: asked.address.text, date_range: daysOf(asked, found) },
      methodology: METHODOLOGY,
      warnings: found.flatMap(({ warnings }) => warnings),
    });
    const seen = found.filter(({ is_seen }) => is_seen);
    if (seen.length === 0) {
      const is_proven = spread.failed.length === 0 && found.every(({ gaps }) => gaps.length === 0);
      const words = noStats(spread, daysOf(asked, found));
      return emptyOutcome({ type: "wallet_stats", metadata: described }, words, is_proven);
    }
    const parts = seen.map(({ stats, days, scope }) => ({ stats, days, coin: scope.chain.network.native.symbol }));
    return data({
      type: "wallet_stats" as const,
      ...totals(parts),
      by_network: seen.map(({ stats }) => stats),
      unavailable: unavailableOf(seen),
      metadata: described,
    });
  },
  view: {
    members:
      "tx_count tx_sent tx_received failed_tx votes nonce first_seen last_seen age_days active_days total_in_usd total_out_usd of_which unpriced_transfers largest_in largest_out token_transfer_count nft_transfer_count spam_transfers unique_counterparties unique_contracts_called unique_tokens swap_count swap_volume_usd bridge_count contracts_deployed gas_spent_native gas_spent_usd by_network",
    drawn: {
      by_network: {
        rows_min: 2,
        columns: "network tx_count total_in_usd total_out_usd first_seen last_seen active_days",
      },
    },
  },
});
