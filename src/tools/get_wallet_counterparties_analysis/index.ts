import { noDealings } from "../../domain/absences.ts";
import { labelCategoriesOver } from "../../domain/address/identity/categories.ts";
import { shownParty } from "../../domain/address/identity/parties.ts";
import { readExposure } from "../../domain/compliance/risk/counterparty_exposure.ts";
import { RISK_CATEGORIES } from "../../domain/compliance/risk/tags.ts";
import type { Warning } from "../../domain/context.ts";
import { queryEachNetwork } from "../../domain/networks.ts";
import {
  type NetworkCounterparties,
  peersOf,
  readNetworkCounterparties,
} from "../../domain/wallet/counterparties/analysis.ts";
import { readRelationships } from "../../domain/wallet/counterparties/relationships.ts";
import {
  type CounterpartySum,
  categoriesOf,
  concentrationOf,
  EXCHANGE_TAGS,
  entitiesOf,
  exchangesOf,
  recurrenceOf,
} from "../../domain/wallet/counterparties/sums.ts";
import { sumsOver, volumesOf } from "../../domain/wallet/counterparties/volumes.ts";
import { hashesOf } from "../../domain/wallet/history/history.ts";
import { unpairedVolumeOf } from "../../domain/wallet/history/volumes.ts";
import { checkDates, rangeOver } from "../../domain/window/dates.ts";
import type { Hex } from "../../lib/bytes.ts";
import { data, emptyOutcome } from "../../lib/outcome.ts";
import { iso } from "../../lib/time.ts";
import { metadataOver } from "../metadata.ts";
import { DEMO_EXAMPLES, defineTool } from "../tool.ts";
import { type AnalysisOutput, input, output } from "./shape.ts";

const TYPE = "counterparties_analysis";
const METHODOLOGY = "counterparties-analysis/ledger@1";
const LOOKALIKES_MAX = 50;

const shown = ({ scope }: NetworkCounterparties, address: Hex | undefined): string | null =>
  address === undefined ? null : scope.chain.formatAddress(address);

const poisoningOf = async (parts: readonly NetworkCounterparties[]): Promise<AnalysisOutput["poisoning_attempts"]> => {
  const told = parts.map(async (part) => {
    const hashOf = await hashesOf(
      part.history,
      part.lookalikes.map(({ spam_row }) => spam_row),
    );
    return part.lookalikes.map((flow) => {
      const party = shownParty(part.parties.get(flow.peer));
      const imitation = part.history.imitations.get(flow.peer);
      return { part, flow, party, imitation, tx_hash: hashOf(flow.spam_row) };
    });
  });
  const attempts = (await Promise.all(told)).flat();
  return {
    count: parts.reduce((sum, { lookalike_count }) => sum + lookalike_count, 0),
    lookalikes: attempts
      .map(({ part, flow, party, imitation, tx_hash }) => ({
        address: part.scope.chain.formatAddress(flow.peer),
        ...party,
        imitates: shown(part, imitation?.imitates),
        confidence: imitation?.confidence ?? null,
        evidence: [
          {
            kind: "tx" as const,
            ref: part.scope.chain.formatHash(tx_hash),
            observed_at: iso(part.history.movements.time[flow.spam_row] ?? 0),
          },
        ],
      }))
      .sort((a, b) => (a.address < b.address ? -1 : 1))
      .slice(0, LOOKALIKES_MAX),
  };
};

const summaryOf = (
  parts: readonly NetworkCounterparties[],
  peers: readonly CounterpartySum[],
): AnalysisOutput["summary"] => {
  const { volume_in_usd, volume_out_usd, unpriced_transfers } = volumesOf(sumsOver(parts.map(({ totals }) => totals)));
  return {
    counterparty_count: peers.length,
    labeled_count: peers.filter(({ is_labelled }) => is_labelled).length,
    total_in_usd: volume_in_usd,
    total_out_usd: volume_out_usd,
    unpriced_transfers,
    left_out: unpairedVolumeOf(parts),
    hidden_spam: parts.reduce((sum, { hidden_spam }) => sum + hidden_spam, 0),
  };
};

