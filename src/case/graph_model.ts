/** Parts of a money graph. */

export const COUNTERPARTIES = "get_wallet_counterparties";

export interface GraphNode {
  /** The address as compared: hex in lower case, other formats unchanged. */
  readonly id: string;
  readonly address: string;
  readonly label: string | null;
  readonly entity: string | null;
  readonly category: string | null;
  readonly tags: readonly string[];
  readonly is_contract: boolean | null;
  /** An answer lists its counterparties. */
  readonly is_expanded: boolean;
  /** Hops from the start, over edges of either direction; null when unreachable. */
  readonly hops: number | null;
  /** Sum over its edges with a price; null when no edge has one. */
  readonly volume_usd: number | null;
  readonly transfers: number;
  /** Lists that the labels came from. */
  readonly sources: readonly string[];
  /** The network of an address beyond a bridge; null: that of the graph. */
  readonly network: string | null;
}

/** Payments of one address to another. Payments in the other direction form their own edge. */
export interface GraphEdge {
  /** Payer and payee, in this order. */
  readonly id: string;
  /** The payer. */
  readonly from: string;
  /** The payee. */
  readonly to: string;
  /** USD that `from` paid to `to`, for transfers with a price; null when none has one. */
  readonly usd: number | null;
  /** Transfers from `from` to `to`; null when the answer counts both directions together. */
  readonly transfers: number | null;
  readonly unpriced_transfers: number | null;
  /** Amounts of each token that `from` paid to `to`; contracts of one symbol are separate. */
  readonly tokens: readonly PaidToken[];
  /** Of the pair, in either direction: transactions, first and last transfer. */
  readonly pair_transactions: number;
  readonly pair_first: string | null;
  readonly pair_last: string | null;
  /** Pools and other contracts that act for the counterparty: transactions show them as the other side. */
  readonly via: readonly string[];
  /** The wallet whose answer has the edge: the payer or the payee. */
  readonly asked: string;
  /** The entry that has it. */
  readonly entry: string;
  /** Payments with a transaction, as traces name them: in the order of time. */
  readonly payments: readonly EdgePayment[];
  /** True: the figures are those of `payments` alone, which need not be all. */
  readonly is_part: boolean;
}

/** Payments of one transaction, from the payer to the payee. */
export interface EdgePayment {
  readonly tx_hash: string;
  /** ISO 8601. */
  readonly time: string;
  /** Of the tokens with a price; null when none has one. */
  readonly usd: number | null;
  readonly tokens: readonly PaidToken[];
}

export type TraceDirection = "in" | "out";

/** The way of the money between a wallet and one of its sources or ends. */
export interface TracedPath {
  readonly id: string;
  /** The traced wallet. */
  readonly wallet: string;
  readonly direction: TraceDirection;
  /** Node of the source or end. */
  readonly end: string;
  /** A category of risk, or why following ended there. */
  readonly reason: string;
  readonly is_risk: boolean;
  /** USD traced there, of the wallet's money. */
  readonly usd: number | null;
  /** Percent of all USD that the wallet received or paid. */
  readonly share_percent: number | null;
  /** Below 1 where the money crossed a bridge whose two sides were matched. */
  readonly confidence: number;
  /** Nodes and edges from payer to payee; the wallet is at one end. */
  readonly nodes: readonly string[];
  readonly edges: readonly string[];
}

/** A token, and how much of it was paid over an edge. */
export interface PaidToken {
  /** From the chain: text of strangers. */
  readonly symbol: string | null;
  readonly address: string | null;
  /** Null when it is unknown. */
  readonly amount: number | null;
  /** Of single payments; left out where the answer has one value for all tokens. */
  readonly usd?: number | null;
}

export interface Graph {
  readonly start: string;
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly edges: ReadonlyMap<string, GraphEdge>;
  /** Paths of the traces that are part of it, the largest first. */
  readonly traces: readonly TracedPath[];
}

export const nodeId = (address: string): string => (/^0x/i.test(address) ? address.toLowerCase() : address);

/** A node before the sums over its edges. */
export type BareNode = Omit<GraphNode, "is_expanded" | "hops" | "volume_usd" | "transfers">;

export const bareNode = (address: string): BareNode => ({
  id: nodeId(address),
  address,
  label: null,
  entity: null,
  category: null,
  tags: [],
  is_contract: null,
  sources: [],
  network: null,
});

export const edgeId = (from: string, to: string): string => `${from} ${to}`;

export const textOr = (value: unknown): string | null => (typeof value === "string" ? value : null);
export const numberOr = (value: unknown): number | null => (typeof value === "number" ? value : null);

/** The sum of the known values; null where none is known. */
export const sumOrNull = (values: readonly (number | null)[]): number | null => {
  const known = values.flatMap((value) => value ?? []);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
};

/** The sum; unknown where a part is. */
export const wholeSum = (values: readonly (number | null)[]): number | null =>
  values.includes(null) ? null : sumOrNull(values);

/** Address of a token; the symbol where the answer has no address. */
export const tokenKey = ({ address, symbol }: Pick<PaidToken, "address" | "symbol">): string =>
  address === null || address === "native" ? `native ${symbol ?? ""}` : address;

/** Amounts of equal tokens together; unknown where one is. */
export const summedTokens = (tokens: readonly PaidToken[]): readonly PaidToken[] => {
  const by_token = new Map<string, PaidToken[]>();
  for (const token of tokens) by_token.set(tokenKey(token), [...(by_token.get(tokenKey(token)) ?? []), token]);
  return [...by_token.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const all = [first, ...others];
    const { usd: _, ...named } = first;
    const is_valued = all.every(({ usd }) => usd !== undefined);
    return [
      {
        ...named,
        amount: wholeSum(all.map(({ amount }) => amount)),
        ...(is_valued ? { usd: sumOrNull(all.map(({ usd }) => usd ?? null)) } : {}),
      },
    ];
  });
};
