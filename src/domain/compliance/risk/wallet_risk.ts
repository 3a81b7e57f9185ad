import type { Warning } from "../../context.ts";
import type { CategoryHit } from "./address_risks.ts";
import { behavioursOf } from "./behaviour.ts";
import { freezesOf, officialHits, sanctionsOf } from "./checks.ts";
import { categoriesOf, distinctEvidence, exposuresIn, networkTrails, relatedOf } from "./findings.ts";
import { coveragePercent } from "./history.ts";
import { type BehaviourCode, LIMITS } from "./model.ts";
import { endsOf } from "./path_steps.ts";
import { positivesOf } from "./positives.ts";
import type { NetworkRisk } from "./read.ts";
import type {
  ApprovalFinding,
  BehaviourFinding,
  CategoryFinding,
  EndFinding,
  FreezesFinding,
  PositiveFactor,
  RelatedWallet,
  SanctionsFinding,
  TracingSummary,
} from "./report.ts";
import { type ExposureDirection, type RiskScore, scoreOf } from "./score.ts";
import { unlistedIn } from "./unlisted.ts";
import { tracingOf } from "./wallet_trace.ts";

/** A reason of the score, heaviest first. */
export interface ScoreReason {
  readonly code: string;
  readonly category: CategoryFinding["category"] | null;
  /** 0..100: what this alone would make of the score. */
  readonly weight: number;
  readonly evidence: CategoryFinding["evidence"];
}

/** The whole picture: every risk tool shows a part of this one computation. */
export interface WalletRisk {
  readonly score: RiskScore;
  readonly coverage_percent: number;
  readonly tracing: TracingSummary;
  /** USD that the wallet received and paid. */
  readonly totals: Readonly<Record<ExposureDirection, number>>;
  readonly categories: CategoryFinding[];
  readonly behaviour: BehaviourFinding[];
  readonly reasons: readonly ScoreReason[];
  readonly sanctions: SanctionsFinding;
  readonly freezes: FreezesFinding;
  readonly approvals: ApprovalFinding[];
  readonly related: RelatedWallet[];
  /** Where the money came from and went to without a category of risk, the most value first. */
  readonly ends: EndFinding[];
  readonly positives: PositiveFactor[];
  readonly unavailable: { field: string; reason: string }[];
}

/** Hits of the wallet itself: its labels, the lists and the issuers, each category once with all evidence. */
export const ownHits = (networks: readonly NetworkRisk[]): readonly CategoryHit[] => {
  const all = networks.flatMap(({ mark, checks }) => [...mark.hits, ...officialHits(checks)]);
  const found = new Map<string, CategoryHit>();
  for (const hit of all) {
    const known = found.get(hit.category);
    found.set(hit.category, {
      category: hit.category,
      confidence: Math.max(hit.confidence, known?.confidence ?? 0),
      evidence: distinctEvidence([...(known?.evidence ?? []), ...hit.evidence]),
    });
  }
  return [...found.values()];
};

const reasonsOf = (
  categories: readonly CategoryFinding[],
  behaviour: readonly BehaviourFinding[],
): readonly ScoreReason[] =>
  [
    ...categories.map(({ category, score, evidence }) => ({ code: category, category, weight: score, evidence })),
    ...behaviour.map(({ code, score, evidence }) => ({ code, category: null, weight: score, evidence })),
  ].sort((a, b) => b.weight - a.weight || (a.code < b.code ? -1 : 1));

type MissingRisk = WalletRisk["unavailable"][number];

const networkOf = ({ scope }: NetworkRisk): string => scope.chain.network.id;

interface UnjudgedBehaviour {
  readonly code: BehaviourCode;
  readonly network: string;
  readonly reason: string;
}

/** Behaviour that could not be judged: what is known does not show it, and what is not known could. */
const unjudgedOf = (networks: readonly NetworkRisk[]): readonly UnjudgedBehaviour[] => {
  const unverified = networks.reduce((sum, { spenders }) => sum + spenders.unverified.length, 0);
  const unknown = networks.reduce((sum, { spenders }) => sum + spenders.unknown_count, 0);
  const is_open = unverified <= LIMITS.unverified_approvals && unverified + unknown > LIMITS.unverified_approvals;
  const is_rugger = networks.some(({ behaviour }) => behaviour.rugged.length > 0);
  return networks.flatMap((network): readonly UnjudgedBehaviour[] => {
    const { spenders, behaviour } = network;
    const open = is_open && spenders.unknown_count > 0;
    const because = (code: BehaviourCode, reason: string) => ({ code, network: networkOf(network), reason });
    return [
      ...(open
        ? [because("many_unverified_approvals", spenders.gap ?? "it is unknown whether their sources are verified")]
        : []),
      ...(behaviour.rugs_gap !== null && !is_rugger ? [because("deployed_rugged_token", behaviour.rugs_gap)] : []),
    ];
  });
};

