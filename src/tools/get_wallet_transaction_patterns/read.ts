import type { SnapshotContext } from "../../domain/context.ts";
import { formatToken, metadataIn, metadataOf } from "../../domain/token/metadata/metadata.ts";
import type { CounterpartyFlow, WalletFlows } from "../../domain/wallet/history/flows.ts";
import type { PatternsOutput } from "./shape.ts";

const TOP_MAX = 10;
const PEERS_MAX = 200;

const volumeOf = (flow: CounterpartyFlow): number | null =>
  flow.interactions === flow.unpriced ? null : flow.in_usd + flow.out_usd;

export const readTop = async (
  scope: SnapshotContext,
  flows: WalletFlows,
  include_spam: boolean,
): Promise<Pick<PatternsOutput, "top_protocols" | "top_tokens">> => {
  const { chain } = scope;
  const { rows: peers } = await flows.ask({ by: "peer", sort: "count", include_spam, limit: PEERS_MAX });
  const { rows: tokens } = await flows.ask({ by: "token", include_spam, limit: TOP_MAX });
  const faces = await metadataOf(
    scope,
    tokens.map(({ token }) => token),
  );
  const protocols = peers.flatMap((flow) => {
    const party = flows.labels.get(flow.peer);
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
