/** A graph as tables. */
import { type Graph, type PaidToken, sortedEdges, sortedNodes } from "./graph.ts";
import { type CaseTable, tableOf } from "./tables.ts";

/** The tokens of an edge in words: `14,500 USDC; 2 ETH`. */
export const tokensText = (tokens: readonly PaidToken[]): string =>
  tokens
    .map(({ symbol, address, amount }) => {
      const count = amount === null ? "?" : amount.toLocaleString("en-US", { maximumSignificantDigits: 6 });
      return `${count} ${symbol ?? address ?? "?"}`;
    })
    .join("; ");

export const nodeTable = (graph: Graph): CaseTable =>
  tableOf(
    "nodes",
    sortedNodes(graph).map(({ id: _, tags, sources, ...node }) => ({
      ...node,
      tags: [...tags],
      sources: [...sources],
    })),
  );

/** One row per direction: `from` paid `usd` to `to`. */
export const edgeTable = (graph: Graph): CaseTable =>
  tableOf(
    "edges",
    sortedEdges(graph).map(({ id: _, entry: __, asked: ___, via, from, to, tokens, ...edge }) => ({
      from: graph.nodes.get(from)?.address ?? from,
      from_label: graph.nodes.get(from)?.label ?? null,
      to: graph.nodes.get(to)?.address ?? to,
      to_label: graph.nodes.get(to)?.label ?? null,
      ...edge,
      tokens: tokensText(tokens) || null,
      via: [...via],
    })),
  );
