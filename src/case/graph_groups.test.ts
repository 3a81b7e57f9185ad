import { expect, test } from "vitest";
import { grouped, groupsByEntity } from "./graph_groups.ts";
import type { Graph, GraphEdge, GraphNode } from "./graph_model.ts";

const node = (id: string, entity: string | null = null, hops = 1): GraphNode => ({
  ...{ id, address: id, label: null, entity, category: entity === null ? null : "exchange", tags: [] },
  ...{ is_contract: false, is_expanded: false, hops, volume_usd: 1, transfers: 1, sources: [], network: null },
});

const edge = (from: string, to: string, usd: number | null, day: number, amount: number | null = usd): GraphEdge => ({
  ...{ id: `${from} ${to}`, from, to, usd, transfers: 2, unpriced_transfers: 0 },
  tokens: [{ symbol: "USDC", address: "t", amount }],
  ...{ pair_transactions: 2, pair_first: `2026-01-0${day}T00:00:00Z`, pair_last: `2026-01-0${day + 1}T00:00:00Z` },
  ...{ via: [], asked: from, entry: "e1", payments: [], is_part: false },
});

/** The wallet pays two addresses of one exchange, which pay each other; one of them pays a shop. */
const graph: Graph = {
  start: "w",
  nodes: new Map(
    [node("w", null, 0), node("h1", "Harbour"), node("h2", "Harbour", 2), node("s")].map((one) => [one.id, one]),
  ),
  edges: new Map(
    [edge("w", "h1", 10, 1), edge("w", "h2", 5, 4), edge("h1", "h2", 99, 1), edge("h2", "s", null, 2, null)].map(
      (one) => [one.id, one],
    ),
  ),
  traces: [
    {
      ...{ id: "p", wallet: "w", direction: "out", end: "s", reason: "still_held", is_risk: false, usd: 1 },
      ...{ share_percent: 1, confidence: 1, nodes: ["w", "h1", "h2", "s"], edges: ["w h1", "h1 h2", "h2 s"] },
    },
  ],
};
const group = { id: "g", name: "Harbour", nodes: ["h1", "h2"], is_open: false };

test("a closed group is one node: payments inside are not shown, and those with others are summed", () => {
  const { nodes, edges, traces } = grouped(graph, [group]);
  expect([...nodes.keys()]).toEqual(["w", "s", "group:g"]);
  expect(nodes.get("group:g")).toMatchObject({
    ...{ label: "Harbour", address: "2 addresses", entity: "Harbour", category: "exchange", hops: 1, volume_usd: 15 },
  });
  expect([...edges.keys()]).toEqual(["w group:g", "group:g s"]);
  expect(edges.get("w group:g")).toMatchObject({
    ...{ usd: 15, transfers: 4, pair_transactions: 4 },
    ...{ tokens: [{ symbol: "USDC", address: "t", amount: 15 }] },
    ...{ pair_first: "2026-01-01T00:00:00Z", pair_last: "2026-01-05T00:00:00Z" },
  });
  // Without a price it stays unknown, never 0.
  expect(edges.get("group:g s")).toMatchObject({ usd: null, tokens: [{ amount: null }] });
  expect(traces[0]).toMatchObject({ nodes: ["w", "group:g", "s"], edges: ["w group:g", "group:g s"], end: "s" });
});

test("an open group, and one of which a single address is shown, change nothing", () => {
  expect(grouped(graph, [{ ...group, is_open: true }])).toBe(graph);
  expect(grouped(graph, [{ ...group, nodes: ["h1", "gone"] }])).toBe(graph);
});

test("a group with the start becomes the start", () => {
  expect(grouped(graph, [{ ...group, nodes: ["w", "s"] }]).start).toBe("group:g");
});

test("groups by entity take the addresses that no group has, of entities with several", () => {
  const ids = ["n1", "n2"];
  expect(groupsByEntity(graph, [], () => ids.shift() ?? "")).toEqual([
    { id: "n1", name: "Harbour", nodes: ["h1", "h2"], is_open: false },
  ]);
  expect(groupsByEntity(graph, [{ ...group, nodes: ["h1", "w"] }], () => "x")).toEqual([]);
});
