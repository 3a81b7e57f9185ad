/** Exports a case as one HTML file that a browser shows without network and script, and that can be verified like the JSON. */
import { CHART_CSS, chartOf, svgText } from "../charts/index.ts";
import { isRecord } from "../lib/record.ts";
import { sha256Base64 } from "../lib/sha256.ts";
import type { CaseFile, CaseResult, SavedGraph } from "./format.ts";
import { graphOf } from "./graph.ts";
import { graphPicture } from "./graph_picture.ts";
import { edgeTable, nodeTable, traceTable } from "./graph_tables.ts";
import { shownOf } from "./graph_view.ts";
import { htmlText, jsonBlock, jsonBlockOf, tag } from "./html_text.ts";
import { sentenceOf } from "./sentences.ts";
import { CASE_STYLE } from "./style.ts";
import { summaryOf } from "./summary.ts";
import { type CaseCell, type CaseTable, tablesOf } from "./tables.ts";

const BLOCK_ID = "assay-case";

/** Maximum rows shown of a list; the embedded JSON has all of them. */
const ROWS_MAX = 200;

/** Maximum characters shown of a cell; the embedded JSON has all of them. */
const CELL_MAX = 200;

const STYLE = `${CASE_STYLE}${CHART_CSS}`;

export const caseHtml = (file: CaseFile): string => {
  const policy = `default-src 'none'; style-src 'sha256-${sha256Base64(STYLE)}'; base-uri 'none'; form-action 'none'`;
  return [
    "<!doctype html>",
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    tag("title", htmlText(file.title || "Case")),
    `<style>${STYLE}</style></head><body><main>`,
    ...head(file),
    ...noteSection(file),
    ...file.graphs.map((graph, i) => graphSection(file, graph, i)),
    ...file.entries.map((entry, i) => section(file, entry, i)),
    ...method(file),
    "</main>",
    jsonBlock(BLOCK_ID, JSON.stringify(file)),
    "</body></html>",
  ].join("\n");
};

/** The JSON of a case in a page of `caseHtml`, or the text itself when it is not a page. */
export const caseJsonOf = (text: string): string =>
  /^\s*<!doctype html>/i.test(text.slice(0, 200)) ? (jsonBlockOf(text, BLOCK_ID) ?? "") : text;

/** Title and summary, in sentences. */
const head = (file: CaseFile): readonly string[] => {
  const { facts: sentences, findings } = summaryOf(file);
  return [
    tag("h1", bdi(file.title || "Case")),
    tag("p", `Begun ${htmlText(file.created_at)}.`),
    tag("h2", "Summary"),
    tag("p", htmlText(sentences.join(" "))),
    ...(findings.length === 0 ? [] : [tag("ol", findings.map((text) => tag("li", bdi(text))).join("\n"))]),
  ];
};

const bdi = (text: string): string => tag("bdi", htmlText(text));

/** Notes about a result, or about the case (null). */
const notesOn = ({ notes }: CaseFile, entry: string | null): readonly string[] =>
  notes
    .filter((note) => note.entry === entry)
    .map(({ at, text }) =>
      tag("article", tag("p", tag("time", htmlText(at))) + tag("pre", htmlText(text, 20_000)), { class: "note" }),
    );

const noteSection = (file: CaseFile): readonly string[] => {
  const notes = notesOn(file, null);
  return notes.length === 0 ? [] : [tag("h2", "Notes"), ...notes];
};

/** How to check the page, and what each answer is. */
const method = ({ entries }: CaseFile): readonly string[] => [
  tag("h2", "Method and hashes"),
  tag(
    "p",
    "Each result is one call of Assay and its whole answer, with the block that it is of. The SHA-256 is that of the answer as " +
      "canonical JSON (RFC 8785). This page contains every answer as JSON, runs no script and sends no request. " +
      `${tag("code", "assay case verify FILE")} repeats every call as of its block and compares the answers byte by byte.`,
  ),
  table({
    name: "results",
    columns: ["number", "tool", "block", "block hash", "called", "request", "SHA-256"],
    rows: entries.map(({ tool, as_of, asked_at, request_id, answer_sha256 }, i) => [
      ...[i + 1, tool],
      as_of.map(({ network, block_number }) => `${network} ${block_number}`).join("; ") || null,
      as_of.map(({ block_hash }) => block_hash).join("; ") || null,
      ...[asked_at, request_id, answer_sha256],
    ]),
  }),
];

