/** Warnings shown first: findings that cost money when overlooked. */
import { worded } from "../../../src/charts/words.ts";
import { fieldsOf, type JsonObject, textOf } from "../api/answer.ts";
import { wordsOf } from "../ui/format.ts";
import { rowsAt } from "./read.ts";

export interface Danger {
  readonly title: string;
  readonly text: string;
}

const SHOWN_MAX = 4;

const GRAVE = ["critical", "high"];

const graveRows = (body: JsonObject, path: string): readonly Danger[] => {
  const grave = rowsAt(body, path).filter(({ severity }) => GRAVE.includes(String(severity)));
  const sorted = grave.toSorted((a, b) => GRAVE.indexOf(String(a.severity)) - GRAVE.indexOf(String(b.severity)));
  return sorted.map(({ code, description }) => ({
    title: wordsOf(worded(String(code ?? "finding"))),
    text: textOf(description) ?? "",
  }));
};

/** Reasons of answers are clauses; beside other sentences they are written as one. */
const sentenceOf = (clause: string): string => {
  const text = clause.trim();
  const end = text === "" || /[.!?]$/.test(text) ? "" : ".";
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${end}`;
};

const impersonation = ({ impersonates }: JsonObject): readonly Danger[] => {
  const { canonical_address, reason } = fieldsOf(impersonates);
  if (typeof canonical_address !== "string") return [];
  const text =
    `${sentenceOf(textOf(reason) ?? "")} The token that it copies is ${canonical_address}. That its source is published proves nothing.`.trim();
  return [{ title: "This token pretends to be another one", text }];
};

const RULES: Readonly<Record<string, (body: JsonObject) => readonly Danger[]>> = {
  analyze_transaction: (body) => graveRows(body, "risk_flags"),
  get_token_info: impersonation,
  get_token_risk_traits: (body) => graveRows(body, "alerts"),
};

/** The gravest first, four at most: the tables below have all of them. */
export const dangersOf = (tool: string, body: JsonObject): readonly Danger[] =>
  Object.hasOwn(RULES, tool) ? (RULES[tool]?.(body) ?? []).slice(0, SHOWN_MAX) : [];
