import { shownParty } from "../../domain/address/identity/parties.ts";
import { RISK_MODEL_ID } from "../../domain/compliance/risk/model.ts";
import { firedRules } from "../../domain/compliance/risk/rules.ts";
import { tracingOf } from "../../domain/compliance/risk/wallet_trace.ts";
import type { ScreenedAsset } from "../../domain/compliance/screening/parties.ts";
import { type Screening, screenTransfer } from "../../domain/compliance/screening/screen.ts";
import type { CallContext } from "../../domain/context.ts";
import { formatToken } from "../../domain/token/metadata/metadata.ts";
import type { TransactionMatch } from "../../domain/transaction/reading/find.ts";
import type { SourcedRule } from "../../lib/risk_rule.ts";
import type { TraceMethod } from "../../lib/trace_method.ts";
import { type TransactionRowContext, transferRow } from "./rows.ts";
import type { ScreeningOutput } from "./screening_shape.ts";

const counterpartyRows = (
  { chain }: TransactionRowContext,
  { parties, intermediaries }: Screening,
): ScreeningOutput["counterparties"] => [
  ...parties.map(({ network, risk }) => ({
    address: chain.formatAddress(network.wallet),
    ...shownParty(network.mark.party),
    role: "principal" as const,
    risk_score: risk.score.score,
    risk_level: risk.score.level,
    service_address: risk.score.service_address,
    categories: risk.categories.flatMap(({ category, direct }) => (direct ? [category] : [])),
    coverage_percent: risk.coverage_percent,
    exposure: risk.categories.map((one) => ({
      category: one.category,
      direct_in_usd: one.direct_in_usd,
      direct_out_usd: one.direct_out_usd,
      indirect_in_usd: one.indirect_in_usd,
      indirect_out_usd: one.indirect_out_usd,
      share_in_percent: one.share_in_percent,
      share_out_percent: one.share_out_percent,
    })),
  })),
  ...intermediaries.map(({ wallet, mark }) => ({
    address: chain.formatAddress(wallet),
    ...shownParty(mark.party),
    role: "intermediary" as const,
    ...{ risk_score: null, risk_level: "unknown" as const, coverage_percent: null, exposure: [] },
    service_address: mark.service !== null,
    categories: mark.hits.map(({ category }) => category),
  })),
];

const transferRows = (writing: TransactionRowContext, { transfers }: Screening): ScreeningOutput["transfers"] =>
  transfers.map(({ index, movement }) => {
    const { token, from, to, amount, amount_raw, usd_value } = transferRow(writing, movement, index);
    return { index, token, from, to, amount, amount_raw, usd_value };
  });

const ruleRows = (
  { chain }: TransactionRowContext,
  { parties, measured }: Screening,
  rules: readonly SourcedRule[],
): ScreeningOutput["rules_fired"] => [
  ...(measured === null ? [] : firedRules(rules, measured).map((rule) => ({ ...rule, address: null }))),
  ...parties.flatMap(({ network, risk }) =>
    firedRules(rules, risk).map((rule) => ({ ...rule, address: chain.formatAddress(network.wallet) })),
  ),
];

interface ScreeningRequest extends ScreenedAsset {
  readonly found: TransactionMatch;
  readonly status: "success" | "failed" | "pending";
  readonly method: TraceMethod;
}

/** The screening of one transfer, as published. */
export const screeningRow = async (
  writing: TransactionRowContext,
  { found: { seen }, ...asked }: ScreeningRequest,
  context: CallContext,
): Promise<ScreeningOutput> => {
  const { chain, known } = writing;
  const { mined } = seen;
  const at = mined === null ? null : { block_number: mined.block.number, tx_index: mined.transaction.index };
  const { movements } = known.reading;
  const rules = await context.operator.readRiskRules();
  const screened = await screenTransfer(context, { ...asked, chain, at, movements, rules, usd: known.usd });
  const { parties, measured, intermediaries: _shown, ...rest } = screened;
  const coverages = parties.map(({ risk }) => risk.coverage_percent);
  return {
    asset: formatToken(chain, asked.asset),
    direction: asked.direction,
    method: asked.method,
    as_of_block: at?.block_number ?? null,
    verdict: rest.verdict,
    reasons: [...rest.reasons],
    risk_score: measured?.score.score ?? null,
    risk_level: measured?.score.level ?? "unknown",
    usd: rest.usd,
    transfers: transferRows(writing, screened),
    counterparties: counterpartyRows(writing, screened),
    exposure: measured === null ? [] : [...measured.exposure],
    origin: measured?.origin ?? null,
    rules_fired: ruleRows(writing, screened, rules),
    rules_checked: rules.length,
    lists: rest.lists.map(({ id, version, updated_at }) => ({ id, version, updated_at })),
    tracing: parties.length === 0 ? null : tracingOf(parties.map(({ network }) => network.walk)),
    model: RISK_MODEL_ID,
    coverage_percent: coverages.length === 0 ? null : Math.min(...coverages),
    unavailable: [...rest.gaps],
  };
};
