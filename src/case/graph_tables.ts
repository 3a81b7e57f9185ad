/** A graph as tables. */
import { worded } from "../charts/words.ts";
import { sortedEdges, sortedNodes } from "./graph.ts";
import type { Graph, PaidToken } from "./graph_model.ts";
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
    sortedEdges(graph).map(({ id: _, entry: __, asked: ___, via, from, to, tokens, payments, ...edge }) => ({
      from: graph.nodes.get(from)?.address ?? from,
      from_label: graph.nodes.get(from)?.label ?? null,
      to: graph.nodes.get(to)?.address ?? to,
      to_label: graph.nodes.get(to)?.label ?? null,
      ...edge,
      tokens: tokensText(tokens) || null,
      via: [...via],
      transactions: payments.map(({ tx_hash }) => tx_hash),
    })),
  );

/** One row per source or end of traced money. */
export const traceTable = ({ nodes, traces }: Graph): CaseTable =>
  tableOf(
    "traces",
    traces.map(({ wallet, direction, end, reason, usd, share_percent, confidence, nodes: on_path }) => ({
      wallet: nodes.get(wallet)?.address ?? wallet,
      direction: direction === "in" ? "came from" : "went to",
      address: nodes.get(end)?.address ?? end,
      label: nodes.get(end)?.label ?? null,
      reason: worded(reason),
      ...{ usd, share_percent, confidence, hops: on_path.length - 1 },
      path: on_path.map((id) => nodes.get(id)?.address ?? id).join(" → "),
    })),
  );
