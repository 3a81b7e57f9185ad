/** One plain sentence for a result: what was called, and the figure that readers look for first. Unknown figures are named as unknown. */
import { isRecord } from "../lib/record.ts";
import type { CaseResult, JsonMembers } from "./format.ts";

const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (inner, name) => (isRecord(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
    value,
  );

const numberText = (value: unknown): string =>
  typeof value === "number" ? value.toLocaleString("en-US", { maximumFractionDigits: 2 }) : "an unknown number";

const usdText = (value: unknown): string =>
  typeof value === "number" ? `${value < 0 ? "-" : ""}$${numberText(Math.abs(value))}` : "an unknown amount";

const dayText = (value: unknown): string => (typeof value === "string" ? value.slice(0, 10) : "an unknown day");

const wordText = (value: unknown): string =>
  typeof value === "string" && value !== "" ? value.replaceAll("_", " ") : "unknown";

/** The subject of a call: a transaction, an address or a name. */
const SUBJECTS = ["tx_hash", "address", "wallet_address", "token_address", "contract_address", "ens_name", "name"];

export const subjectOf = ({ arguments: args }: Pick<CaseResult, "arguments">): string | null => {
  const found = SUBJECTS.map((name) => args[name]).find((value) => typeof value === "string" && value !== "");
  return typeof found === "string" ? found : null;
};

type Sentence = (answer: JsonMembers, subject: string) => string;

const riskSentence: Sentence = (answer, subject) => {
  const range = [at(answer, "score_range", "min"), at(answer, "score_range", "max")];
  const between = range[0] === range[1] ? "" : `, between ${numberText(range[0])} and ${numberText(range[1])}`;
  const score = `score ${numberText(answer.risk_score)}${between}`;
  const listed = at(answer, "sanctions", "listed");
  const sanctions =
    listed === true ? " It is on a sanctions list." : listed === false ? " No checked sanctions list names it." : "";
  return `The risk level of ${subject} is ${wordText(answer.risk_level)} (${score}).${sanctions}`;
};

const pnlSentence: Sentence = (answer, subject) => {
  const figure = (name: string): unknown => at(answer, "summary", name);
  const uncosted = figure("uncosted_value_usd");
  const missing =
    typeof uncosted === "number" && uncosted > 0
      ? ` Holdings of ${usdText(uncosted)} have no known cost and are not part of it.`
      : "";
  return `${subject} realized ${usdText(figure("total_realized_pnl_usd"))}, and ${usdText(figure("total_unrealized_pnl_usd"))} is unrealized.${missing}`;
};

const tokenRiskSentence: Sentence = (answer, subject) => {
  const flag = at(answer, "security_flags", "is_honeypot");
  const sale =
    flag === true
      ? " Holders cannot sell it."
      : flag === false
        ? ` A simulated sale works, at a tax of ${numberText(at(answer, "taxes", "sell_tax_percent"))} %.`
        : " Assay could not determine whether holders can sell it.";
  return `The risk level of the token ${subject} is ${wordText(at(answer, "risk_overview", "risk_level"))}.${sale}`;
};

const transactionSentence: Sentence = (answer, subject) =>
  typeof answer.summary_text === "string"
    ? `Transaction ${subject}: ${answer.summary_text}`
    : `Assay analyzed the transaction ${subject}.`;

const blacklistSentence: Sentence = (answer, subject) =>
  answer.is_blacklisted === true
    ? `An issuer of a stablecoin has blacklisted ${subject}.`
    : answer.is_blacklisted === false
      ? `No checked issuer of a stablecoin blacklists ${subject}.`
      : `Assay could not determine whether an issuer blacklists ${subject}.`;

const SENTENCES: Readonly<Record<string, Sentence>> = {
  analyze_transaction: transactionSentence,
  get_token_risk_traits: tokenRiskSentence,
  get_wallet_risk_overview: riskSentence,
  get_wallet_risk_score: riskSentence,
  get_wallet_pnl: pnlSentence,
  is_address_blacklisted_by_stablecoin: blacklistSentence,
  get_wallet_counterparties: (answer, subject) =>
    `${subject} has ${numberText(at(answer, "summary", "counterparty_count"))} counterparties in the window of the call.`,
  get_wallet_stats: (answer, subject) =>
    `${subject} made ${numberText(answer.tx_count)} transactions from ${dayText(answer.first_seen)} to ${dayText(answer.last_seen)}; it received ${usdText(answer.total_in_usd)} and paid ${usdText(answer.total_out_usd)}.`,
  get_wallet_portfolio_breakdown: (answer, subject) =>
    `${subject} holds assets of ${usdText(answer.total_value_usd)} as far as prices are known.`,
  get_token_info: (answer, subject) =>
    `The token ${subject} calls itself ${wordText(answer.symbol)} (${wordText(answer.name)}) and has ${numberText(answer.holders_count)} holders.`,
};

/** Figures that the answer names as unknown. */
const gapsOf = ({ unavailable }: JsonMembers): string => {
  const count = Array.isArray(unavailable) ? unavailable.length : 0;
  return count === 0
    ? ""
    : ` ${count} ${count === 1 ? "figure is" : "figures are"} unknown; the result gives the reasons.`;
};

/** The sentence of a result. It is untrusted text: names of tokens come from strangers. */
export const sentenceOf = ({ tool, answer, ...call }: CaseResult): string => {
  const subject = subjectOf(call) ?? "the whole network";
  if (answer.status === "no_data") {
    const message = typeof answer.message === "string" ? ` ${answer.message}` : "";
    return `${wordText(tool)} found nothing about ${subject}.${message}`;
  }
  const own = Object.hasOwn(SENTENCES, tool) ? SENTENCES[tool] : undefined;
  return `${own?.(answer, subject) ?? `${wordText(tool)} answered about ${subject}.`}${gapsOf(answer)}`;
};