const section = (file: CaseFile, entry: CaseResult, i: number): string => {
  const { metadata } = entry.answer;
  const picture = chartOf(entry.tool, entry.answer, { id: `entry-${i}` });
  return tag(
    "section",
    [
      tag("h2", `${i + 1}. ${htmlText(entry.tool)}`),
      tag("p", bdi(sentenceOf(entry))),
      ...notesOn(file, entry.id),
      facts(entry),
      picture === null ? "" : tag("figure", svgText(picture)),
      entry.answer.status === "no_data" ? tag("p", absenceText(entry.answer)) : "",
      ...tablesOf(entry.answer).map(table),
      isRecord(metadata) ? details("How it was made", tablesOf(metadata).map(table).join("")) : "",
    ].join("\n"),
  );
};

/** Answers of older services do not say what was searched. */
const absenceText = ({ message }: CaseResult["answer"]): string =>
  htmlText(typeof message === "string" ? `Nothing was found. ${message}` : "Looked up, and nothing was found.");

const details = (summary: string, inner: string): string => tag("details", tag("summary", htmlText(summary)) + inner);

const facts = (entry: CaseResult): string => {
  const blocks = entry.as_of.map(
    ({ network, block_number, block_hash, timestamp }) =>
      `${network} block ${block_number} (${block_hash}), ${timestamp}`,
  );
  const rows: readonly (readonly [string, string])[] = [
    ["Asked", JSON.stringify(entry.arguments)],
    ["As of", blocks.length === 0 ? "the answer names no block" : blocks.join("; ")],
    ["When", entry.asked_at],
    ["Request", entry.request_id ?? "not known"],
    ["Credits", entry.credits === null ? "not known" : String(entry.credits)],
    ["Catalog", entry.catalog_version ?? "not known"],
    ["SHA-256", entry.answer_sha256],
  ];
  return tag("dl", rows.map(([name, text]) => tag("dt", name) + tag("dd", bdi(text))).join(""));
};

const cell = (value: CaseCell): string => {
  if (value === null) return tag("td", "–");
  if (typeof value === "number") return tag("td", String(value), { class: "number" });
  return tag("td", tag("bdi", htmlText(String(value), CELL_MAX)));
};

const table = ({ name, columns, rows }: CaseTable): string => {
  const shown = rows.slice(0, ROWS_MAX);
  const more =
    rows.length > shown.length ? tag("p", `and ${rows.length - shown.length} more rows, in the JSON of this file`) : "";
  const header = tag(
    "thead",
    tag("tr", columns.map((column) => tag("th", htmlText(column), { scope: "col" })).join("")),
  );
  const body = tag("tbody", shown.map((row) => tag("tr", row.map(cell).join(""))).join("\n"));
  return (
    tag("div", tag("table", tag("caption", htmlText(name)) + header + body), { class: "scroll", tabindex: "0" }) + more
  );
};

const graphSection = (file: CaseFile, saved: SavedGraph, i: number): string => {
  const entries = new Map(file.entries.map((entry) => [entry.id, entry]));
  const graph = graphOf({ start: saved.start, expansions: saved.expansions, entries });
  const picture = graphPicture(shownOf(graph, saved), saved, { id: `graph-${i}` });
  return tag(
    "section",
    [
      tag("h2", `Graph: ${bdi(saved.title)}`),
      tag("p", `On ${htmlText(saved.network)} from ${bdi(saved.start)}, saved ${htmlText(saved.saved_at)}.`),
      picture === null ? "" : tag("figure", svgText(picture)),
      graph.traces.length === 0 ? "" : table(traceTable(graph)),
      table(edgeTable(graph)),
      table(nodeTable(graph)),
    ].join("\n"),
  );
};
