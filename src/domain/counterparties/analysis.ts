import type { Chain } from "../../chains/chain.ts";
import type { Hex } from "../../lib/bytes.ts";
import type { Snapshot } from "../../store/facts.ts";
import type { CallContext, SnapshotContext, Warning } from "../context.ts";
import { type Flow, type Flows, openFlows } from "../flows/wallet_flows.ts";
import { labelsOf, type Party, UNKNOWN_PARTY } from "../identity/parties.ts";
import { type DateWindow, dateWindow } from "../window/dates.ts";
import { gapsOf } from "../window/gaps.ts";
import type { AnalysisQuestion } from "./report.ts";
import type { Peer } from "./sums.ts";

const ADDRESSES_AT_ONCE = 1_000;
/** Bit of `spam_reasons`: a look-alike. */
const LOOKALIKE_BIT = 2;

/** What one network tells. */
export interface Part {
  readonly place: SnapshotContext;
  readonly wallet: Hex;
  readonly window: DateWindow;
  readonly flows: Flows;
  readonly gaps: readonly Warning[];
  readonly rows: readonly Flow[];
  /** Peers that only look like real ones. */
  readonly lookalikes: readonly Flow[];
  readonly parties: ReadonlyMap<Hex, Party>;
  readonly met_before: ReadonlySet<Hex>;
  readonly hidden_spam: number;
}

const partiesOf = async (
  { facts, snapshot }: SnapshotContext,
  addresses: readonly Hex[],
): Promise<ReadonlyMap<Hex, Party>> => {
  const chunks = Array.from({ length: Math.ceil(addresses.length / ADDRESSES_AT_ONCE) }, (_, i) =>
    addresses.slice(i * ADDRESSES_AT_ONCE, (i + 1) * ADDRESSES_AT_ONCE),
  );
  const found = await Promise.all(chunks.map((chunk) => labelsOf(facts, snapshot, chunk)));
  return new Map(found.flatMap((part) => [...part]));
};

/** Flagged transfers, where nothing else is. */
const spamOf = async (flows: Flows): Promise<number> => {
  const [everything] = await flows.ask({ include_spam: true });
  return everything?.spam ?? 0;
};

export const readPart = async (
  context: CallContext,
  asked: AnalysisQuestion,
  [chain, wallet]: readonly [Chain, Hex],
): Promise<{ basis: Snapshot; value: Part }> => {
  const snapshot = await context.facts.snapshot(chain.network.id, asked.as_of_block ?? null);
  const place: SnapshotContext = { facts: context.facts, chain, snapshot, signal: context.signal };
  const window = dateWindow(asked, snapshot.block.time);
  const [flows, gaps] = await Promise.all([openFlows(place, wallet, window), gapsOf(place, window)]);
  const { poisoners } = flows;
  const [rows, poisoned, earlier] = await Promise.all([
    flows.ask({ by: "peer" }),
    poisoners.length === 0 ? [] : flows.ask({ by: "peer", include_spam: true, peers: poisoners }),
    context.facts.ask(snapshot, "counterparties/earlier_peers", {
      wallet,
      since: window.from,
      until: window.until,
    }),
  ]);
  const parties = await partiesOf(
    place,
    rows.filter(({ is_labelled }) => is_labelled === 1).map(({ peer }) => peer),
  );
  const [first] = rows;
  return {
    basis: snapshot,
    value: {
      place,
      wallet,
      window,
      flows,
      gaps,
      rows,
      lookalikes: poisoned.filter(({ spam_reasons }) => (spam_reasons & LOOKALIKE_BIT) !== 0),
      parties,
      met_before: new Set(earlier.map(({ peer }) => peer)),
      hidden_spam: first === undefined ? await spamOf(flows) : first.hidden_spam,
    },
  };
};

const peerOf = (part: Part, flow: Flow): Peer => {
  const party = part.parties.get(flow.peer);
  const { tags, entity } = party ?? UNKNOWN_PARTY;
  return {
    address: flow.peer,
    tags: tags ?? [],
    is_labelled: party !== undefined,
    entity,
    in_usd: flow.in_usd,
    out_usd: flow.out_usd,
    transfers: flow.interactions,
    transactions: flow.transactions,
    is_known_before: part.met_before.has(flow.peer),
  };
};

/** Each counterparty once, over all networks, largest volume first, ties by address. */
export const peersOf = (parts: readonly Part[]): readonly Peer[] => {
  const peers = new Map<Hex, Peer>();
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
