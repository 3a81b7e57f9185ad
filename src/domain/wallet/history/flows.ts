import type { Hex } from "../../../lib/bytes.ts";
import { NanoSum } from "../../../lib/nano_usd.ts";
import { inTurns } from "../../../lib/turns.ts";
import type { Party } from "../../address/identity/parties.ts";
import type { Acts } from "./acts/act.ts";
import { groupRows, type MovementGroup, type MovementGrouping } from "./group_rows.ts";
import type { ValuedHistory } from "./history.ts";
import { readParties } from "./parties.ts";

/** Filters and grouping of a wallet's flows. An omitted field does not filter, group or sort. */
export interface FlowQuery {
  readonly by?: "peer" | "token" | "peer_and_token" | "direction";
  /** Null: both. */
  readonly direction?: "in" | "out" | null;
  /** Null: every token. */
  readonly token?: Hex | null;
  /** Null: every peer. */
  readonly peers?: readonly Hex[] | null;
  /** Only counterparties with a label of one of these categories. */
  readonly categories?: readonly string[];
  readonly include_spam?: boolean;
  /** Includes mints, burns and coins that blocks issue. */
  readonly with_void?: boolean;
  readonly min_usd?: number;
  readonly sort?: "volume" | "count" | "recent";
  /** Limit of rows per peer. */
  readonly limit_by?: number;
  readonly limit?: number;
  readonly offset?: number;
}

/**
 * Amounts that a wallet received from and paid to one counterparty, in one token or one direction, by the requested
 * grouping.
 */
export interface CounterpartyFlow {
  /** '' when not grouped by peer. */
  readonly peer: Hex;
  /** '' when not grouped by token, and for the native coin. */
  readonly token: Hex;
  /** 1 in, -1 out, 0 when not grouped by direction. */
  readonly direction: number;
  readonly interactions: number;
  readonly transactions: number;
  readonly transfers_in: number;
  readonly transfers_out: number;
  /** Base units when grouped by token, else 0. */
  readonly raw_in: bigint;
  readonly raw_out: bigint;
  readonly in_usd: number;
  readonly out_usd: number;
  /** The parts of both that the pools did not take at the price. */
  readonly limited_in_usd: number;
  readonly limited_out_usd: number;
  readonly unpriced: number;
  readonly unpriced_in: number;
  /** Unix seconds. */
  readonly first_time: number;
  readonly last_time: number;
  /** Number of flagged movements, their flags as bits, and the row of the latest; -1 for none. */
  readonly spam: number;
  readonly spam_reasons: number;
  readonly spam_row: number;
  /** Row of the greatest known value, the latest of equal ones; -1 when nothing has a price. */
  readonly largest_row: number;
  /** Pools behind a called contract, at most twenty. */
  readonly via: readonly Hex[];
  readonly is_labelled: boolean;
}

/** Sums over all groups, on any page. */
export interface FlowTotals {
  readonly groups: number;
  readonly labelled_groups: number;
  readonly interactions: number;
  readonly transfers_in: number;
  readonly in_usd: number;
  readonly out_usd: number;
  readonly unpriced: number;
  readonly unpriced_in: number;
}

export interface FlowList {
  readonly rows: readonly CounterpartyFlow[];
  readonly totals: FlowTotals;
  /** Number of flagged movements that are left out, in unlisted groups too. */
  readonly hidden_spam: number;
}

/** The flows of one wallet in a window, ready for queries. */
export interface WalletFlows {
  readonly history: ValuedHistory;
  /** Counterparties with a label. */
  readonly labels: ReadonlyMap<Hex, Party>;
  readonly ask: (question: FlowQuery) => Promise<FlowList>;
}

const VIA_MAX = 20;

const DIRECTIONS = { in: 1, out: -1 } as const;

const groupingOf = (
  history: ValuedHistory,
  { by, direction = null, token = null, ...asked }: FlowQuery,
): MovementGrouping => ({
  by_peer: by === "peer" || by === "peer_and_token",
  by_token: by === "token" || by === "peer_and_token",
  by_direction: by === "direction",
  direction: direction === null ? 0 : DIRECTIONS[direction],
  token: token === null ? null : history.movements.tokens.find(token),
  include_spam: asked.include_spam === true,
  with_void: asked.with_void === true,
});

/** Larger first. */
const down = <T extends number | bigint>(a: T, b: T): number => (a === b ? 0 : a > b ? -1 : 1);
const up = <T extends string | number>(a: T, b: T): number => (a === b ? 0 : a < b ? -1 : 1);

const byRank = ({ movements }: ValuedHistory, sort: FlowQuery["sort"]) => {
  const first = (group: MovementGroup): number =>
    sort === "count" ? group.interactions : sort === "recent" ? group.last_time : 0;
  const peer = (group: MovementGroup): Hex => movements.peers.textOf(group.peer);
  const token = (group: MovementGroup): Hex => movements.tokens.textOf(group.token);
  return (a: MovementGroup, b: MovementGroup): number =>
    down(first(a), first(b)) ||
    down(a.volume, b.volume) ||
    down(a.interactions, b.interactions) ||
    up(peer(a), peer(b)) ||
    up(token(a), token(b)) ||
    up(a.direction, b.direction);
};

