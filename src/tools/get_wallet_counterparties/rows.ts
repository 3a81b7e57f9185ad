import {
  contractsAmong,
  type Party,
  shownParty,
  UNKNOWN_PARTY,
  withNames,
} from "../../domain/address/identity/parties.ts";
import { riskTagsOf } from "../../domain/compliance/risk/tags.ts";
import { formatToken, metadataIn, metadataOf, type TokenMetadata } from "../../domain/token/metadata/metadata.ts";
import { type CounterpartyByNetwork, type NetworkFlows, sumOf } from "../../domain/wallet/counterparties/read.ts";
import { sumsOf, volumesOf } from "../../domain/wallet/counterparties/volumes.ts";
import type { CounterpartyFlow } from "../../domain/wallet/history/flows.ts";
import { hashesOf } from "../../domain/wallet/history/history.ts";
import { spamReasonsOf } from "../../domain/wallet/history/movement_flags.ts";
import type { Hex } from "../../lib/bytes.ts";
import { toAmount } from "../../lib/money.ts";
import { iso } from "../../lib/time.ts";
import type { Counterparty } from "./shape.ts";

const TOKENS_MAX = 5;

interface CounterpartyDetail {
  readonly parties: ReadonlyMap<Hex, Party>;
  readonly contracts: ReadonlyMap<Hex, boolean | null>;
  readonly moved: readonly CounterpartyFlow[];
  readonly faces: ReadonlyMap<Hex, TokenMetadata>;
  readonly hashOf: (row: number) => Hex;
}

const readDetail = async (
  { scope, flows, filter }: NetworkFlows,
  met: readonly CounterpartyFlow[],
): Promise<CounterpartyDetail> => {
  const peers = met.map(({ peer }) => peer);
  const { rows: moved } = await flows.ask({ ...filter, by: "peer_and_token", peers, limit_by: TOKENS_MAX });
  const flagged = filter.include_spam === true ? met.map(({ spam_row }) => spam_row).filter((row) => row >= 0) : [];
  const [parties, contracts, faces, hashOf] = await Promise.all([
    withNames(scope, flows.labels, peers),
    contractsAmong(scope, peers),
    metadataOf(
      scope,
      moved.map(({ token }) => token),
    ),
    hashesOf(flows.history, flagged),
  ]);
  return { parties, contracts, moved, faces, hashOf };
};

type CounterpartyDetails = ReadonlyMap<NetworkFlows, CounterpartyDetail>;

const detailIn = (details: CounterpartyDetails, from: NetworkFlows): CounterpartyDetail => {
  const detail = details.get(from);
  if (detail === undefined) throw new RangeError("every network of the page was read");
  return detail;
};

const tokensOf = (met: CounterpartyByNetwork, details: CounterpartyDetails): Counterparty["tokens"] =>
  met.parts
    .flatMap(({ from }) => {
      const { moved, faces } = detailIn(details, from);
      return moved
        .filter(({ peer }) => peer === met.peer)
        .map((flow) => ({ from, flow, face: metadataIn(faces, flow.token) }));
    })
    .sort((a, b) => b.flow.in_usd + b.flow.out_usd - (a.flow.in_usd + a.flow.out_usd))
    .slice(0, TOKENS_MAX)
    .map(({ from, flow, face }) => {
      const decimals = face.standard === "erc721" || face.standard === "erc1155" ? 0 : face.decimals;
      return {
        symbol: face.symbol,
        address: formatToken(from.scope.chain, flow.token),
        chain: from.scope.chain.network.id,
        amount_in: decimals === null ? null : toAmount(flow.raw_in, decimals),
        amount_in_raw: flow.raw_in.toString(),
        amount_out: decimals === null ? null : toAmount(flow.raw_out, decimals),
        amount_out_raw: flow.raw_out.toString(),
        decimals,
        transfer_count: flow.interactions,
      };
    });

const partyOf = (met: CounterpartyByNetwork, details: CounterpartyDetails) => {
  const [first] = met.parts;
  if (first === undefined) throw new RangeError("a counterparty was met somewhere");
  const known = met.parts.map(({ from }) => ({ from, party: detailIn(details, from).parties.get(met.peer) }));
  const named = known.find(({ party }) => party?.tags != null) ?? known.find(({ party }) => party !== undefined);
  const party = named?.party ?? UNKNOWN_PARTY;
  const kinds = met.parts.map(({ from }) => detailIn(details, from).contracts.get(met.peer) ?? null);
  return {
    address: first.from.scope.chain.formatAddress(met.peer),
    ...shownParty(party),
    tags: party.tags,
    entity: party.entity,
    is_contract: kinds.includes(true) ? true : kinds.includes(null) ? null : false,
  };
};

const flagsOf = (met: CounterpartyByNetwork, details: CounterpartyDetails) => {
  const flagged = met.parts.filter(({ from, flow }) => from.filter.include_spam === true && flow.spam > 0);
  return {
    is_spam: flagged.length > 0,
    spam_reasons: [...new Set(flagged.flatMap(({ flow }) => spamReasonsOf(flow.spam_reasons)))],
    evidence: flagged.map(({ from, flow }) => ({
      kind: "tx" as const,
      ref: from.scope.chain.formatHash(detailIn(details, from).hashOf(flow.spam_row)),
      observed_at: iso(from.flows.history.movements.time[flow.spam_row] ?? 0),
    })),
  };
};

const rowOf = (met: CounterpartyByNetwork, details: CounterpartyDetails): Counterparty => {
  const peer = partyOf(met, details);
  const sums = sumsOf([met]);
  return {
    peer,
    interaction_count: sums.interactions,
    transfers_in: sums.transfers_in,
    transfers_out: sums.interactions - sums.transfers_in,
    tx_count: sumOf(met, ({ transactions }) => transactions),
    ...volumesOf(sums),
    unpriced_transfers_in: sums.unpriced_in,
    first_interaction: iso(Math.min(...met.parts.map(({ flow }) => flow.first_time))),
    last_interaction: iso(Math.max(...met.parts.map(({ flow }) => flow.last_time))),
    tokens: tokensOf(met, details),
    chains: met.parts.map(({ from }) => from.scope.chain.network.id),
    via: [
      ...new Set(met.parts.flatMap(({ from, flow }) => flow.via.map((hex) => from.scope.chain.formatAddress(hex)))),
    ],
    risk_tags: riskTagsOf(peer.tags),
    ...flagsOf(met, details),
  };
};

export const readRowsOf = async (page: readonly CounterpartyByNetwork[]): Promise<Counterparty[]> => {
  const flows = new Map<NetworkFlows, CounterpartyFlow[]>();
  for (const { parts } of page) {
    for (const { from, flow } of parts) flows.set(from, [...(flows.get(from) ?? []), flow]);
  }
  const details = new Map(
    await Promise.all([...flows].map(async ([from, met]) => [from, await readDetail(from, met)] as const)),
  );
  return page.map((met) => rowOf(met, details));
};
