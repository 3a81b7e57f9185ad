import { describe, expect, test } from "vitest";
import { graphOf } from "./graph.ts";
import { edgeTable, nodeTable, tokensText } from "./graph_tables.ts";
import { shortestPath, widestPath } from "./paths.ts";
import { tablesOf } from "./tables.ts";

interface CounterpartyTestRow {
  readonly to: string;
  /** 0: no transfers in that direction. */
  readonly paid?: number | null;
  readonly received?: number | null;
  readonly transfers?: number;
  readonly category?: string;
  readonly label?: string;
}

const answer = (wallet: string, rows: readonly CounterpartyTestRow[]) => ({
  data: rows.map(({ to, paid = 0, received = 0, transfers = 1, category = null, label = null }) => ({
    peer: {
      address: to,
      label,
      category,
      entity: null,
      tags: category === null ? null : [category],
      is_contract: null,
    },
    ...{ interaction_count: transfers, tx_count: transfers, unpriced_transfers: 0 },
    ...{ transfers_out: paid === 0 ? 0 : transfers, transfers_in: received === 0 ? 0 : transfers },
    ...{
      unpriced_transfers_in: 0,
      volume_in_usd: received,
      volume_out_usd: paid,
      first_interaction: "2026-01-01T00:00:00Z",
    },
    last_interaction: "2026-01-02T00:00:00Z",
  })),
  metadata: { address: wallet, sources: [{ id: "labels/demo" }, { id: "prices/x" }] },
});

const graphFrom = (
  start: string,
  answers: Readonly<Record<string, readonly CounterpartyTestRow[]>>,
  categories: readonly string[] = [],
) =>
  graphOf({
    start,
    expansions: Object.keys(answers).map((entry) => ({ entry, categories })),
    entries: new Map(
      Object.entries(answers).map(([wallet, rows]) => [
        wallet,
        { id: wallet, arguments: {}, answer: answer(wallet, rows) },
      ]),
    ),
  });

