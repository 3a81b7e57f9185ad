import { expect, test } from "vitest";
import type { EdgePayment, Graph, GraphEdge } from "./graph_model.ts";
import { daysOf, narrowed, paymentTable, stepOf, tokensIn } from "./graph_time.ts";

const payment = (day: string, symbol: string, amount: number, usd: number | null): EdgePayment => ({
  ...{ tx_hash: `0x${day}${symbol}`, time: `${day}T10:00:00Z`, usd },
  tokens: [{ symbol, address: symbol === "ETH" ? null : symbol.toLowerCase(), amount, usd }],
});

const edgeWith = (payments: readonly EdgePayment[], more: Partial<GraphEdge> = {}): GraphEdge => ({
  ...{ id: "a b", from: "a", to: "b", usd: 600, transfers: null, unpriced_transfers: null },
  tokens: [
    { symbol: "ETH", address: null, amount: 2, usd: 500 },
    { symbol: "USDC", address: "usdc", amount: 100, usd: 100 },
  ],
  ...{ pair_transactions: 3, pair_first: payments[0]?.time ?? null, pair_last: payments.at(-1)?.time ?? null },
  ...{ via: [], asked: "a", entry: "e", payments, is_part: true },
  ...more,
});

/** Wednesday, Sunday, and the Monday after it. */
const PAYMENTS = [
  payment("2026-01-07", "ETH", 1, 200),
  payment("2026-01-11", "USDC", 100, 100),
  payment("2026-01-12", "ETH", 1, 300),
];
const ALL = { from: null, to: null, token: null };

test("a traced edge in a part of the time has the payments of these days, and no other figure", () => {
  const edge = edgeWith(PAYMENTS);
  expect(narrowed(edge, { ...ALL, from: "2026-01-11" })).toMatchObject({
    ...{ usd: 400, pair_transactions: 2, pair_first: "2026-01-11T10:00:00Z" },
    tokens: [
      { symbol: "USDC", amount: 100 },
      { symbol: "ETH", amount: 1 },
    ],
  });
  expect(narrowed(edge, { ...ALL, to: "2026-01-07" })).toMatchObject({ usd: 200, pair_transactions: 1 });
  expect(narrowed(edge, { ...ALL, from: "2026-01-08", to: "2026-01-10" })).toBe(null);
});

test("an edge of an answer about counterparties is shown whole where its days overlap", () => {
  const edge = edgeWith([], { is_part: false, pair_first: "2026-01-01T00:00:00Z", pair_last: "2026-01-09T23:00:00Z" });
  expect(narrowed(edge, { ...ALL, from: "2026-01-09" })?.usd).toBe(600);
  expect(narrowed(edge, { ...ALL, from: "2026-01-10" })).toBe(null);
  expect(narrowed(edge, { ...ALL, to: "2025-12-31" })).toBe(null);
});

test("one token of an edge has its own value, or none where the answer has one for all", () => {
  const traced = edgeWith(PAYMENTS);
  expect(narrowed(traced, { ...ALL, token: "native ETH" })).toMatchObject({ usd: 500, pair_transactions: 2 });
  expect(narrowed(traced, { ...ALL, token: "dai" })).toBe(null);
  const tokens = traced.tokens.map(({ usd: _, ...token }) => token);
  const whole = edgeWith([], { is_part: false, tokens });
  // Counts and times of the answer are those of both tokens.
  expect(narrowed(whole, { ...ALL, token: "usdc" })).toMatchObject({
    ...{ usd: null, tokens: [{ amount: 100 }], transfers: null, pair_first: null, pair_last: null },
  });
  expect(narrowed({ ...whole, tokens: tokens.slice(1) }, { ...ALL, token: "usdc" })?.usd).toBe(600);
});

test("steps of time begin on the day, on Monday, and on the first of the month", () => {
  const steps = (time: string) => (["day", "week", "month"] as const).map((step) => stepOf(time, step));
  expect(steps("2026-01-11T23:59:59Z")).toEqual(["2026-01-11", "2026-01-05", "2026-01-01"]);
  expect(steps("2026-01-12T00:00:00Z")).toEqual(["2026-01-12", "2026-01-12", "2026-01-01"]);
});

test("the table of payments sums each token of an edge by step, the newest first", () => {
  const graph: Graph = { start: "a", nodes: new Map(), edges: new Map([["a b", edgeWith(PAYMENTS)]]), traces: [] };
  expect(paymentTable(graph, "week")).toMatchObject({
    ids: ["a b", "a b", "a b"],
    table: {
      columns: ["since", "from", "to", "token", "amount", "usd", "transactions"],
      rows: [
        ["2026-01-12", "a", "b", "ETH", 1, 300, 1],
        ["2026-01-05", "a", "b", "ETH", 1, 200, 1],
        ["2026-01-05", "a", "b", "USDC", 100, 100, 1],
      ],
    },
  });
  expect(paymentTable(graph, "month").table.rows).toEqual([
    ["2026-01-01", "a", "b", "ETH", 2, 500, 2],
    ["2026-01-01", "a", "b", "USDC", 100, 100, 1],
  ]);
  expect(daysOf(graph)).toEqual({ first: "2026-01-07", last: "2026-01-12" });
  expect(tokensIn(graph)).toEqual([
    { key: "native ETH", symbol: "ETH" },
    { key: "usdc", symbol: "USDC" },
  ]);
});
