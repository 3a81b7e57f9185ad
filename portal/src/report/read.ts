/** One form of the report for both answers: a wallet's risk overview, and the screening of a transfer. */
import { rowsOf } from "../account/request.ts";
import { fieldsOf, isFields, type JsonObject, textOf } from "../api/answer.ts";

export type ReportFact = readonly [name: string, value: string];

export interface RiskReport {
  readonly subject: readonly ReportFact[];
  readonly result: readonly ReportFact[];
  readonly reasons: readonly JsonObject[];
  readonly rules: readonly JsonObject[];
  readonly rules_checked: string;
  readonly exposure: readonly JsonObject[];
  readonly counterparties: readonly JsonObject[];
  /** Each with its category. */
  readonly sources: readonly JsonObject[];
  readonly lists: readonly JsonObject[];
  readonly method: readonly ReportFact[];
  readonly coverage: readonly ReportFact[];
  readonly unknown: readonly JsonObject[];
  readonly unlisted: readonly string[];
}

/** Numbers as the answer has them; a dash for what is not known. */
export const shownValue = (value: unknown): string => {
  if (typeof value === "number") return value.toLocaleString("en-US", { maximumFractionDigits: 2 });
  if (typeof value === "boolean") return value ? "yes" : "no";
  return textOf(value) ?? "–";
};

const facts = (pairs: readonly (readonly [string, unknown])[]): readonly ReportFact[] =>
  pairs.map(([name, value]) => [name, shownValue(value)]);

const gapsOf = (answer: JsonObject) => {
  const gaps = rowsOf(answer, "unavailable");
  return {
    unknown: gaps.filter(({ field }) => field !== "categories"),
    unlisted: gaps.flatMap(({ field, reason }) => (field === "categories" ? [shownValue(reason)] : [])),
  };
};

const sourcesOf = (categories: readonly JsonObject[]): readonly JsonObject[] =>
  categories.flatMap((category) =>
    rowsOf(category, "sources").map((source) => ({ ...source, category: category.category })),
  );

const tracingFacts = (tracing: JsonObject): readonly ReportFact[] =>
  facts([
    ["Tracing is complete", tracing.is_complete],
    ["Addresses followed", tracing.wallets_followed],
    ["Hubs not followed", tracing.hubs_not_followed],
    ["Addresses left out", tracing.wallets_left_out],
    ["USD over unmatched bridges", tracing.bridge_unmatched_usd],
    ["USD not followed", tracing.not_followed_usd],
  ]);

const methodFacts = (model: unknown, tracing: JsonObject): readonly ReportFact[] =>
  facts([
    ["Model", model],
    ["Tracing", tracing.method],
  ]);

/** Block, hash and time that the answer states. */
const asOfFacts = (metadata: JsonObject): readonly ReportFact[] => {
  const as_of = fieldsOf(metadata.as_of);
  const number = typeof as_of.block_number === "number" ? String(as_of.block_number) : null;
  return facts([
    ["Index at block", number],
    ["Block hash", as_of.block_hash],
    ["Time of the block", as_of.timestamp],
  ]);
};

const warningsOf = (metadata: JsonObject): readonly JsonObject[] =>
  rowsOf(metadata, "warnings").map(({ code, message }) => ({ field: code, reason: message }));

const walletReport = (body: JsonObject): RiskReport => {
  const [metadata, tracing] = [fieldsOf(body.metadata), fieldsOf(body.tracing)];
  const [range, sanctions] = [fieldsOf(body.score_range), fieldsOf(body.sanctions)];
  const categories = rowsOf(body, "categories");
  const { unknown, unlisted } = gapsOf(body);
  return {
    subject: [
      ...facts([
        ["Wallet", metadata.address],
        ["Network", metadata.chain],
        ["Chain id", metadata.chain_id],
      ]),
      ...asOfFacts(metadata),
    ],
    result: facts([
      ["Level", body.risk_level],
      ["Score", body.risk_score],
      ["Score is between", `${shownValue(range.min)} and ${shownValue(range.max)}`],
      ["On a sanctions list", sanctions.listed],
      ["Frozen by an issuer", fieldsOf(body.stablecoin_freezes).frozen_now],
      ["Known service", body.service_address],
    ]),
    reasons: [...categories, ...rowsOf(body, "behaviour")].map(({ category, code, score, evidence }) => ({
      ...{ code: category ?? code, weight: score, evidence },
    })),
    rules: rowsOf(body, "rules_fired"),
    rules_checked: shownValue(body.rules_checked),
    exposure: categories,
    counterparties: rowsOf(body, "related_risky_wallets").map(({ address, label, category, relation }) => ({
      ...{ address, label, role: relation, findings: category },
    })),
    sources: sourcesOf(categories),
    lists: rowsOf(metadata, "sources"),
    method: methodFacts(metadata.methodology, tracing),
    coverage: [...facts([["Percent of the history indexed", body.coverage_percent]]), ...tracingFacts(tracing)],
    unknown: [...unknown, ...warningsOf(metadata)],
    unlisted,
  };
};

const transferReport = (body: JsonObject, screening: JsonObject): RiskReport => {
  const [metadata, tracing] = [fieldsOf(body.metadata), fieldsOf(screening.tracing)];
  const exposure = rowsOf(screening, "exposure");
  const { unknown, unlisted } = gapsOf(screening);
  const block = typeof screening.as_of_block === "number" ? String(screening.as_of_block) : null;
  return {
    subject: [
      ...facts([
        ["Transaction", body.tx_hash],
        ["Asset", screening.asset],
        ["Direction", screening.direction],
        ["How money mixes", screening.method],
        ["USD", screening.usd],
        ["Network", body.network],
        ["History up to block", block],
        ["Time of the transaction", body.timestamp],
      ]),
      ...asOfFacts(metadata),
    ],
    result: facts([
      ["Verdict", screening.verdict ?? "not determined"],
      ["Level of the transfer", screening.risk_level],
      ["Score of the transfer", screening.risk_score],
    ]),
    reasons: rowsOf(screening, "reasons"),
    rules: rowsOf(screening, "rules_fired"),
    rules_checked: shownValue(screening.rules_checked),
    exposure,
    counterparties: rowsOf(screening, "counterparties").map((one) => ({
      ...{ address: one.address, label: one.label, role: one.role, level: one.risk_level, score: one.risk_score },
      findings: Array.isArray(one.categories) ? one.categories.join(", ") : null,
    })),
    sources: sourcesOf(exposure),
    lists: rowsOf(screening, "lists"),
    method: methodFacts(screening.model, tracing),
    coverage: [...facts([["Percent of the history indexed", screening.coverage_percent]]), ...tracingFacts(tracing)],
    unknown: [...unknown, ...warningsOf(metadata)],
    unlisted,
  };
};

/** Null for an answer that has neither. */
export const reportOf = (body: JsonObject): RiskReport | null => {
  if (isFields(body.screening)) return transferReport(body, body.screening);
  return body.type === "wallet_risk_overview" ? walletReport(body) : null;
};