describe("the graph", () => {
  test("makes one node per address in any letter case, with its label, the label's source, and its sums", () => {
    const graph = graphFrom("0xAb", {
      "0xAB": [
        { to: "0xCD", paid: 10, received: 5, transfers: 3, label: "Shop", category: "merchant" },
        { to: "0xEF", paid: null, transfers: 2 },
      ],
    });
    expect([...graph.nodes.keys()]).toEqual(["0xab", "0xcd", "0xef"]);
    expect(graph.nodes.get("0xab")).toMatchObject({ volume_usd: 15, transfers: 5, hops: 0, is_expanded: true });
    expect(graph.nodes.get("0xcd")).toMatchObject({ label: "Shop", sources: ["labels/demo"], hops: 1, volume_usd: 15 });
    // No transfer had a price: unknown is not 0.
    expect(graph.nodes.get("0xef")).toMatchObject({ volume_usd: null, sources: [], is_expanded: false });
  });

  test("directs an edge from the payer to the payee, for answers about either", () => {
    const graph = graphFrom("A", {
      A: [
        { to: "B", paid: 10 },
        { to: "C", received: 7, transfers: 2 },
      ],
    });
    expect([...graph.edges.values()].map(({ from, to, usd, transfers }) => [from, to, usd, transfers])).toEqual([
      ["A", "B", 10, 1],
      ["C", "A", 7, 2],
    ]);
    const { columns, rows } = edgeTable(graph);
    expect(columns.slice(0, 6)).toEqual(["from", "from_label", "to", "to_label", "usd", "transfers"]);
    expect(rows.map((row) => row.slice(0, 5))).toEqual([
      ["A", null, "B", null, 10],
      ["C", null, "A", null, 7],
    ]);
  });

  test("makes two edges for payments in both directions, each with its own sum", () => {
    const graph = graphFrom("A", { A: [{ to: "B", paid: 10, received: 3 }] });
    expect([...graph.edges].map(([id, { usd }]) => [id, usd])).toEqual([
      ["A B", 10],
      ["B A", 3],
    ]);
    expect(graph.nodes.get("B")).toMatchObject({ volume_usd: 13, transfers: 1 });
  });

  test("names the tokens that each direction paid, and how much of each", () => {
    const token = (symbol: string | null, amounts: object) => ({ symbol, address: "0x0t", ...amounts });
    const answer = {
      data: [
        {
          ...{ peer: { address: "B" }, interaction_count: 3, transfers_out: 2, transfers_in: 1 },
          tokens: [
            token("USDC", { amount_in_raw: "0", amount_in: 0, amount_out_raw: "14500000000", amount_out: 14_500 }),
            token("ETH", { amount_in_raw: "5", amount_in: 2.5, amount_out_raw: "1", amount_out: 0.123456789 }),
            token(null, { amount_in_raw: "7", amount_in: null, amount_out_raw: "0", amount_out: 0 }),
          ],
        },
      ],
      metadata: { address: "A" },
    };
    const entries = new Map([["e", { id: "e", arguments: {}, answer }]]);
    const { edges } = graphOf({ start: "A", expansions: [{ entry: "e", categories: [] }], entries });
    expect(tokensText(edges.get("A B")?.tokens ?? [])).toBe("14,500 USDC; 0.123457 ETH");
    expect(tokensText(edges.get("B A")?.tokens ?? [])).toBe("2.5 ETH; ? 0x0t");
  });

  test("derives the payer from sums, or from amounts without prices, when the answer does not count by direction", () => {
    const row = (address: string, more: object) => ({ peer: { address }, interaction_count: 2, ...more });
    const nft = [{ amount_in_raw: "1", amount_out_raw: "0" }];
    const answer = {
      data: [
        row("B", { volume_in_usd: 4, volume_out_usd: 0, tokens: [] }),
        row("C", { volume_in_usd: 0, volume_out_usd: null, tokens: [] }),
        row("D", { volume_in_usd: 0, volume_out_usd: 0, tokens: nft }),
      ],
      metadata: { address: "A" },
    };
    const entries = new Map([["e", { id: "e", arguments: {}, answer }]]);
    const { edges } = graphOf({ start: "A", expansions: [{ entry: "e", categories: [] }], entries });
    expect([...edges].map(([id, { usd, transfers }]) => [id, usd, transfers])).toEqual([
      ["B A", 4, null],
      ["A C", null, null],
      ["D A", 0, null],
    ]);
  });

  test("uses the answer with more transfers when two answers describe one pair", () => {
    const graph = graphFrom("A", {
      A: [{ to: "B", paid: 1, transfers: 1 }],
      B: [{ to: "A", received: 9, transfers: 4 }],
    });
    expect([...graph.edges.values()]).toMatchObject([
      { from: "A", to: "B", usd: 9, transfers: 4, asked: "B", entry: "B" },
    ]);
  });

  test("includes only the requested categories, and no wallet as its own counterparty", () => {
    const rows = [{ to: "B", category: "dex" }, { to: "C", category: "bridge" }, { to: "D" }, { to: "A" }];
    expect([...graphFrom("A", { A: rows }, ["dex"]).nodes.keys()]).toEqual(["A", "B"]);
    expect([...graphFrom("A", { A: rows }).nodes.keys()]).toEqual(["A", "B", "C", "D"]);
  });

  test("builds a graph from malformed answers without throwing", () => {
    const odd = [
      null,
      1,
      {},
      { peer: null },
      { peer: { address: 7 } },
      { peer: { address: "B", label: 1, tags: "x" } },
    ];
    const entries = new Map([["e", { id: "e", arguments: { address: "A" }, answer: { data: odd, metadata: 3 } }]]);
    const graph = graphOf({
      start: "A",
      expansions: [
        { entry: "e", categories: [] },
        { entry: "gone", categories: [] },
      ],
      entries,
    });
    expect([...graph.nodes.keys()]).toEqual(["A", "B"]);
    expect(graph.nodes.get("B")).toMatchObject({ label: null, tags: [] });
  });

  test("lists every node and edge in its tables, largest first", () => {
    const graph = graphFrom("A", {
      A: [
        { to: "B", paid: 1 },
        { to: "C", paid: 7, received: 2 },
        { to: "D", paid: null },
      ],
    });
    const { columns, rows } = nodeTable(graph);
    expect(rows.map((row) => row[columns.indexOf("address")])).toEqual(["A", "C", "B", "D"]);
    const edges = edgeTable(graph);
    expect(edges.rows.map((row) => row[edges.columns.indexOf("to")])).toEqual(["C", "A", "B", "D"]);
    expect(edges.rows.map((row) => row[edges.columns.indexOf("usd")])).toEqual([7, 2, 1, null]);
  });
});

