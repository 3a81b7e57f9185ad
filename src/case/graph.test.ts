import { describe, expect, test } from "vitest";
import { edgeTable, graphOf, nodeTable, volumeOf } from "./graph.ts";
import { shortestPath, widestPath } from "./paths.ts";
import { tablesOf } from "./tables.ts";

interface Row {
  readonly to: string;
  readonly paid?: number | null;
  readonly received?: number | null;
  readonly transfers?: number;
  readonly category?: string;
  readonly label?: string;
}

const answer = (wallet: string, rows: readonly Row[]) => ({
  data: rows.map(({ to, paid = null, received = null, transfers = 1, category = null, label = null }) => ({
    peer: {
      address: to,
      label,
      category,
      entity: null,
      tags: category === null ? null : [category],
      is_contract: null,
    },
    ...{ interaction_count: transfers, tx_count: transfers, unpriced_transfers: 0 },
    ...{ volume_in_usd: received, volume_out_usd: paid, first_interaction: "2026-01-01T00:00:00Z" },
    last_interaction: "2026-01-02T00:00:00Z",
  })),
  metadata: { address: wallet, sources: [{ id: "labels/demo" }, { id: "prices/x" }] },
});

const graphFrom = (
  start: string,
  answers: Readonly<Record<string, readonly Row[]>>,
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
  test("an address is one node in whatever case it is written, with its label, where that is from, and its sums", () => {
    const graph = graphFrom("0xAb", {
      "0xAB": [
        { to: "0xCD", paid: 10, received: 5, transfers: 3, label: "Shop", category: "merchant" },
        { to: "0xEF", transfers: 2 },
      ],
    });
    expect([...graph.nodes.keys()]).toEqual(["0xab", "0xcd", "0xef"]);
    expect(graph.nodes.get("0xab")).toMatchObject({ volume_usd: 15, transfers: 5, hops: 0, is_expanded: true });
    expect(graph.nodes.get("0xcd")).toMatchObject({ label: "Shop", sources: ["labels/demo"], hops: 1, volume_usd: 15 });
    // Nothing of it had a price: not known is not 0.
    expect(graph.nodes.get("0xef")).toMatchObject({ volume_usd: null, sources: [], is_expanded: false });
  });

  test("a pair that two answers tell of is one edge, of the answer that counted more", () => {
    const graph = graphFrom("A", {
      A: [{ to: "B", paid: 1, transfers: 1 }],
      B: [{ to: "A", received: 9, transfers: 4 }],
    });
    expect(graph.edges.size).toBe(1);
    expect([...graph.edges.values()][0]).toMatchObject({
      from: "B",
      to: "A",
      received_usd: 9,
      transfers: 4,
      entry: "B",
    });
  });

  test("only the categories asked for are taken, and a wallet is no counterparty of itself", () => {
    const rows = [{ to: "B", category: "dex" }, { to: "C", category: "bridge" }, { to: "D" }, { to: "A" }];
    expect([...graphFrom("A", { A: rows }, ["dex"]).nodes.keys()]).toEqual(["A", "B"]);
    expect([...graphFrom("A", { A: rows }).nodes.keys()]).toEqual(["A", "B", "C", "D"]);
  });

  test("answers with anything in them make a graph without a throw", () => {
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

  test("its tables hold every node and edge, the largest first", () => {
    const graph = graphFrom("A", { A: [{ to: "B", paid: 1 }, { to: "C", paid: 7, received: 2 }, { to: "D" }] });
    const { columns, rows } = nodeTable(graph);
    expect(rows.map((row) => row[columns.indexOf("address")])).toEqual(["A", "C", "B", "D"]);
    const edges = edgeTable(graph);
    expect(edges.rows.map((row) => row[edges.columns.indexOf("to")])).toEqual(["C", "B", "D"]);
    expect([...graph.edges.values()].map(volumeOf)).toEqual([1, 9, null]);
  });
});

describe("paths", () => {
  // A -> B -> D carries 5 at least, A -> C -> E -> D carries 50 at least; D pays A nothing.
  const graph = graphFrom("A", {
    A: [{ to: "B", paid: 5 }, { to: "C", paid: 60 }, { to: "Z" }],
    B: [{ to: "D", paid: 100 }],
    C: [{ to: "E", paid: 50 }],
    E: [{ to: "D", paid: 70 }],
  });
  const asked = { from: "A", to: "D", along_the_money: true };

  test("the shortest has the fewest hops, the widest the largest smallest edge", () => {
    expect(shortestPath(graph, asked)).toMatchObject({ nodes: ["A", "B", "D"], narrowest_usd: 5 });
    expect(widestPath(graph, asked)).toMatchObject({ nodes: ["A", "C", "E", "D"], narrowest_usd: 50 });
  });

  test("along the money no path leads back, against it one does", () => {
    const back = { from: "D", to: "A", along_the_money: true };
    expect(shortestPath(graph, back)).toBeNull();
    expect(widestPath(graph, back)).toBeNull();
    expect(shortestPath(graph, { ...back, along_the_money: false })?.nodes).toEqual(["D", "B", "A"]);
  });

  test("an edge without a price is a hop of the shortest path and of no widest one", () => {
    expect(shortestPath(graph, { from: "A", to: "Z", along_the_money: false })).toMatchObject({ narrowest_usd: null });
    expect(widestPath(graph, { from: "A", to: "Z", along_the_money: false })).toBeNull();
  });

  test("a node that is not there has no path, and one to itself has no edge", () => {
    expect(shortestPath(graph, { from: "nobody", to: "A", along_the_money: false })).toBeNull();
    expect(shortestPath(graph, { from: "A", to: "A", along_the_money: false })).toMatchObject({
      nodes: ["A"],
      edges: [],
    });
  });
});

test("an answer is its figures and a table of each list, members of members as columns", () => {
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
