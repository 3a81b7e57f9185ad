import { expect, test } from "vitest";
import type { JsonMembers } from "./format.ts";
import { graphOf } from "./graph.ts";
import { edgeTable, traceTable } from "./graph_tables.ts";
import { limitsOf, TRACES, tracedIn } from "./traces.ts";

const party = (address: string, label: string | null = null, category: string | null = null) => ({
  ...{ address, label, category, label_source: label === null ? null : "demo-labels", network: "demo" },
});
const step = (who: ReturnType<typeof party>, tx_hash: string, day: number, amount: number) => ({
  ...{ ...who, tx_hash, time: `2026-01-0${day}T00:00:00Z` },
  paid: [{ token: null, symbol: "ETH", amount, usd: amount * 100 }],
});

const [MIXER, BETWEEN, FUNDER, SHOP] = [party("0xM1", "The Mixer", "mixer"), party("0xAb"), party("0xF"), party("0x5")];

/** 40 % from the mixer over another address, 50 % from the funder over the same address; a shop holds 3 ether. */
const answer = {
  type: "wallet_risk_overview",
  categories: [
    {
      ...{ category: "mixer", exposure_in_usd: 400, share_in_percent: 40, exposure_out_usd: 0, share_out_percent: 0 },
      sources: [
        {
          ...{ ...MIXER, direction: "in", usd: 400, hops: 2, confidence: 0.9 },
          path: [step(MIXER, "0x1", 1, 4), step(BETWEEN, "0x2", 2, 8)],
        },
      ],
    },
  ],
  ends: [
    {
      ...{ ...FUNDER, direction: "in", reason: "no_known_receipt", usd: 500, share_percent: 50, hops: 2 },
      path: [step(FUNDER, "0x3", 1, 5), step(BETWEEN, "0x2", 2, 8)],
    },
    {
      ...{ ...SHOP, direction: "out", reason: "still_held", usd: 300, share_percent: 100, hops: 1 },
      path: [step(SHOP, "0x4", 3, 3)],
    },
  ],
  tracing: { is_complete: false, wallets_left_out: 2, hubs_not_followed: 0, bridge_unmatched_usd: 0 },
  metadata: { address: "0xW", chain: "demo", sources: [{ id: "labels/demo-labels" }], warnings: [{ message: "Old." }] },
};
const entry = { id: "e1", tool: TRACES, arguments: { address: "0xW" }, answer };

const graphWith = (...traces: readonly ("in" | "out")[]) =>
  graphOf({
    start: "0xW",
    expansions: traces.map((trace) => ({ entry: "e1", categories: [], trace })),
    entries: new Map([["e1", entry]]),
  });

const edgesOf = (graph: ReturnType<typeof graphWith>) =>
  [...graph.edges.values()].map(({ from, to, usd, payments, is_part }) => [
    ...[from, to, usd, is_part],
    payments.map(({ tx_hash }) => tx_hash).join(" "),
  ]);

test("a trace to the source draws each payment once, from the payer to the payee", () => {
  const graph = graphWith("in");
  // Both paths go over one payment of 8 ether, 800 dollars.
  expect(edgesOf(graph)).toEqual([
    ["0xf", "0xab", 500, true, "0x3"],
    ["0xab", "0xw", 800, true, "0x2"],
    ["0xm1", "0xab", 400, true, "0x1"],
  ]);
  expect(graph.edges.get("0xab 0xw")).toMatchObject({
    tokens: [{ symbol: "ETH", address: null, amount: 8 }],
    ...{ pair_first: "2026-01-02T00:00:00Z", transfers: null, asked: "0xab" },
  });
  expect(graph.nodes.get("0xm1")).toMatchObject({ label: "The Mixer", category: "mixer", hops: 2 });
  expect(graph.nodes.get("0xw")).toMatchObject({ is_expanded: false, hops: 0 });
});

test("the paths have their reason and share, the largest first", () => {
  const { traces } = graphWith("in", "in");
  expect(
    traces.map(({ end, reason, is_risk, usd, share_percent, confidence, nodes }) => [
      ...[end, reason, is_risk, usd, share_percent, confidence],
      nodes.join(" "),
    ]),
  ).toEqual([
    ["0xf", "no_known_receipt", false, 500, 50, 1, "0xf 0xab 0xw"],
    ["0xm1", "mixer", true, 400, 40, 0.9, "0xm1 0xab 0xw"],
  ]);
  expect(traceTable(graphWith("out")).rows[0]).toContain("still holds it");
});

test("a trace to where the money went begins at the wallet", () => {
  expect(edgesOf(graphWith("out"))).toEqual([["0xw", "0x5", 300, true, "0x4"]]);
  expect(graphWith("in", "out").traces).toHaveLength(3);
});

test("an edge of counterparties keeps its figures and names the traced payments", () => {
  const peers = {
    data: [
      {
        peer: { address: "0xAB", label: null, category: null, entity: null, tags: null, is_contract: false },
        ...{ interaction_count: 3, tx_count: 3, transfers_in: 3, transfers_out: 0, volume_in_usd: 2_000 },
        ...{ volume_out_usd: 0, unpriced_transfers: 0, unpriced_transfers_in: 0, tokens: [] },
      },
    ],
    metadata: { address: "0xW" },
  };
  const graph = graphOf({
    start: "0xW",
    expansions: [
      { entry: "e1", categories: [], trace: "in" },
      { entry: "e2", categories: [] },
    ],
    entries: new Map([
      ["e1", { ...entry, arguments: {}, answer: answer as JsonMembers }],
      ["e2", { id: "e2", arguments: {}, answer: peers }],
    ]),
  });
  expect(graph.edges.get("0xab 0xw")).toMatchObject({ usd: 2_000, is_part: false, payments: [{ tx_hash: "0x2" }] });
  const table = edgeTable(graph);
  expect(table.rows.map((row) => row[table.columns.indexOf("transactions")])).toContain("0x2");
});

test("an address beyond a bridge is apart from that of the graph's network", () => {
  const abroad = { ...FUNDER, network: "base" };
  const [end] = answer.ends;
  const bridged = {
    ...answer,
    categories: [],
    ends: [{ ...end, network: "base", path: [step(abroad, "0x3", 1, 5), step(BETWEEN, "0x2", 2, 8)] }],
  };
  const { nodes, steps } = tracedIn({ ...entry, answer: bridged }, "in");
  expect(nodes.map(({ id, network }) => [id, network])).toEqual([
    ["base:0xf", "base"],
    ["0xab", null],
  ]);
  expect(steps[0]).toMatchObject({ from: "base:0xf", to: "0xab" });
});

test("the rest that no path shows has its percentage, and an answer without paths draws nothing", () => {
  expect(limitsOf(entry, graphWith("in").traces)).toEqual({
    undrawn_percent: 10,
    ...{ is_complete: false, wallets_left_out: 2, hubs: 0, bridge_unmatched_usd: 0, warnings: ["Old."] },
  });
  const older = { ...entry, answer: { metadata: { address: "0xW" } } };
  expect(tracedIn(older, "in")).toEqual({ nodes: [], steps: [], paths: [] });
  expect(limitsOf(older, [])).toMatchObject({ undrawn_percent: 100, is_complete: null, wallets_left_out: null });
});
