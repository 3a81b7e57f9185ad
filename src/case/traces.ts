/** Paths of a wallet's money, from an answer of get_wallet_risk_overview. */
import { isRecord } from "../lib/record.ts";
import type { CaseResult, JsonMembers } from "./format.ts";
import {
  type BareNode,
  bareNode,
  type EdgePayment,
  edgeId,
  nodeId,
  numberOr,
  sumOrNull,
  type TraceDirection,
  type TracedPath,
  textOr,
} from "./graph_model.ts";
import { labelSources, walletOf } from "./peer_pairs.ts";

export const TRACES = "get_wallet_risk_overview";

/** Payments of one address to another, on one path. */
interface TracedStep {
  readonly from: string;
  readonly to: string;
  readonly payment: EdgePayment;
}

export interface TracedMoney {
  readonly nodes: readonly BareNode[];
  readonly steps: readonly TracedStep[];
  readonly paths: readonly TracedPath[];
}

const recordsIn = (value: unknown): readonly JsonMembers[] => (Array.isArray(value) ? value.filter(isRecord) : []);

/** A source of risk or another end, with its share of the direction. */
interface PathRow {
  readonly row: JsonMembers;
  readonly reason: string;
  readonly is_risk: boolean;
  readonly share_percent: number | null;
}

/** Sources of risk have no share of their own: it is their part of the category's. */
const riskRows = (category: JsonMembers, direction: TraceDirection): readonly PathRow[] => {
  const exposure = numberOr(category[`exposure_${direction}_usd`]);
  const share = numberOr(category[`share_${direction}_percent`]);
  return recordsIn(category.sources).map((row) => {
    const usd = numberOr(row.usd);
    return {
      ...{ row, reason: textOr(category.category) ?? "", is_risk: true },
      share_percent:
        usd === null || share === null || exposure === null || exposure <= 0 ? null : (share * usd) / exposure,
    };
  });
};

const rowsOf = (answer: JsonMembers, direction: TraceDirection): readonly PathRow[] =>
  [
    ...recordsIn(answer.categories).flatMap((category) => riskRows(category, direction)),
    ...recordsIn(answer.ends).map((row) => ({
      ...{ row, reason: textOr(row.reason) ?? "", is_risk: false },
      share_percent: numberOr(row.share_percent),
    })),
  ]
    .filter(({ row }) => row.direction === direction)
    .sort((a, b) => (numberOr(b.row.usd) ?? 0) - (numberOr(a.row.usd) ?? 0));

const paymentOf = ({ tx_hash, time, paid }: JsonMembers): EdgePayment => {
  const tokens = recordsIn(paid);
  return {
    tx_hash: textOr(tx_hash) ?? "",
    time: textOr(time) ?? "",
    usd: sumOrNull(tokens.map(({ usd }) => numberOr(usd))),
    tokens: tokens.map(({ symbol, token, amount, usd }) => ({
      ...{ symbol: textOr(symbol), address: textOr(token), amount: numberOr(amount), usd: numberOr(usd) },
    })),
  };
};

/** Addresses beyond a bridge are apart from those of the graph's network. */
const nodeOf = (step: JsonMembers, home: string | null, sources: readonly string[]): BareNode | null => {
  const [address, network] = [textOr(step.address), textOr(step.network)];
  if (address === null || address === "") return null;
  const is_abroad = network !== null && home !== null && network !== home;
  const label = textOr(step.label);
  return {
    ...bareNode(address),
    ...(is_abroad ? { id: `${network}:${nodeId(address)}`, network } : {}),
    ...{ label, category: textOr(step.category), sources: label === null ? [] : sources },
  };
};

/** The paths of an answer by which the wallet's money came (`in`) or went (`out`). */
export const tracedIn = (
  entry: Pick<CaseResult, "id" | "arguments" | "answer">,
  direction: TraceDirection,
): TracedMoney => {
  const { answer } = entry;
  const wallet = nodeId(walletOf(entry));
  const home = isRecord(answer.metadata) ? textOr(answer.metadata.chain) : null;
  const sources = labelSources(answer);
  const [nodes, steps, paths]: [BareNode[], TracedStep[], TracedPath[]] = [[], [], []];
  for (const [i, { row, ...path }] of rowsOf(answer, direction).entries()) {
    const hops = recordsIn(row.path);
    const on_path = hops.flatMap((step) => nodeOf(step, home, sources) ?? []);
    if (on_path.length === 0 || on_path.length < hops.length) continue;
    const ids = on_path.map(({ id }) => id);
    const order = direction === "in" ? [...ids, wallet] : [wallet, ...ids];
    nodes.push(...on_path);
    for (const [nth, step] of hops.entries())
      steps.push({ from: order[nth] ?? "", to: order[nth + 1] ?? "", payment: paymentOf(step) });
    paths.push({
      ...{ id: `${entry.id} ${direction} ${i}`, wallet, direction, ...path },
      end: (direction === "in" ? ids[0] : ids.at(-1)) ?? "",
      ...{ usd: numberOr(row.usd), confidence: numberOr(row.confidence) ?? 1 },
      nodes: order,
      edges: order.slice(1).map((to, nth) => edgeId(order[nth] ?? "", to)),
    });
  }
  return { nodes, steps, paths };
};

/** The parts of the money that no path shows, as the answer states them. */
export interface TraceLimits {
  /** Percent of the money of this direction that no drawn path shows; null when it is unknown. */
  readonly undrawn_percent: number | null;
  readonly is_complete: boolean | null;
  /** Addresses beyond the limits of one call. */
  readonly wallets_left_out: number | null;
  readonly hubs: number | null;
  readonly bridge_unmatched_usd: number | null;
  readonly warnings: readonly string[];
}

export const limitsOf = ({ answer }: Pick<CaseResult, "answer">, paths: readonly TracedPath[]): TraceLimits => {
  const tracing = isRecord(answer.tracing) ? answer.tracing : {};
  const shares = paths.map(({ share_percent }) => share_percent);
  const metadata = isRecord(answer.metadata) ? answer.metadata : {};
  return {
    undrawn_percent: shares.includes(null)
      ? null
      : Math.max(0, 100 - shares.reduce<number>((sum, share) => sum + (share ?? 0), 0)),
    is_complete: typeof tracing.is_complete === "boolean" ? tracing.is_complete : null,
    wallets_left_out: numberOr(tracing.wallets_left_out),
    hubs: numberOr(tracing.hubs_not_followed),
    bridge_unmatched_usd: numberOr(tracing.bridge_unmatched_usd),
    warnings: recordsIn(metadata.warnings).flatMap(({ message }) => textOr(message) ?? []),
  };
};
