import type { Hex } from "../../../lib/bytes.ts";
import { iso } from "../../../lib/time.ts";
import { shownParty } from "../../address/identity/parties.ts";
import { addressRiskIn, type CategoryHit, heaviestOf, type RiskEvidence } from "./address_risks.ts";
import { exposuresOf } from "./exposure.ts";
import { CATEGORIES, type RiskCategory } from "./model.ts";
import { percentOf, stepsIn } from "./path_steps.ts";
import type { CategoryFinding, RelatedWallet, SourceFinding } from "./report.ts";
import type { CategoryExposure, RiskScore } from "./score.ts";
import type { HashedTrail, TracedNetwork } from "./traced_network.ts";

/** Maximum number of sources of one category, and of evidence items of one finding: the largest ones. */
const SOURCES_MAX = 20;
const EVIDENCE_MAX = 10;
const RELATED_MAX = 20;

interface PlacedTrail {
  readonly from: TracedNetwork;
  readonly trail: HashedTrail;
}

/** A trail and its network. */
export interface NetworkTrail extends PlacedTrail {
  readonly category: RiskCategory;
}

/** The flagged end of a trail, on whatever network. */
const originOf = ({ from, trail }: PlacedTrail): PlacedTrail =>
  trail.beyond === null ? { from, trail } : originOf(trail.beyond);

const categoryIn = (placed: PlacedTrail): RiskCategory | null => {
  const { from, trail } = originOf(placed);
  return heaviestOf(addressRiskIn(from.walk.marks, trail.source));
};

/** Every trail of every network with its source's category, the most value first. */
export const networkTrails = (networks: readonly TracedNetwork[]): readonly NetworkTrail[] =>
  networks
    .flatMap((from) =>
      from.walk.traced.trails.flatMap((trail): readonly NetworkTrail[] => {
        const category = categoryIn({ from, trail });
        return category === null ? [] : [{ from, trail, category }];
      }),
    )
    .sort((a, b) => b.trail.usd - a.trail.usd || (keyOf(a) < keyOf(b) ? -1 : 1));

const keyOf = ({ from, trail }: PlacedTrail): string =>
  `${from.scope.chain.network.id}:${trail.path.join(">")}${trail.beyond === null ? "" : `<${keyOf(trail.beyond)}`}`;

const txEvidence = ({ from, trail }: PlacedTrail): readonly RiskEvidence[] => [
  ...trail.tx_hashes.map(
    (hash): RiskEvidence => ({
      kind: "tx",
      ref: from.scope.chain.formatHash(hash),
      observed_at: iso(trail.last_time),
    }),
  ),
  ...(trail.beyond === null ? [] : txEvidence(trail.beyond)),
];

/**
 * The path of the money without the wallet, each address with the transaction that leads on towards (or from) it. Steps
 * beyond a bridge are on the other network.
 */
const pathOf = ({ from, trail }: PlacedTrail): SourceFinding["path"] => {
  const own = stepsIn(from, trail);
  if (trail.beyond === null) return own;
  const beyond = pathOf(trail.beyond);
  return trail.direction === "in" ? [...beyond, ...own] : [...own, ...beyond];
};

/** 0..1: that every bridge on the way was crossed by this money. */
const confidenceOf = ({ beyond }: HashedTrail): number =>
  beyond === null ? 1 : beyond.confidence * confidenceOf(beyond.trail);

/** Direct trails of one source in one direction form one row, indirect ones another, with the path of the largest. */
const sourcesOf = (trails: readonly NetworkTrail[]): readonly SourceFinding[] => {
  const found = new Map<string, SourceFinding>();
  for (const placed of trails) {
    const { trail } = placed;
    const { from, trail: end } = originOf(placed);
    const network = from.scope.chain.network.id;
    const key = `${network}:${end.source}:${trail.direction}:${trail.hops === 1}`;
    const known = found.get(key);
    found.set(key, {
      address: from.scope.chain.formatAddress(end.source),
      ...shownParty(addressRiskIn(from.walk.marks, end.source).party),
      network,
      direction: trail.direction,
      usd: trail.usd + (known?.usd ?? 0),
      hops: Math.min(trail.hops, known?.hops ?? trail.hops),
      is_dust: trail.is_dust,
      confidence: Math.min(confidenceOf(trail), known?.confidence ?? 1),
      first_seen: earlier(known?.first_seen, iso(trail.first_time)),
      last_seen: later(known?.last_seen, iso(trail.last_time)),
      path: known?.path ?? pathOf(placed),
    });
  }
  return [...found].sort(([a, x], [b, y]) => y.usd - x.usd || (a < b ? -1 : 1)).map(([, source]) => source);
};

const earlier = (a: string | undefined, b: string): string => (a === undefined || b < a ? b : a);
const later = (a: string | undefined, b: string): string => (a === undefined || b > a ? b : a);

const sum = (trails: readonly NetworkTrail[], counts: (trail: HashedTrail) => boolean): number =>
  trails.reduce((total, { trail }) => total + (counts(trail) ? trail.usd : 0), 0);

