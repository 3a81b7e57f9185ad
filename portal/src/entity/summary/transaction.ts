import { worded } from "../../../../src/charts/words.ts";
import { fieldsOf, type JsonObject, textOf } from "../../api/answer.ts";
import { leadOf } from "../../sheet/lead.ts";
import { at, rowsAt } from "../../sheet/read.ts";
import { amountText, usdText } from "../../ui/format.ts";
import { shortId } from "../page_address.ts";
import { capital, type RowAnswer, type SummaryPlan, type SummaryText, type Tone, type Verdict } from "./model.ts";

const TOOL = "analyze_transaction";

const sentence = (body: JsonObject): RowAnswer => {
  const text = textOf(at(body, "summary_text"));
  const reason = textOf(at(body, "revert.reason"));
  const notes = reason === null ? [] : [`The contract's reason: ${reason}`];
  if (text === null) return { parts: ["Unknown"], tone: "unknown", notes };
  return { parts: [leadOf(text, body)], tone: at(body, "status") === "failed" ? "bad" : "plain", notes };
};

const CHANGES_MAX = 6;

/** `+23,884.58 HRB ($1,807.48)`; the value is absent where it is unknown. */
const changeText = ({ amount, symbol, token, token_id, usd_value }: JsonObject): string => {
  const name = typeof symbol === "string" && symbol !== "" ? symbol : shortId(String(token));
  const value = typeof usd_value === "number" ? ` (${usdText(Math.abs(usd_value))})` : " (value unknown)";
  if (typeof token_id === "string")
    return `${amount === null || Number(amount) >= 0 ? "+" : "−"}#${token_id} of ${name}`;
  if (typeof amount !== "number") return `${name}, amount unknown`;
  return `${amount < 0 ? "−" : "+"}${amountText(Math.abs(amount))} ${name}${value}`;
};

const moved = (body: JsonObject): RowAnswer => {
  const actor = textOf(at(body, "headline.actor")) ?? textOf(at(body, "from.address")) ?? "";
  const changes = rowsAt(body, "asset_changes");
  const own = changes.filter(({ address }) => address === actor);
  const others = new Set(changes.filter(({ address }) => address !== actor).map(({ address }) => address)).size;
  const party: SummaryText = { kind: "address", value: actor };
  const rest = own.length > CHANGES_MAX ? [`${own.length - CHANGES_MAX} more changes are in the details.`] : [];
  const notes = [
    ...rest,
    ...(others > 0
      ? [`${others} other ${others === 1 ? "address" : "addresses"} gained or lost: see the details.`]
      : []),
    "The network fee is not included.",
  ];
  if (own.length === 0) return { parts: ["Nothing of ", party], tone: "plain", notes };
  const texts = own.slice(0, CHANGES_MAX).map(changeText);
  return { parts: [party, ": ", texts.join(", ")], tone: "plain", notes };
};

const SEVERITY_TONES: Readonly<Record<string, Tone>> = { low: "warn", medium: "warn", high: "bad", critical: "bad" };

/** Being part of a sandwich costs a trader money, so it is a sign as well. */
const SANDWICH = "sandwich_victim";

const flags = (body: JsonObject): RowAnswer => {
  const rows = rowsAt(body, "risk_flags");
  const mev = textOf(at(body, "mev.kind"));
  const signs = [
    ...rows.map(({ code, severity }) => `${worded(String(code))} (${String(severity)})`),
    ...(mev === SANDWICH ? [worded(mev)] : []),
  ];
  const notes = rows.map(({ description }) => textOf(description) ?? "").filter((text) => text !== "");
  const other = mev === null || mev === SANDWICH ? [] : [`Kind of profit: ${worded(mev)}.`];
  if (signs.length === 0) return { parts: ["None of the checked signs was found"], tone: "good", notes: other };
  const is_bad = rows.some(({ severity }) => SEVERITY_TONES[String(severity)] === "bad");
  return { parts: [capital(signs.join(", "))], tone: is_bad ? "bad" : "warn", notes: [...notes, ...other] };
};

const state = (body: JsonObject): RowAnswer => {
  const status = textOf(at(body, "status")) ?? "unknown";
  const final = at(body, "finalized");
  const words = final === true ? ", final" : final === false ? ", not final yet" : "";
  const parts: readonly SummaryText[] = [
    `${capital(worded(status))}${words}, `,
    { kind: "time", value: at(body, "timestamp") },
    ", fee ",
    { kind: "usd", value: at(body, "fee.usd") },
  ];
  return { parts, tone: status === "success" ? "plain" : status === "failed" ? "bad" : "unknown", notes: [] };
};

const verdictOf = (body: JsonObject): Verdict => {
  const { parts, tone, notes } = flags(body);
  if (tone !== "good") return { tone, text: "Signs of risk", reason: notes[0] ?? `${String(parts[0])}.` };
  if (at(body, "status") === "failed") {
    const reason = textOf(at(body, "revert.reason"));
    return { tone: "bad", text: "Failed", reason: reason === null ? null : `The contract's reason: ${reason}` };
  }
  return { tone: "good", text: "No sign of risk", reason: `${String(parts[0])}.` };
};

const head: SummaryPlan["head"] = (read) => {
  const body = read(TOOL);
  const category = textOf(at(body, "category"));
  const usd = fieldsOf(at(body, "headline")).usd_value;
  const value = typeof usd === "number" ? usd : null;
  return {
    name: null,
    symbol: null,
    kind: category === null ? null : worded(category),
    figure: value === null ? null : { title: "Value", usd: value, reason: null, note: null },
    verdict: body === null ? null : verdictOf(body),
  };
};

export const TRANSACTION_SUMMARY: SummaryPlan = {
  tools: [TOOL],
  rows: [
    { question: "In one sentence", tool: TOOL, read: sentence },
    { question: "What moved", tool: TOOL, read: moved },
    { question: "Signs of risk", tool: TOOL, read: flags },
    { question: "State and fee", tool: TOOL, read: state },
  ],
  head,
};
