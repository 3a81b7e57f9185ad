import { isGuessed } from "../../../labels/derived_labels.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { iso } from "../../../lib/time.ts";
import type { QueryRow } from "../../../store/facts.ts";
import { SERVICE_CATEGORIES } from "../../address/cohorts/definitions.ts";
import { labelsOf, type Party, type ShownParty, shownParty, UNKNOWN_PARTY } from "../../address/identity/parties.ts";
import { tradedToken } from "../../aliases.ts";
import type { Warning } from "../../context.ts";
import type { NetworkCounterparties } from "../../wallet/counterparties/analysis.ts";
import type { CounterpartyAnalysis } from "../../wallet/counterparties/report.ts";
import { type AssetVolume, indirectOf } from "../../wallet/counterparties/sums.ts";
import { readMovementSpans, within } from "../../wallet/history/movement_spans.ts";
import { RISK_CATEGORIES } from "./tags.ts";

/** Number of counterparties whose own counterparties are read, the largest first. */
const TRACED_MAX = 200;
/**
 * Total number of movements of those counterparties, over all time: Assay does not trace through a counterparty with
 * too many, such as an unlabelled exchange.
 */
const TRACED_ROWS_MAX = 1_000_000;
const SOURCES_MAX = 5;

type CounterpartyExposure = CounterpartyAnalysis["risk_exposure"][number];
type TracedRow = QueryRow<"risk/indirect">;

interface ExposureShare {
  readonly category: string;
  readonly hops: number;
  readonly address: string;
  readonly who: ShownParty;
  readonly in_usd: number;
  readonly out_usd: number;
  readonly observed_at: string;
}

const labelled = (part: NetworkCounterparties, address: Hex): readonly string[] =>
  part.parties.get(address)?.tags ?? [];

/** A counterparty counts in the first of its risk categories only. */
const riskOf = (tags: readonly string[]): string | null => tags.find((tag) => RISK_CATEGORIES.includes(tag)) ?? null;

const directOf = (part: NetworkCounterparties): readonly ExposureShare[] =>
  part.rows.flatMap(({ peer, in_usd, out_usd }) => {
    const category = riskOf(labelled(part, peer));
    if (category === null) return [];
    const address = part.scope.chain.formatAddress(peer);
    return [
      {
        ...{ category, hops: 1, address, who: shownParty(part.parties.get(peer)) },
        in_usd,
        out_usd,
        observed_at: iso(part.scope.snapshot.block.time),
      },
    ];
  });

/** Flows with one counterparty by asset; the coin and its wrapped form are one. */
const volumesOf = ({ flows_by_token, scope }: NetworkCounterparties, address: Hex): readonly AssetVolume[] =>
  flows_by_token
    .filter(({ peer }) => peer === address)
    .map(({ token, in_usd, out_usd }) => ({ asset: tradedToken(scope.chain.network, token), in_usd, out_usd }));

/** Whether tracing stops at a counterparty. A guessed label of a deposit address stops nothing. */
const isStop = ({ tags, source }: Party = UNKNOWN_PARTY): boolean =>
  tags?.some(
    (tag) => SERVICE_CATEGORIES.includes(tag) && !(tag === "exchange_deposit" && source !== null && isGuessed(source)),
  ) ?? false;

const sharesOf = async (
  part: NetworkCounterparties,
  plain: NetworkCounterparties["rows"],
  traced: readonly TracedRow[],
): Promise<readonly ExposureShare[]> => {
  const { facts, snapshot } = part.scope;
  const flagged = traced.filter(({ category }) => category !== "");
  const parties = await labelsOf(
    facts,
    snapshot,
    flagged.map(({ source }) => source),
  );
  const of = new Map<string, ExposureShare>();
  for (const flow of plain) {
    for (const category of new Set(flagged.filter(({ address }) => address === flow.peer).map((row) => row.category))) {
      const share = indirectOf(traced, { address: flow.peer, volumes: volumesOf(part, flow.peer) }, category);
      const source = flagged.find((row) => row.address === flow.peer && row.category === category)?.source ?? flow.peer;
      const address = part.scope.chain.formatAddress(source);
      const known = of.get(`${category}:${address}`);
      of.set(`${category}:${address}`, {
        category,
        hops: 2,
        address,
        who: shownParty(parties.get(source)),
        in_usd: (known?.in_usd ?? 0) + share.in_usd,
        out_usd: (known?.out_usd ?? 0) + share.out_usd,
        observed_at: iso(part.scope.snapshot.block.time),
      });
    }
  }
  return [...of.values()];
};

