import type { SnapshotContext } from "../../domain/context.ts";
import type { Flow, Flows } from "../../domain/flows/wallet_flows.ts";
import { labelsOf } from "../../domain/identity/parties.ts";
import { formatToken, metadataIn, metadataOf } from "../../domain/tokens/metadata.ts";
import type { PatternsOutput } from "./shape.ts";

const TOP_MAX = 10;
/** Counterparties among which protocols are looked for. */
const PEERS_MAX = 200;

const volumeOf = (flow: Flow): number | null =>
  flow.interactions === flow.unpriced ? null : flow.in_usd + flow.out_usd;

export const readTop = async (
  place: SnapshotContext,
  flows: Flows,
  include_spam: boolean,
): Promise<Pick<PatternsOutput, "top_protocols" | "top_tokens">> => {
  const { chain, facts, snapshot } = place;
  const [peers, tokens] = await Promise.all([
    flows.ask({ by: "peer", sort: "count", include_spam, limit: PEERS_MAX }),
    flows.ask({ by: "token", include_spam, limit: TOP_MAX }),
  ]);
  const labelled = peers.filter(({ is_labelled }) => is_labelled === 1);
  const [parties, faces] = await Promise.all([
    labelsOf(
      facts,
      snapshot,
      labelled.map(({ peer }) => peer),
    ),
    metadataOf(
      place,
      tokens.map(({ token }) => token),
    ),
  ]);
  const protocols = labelled.flatMap((flow) => {
    const party = parties.get(flow.peer);
    if (party === undefined || party.label === null) return [];
    const { label, tags, entity } = party;
    const address = chain.formatAddress(flow.peer);
    const category = tags?.[0] ?? null;
    return [{ address, label, category, entity, tx_count: flow.transactions, volume_usd: volumeOf(flow) }];
  });
  return {
    top_protocols: protocols
      .sort((a, b) => b.tx_count - a.tx_count || (a.address < b.address ? -1 : 1))
      .slice(0, TOP_MAX),
    top_tokens: tokens.map((flow) => ({
      symbol: metadataIn(faces, flow.token).symbol,
      address: formatToken(chain, flow.token),
      transfer_count: flow.interactions,
      volume_usd: volumeOf(flow),
    })),
  };
};