const unavailableOf = async (
  parts: readonly NetworkCounterparties[],
  known: { readonly is_whole: boolean; readonly are_safes_known: boolean; readonly unread: number },
): Promise<AnalysisOutput["unavailable"]> => {
  const categories = await labelCategoriesOver(parts.map(({ scope }) => scope));
  const has = (wanted: readonly string[]): boolean => wanted.some((category) => categories.has(category));
  const partial = "the index does not reach back to the first configured block";
  const missing: AnalysisOutput["unavailable"] = [];
  if (!has(RISK_CATEGORIES)) missing.push({ field: "risk_exposure", reason: "no source of risk labels is loaded" });
  if (!has(EXCHANGE_TAGS)) missing.push({ field: "exchange_use", reason: "no source of exchange labels is loaded" });
  if (!known.is_whole) {
    missing.push({ field: "recurrence.new_peers", reason: partial });
    missing.push({ field: "relationships (fundings)", reason: partial });
  }
  if (!known.are_safes_known)
    missing.push({ field: "relationships (shared_safe_signer)", reason: "no node returned the owners of Safes" });
  const unread = `${known.unread} counterparties are not read on demand, so their first payers are unknown`;
  if (known.unread > 0) missing.push({ field: "relationships (funded_by_wallet, same_owner_likely)", reason: unread });
  return missing;
};

const warningsOf = (parts: readonly NetworkCounterparties[]): readonly Warning[] =>
  parts.flatMap(({ window, gaps, history }) => [...window.warnings, ...gaps, ...history.warnings]);

export const getWalletCounterpartiesAnalysis = defineTool({
  name: "get_wallet_counterparties_analysis",
  title: "Counterparty analysis of a wallet",
  description:
    "Aggregates a wallet's counterparties: volume by category and entity, concentration, first funder and related wallets with evidence, new and recurring counterparties, direct and indirect exposure to risky ones, use of exchanges, address poisoning. Use it to follow the money: where a wallet's money comes from and goes, by category, and who funded it; get_wallet_counterparties lists the addresses.",
  credits: 25,
  families: ["evm", "solana", "tron"],
  input,
  output,
  subjects: ["address"],
  follows_counterparties: true,
  example: { address: DEMO_EXAMPLES.trader, network: "demo" },
  check: (asked, { today }) => checkDates(asked, today),
  run: async (asked, context) => {
    const spread = await queryEachNetwork(asked, context, (chain, wallet) =>
      readNetworkCounterparties(context, asked, [chain, wallet]),
    );
    const parts = spread.answered.map(({ value }) => value);
    const peers = peersOf(parts);
    const date_range = rangeOver(
      parts.map(({ window }) => window),
      asked,
    );
    const describe = (warnings: readonly Warning[]) =>
      metadataOver(asked, spread, {
        echo: { address: asked.address.text, date_range, hops: asked.hops },
        methodology: METHODOLOGY,
        warnings: [...warningsOf(parts), ...warnings],
      });
    const summary = summaryOf(parts, peers);
    if (peers.length === 0 && summary.hidden_spam === 0) {
      const is_covered = spread.failed.length === 0 && parts.every(({ gaps }) => gaps.length === 0);
      return emptyOutcome({ type: TYPE, metadata: describe([]) }, noDealings(spread, date_range), is_covered);
    }
    const [{ exposure, warnings }, bound] = await Promise.all([
      readExposure(parts, asked.hops),
      Promise.all(parts.map(readRelationships)),
    ]);
    const is_whole = parts.every(({ scope }) => scope.snapshot.coverage.complete);
    const are_safes_known = bound.every((part) => part.are_safes_known);
    const known = { is_whole, are_safes_known, unread: bound.reduce((sum, part) => sum + part.unread, 0) };
    return data<AnalysisOutput>({
      type: TYPE,
      by_category: categoriesOf(peers),
      by_entity: entitiesOf(peers),
      concentration: concentrationOf(peers),
      relationships: bound.flatMap(({ found }) => [...found]),
      recurrence: recurrenceOf(peers, is_whole),
      risk_exposure: exposure,
      exchange_use: exchangesOf(peers),
      poisoning_attempts: await poisoningOf(parts),
      summary,
      unavailable: await unavailableOf(parts, known),
      metadata: describe(warnings),
    });
  },
  view: {
    members:
      "summary risk_exposure poisoning_attempts by_category by_entity exchange_use relationships concentration recurrence",
    drawn: {
      risk_exposure: {
        is: "alerts",
        columns:
          "category direct_in_usd direct_out_usd indirect_in_usd indirect_out_usd top_sources[address,label,hops,amount_usd]",
      },
    },
  },
});
