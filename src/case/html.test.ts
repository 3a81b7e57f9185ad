import { parse } from "parse5";
import { expect, test } from "vitest";
import { sha256Base64 } from "../lib/sha256.ts";
import { type CaseFile, emptyCase, NO_MARKS } from "./format.ts";
import { caseHtml, caseJsonOf } from "./html.ts";
import { caseResultOf } from "./pin.ts";
import { readCase } from "./read.ts";

const HOSTILE = [
  "</script><script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<!--<script>",
  '"onmouseover="alert(1)',
  "\u202eesrever\u2066",
  "\u2028&amp;",
  "x".repeat(10_000),
];

const entry = caseResultOf({
  id: "e1",
  tool: "get_wallet_counterparties",
  arguments: { address: HOSTILE[0], network: "demo" },
  answer: {
    summary: { largest: 1.5, none: null },
    data: HOSTILE.map((label) => ({ peer: { address: label, label }, interaction_count: 1, [label]: 1 })),
    metadata: {
      chain: HOSTILE[1],
      as_of: { block_number: 1, block_hash: HOSTILE[3], timestamp: "2026-11-25T12:00:00Z" },
    },
  },
  request_id: HOSTILE[2] ?? "",
  credits: 25,
  asked_at: "2026-11-25T12:00:00Z",
  catalog_version: null,
});

const graph = {
  ...{ id: "g1", title: HOSTILE[0] ?? "", saved_at: entry.asked_at, network: "demo", start: HOSTILE[1] ?? "" },
  ...{ expansions: [{ entry: "e1", categories: [] }], pinned: [], places: [], ...NO_MARKS },
};

const CASE: CaseFile = {
  ...emptyCase(HOSTILE[0] ?? "", entry.asked_at),
  notes: HOSTILE.map((text, i) => ({ id: `n${i}`, at: entry.asked_at, text, entry: i === 0 ? "e1" : null })),
  entries: [entry],
  graphs: [graph],
};

interface HtmlNode {
  readonly nodeName: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly HtmlNode[];
}

/** Excludes the contents of charts, which have their own test. */
const elementsOf = (node: HtmlNode): readonly HtmlNode[] => [
  node,
  ...(node.nodeName === "svg" ? [] : (node.childNodes ?? []).flatMap(elementsOf)),
];
const everyOf = (node: HtmlNode): readonly HtmlNode[] => [node, ...(node.childNodes ?? []).flatMap(everyOf)];
const html = caseHtml(CASE);
// parse5 types its tree by adapters; these members exist on each of its nodes.
const tree = parse(html) as unknown as HtmlNode;
const elements = elementsOf(tree);

test("contains only its own elements for any untrusted text, none that executes or loads, and one data block", () => {
  const names = new Set(elements.map(({ nodeName }) => nodeName).filter((name) => !name.startsWith("#")));
  expect([...names].sort()).toEqual([
    ...[
      "article",
      "bdi",
      "body",
      "caption",
      "code",
      "dd",
      "details",
      "div",
      "dl",
      "dt",
      "figure",
      "h1",
      "h2",
      "head",
      "html",
    ],
    ...[
      "li",
      "main",
      "meta",
      "ol",
      "p",
      "pre",
      "script",
      "section",
      "style",
      "summary",
      "svg",
      "table",
      "tbody",
      "td",
      "th",
      "thead",
    ],
    ...["time", "title", "tr"],
  ]);
  const scripts = elements.filter(({ nodeName }) => nodeName === "script");
  expect(scripts.map(({ attrs }) => attrs)).toEqual([
    [
      { name: "type", value: "application/json" },
      { name: "id", value: "assay-case" },
    ],
  ]);
  const drawn = elements.filter(({ nodeName }) => nodeName === "svg").flatMap(everyOf);
  expect(drawn.length).toBeGreaterThan(10);
  const alive = ["script", "style", "foreignobject", "image", "use", "a", "animate", "set", "iframe"];
  expect(drawn.filter(({ nodeName }) => alive.includes(nodeName.toLowerCase()))).toEqual([]);
  const attributes = new Set([...elements, ...drawn].flatMap(({ attrs = [] }) => attrs.map(({ name }) => name)));
  expect([...attributes].filter((name) => /^on|^src$|^href$|^style$/.test(name))).toEqual([]);
  expect(html).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
});

test("allows only the page's own style in its policy", () => {
  const style = html.slice(html.indexOf("<style>") + 7, html.indexOf("</style>"));
  const metas = elements.filter(({ nodeName }) => nodeName === "meta").flatMap(({ attrs = [] }) => attrs);
  const policy = metas.find(({ value }) => value.startsWith("default-src"))?.value ?? "";
  expect(policy).toBe(
    `default-src 'none'; style-src 'sha256-${sha256Base64(style)}'; base-uri 'none'; form-action 'none'`,
  );
  // printf '' | openssl dgst -sha256 -binary | base64
  expect(sha256Base64("")).toBe("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
});

test("embeds the whole case, and reads it back unchanged", () => {
  const bidi = { ...CASE, title: "plain" };
  const again = readCase(caseJsonOf(caseHtml(bidi)));
  expect(again).toEqual({ kind: "read", file: bidi });
  expect(caseJsonOf('{"format":1}')).toBe('{"format":1}');
  expect(readCase(caseJsonOf("<!doctype html><p>another page"))).toMatchObject({ kind: "refused" });
});

test("shows notes, figures, rows, the graph and the block, and marks a truncated text", () => {
  for (const text of [
    "Summary",
    "Method and hashes",
    entry.answer_sha256,
    "summary.largest",
    "get_wallet_counterparties",
    "demo",
    "Graph:",
    "(10000 characters)",
  ])
    expect(html).toContain(text);
  const many = { ...entry, answer: { data: Array.from({ length: 201 }, (_, i) => ({ n: i })) } };
  expect(caseHtml({ ...CASE, entries: [many], graphs: [] })).toContain("and 1 more rows");
});
