import { expect, test } from "vitest";
import { svgText } from "../charts/index.ts";
import { type CaseFile, type CaseResult, emptyCase } from "./format.ts";
import { graphOf } from "./graph.ts";
import { graphFile, graphPicture } from "./graph_picture.ts";
import { caseHtml } from "./html.ts";
import { caseResultOf } from "./pin.ts";
import { sentenceOf } from "./sentences.ts";
import { summaryOf } from "./summary.ts";

const blockOf = (block_number: number, chain = "demo") => ({
  ...{ chain, as_of: { block_number, block_hash: "0xaa", timestamp: "2026-11-20T12:00:00Z" } },
});

const resultOf = (tool: string, args: object, answer: object, asked_at = "2026-11-20T12:00:00Z"): CaseResult =>
  caseResultOf({
    ...{
      id: `${tool}-${asked_at.slice(8, 10)}`,
      tool,
      arguments: { ...args },
      answer: { metadata: blockOf(7), ...answer },
    },
    ...{ request_id: null, credits: 1, asked_at, catalog_version: null },
  });

test.each<[string, object, object, string]>([
  [
    "get_wallet_risk_overview",
    { address: "0x01" },
    { risk_level: "high", risk_score: 82.456, score_range: { min: 70, max: 90 }, sanctions: { listed: true } },
    "The risk level of 0x01 is high (score 82.46, between 70 and 90). It is on a sanctions list.",
  ],
  [
    "get_wallet_risk_overview",
    { address: "0x01" },
    { risk_level: null, risk_score: null, score_range: { min: 0, max: 0 }, sanctions: { listed: null } },
    "The risk level of 0x01 is unknown (score an unknown number).",
  ],
  [
    "get_wallet_pnl",
    { address: "0x01" },
    {
      summary: { total_realized_pnl_usd: 1_621.4, total_unrealized_pnl_usd: -570.7, uncosted_value_usd: 106_785 },
      unavailable: [{ field: "x", reason: "y" }],
    },
    "0x01 realized $1,621.4, and -$570.7 is unrealized. Holdings of $106,785 have no known cost and are not part of it. 1 figure is unknown; the result gives the reasons.",
  ],
  [
    "get_token_risk_traits",
    { token_address: "0x02" },
    {
      risk_overview: { risk_level: "medium" },
      security_flags: { is_honeypot: false },
      taxes: { sell_tax_percent: 10 },
    },
    "The risk level of the token 0x02 is medium. A simulated sale works, at a tax of 10 %.",
  ],
  [
    "get_token_risk_traits",
    { token_address: "0x02" },
    { risk_overview: { risk_level: "unknown" }, security_flags: { is_honeypot: null }, taxes: {} },
    "The risk level of the token 0x02 is unknown. Assay could not determine whether holders can sell it.",
  ],
  [
    "analyze_transaction",
    { tx_hash: "0x03" },
    { summary_text: "0x01 swapped 1 ETH for 2 USDC." },
    "Transaction 0x03: 0x01 swapped 1 ETH for 2 USDC.",
  ],
  [
    "get_wallet_deployed_contracts",
    { address: "0x01" },
    { status: "no_data", message: "It deployed nothing on demo." },
    "get wallet deployed contracts found nothing about 0x01. It deployed nothing on demo.",
  ],
  ["resolve_name", { name: "alice.eth" }, { address: "0x01" }, "resolve name answered about alice.eth."],
])("reports %s of %j in a sentence", (tool, args, answer, sentence) => {
  expect(sentenceOf(resultOf(tool, args, answer))).toBe(sentence);
});

test("the summary counts subjects once, and names days, blocks and altered answers", () => {
  const file: CaseFile = {
    ...emptyCase("C", "2026-11-19T12:00:00Z"),
    entries: [
      resultOf("get_wallet_stats", { address: "0xAA" }, {}, "2026-11-20T12:00:00Z"),
      resultOf("get_wallet_pnl", { address: "0xaa" }, { metadata: blockOf(9) }, "2026-11-22T12:00:00Z"),
      resultOf("get_token_info", { token_address: "0xbb" }, { metadata: blockOf(5, "base") }, "2026-11-21T12:00:00Z"),
    ],
    notes: [{ id: "n", at: "2026-11-19T12:00:00Z", text: "x", entry: null }],
  };
  expect(summaryOf(file).facts).toEqual([
    "The case has 3 results about 2 subjects, collected from 2026-11-20 to 2026-11-22.",
    "The answers are as of demo blocks 7 to 9 and base block 5.",
    "Each answer matches its hash.",
    "It has 1 note and 0 graphs.",
  ]);
  const [first, second, third] = file.entries;
  if (first === undefined || second === undefined || third === undefined) throw new Error("three results");
  const altered = { ...file, entries: [first, { ...second, answer: {} }, { ...third, answer: {} }] };
  expect(summaryOf(altered).facts).toContain("The file was altered: result 2 and result 3 do not match the hash.");
  expect(summaryOf(emptyCase("C", file.created_at)).facts).toEqual([
    "The case has no result yet.",
    "It has 0 notes and 0 graphs.",
  ]);
});