describe("paths", () => {
  // A -> B -> D carries 5 at least, A -> C -> E -> D carries 50 at least; D pays A nothing.
  const graph = graphFrom("A", {
    A: [
      { to: "B", paid: 5 },
      { to: "C", paid: 60 },
      { to: "Z", paid: null },
    ],
    B: [{ to: "D", paid: 100 }],
    C: [{ to: "E", paid: 50 }],
    E: [{ to: "D", paid: 70 }],
  });
  const asked = { from: "A", to: "D", along_the_money: true };

  test("finds the path with the fewest hops, and the path with the largest smallest edge", () => {
    expect(shortestPath(graph, asked)).toMatchObject({ nodes: ["A", "B", "D"], narrowest_usd: 5 });
    expect(widestPath(graph, asked)).toMatchObject({ nodes: ["A", "C", "E", "D"], narrowest_usd: 50 });
  });

  test("finds no path back along the money, and one when direction is ignored", () => {
    const back = { from: "D", to: "A", along_the_money: true };
    expect(shortestPath(graph, back)).toBeNull();
    expect(widestPath(graph, back)).toBeNull();
    expect(shortestPath(graph, { ...back, along_the_money: false })?.nodes).toEqual(["D", "B", "A"]);
  });

  test("follows payments from payer to payee, also for answers about the payee", () => {
    const into = graphFrom("A", { A: [{ to: "S", received: 8 }] });
    expect(shortestPath(into, { from: "S", to: "A", along_the_money: true })?.nodes).toEqual(["S", "A"]);
    expect(shortestPath(into, { from: "A", to: "S", along_the_money: true })).toBeNull();
  });

  test("uses an edge without a price in the shortest path, and not in the widest", () => {
    expect(shortestPath(graph, { from: "A", to: "Z", along_the_money: false })).toMatchObject({ narrowest_usd: null });
    expect(widestPath(graph, { from: "A", to: "Z", along_the_money: false })).toBeNull();
  });

  test("finds no path to a missing node, and a path without edges from a node to itself", () => {
    expect(shortestPath(graph, { from: "missing", to: "A", along_the_money: false })).toBeNull();
    expect(shortestPath(graph, { from: "A", to: "A", along_the_money: false })).toMatchObject({
      nodes: ["A"],
      edges: [],
    });
  });
});

test("shows an answer as its figures and one table per list, with nested members as columns", () => {
  const tables = tablesOf({
    total: 3,
    summary: { in_usd: null, words: ["a", "b"] },
    data: [
      { peer: { address: "A", tags: [] }, usd: 1 },
      { usd: null, more: [{ x: 1 }] },
    ],
    metadata: { chain: "demo" },
  });
  expect(tables).toEqual([
    {
      name: "figures",
      columns: ["member", "value"],
      rows: [
        ["total", 3],
        ["summary.in_usd", null],
        ["summary.words", "a; b"],
      ],
    },
    {
      name: "data",
      columns: ["peer.address", "peer.tags", "usd", "more"],
      rows: [
        ["A", null, 1, null],
        [null, null, null, '[{"x":1}]'],
      ],
    },
  ]);
});