const isUnread = ({ scope }: NetworkCounterparties): boolean => scope.snapshot.followed !== undefined;

/** Tracing stops at services and at addresses that are a risk themselves. */
const indirectSharesOf = async (
  part: NetworkCounterparties,
): Promise<{ shares: readonly ExposureShare[]; is_cut: boolean }> => {
  const { scope, window, wallet } = part;
  // Its counterparties have no whole rows, and no stored prices.
  if (isUnread(part)) return { shares: [], is_cut: false };
  const plain = part.rows.filter(({ peer }) => {
    return riskOf(labelled(part, peer)) === null && !isStop(part.parties.get(peer));
  });
  const largest = plain.slice(0, TRACED_MAX);
  const spans = await readMovementSpans(
    scope,
    largest.map(({ peer }) => peer),
  );
  const few = new Set(within(spans, TRACED_ROWS_MAX).map(({ address }) => address));
  const looked = largest.filter(({ peer }) => few.has(peer));
  const is_cut = looked.length < plain.length;
  if (looked.length === 0) return { shares: [], is_cut };
  const traced = await scope.facts.ask(scope.snapshot, "risk/indirect", {
    addresses: looked.map(({ peer }) => peer),
    wallet,
    wrapped: scope.chain.network.wrapped_native ?? "",
    categories: RISK_CATEGORIES,
    since: window.from,
    until: window.until,
  });
  return { shares: await sharesOf(part, looked, traced), is_cut };
};

const exposureOf = (
  category: string,
  shares: readonly ExposureShare[],
  has_indirect: boolean,
): CounterpartyExposure => {
  const own = shares.filter((share) => share.category === category);
  const sum = (at: number, side: "in_usd" | "out_usd") =>
    own.filter((share) => share.hops === at).reduce((total, share) => total + share[side], 0);
  const sources = [...own].sort(
    (a, b) => b.in_usd + b.out_usd - (a.in_usd + a.out_usd) || (a.address < b.address ? -1 : 1),
  );
  return {
    category,
    direct_in_usd: sum(1, "in_usd"),
    direct_out_usd: sum(1, "out_usd"),
    indirect_in_usd: has_indirect ? sum(2, "in_usd") : null,
    indirect_out_usd: has_indirect ? sum(2, "out_usd") : null,
    top_sources: sources
      .slice(0, SOURCES_MAX)
      .map(({ address, who, hops: distance, in_usd, out_usd, observed_at }) => ({
        address,
        ...who,
        hops: distance,
        amount_usd: in_usd + out_usd,
        evidence: [{ kind: "label", ref: `${category}:${address}`, observed_at }],
      })),
  };
};

const indirectUnread = ({ scope }: NetworkCounterparties): Warning => ({
  code: "INDIRECT_NOT_READ",
  message: `${scope.chain.network.name} is read on demand: indirect exposure is unknown here. get_wallet_risk_overview follows it through the counterparties that are read.`,
});

/** Exposure to each risk category, the largest direct one first. */
export const readExposure = async (
  parts: readonly NetworkCounterparties[],
  hops: number,
): Promise<{ readonly exposure: CounterpartyExposure[]; readonly warnings: readonly Warning[] }> => {
  const further = hops === 1 ? [] : await Promise.all(parts.map(indirectSharesOf));
  const shares = [...parts.flatMap(directOf), ...further.flatMap(({ shares: found }) => found)];
  const categories = [...new Set(shares.map(({ category }) => category))].sort();
  const unread = parts.filter(isUnread);
  const message = `Only the ${TRACED_MAX} largest counterparties were checked for indirect exposure, as far as they have no more than ${TRACED_ROWS_MAX} movements together.`;
  return {
    exposure: categories
      .map((category) => exposureOf(category, shares, hops > 1 && unread.length === 0))
      .sort((a, b) => b.direct_in_usd + b.direct_out_usd - (a.direct_in_usd + a.direct_out_usd)),
    warnings: [
      ...(further.some(({ is_cut }) => is_cut) ? [{ code: "INDIRECT_PARTIAL", message }] : []),
      ...(hops > 1 ? unread.map(indirectUnread) : []),
    ],
  };
};