test("the report begins with the summary, shows notes at their result, and ends with the method", () => {
  const entry = resultOf("get_wallet_stats", { address: "0xAA" }, {});
  const notes = [
    { id: "a", at: entry.asked_at, text: "of the case", entry: null },
    { id: "b", at: entry.asked_at, text: "of the result", entry: entry.id },
  ];
  const html = caseHtml({ ...emptyCase("C", entry.asked_at), entries: [entry], notes });
  const body = html.slice(0, html.indexOf("</main>"));
  const order = [
    ">Summary<",
    ">of the case<",
    ">1. get_wallet_stats<",
    ">of the result<",
    ">Asked<",
    ">Method and hashes<",
  ];
  expect(order.map((text) => body.indexOf(text))).toEqual(
    order.map((text) => body.indexOf(text)).toSorted((a, b) => a - b),
  );
  expect(order.filter((text) => !body.includes(text))).toEqual([]);
  expect(body.slice(body.indexOf("Method and hashes"))).toContain(entry.answer_sha256);
});

/** `payer` paid 100 USD to `payee`, and got 25 back. */
const payments = resultOf(
  "get_wallet_counterparties",
  { address: "payer" },
  {
    data: [
      {
        peer: { address: "payee", label: "<b>Exchange</b>", category: "exchange" },
        ...{
          interaction_count: 2,
          tx_count: 2,
          volume_out_usd: 100,
          volume_in_usd: 25,
          transfers_out: 1,
          transfers_in: 1,
        },
      },
    ],
    metadata: { ...blockOf(7), address: "payer" },
  },
);

test("the picture of a graph has an arrow from each payer to its payee, at the stored positions", () => {
  const graph = graphOf({
    ...{ start: "payer", expansions: [{ entry: payments.id, categories: [] }] },
    entries: new Map([[payments.id, payments]]),
  });
  // The picture is 960 by 600 with a margin of 90: the ends of both axes are at 90 and 870, and at 90 and 510.
  const places = [
    ["payer", -1, 5],
    ["payee", 1, 9],
  ] as const;
  const text = svgText(graphPicture(graph, { places }, { id: "g" }) ?? { tag: "none", attrs: {}, children: [] });
  expect(text).toContain('<g class="start"><circle cx="90" cy="90" r="9" class="peer kind-wallet"/></g>');
  // An exchange is a square around its position.
  expect(text).toContain('<rect x="864.6" y="504.6" width="10.8" height="10.8" class="peer kind-exchange"/>');
  expect(text).toContain("Payments between 2 of 2 addresses: 2 of 2 arrows from payer to payee.");
  expect(text).toContain("&lt;b&gt;Exchange&lt;/b&gt;");
  // The larger payment first, at the full width of 5; the other a quarter of the value, at 1 + 4 * 0.5.
  const arrows = [...text.matchAll(/<path d="M([\d.]+) [^"]*" class="flow" stroke-width="([\d.]+)"/g)];
  expect(arrows.map(([, x, width]) => [Number(x) < 480 ? "from the payer" : "from the payee", width])).toEqual([
    ["from the payer", "5"],
    ["from the payee", "3"],
  ]);
  expect(text.match(/>\$\d+</g)).toEqual([">$100<", ">$25<"]);
});

test("a graph without an edge has no picture, and one without positions is laid out on rings", () => {
  const lone = graphOf({ start: "payer", expansions: [], entries: new Map() });
  expect(graphPicture(lone, { places: [] }, { id: "g" })).toBe(null);
  const graph = graphOf({
    ...{ start: "payer", expansions: [{ entry: payments.id, categories: [] }] },
    entries: new Map([[payments.id, payments]]),
  });
  expect(
    svgText(graphPicture(graph, { places: [] }, { id: "g" }) ?? { tag: "none", attrs: {}, children: [] }),
  ).not.toMatch(/NaN|Infinity/);
});

test("the picture as a file stands alone: title, blocks, legend and colours, and names of strangers stay text", () => {
  const hostile = {
    ...payments,
    answer: {
      ...payments.answer,
      data: [
        {
          peer: { address: "payee", label: '"><script>alert(1)</script>\u202egnp', category: "mixer" },
          ...{
            interaction_count: 1,
            tx_count: 1,
            volume_out_usd: 100,
            volume_in_usd: 0,
            transfers_out: 1,
            transfers_in: 0,
          },
          tokens: [{ symbol: "<b>&#x41;", address: "t", amount_out: 2, amount_out_raw: "2", amount_in_raw: "0" }],
          last_interaction: "2026-01-02T00:00:00Z",
        },
      ],
    },
  };
  const graph = graphOf({
    ...{ start: "payer", expansions: [{ entry: payments.id, categories: [] }] },
    entries: new Map([[payments.id, hostile]]),
  });
  const file = graphFile(graph, { places: [] }, ["Money graph of <payer>", "As of demo block 7"]);
  const text = svgText(file?.picture ?? { tag: "none", attrs: {}, children: [] });
  // 600 of the graph, 40 of the legend; 2 lines of text, the picture's own, and an empty one at 18 each, and 12.
  expect([file?.width, file?.height]).toEqual([960, 600 + 40 + 3 * 18 + 12]);
  expect(text).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="960" height="706" viewBox="0 -66 960 706"/);
  expect(text).toContain("<title>Money graph of &lt;payer&gt;</title>");
  expect(text).toContain(">As of demo block 7</text>");
  expect(text).toContain("payer to payee, width by value");
  expect(text).toContain(">$100 · 2 &lt;b&gt;&amp;#x41; · 2026-01-02</text>");
  expect(text).toContain('fill="#9a4a00"');
  expect(text).toContain("&quot;&gt;&lt;script&gt;");
  // It names only its own namespace, runs nothing, and needs no style sheet or class.
  expect(text.replace("http://www.w3.org/2000/svg", "")).not.toMatch(
    /<script|https?:|href|class=|style=|\son\w+=|\u202e/,
  );
});