/** Keeps the order and at most `limit_by` groups of each peer. */
const limited = (groups: readonly MovementGroup[], limit_by: number | undefined): readonly MovementGroup[] => {
  if (limit_by === undefined) return groups;
  const counts = new Map<number, number>();
  return groups.filter(({ peer }) => {
    const count = (counts.get(peer) ?? 0) + 1;
    counts.set(peer, count);
    return count <= limit_by;
  });
};

const flowOf = (
  { movements }: ValuedHistory,
  labels: WalletFlows["labels"],
  group: MovementGroup,
): CounterpartyFlow => {
  const peer = movements.peers.textOf(group.peer);
  const behind = [...(group.behind ?? [])].map((code) => movements.peers.textOf(code)).sort();
  return {
    peer,
    token: movements.tokens.textOf(group.token),
    direction: group.direction,
    interactions: group.interactions,
    transactions: group.transactions,
    transfers_in: group.transfers_in,
    transfers_out: group.interactions - group.transfers_in,
    raw_in: group.raw_in,
    raw_out: group.raw_out,
    in_usd: group.nano_in.usd,
    out_usd: group.nano_out.usd,
    limited_in_usd: group.limited_in / 1e9,
    limited_out_usd: group.limited_out / 1e9,
    unpriced: group.unpriced,
    unpriced_in: group.unpriced_in,
    first_time: group.first_time,
    last_time: group.last_time,
    spam: group.spam,
    spam_reasons: group.spam_reasons,
    spam_row: group.spam_row,
    largest_row: group.largest_row,
    via: behind.slice(0, VIA_MAX),
    is_labelled: labels.has(peer),
  };
};

const totalsOf = (groups: readonly MovementGroup[], isLabelled: (group: MovementGroup) => boolean): FlowTotals => {
  const [nano_in, nano_out] = [new NanoSum(), new NanoSum()];
  let [interactions, transfers_in, unpriced, unpriced_in, labelled_groups] = [0, 0, 0, 0, 0];
  for (const group of groups) {
    nano_in.addSum(group.nano_in);
    nano_out.addSum(group.nano_out);
    interactions += group.interactions;
    transfers_in += group.transfers_in;
    unpriced += group.unpriced;
    unpriced_in += group.unpriced_in;
    labelled_groups += Number(isLabelled(group));
  }
  const [in_usd, out_usd] = [nano_in.usd, nano_out.usd];
  return { groups: groups.length, labelled_groups, interactions, transfers_in, in_usd, out_usd, unpriced, unpriced_in };
};

/**
 * Number of counterparties of a history: the other sides of transfers, with a called exchange instead of its pools.
 * Mints and burns have no counterparty, and flagged transfers and those to the wallet itself add none.
 */
export const counterpartyCount = async (flows: WalletFlows): Promise<number> =>
  (await flows.ask({ by: "peer", limit: 0 })).totals.groups;

/** Counterparties with a label of one of these categories, spam included. */
export const peersLabelled = async (flows: WalletFlows, categories: readonly string[]): Promise<ReadonlySet<Hex>> => {
  const { rows } = await flows.ask({ by: "peer", categories, include_spam: true });
  return new Set(rows.map(({ peer }) => peer));
};

/** Label categories of exchanges and their deposit addresses. */
export const EXCHANGE_CATEGORIES: readonly string[] = ["exchange", "exchange_deposit"];

/** Opens the flows of a history with the labels of its counterparties. `acts`: reused when already read. */
export const openFlows = async (history: ValuedHistory, acts: Acts | null = null): Promise<WalletFlows> => {
  const parties = await readParties(history, acts);
  const { labels } = parties;
  const { movements } = history;
  const codesOf = (peers: readonly Hex[]): ReadonlySet<number> =>
    new Set(peers.map((peer) => movements.peers.find(peer)));
  const wantedOf = ({ peers = null, categories = [] }: FlowQuery): ReadonlySet<number> | null => {
    if (peers === null && categories.length === 0) return null;
    const named = [...labels].filter(([, { tags }]) => tags?.some((tag) => categories.includes(tag)) ?? false);
    const fitting = codesOf(named.map(([peer]) => peer));
    if (peers === null) return fitting;
    const listed = codesOf(peers);
    return categories.length === 0 ? listed : new Set([...listed].filter((code) => fitting.has(code)));
  };
  const ask = async (question: FlowQuery): Promise<FlowList> => {
    const counted = { ...parties, wanted: wantedOf(question) };
    const all = await inTurns(groupRows(history, counted, groupingOf(history, question)), history.scope.signal);
    const { min_usd = 0, sort, limit_by, limit = Number.POSITIVE_INFINITY, offset = 0 } = question;
    const listed = all.filter(
      ({ interactions, nano_in, nano_out }) =>
        interactions > 0 && (min_usd === 0 || nano_in.usd + nano_out.usd >= min_usd),
    );
    if (limit > 0) {
      for (const group of listed) group.volume = group.nano_in.plus(group.nano_out);
      listed.sort(byRank(history, sort));
    }
    return {
      rows: limited(listed, limit_by)
        .slice(offset, offset + limit)
        .map((group) => flowOf(history, labels, group)),
      totals: totalsOf(listed, ({ peer }) => labels.has(movements.peers.textOf(peer))),
      hidden_spam: all.reduce((sum, { hidden }) => sum + hidden, 0),
    };
  };
  return { history, labels, ask };
};
