import type { Chain } from "../../../chains/chain.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { type Party, UNKNOWN_PARTY } from "../../address/identity/parties.ts";
import type { Basis, CallContext, SnapshotContext, Warning } from "../../context.ts";
import { type DateWindow, dateWindow } from "../../window/dates.ts";
import { basisIn, gapsOf } from "../../window/gaps.ts";
import { readEarlierPeers } from "../history/contacts.ts";
import { type CounterpartyFlow, type FlowTotals, openFlows } from "../history/flows.ts";
import { flaggedRows, readHistory, type ValuedHistory } from "../history/history.ts";
import { LOOKALIKE_BIT } from "../history/movement_flags.ts";
import type { AnalysisQuery } from "./report.ts";
import type { CounterpartySum } from "./sums.ts";

/** One network's share of the analysis. */
export interface NetworkCounterparties {
  readonly scope: SnapshotContext;
  readonly wallet: Hex;
  readonly window: DateWindow;
  readonly history: ValuedHistory;
  readonly gaps: readonly Warning[];
  readonly rows: readonly CounterpartyFlow[];
  /** The same by token too; empty for one hop. */
  readonly flows_by_token: readonly CounterpartyFlow[];
  readonly totals: FlowTotals;
  /** Spam peers whose addresses imitate those of real counterparties. */
  readonly lookalikes: readonly CounterpartyFlow[];
  /** Number of transfers with the look-alikes. */
  readonly lookalike_count: number;
  readonly parties: ReadonlyMap<Hex, Party>;
  readonly met_before: ReadonlySet<Hex>;
  readonly hidden_spam: number;
}

export const readNetworkCounterparties = async (
  context: CallContext,
  asked: AnalysisQuery,
  [chain, wallet]: readonly [Chain, Hex],
): Promise<{ basis: Basis; value: NetworkCounterparties }> => {
  const snapshot = await context.facts.snapshot(chain.network.id, asked.as_of_block ?? null);
  const scope: SnapshotContext = { facts: context.facts, chain, snapshot, signal: context.signal };
  const window = dateWindow(asked, snapshot.block.time);
  // The whole past tells new peers from known ones, and it already contains the window.
  const [met_before, gaps] = await Promise.all([readEarlierPeers(scope, wallet, window.from), gapsOf(scope, window)]);
  const history = await readHistory(scope, wallet, window);
  const flows = await openFlows(history);
  const { rows, totals, hidden_spam } = await flows.ask({ by: "peer" });
  const by_token = asked.hops === 1 ? null : await flows.ask({ by: "peer_and_token" });
  const everything = await flows.ask({ by: "peer", include_spam: true });
  return {
    basis: await basisIn(scope, window),
    value: {
      scope,
      wallet,
      window,
      history,
      gaps,
      rows,
      flows_by_token: by_token?.rows ?? [],
      totals,
      lookalikes: everything.rows.filter(({ spam_reasons }) => (spam_reasons & LOOKALIKE_BIT) !== 0),
      lookalike_count: flaggedRows(history, LOOKALIKE_BIT),
      parties: flows.labels,
      met_before,
      hidden_spam,
    },
  };
};

const peerOf = (part: NetworkCounterparties, flow: CounterpartyFlow): CounterpartySum => {
  const party = part.parties.get(flow.peer);
  const { tags, entity } = party ?? UNKNOWN_PARTY;
  return {
    address: flow.peer,
    tags: tags ?? [],
    is_labelled: party !== undefined,
    entity,
    in_usd: flow.in_usd,
    out_usd: flow.out_usd,
    limited_in_usd: flow.limited_in_usd,
    limited_out_usd: flow.limited_out_usd,
    transfers: flow.interactions,
    transactions: flow.transactions,
    is_known_before: part.met_before.has(flow.peer),
  };
};

/** Merges counterparties over all networks: largest volume first, ties by address. */
export const peersOf = (parts: readonly NetworkCounterparties[]): readonly CounterpartySum[] => {
  const peers = new Map<Hex, CounterpartySum>();
  for (const part of parts) {
    for (const flow of part.rows) {
      const own = peerOf(part, flow);
      const known = peers.get(flow.peer);
      peers.set(
        flow.peer,
        known === undefined
          ? own
          : {
              ...known,
              tags: [...new Set([...known.tags, ...own.tags])],
              is_labelled: known.is_labelled || own.is_labelled,
              entity: known.entity ?? own.entity,
              in_usd: known.in_usd + own.in_usd,
              out_usd: known.out_usd + own.out_usd,
              limited_in_usd: known.limited_in_usd + own.limited_in_usd,
              limited_out_usd: known.limited_out_usd + own.limited_out_usd,
              transfers: known.transfers + own.transfers,
              transactions: known.transactions + own.transactions,
              is_known_before: known.is_known_before || own.is_known_before,
            },
      );
    }
  }
  return [...peers.values()].sort(
    (a, b) => b.in_usd + b.out_usd - (a.in_usd + a.out_usd) || (a.address < b.address ? -1 : 1),
  );
};