/** USD of a category's trails by direction, and directly or not. */
export const amountsOf = (trails: readonly NetworkTrail[]) => {
  const part = (direction: HashedTrail["direction"], is_direct: boolean): number =>
    sum(trails, (trail) => trail.direction === direction && (trail.hops === 1) === is_direct);
  const [direct_in_usd, indirect_in_usd] = [part("in", true), part("in", false)];
  const [direct_out_usd, indirect_out_usd] = [part("out", true), part("out", false)];
  return {
    exposure_in_usd: direct_in_usd + indirect_in_usd,
    exposure_out_usd: direct_out_usd + indirect_out_usd,
    ...{ direct_in_usd, direct_out_usd, indirect_in_usd, indirect_out_usd },
    dust_in_usd: sum(trails, ({ is_dust }) => is_dust),
  };
};

/** Each piece of evidence once, in the order of the list. */
export const distinctEvidence = (evidence: readonly RiskEvidence[]): RiskEvidence[] => [
  ...new Map(evidence.map((one) => [`${one.kind}:${one.ref}`, one] as const)).values(),
];

/** Evidence from labels and lists about the sources, and the transactions that lead to them. */
const evidenceOf = (trails: readonly NetworkTrail[], hits: readonly CategoryHit[]): RiskEvidence[] => {
  const said = trails.flatMap((placed) => {
    const { from, trail } = originOf(placed);
    return addressRiskIn(from.walk.marks, trail.source)
      .hits.filter((hit) => hit.category === placed.category)
      .flatMap(({ evidence }) => evidence);
  });
  return distinctEvidence([...hits.flatMap(({ evidence }) => evidence), ...said, ...trails.flatMap(txEvidence)]).slice(
    0,
    EVIDENCE_MAX,
  );
};

/** The sources of one category's trails with their paths, and the evidence. */
export const provenanceOf = (trails: readonly NetworkTrail[], hits: readonly CategoryHit[]) => {
  const sources = sourcesOf(trails);
  return {
    min_hops: sources.length === 0 ? null : Math.min(...sources.map(({ hops }) => hops)),
    sources: sources.slice(0, SOURCES_MAX),
    sources_count: sources.length,
    evidence: evidenceOf(trails, hits),
  };
};

/** Sums of trails for the score. */
export const exposuresIn = (networks: readonly TracedNetwork[]): readonly CategoryExposure[] =>
  exposuresOf(
    networks.flatMap((from) =>
      from.walk.traced.trails.map((trail) => ({ trail, category: categoryIn({ from, trail }) })),
    ),
  );

export interface FindingFacts {
  readonly trails: readonly NetworkTrail[];
  /** Categories of the wallet itself. */
  readonly hits: readonly CategoryHit[];
  readonly totals: Readonly<Record<HashedTrail["direction"], number>>;
  readonly score: RiskScore;
}

/** Every category that counts, heaviest first, in the order of the score. */
export const categoriesOf = ({ trails, hits, totals, score }: FindingFacts): readonly CategoryFinding[] =>
  score.categories.map(({ code, x }) => {
    const own = trails.filter(({ category }) => category === code);
    const direct = hits.filter(({ category }) => category === code);
    const amounts = amountsOf(own);
    return {
      category: code,
      score: 100 * x,
      direct: direct.length > 0,
      ...amounts,
      share_in_percent: percentOf(amounts.exposure_in_usd, totals.in),
      share_out_percent: percentOf(amounts.exposure_out_usd, totals.out),
      ...provenanceOf(own, direct),
    };
  });

const weightRank = (category: RiskCategory): number => CATEGORIES.findIndex((one) => one.category === category);

/** The neighbour of the wallet on a trail, and the transaction between both. */
const neighbourOf = ({ trail }: NetworkTrail): { readonly address: Hex; readonly tx_hash: Hex } => {
  const is_in = trail.direction === "in";
  return {
    address: (is_in ? trail.path.at(-2) : trail.path[1]) ?? "",
    tx_hash: (is_in ? trail.tx_hashes.at(-1) : trail.tx_hashes[0]) ?? "",
  };
};

/** Counterparties of the wallet that are a risk or lead to one. The heaviest category first, then by value. */
export const relatedOf = (trails: readonly NetworkTrail[]): readonly RelatedWallet[] => {
  const found = new Map<string, RelatedWallet>();
  for (const placed of trails) {
    const { from, trail, category } = placed;
    const { chain } = from.scope;
    const { address, tx_hash } = neighbourOf(placed);
    const key = `${chain.network.id}:${address}:${category}`;
    const known = found.get(key);
    const who = shownParty(addressRiskIn(from.walk.marks, address).party);
    const tx: RiskEvidence = { kind: "tx", ref: chain.formatHash(tx_hash), observed_at: iso(trail.last_time) };
    found.set(key, {
      address: chain.formatAddress(address),
      label: who.label,
      label_category: who.category,
      label_source: who.label_source,
      network: chain.network.id,
      category,
      relation: address === trail.source && trail.beyond === null ? "counterparty" : "intermediary",
      usd: trail.usd + (known?.usd ?? 0),
      evidence: distinctEvidence([...(known?.evidence ?? []), tx]).slice(0, EVIDENCE_MAX),
    });
  }
  return [...found]
    .sort(([a, x], [b, y]) => weightRank(x.category) - weightRank(y.category) || y.usd - x.usd || (a < b ? -1 : 1))
    .map(([, related]) => related)
    .slice(0, RELATED_MAX);
};
