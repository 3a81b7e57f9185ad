/** Edges of the counterparties of a wallet, from an answer of get_wallet_counterparties. */
import { isRecord } from "../lib/record.ts";
import type { CaseResult, JsonMembers } from "./format.ts";
import { type BareNode, edgeId, type GraphEdge, nodeId, numberOr, type PaidToken, textOr } from "./graph_model.ts";

export interface GraphPeer {
  readonly node: BareNode;
  readonly pair: PeerPair;
}

/** A wallet and one of its counterparties, from one answer. */
export interface PeerPair {
  /** Both addresses, in a fixed order. */
  readonly id: string;
  readonly wallet: string;
  readonly peer: string;
  /** Transfers in either direction. */
  readonly interactions: number;
  /** One for each direction with payments. */
  readonly edges: readonly GraphEdge[];
}

/** The wallet of a call: as the answer writes it, else as the caller did. */
export const walletOf = ({ answer, arguments: asked }: Pick<CaseResult, "arguments" | "answer">): string => {
  const { metadata } = answer;
  if (isRecord(metadata) && typeof metadata.address === "string") return metadata.address;
  return typeof asked.address === "string" ? asked.address : "";
};

export const peersOf = ({ id, answer }: Pick<CaseResult, "id" | "answer">, wallet: string): readonly GraphPeer[] => {
  const rows = Array.isArray(answer.data) ? answer.data.filter(isRecord) : [];
  const sources = labelSources(answer);
  return rows.flatMap((row) => {
    const { peer } = row;
    if (!isRecord(peer) || typeof peer.address !== "string" || peer.address === "") return [];
    const pair = pairOf(row, { wallet: nodeId(wallet), peer: nodeId(peer.address), entry: id });
    const node = {
      id: pair.peer,
      address: peer.address,
      label: textOr(peer.label),
      entity: textOr(peer.entity),
      category: textOr(peer.category),
      tags: Array.isArray(peer.tags) ? peer.tags.filter((tag) => typeof tag === "string") : [],
      is_contract: typeof peer.is_contract === "boolean" ? peer.is_contract : null,
      sources: textOr(peer.label) === null ? [] : sources,
      network: null,
    };
    return [{ node, pair }];
  });
};

/** Figures of one direction: incoming or outgoing. */
interface DirectionFlow {
  readonly usd: number | null;
  readonly transfers: number | null;
  readonly unpriced: number | null;
  /** Of each token in the row. */
  readonly amounts: readonly unknown[];
  readonly tokens: readonly PaidToken[];
}

/** Answers of earlier versions do not count by direction; their amounts show it. */
const wasPaid = ({ usd, transfers, amounts }: DirectionFlow): boolean =>
  transfers === null ? usd !== 0 || amounts.some((raw) => typeof raw === "string" && /[1-9]/.test(raw)) : transfers > 0;

/** Tokens that were paid in one direction, by the members of that direction. */
const paidTokens = (tokens: readonly JsonMembers[], direction: "in" | "out"): readonly PaidToken[] =>
  tokens.flatMap((token) => {
    const raw = token[`amount_${direction}_raw`];
    if (typeof raw !== "string" || !/[1-9]/.test(raw)) return [];
    const { symbol, address, [`amount_${direction}`]: amount } = token;
    return [{ symbol: textOr(symbol), address: textOr(address), amount: numberOr(amount) }];
  });

const flowsIn = (row: JsonMembers): { readonly paid: DirectionFlow; readonly received: DirectionFlow } => {
  const tokens = Array.isArray(row.tokens) ? row.tokens.filter(isRecord) : [];
  const received = numberOr(row.transfers_in);
  const unpriced = numberOr(row.unpriced_transfers);
  const unpriced_in = numberOr(row.unpriced_transfers_in);
  return {
    paid: {
      usd: numberOr(row.volume_out_usd),
      transfers: numberOr(row.transfers_out),
      unpriced: unpriced === null || unpriced_in === null ? null : unpriced - unpriced_in,
      amounts: tokens.map(({ amount_out_raw }) => amount_out_raw),
      tokens: paidTokens(tokens, "out"),
    },
    received: {
      usd: numberOr(row.volume_in_usd),
      transfers: received,
      unpriced: unpriced_in,
      amounts: tokens.map(({ amount_in_raw }) => amount_in_raw),
      tokens: paidTokens(tokens, "in"),
    },
  };
};

export const pairId = (a: string, b: string): string => [a, b].sort().join(" ");

const pairOf = (
  row: JsonMembers,
  { wallet, peer, entry }: { wallet: string; peer: string; entry: string },
): PeerPair => {
  const { paid, received } = flowsIn(row);
  const shared = {
    pair_transactions: numberOr(row.tx_count) ?? 0,
    pair_first: textOr(row.first_interaction),
    pair_last: textOr(row.last_interaction),
    via: Array.isArray(row.via) ? row.via.filter((one) => typeof one === "string") : [],
    asked: wallet,
    entry,
    payments: [],
    is_part: false,
  };
  const edge = (from: string, to: string, { usd, transfers, unpriced, tokens }: DirectionFlow): GraphEdge => ({
    ...{ id: edgeId(from, to), from, to, usd, transfers, unpriced_transfers: unpriced, tokens, ...shared },
  });
  const edges = [
    ...(wasPaid(paid) ? [edge(wallet, peer, paid)] : []),
    ...(wasPaid(received) ? [edge(peer, wallet, received)] : []),
  ];
  const interactions = numberOr(row.interaction_count) ?? 0;
  return { id: pairId(wallet, peer), wallet, peer, interactions, edges };
};

export const labelSources = ({ metadata }: JsonMembers): readonly string[] => {
  const sources = isRecord(metadata) && Array.isArray(metadata.sources) ? metadata.sources.filter(isRecord) : [];
  return sources.flatMap(({ id }) => (typeof id === "string" && id.startsWith("labels/") ? [id] : []));
};