const CUT_OFF = "tracing stopped early, so further exposure is unknown";
const NO_SCORE = "of the wallet's history is indexed, and a score needs at least half";

const unreadReason = (networks: readonly NetworkRisk[]): string => {
  const all = networks.map(({ walk }) => walk.coverage.unread);
  const count = all.reduce((sum, { reading, unread }) => sum + reading + unread, 0);
  const usd = Math.round(all.reduce((sum, one) => sum + one.usd, 0));
  return `${count} addresses behind the wallet are not read, with ${usd} USD of its value, so exposure through them is unknown`;
};

const unavailableOf = (
  score: RiskScore,
  coverage_percent: number,
  networks: readonly NetworkRisk[],
): WalletRisk["unavailable"] => [
  ...(score.rule === "coverage"
    ? [{ field: "risk_score", reason: `only ${Math.floor(coverage_percent)} % ${NO_SCORE}` }]
    : []),
  ...(score.rule === "cut_off" ? [{ field: "risk_score", reason: CUT_OFF }] : []),
  ...(score.rule === "unread" ? [{ field: "risk_score", reason: unreadReason(networks) }] : []),
  ...unjudgedOf(networks).map(({ code, network, reason }) => ({
    field: "behaviour",
    reason: `${code} on ${network}: ${reason}`,
  })),
  ...networks.flatMap(({ scope, unlisted }) => unlistedIn(scope, unlisted)),
];

/** Approvals of which it is not known whether their spenders have a verified source, by network. */
export const unknownSpenders = (networks: readonly NetworkRisk[]): readonly MissingRisk[] =>
  networks.flatMap((network) => {
    const { unknown_count, gap } = network.spenders;
    if (unknown_count === 0) return [];
    const reason = `${unknown_count} spenders on ${networkOf(network)}: ${gap ?? "it is unknown whether their sources are verified"}`;
    return [{ field: "approvals_at_risk[].reason", reason }];
  });

/** One assessment over all networks of the wallet. */
export const combine = (networks: readonly NetworkRisk[]): WalletRisk => {
  const trails = networkTrails(networks);
  const hits = ownHits(networks);
  const found = behavioursOf(networks);
  const totals = {
    in: networks.reduce((sum, { walk }) => sum + walk.traced.totals.in, 0),
    out: networks.reduce((sum, { walk }) => sum + walk.traced.totals.out, 0),
  };
  const coverage_percent = coveragePercent(networks.map(({ history }) => history));
  const score = scoreOf({
    direct: hits,
    exposures: exposuresIn(networks),
    totals,
    behaviours: found.map(({ code }) => code),
    unjudged: unjudgedOf(networks).map(({ code }) => code),
    coverage_percent,
    is_cut_off: networks.some(({ walk }) => walk.coverage.is_stopped),
    unread_usd: networks.reduce((sum, { walk }) => sum + walk.coverage.unread.usd, 0),
    is_service: networks.some(({ mark }) => mark.service !== null) && networks.every(({ mark }) => !mark.is_deposit),
  });
  const categories = [...categoriesOf({ trails, hits, totals, score })];
  const behaviour = score.behaviours.flatMap(({ code, x }) =>
    found
      .filter((one) => one.code === code)
      .map(({ description, evidence }) => ({ code, score: 100 * x, description, evidence: [...evidence] })),
  );
  const checks = networks.map((network) => network.checks);
  const [sanctions, freezes] = [sanctionsOf(checks), freezesOf(checks)];
  return {
    score,
    coverage_percent,
    tracing: tracingOf(networks.map(({ walk }) => walk)),
    totals,
    categories,
    behaviour,
    reasons: reasonsOf(categories, behaviour),
    sanctions,
    freezes,
    approvals: networks.flatMap(({ approvals }) => approvals),
    related: [...relatedOf(trails)],
    ends: [...endsOf(networks, totals)],
    positives: positivesOf({ networks, is_service: score.service_address, sanctions, freezes }),
    unavailable: unavailableOf(score, coverage_percent, networks),
  };
};

/** Whether anything at all is recorded about the wallet. */
export const isKnown = ({ history, mark, checks, has_approvals }: NetworkRisk): boolean =>
  history.is_seen ||
  has_approvals ||
  mark.is_labelled ||
  checks.matches.length + checks.delisted.length > 0 ||
  checks.coins.some(({ is_frozen, history }) => is_frozen === true || history.length > 0);

/** Warnings of transfers that no percentage counts. */
export const unpricedTransfers = (networks: readonly NetworkRisk[]): readonly Warning[] =>
  networks.flatMap(({ behaviour, scope }) =>
    behaviour.unpriced_transfers === 0
      ? []
      : [
          {
            code: "UNPRICED_TRANSFERS",
            message: `${behaviour.unpriced_transfers} transfers on ${scope.chain.network.id} have no price and count in no percentage.`,
          },
        ],
  );
