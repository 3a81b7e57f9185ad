import type { Chain } from "../../../chains/chain.ts";
import type { Hex } from "../../../lib/bytes.ts";
import type { ParsedByNetwork, PinnedBlock } from "../../../lib/parsed.ts";
import type { Basis, CallContext, SnapshotContext, Warning } from "../../context.ts";
import { isMany } from "../../networks.ts";
import { type DateWindow, dateWindow } from "../../window/dates.ts";
import { basisIn, gapsOf } from "../../window/gaps.ts";
import {
  type CounterpartyFlow,
  type FlowQuery,
  type FlowTotals,
  openFlows,
  type WalletFlows,
} from "../history/flows.ts";
import { readHistory } from "../history/history.ts";

/** Counterparties of one network. */
export interface NetworkFlows {
  readonly scope: SnapshotContext;
  readonly wallet: Hex;
  readonly window: DateWindow;
  readonly flows: WalletFlows;
  readonly filter: FlowQuery;
  readonly gaps: readonly Warning[];
  /** One row per counterparty: those of the page for a single network, otherwise all of them. */
  readonly rows: readonly CounterpartyFlow[];
  /** Totals of the whole list. */
  readonly totals: FlowTotals;
  readonly hidden_spam: number;
}

/** Parameters of a counterparties call. */
export interface CounterpartiesQuery {
  network: string;
  direction: "out" | "in" | "all";
  min_usd: number;
  include_spam: boolean;
  sort_by: "count" | "volume" | "recent";
  page: number;
  records_per_page: number;
  /** First unix second of each day. */
  from_date?: number | undefined;
  to_date?: number | undefined;
  token_address?: ParsedByNetwork | undefined;
  as_of_block?: PinnedBlock | undefined;
}

/** One counterparty over all requested networks. */
export interface CounterpartyByNetwork {
  readonly peer: Hex;
  readonly parts: readonly { readonly from: NetworkFlows; readonly flow: CounterpartyFlow }[];
}

/**
 * Returns the page of a single network. For several networks it returns the whole list, because pages are cut from the
 * union.
 */
const rowsOf = (flows: WalletFlows, filter: FlowQuery, asked: CounterpartiesQuery) => {
  const { page, records_per_page, sort_by, min_usd } = asked;
  const list: FlowQuery = { ...filter, by: "peer", sort: sort_by, min_usd: isMany(asked.network) ? 0 : min_usd };
  const offset = (page - 1) * records_per_page;
  return flows.ask(isMany(asked.network) ? list : { ...list, limit: records_per_page, offset });
};

export const readNetwork = async (
  context: CallContext,
  asked: CounterpartiesQuery,
  [chain, wallet]: readonly [Chain, Hex],
): Promise<{ basis: Basis; value: NetworkFlows }> => {
  const snapshot = await context.facts.snapshot(chain.network.id, asked.as_of_block ?? null);
  const scope: SnapshotContext = { facts: context.facts, chain, snapshot, signal: context.signal };
  const window = dateWindow(asked, snapshot.block.time);
  const [history, gaps] = await Promise.all([readHistory(scope, wallet, window), gapsOf(scope, window)]);
  const flows = await openFlows(history);
  const filter: FlowQuery = {
    direction: asked.direction === "all" ? null : asked.direction,
    token: asked.token_address?.by_network.get(chain.network.id) ?? null,
    include_spam: asked.include_spam,
  };
  const found = await rowsOf(flows, filter, asked);
  return { basis: await basisIn(scope, window), value: { scope, wallet, window, flows, filter, gaps, ...found } };
};

/** Sums a figure over all networks of a counterparty. */
export const sumOf = (met: CounterpartyByNetwork, of: (flow: CounterpartyFlow) => number): number =>
  met.parts.reduce((sum, { flow }) => sum + of(flow), 0);

const volumeOf = ({ in_usd, out_usd }: CounterpartyFlow): number => in_usd + out_usd;
const lastOf = ({ parts }: CounterpartyByNetwork): number => Math.max(...parts.map(({ flow }) => flow.last_time));

const RANKS = {
  volume: (met: CounterpartyByNetwork) => sumOf(met, volumeOf),
  count: (met: CounterpartyByNetwork) => sumOf(met, ({ interactions }) => interactions),
  recent: lastOf,
} as const;

/** Orders counterparties by the requested key, then by volume, transfers and address. */
const byRank = (sort: CounterpartiesQuery["sort_by"]) => (a: CounterpartyByNetwork, b: CounterpartyByNetwork) =>
  RANKS[sort](b) - RANKS[sort](a) ||
  RANKS.volume(b) - RANKS.volume(a) ||
  RANKS.count(b) - RANKS.count(a) ||
  (a.peer < b.peer ? -1 : 1);

/**
 * Lists every counterparty once over the networks that answered, and applies the minimum to the sum over networks. Rows
 * of a single network are already paged and keep their order.
 */
export const merge = (found: readonly NetworkFlows[], asked: CounterpartiesQuery): readonly CounterpartyByNetwork[] => {
  const met = new Map<Hex, { peer: Hex; parts: { from: NetworkFlows; flow: CounterpartyFlow }[] }>();
  for (const from of found) {
    for (const flow of from.rows) {
      const known = met.get(flow.peer);
      if (known === undefined) met.set(flow.peer, { peer: flow.peer, parts: [{ from, flow }] });
      else known.parts.push({ from, flow });
    }
  }
  if (!isMany(asked.network)) return [...met.values()];
  const { min_usd } = asked;
  return [...met.values()].filter((one) => min_usd === 0 || RANKS.volume(one) >= min_usd).sort(byRank(asked.sort_by));
};
