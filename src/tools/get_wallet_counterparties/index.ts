import { noCounterparties } from "../../domain/absences.ts";
import { labelCategoriesOver } from "../../domain/address/identity/categories.ts";
import { RISK_CATEGORIES } from "../../domain/compliance/risk/tags.ts";
import { isMany, type NetworkAnswer, queryEachNetwork } from "../../domain/networks.ts";
import {
  type CounterpartyByNetwork,
  merge,
  type NetworkFlows,
  readNetwork,
} from "../../domain/wallet/counterparties/read.ts";
import { sumsOf, volumesOf } from "../../domain/wallet/counterparties/volumes.ts";
import type { FlowTotals } from "../../domain/wallet/history/flows.ts";
import { isProducer } from "../../domain/wallet/history/producer.ts";
import { unpairedVolumeOf } from "../../domain/wallet/history/volumes.ts";
import { checkDates, rangeOver } from "../../domain/window/dates.ts";
import { data, emptyOutcome } from "../../lib/outcome.ts";
import { isBeyond, ROW_DEEPEST } from "../../lib/page.ts";
import { metadataOver } from "../metadata.ts";
import { DEMO_EXAMPLES, defineTool } from "../tool.ts";
import { readRowsOf } from "./rows.ts";
import { type CounterpartiesInput, type CounterpartiesOutput, input, output } from "./shape.ts";

const METHODOLOGY = "counterparties/ledger@1";

/** Totals over every counterparty: of one network those of its list, of several those of the merged one. */
const summaryOf = (
  found: readonly NetworkFlows[],
  all: readonly CounterpartyByNetwork[],
  asked: CounterpartiesInput,
) => {
  const hidden_spam = found.reduce((sum, network) => sum + network.hidden_spam, 0);
  const totals: FlowTotals | null = isMany(asked.network) ? null : (found[0]?.totals ?? null);
  const volumes = volumesOf(totals ?? sumsOf(all));
  const labelled = all.filter(({ parts }) => parts.some(({ flow }) => flow.is_labelled));
  return {
    counterparty_count: totals?.groups ?? all.length,
    labeled_count: totals?.labelled_groups ?? labelled.length,
    total_in_usd: volumes.volume_in_usd,
    total_out_usd: volumes.volume_out_usd,
    unpriced_transfers: volumes.unpriced_transfers,
    left_out: unpairedVolumeOf(found.map(({ flows, filter }) => ({ history: flows.history, filter }))),
    hidden_spam,
  };
};

/** Says when no label of the networks could ever make a risk tag. */
const unavailableOf = async (
  answered: readonly NetworkAnswer<NetworkFlows>[],
): Promise<CounterpartiesOutput["unavailable"]> => {
  const categories = await labelCategoriesOver(answered.map(({ value: { scope } }) => scope));
  const has_risks = RISK_CATEGORIES.some((category) => categories.has(category));
  return has_risks
    ? []
    : [{ field: "data[].risk_tags", reason: "no source of risk labels (sanctions, mixers, phishing) is loaded" }];
};

export const getWalletCounterparties = defineTool({
  name: "get_wallet_counterparties",
  title: "Counterparties of a wallet",
  description:
    "Ranked counterparties of a wallet in a window: transfers and USD volume in and out at hourly prices, tokens, first and last contact, label and risk tags. The counterparty is the other side of a transfer, or the labelled exchange contract of a swap. Fees, mints and transfers to oneself have none. Use it to list which addresses a wallet deals with most: whom it sent money to or received from; get_wallet_counterparties_analysis sums them up.",
  credits: 25,
  families: ["evm", "solana", "tron"],
  subjects: ["address"],
  input,
  output,
  example: { address: DEMO_EXAMPLES.trader, network: "demo" },
  check: (asked, { today }) => {
    if (asked.page * asked.records_per_page > ROW_DEEPEST) {
      return `page * records_per_page must not exceed ${ROW_DEEPEST}. Narrow the dates instead.`;
    }
    if (isMany(asked.network) && asked.token_address !== undefined && asked.token_address !== "native") {
      return "token_address requires a single network.";
    }
    return checkDates(asked, today);
  },
  view: {
    members: "summary data",
    drawn: {
      data: {
        is: "page",
        columns:
          "peer.address peer.label peer.category total_volume_usd net_usd tx_count last_interaction:day risk_tags is_spam spam_reasons chains peer.is_contract peer.entity unpriced_transfers tokens[symbol]",
      },
    },
  },
  run: async (asked, context) => {
    const spread = await queryEachNetwork(asked, context, (chain, wallet) =>
      readNetwork(context, asked, [chain, wallet]),
    );
    const found = spread.answered.map(({ value }) => value);
    const gaps = found.flatMap((network) => network.gaps);
    const date_range = rangeOver(
      found.map(({ window }) => window),
      asked,
    );
    const described = metadataOver(asked, spread, {
      echo: { address: asked.address.text, date_range },
      methodology: METHODOLOGY,
      warnings: found.flatMap(({ window, gaps, flows }) => [...window.warnings, ...gaps, ...flows.history.warnings]),
    });
    const is_covered = gaps.length === 0 && spread.failed.length === 0;
    const all = merge(found, asked);
    const summary = summaryOf(found, all, asked);
    const skipped = (asked.page - 1) * asked.records_per_page;
    const page = isMany(asked.network) ? all.slice(skipped, skipped + asked.records_per_page) : all;
    const is_producer = found.some(({ flows }) => isProducer(flows.history));
    if ((summary.counterparty_count === 0 && summary.hidden_spam === 0 && !is_producer) || isBeyond(asked, page)) {
      const words = noCounterparties({ spread, days: date_range, asked, is_empty: summary.counterparty_count === 0 });
      return emptyOutcome({ type: "counterparties", metadata: described }, words, is_covered);
    }
    const has_more_data = summary.counterparty_count > skipped + asked.records_per_page;
    return data({
      type: "counterparties" as const,
      data: await readRowsOf(page),
      summary,
      unavailable: await unavailableOf(spread.answered),
      metadata: described,
      pagination: {
        page: asked.page,
        per_page: asked.records_per_page,
        returned_count: page.length,
        has_more_data,
        is_complete: is_covered && !has_more_data,
        network: asked.network,
      },
    });
  },
});
