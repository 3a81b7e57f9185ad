import { unknownAddress } from "../../domain/absences.ts";
import { addressRiskIn, type CategoryHit, heaviestOf } from "../../domain/compliance/risk/address_risks.ts";
import { behavioursOf } from "../../domain/compliance/risk/behaviour.ts";
import { freezesOf, officialHits, problemsOf, sanctionsOf, sourcesOf } from "../../domain/compliance/risk/checks.ts";
import { exposuresOf } from "../../domain/compliance/risk/exposure.ts";
import { categoriesOf, distinctEvidence, networkTrails, relatedOf } from "../../domain/compliance/risk/findings.ts";
import { coveragePercent } from "../../domain/compliance/risk/history.ts";
import { type BehaviourCode, LIMITS, RISK_MODEL_ID } from "../../domain/compliance/risk/model.ts";
import { withPathNames } from "../../domain/compliance/risk/path_names.ts";
import { positivesOf } from "../../domain/compliance/risk/positives.ts";
import { type NetworkRisk, readNetworkRisk } from "../../domain/compliance/risk/read.ts";
import { type RiskScore, scoreOf } from "../../domain/compliance/risk/score.ts";
import { tracingOf } from "../../domain/compliance/risk/wallet_trace.ts";
import type { CallContext, Warning } from "../../domain/context.ts";
import { type NetworkQuery, queryEachNetwork } from "../../domain/networks.ts";
import { emptyOutcome, type Outcome } from "../../lib/outcome.ts";
import { metadataOver } from "../metadata.ts";
import type {
  ApprovalFinding,
  BehaviourFinding,
  CategoryFinding,
  FreezesFinding,
  PositiveFactor,
  RelatedWallet,
  SanctionsFinding,
  TracingOutput,
} from "./shape.ts";

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
  readonly tracing: TracingOutput;
  readonly categories: CategoryFinding[];
  readonly behaviour: BehaviourFinding[];
  readonly reasons: readonly ScoreReason[];
  readonly sanctions: SanctionsFinding;
  readonly freezes: FreezesFinding;
  readonly approvals: ApprovalFinding[];
  readonly related: RelatedWallet[];
  readonly positives: PositiveFactor[];
  readonly unavailable: { field: string; reason: string }[];
}

/** Hits of the wallet itself: its labels, the lists and the issuers, each category once with all evidence. */
const ownHits = (networks: readonly NetworkRisk[]): readonly CategoryHit[] => {
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

const unavailableOf = (
  score: RiskScore,
  coverage_percent: number,
  networks: readonly NetworkRisk[],
): WalletRisk["unavailable"] => [
  ...(score.rule === "coverage"
    ? [{ field: "risk_score", reason: `only ${Math.floor(coverage_percent)} % ${NO_SCORE}` }]
    : []),
  ...(score.rule === "cut_off" ? [{ field: "risk_score", reason: CUT_OFF }] : []),
  ...unjudgedOf(networks).map(({ code, network, reason }) => ({
    field: "behaviour",
    reason: `${code} on ${network}: ${reason}`,
  })),
];

/** Approvals of which it is not known whether their spenders have a verified source, by network. */
export const unknownSpenders = (networks: readonly NetworkRisk[]): readonly MissingRisk[] =>
  networks.flatMap((network) => {
    const { unknown_count, gap } = network.spenders;
    if (unknown_count === 0) return [];
    const reason = `${unknown_count} spenders on ${networkOf(network)}: ${gap ?? "it is unknown whether their sources are verified"}`;
    return [{ field: "approvals_at_risk[].reason", reason }];
  });

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
    exposures: exposuresOf(
      networks.map(({ walk }) => ({
        trails: walk.traced.trails,
        categories: new Map(
          walk.traced.trails.flatMap(({ source }) => {
            const category = heaviestOf(addressRiskIn(walk.marks, source));
            return category === null ? [] : [[source, category] as const];
          }),
        ),
      })),
    ),
    totals,
    behaviours: found.map(({ code }) => code),
    unjudged: unjudgedOf(networks).map(({ code }) => code),
    coverage_percent,
    is_cut_off: networks.some(({ walk }) => walk.coverage.is_stopped),
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
    tracing: tracingOf(networks.map(({ walk }) => walk.coverage)),
    categories,
    behaviour,
    reasons: reasonsOf(categories, behaviour),
    sanctions,
    freezes,
    approvals: networks.flatMap(({ approvals }) => approvals),
    related: [...relatedOf(trails)],
    positives: positivesOf({ networks, is_service: score.service_address, sanctions, freezes }),
    unavailable: unavailableOf(score, coverage_percent, networks),
  };
};

export const isKnown = ({ history, mark, checks, has_approvals }: NetworkRisk): boolean =>
  history.is_seen ||
  has_approvals ||
  mark.is_labelled ||
  checks.matches.length + checks.delisted.length > 0 ||
  checks.coins.some(({ is_frozen, history }) => is_frozen === true || history.length > 0);

const unpriced = (networks: readonly NetworkRisk[]): readonly Warning[] =>
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

export interface RiskQuery {
  readonly asked: NetworkQuery & { readonly as_of_block?: number | undefined };
  readonly context: CallContext;
  readonly type: string;
  /** The answer shows paths of the money, so primary names of their addresses are read. */
  readonly is_named?: boolean;
}

/** The assessment with the answer's metadata and its networks, or the outcome that replaces it. */
export type RiskAssessment =
  | { readonly outcome: Outcome<never> }
  | {
      readonly outcome: null;
      readonly risk: WalletRisk;
      readonly networks: readonly NetworkRisk[];
      readonly metadata: ReturnType<typeof describe>;
    };

const describe = (asked: NetworkQuery, spread: Awaited<ReturnType<typeof readAll>>) => {
  const networks = spread.answered.map(({ value }) => value);
  return metadataOver(asked, spread, {
    echo: { address: asked.address.text },
    methodology: RISK_MODEL_ID,
    sources: sourcesOf(networks.map(({ checks }) => checks)),
    warnings: [...networks.flatMap(({ warnings }) => warnings), ...unpriced(networks)],
  });
};

const readAll = ({ asked, context }: RiskQuery) =>
  queryEachNetwork(asked, context, (chain, wallet) => readNetworkRisk(context, asked, [chain, wallet]));

/** Reads of every network, and the faults of the compliance checks. */
export const readRisk = async (question: RiskQuery) => {
  const spread = await readAll(question);
  const networks = spread.answered.map(({ value }) => value);
  const problems = [
    ...spread.failed.map(({ chain, error }) => `${chain.network.id} could not be read (${error.code}).`),
    ...problemsOf(networks.map(({ checks }) => checks)),
  ];
  return { spread, networks, problems };
};

/** Judges a wallet on every network of the call. Fails closed: without complete checks there is no score. */
export const assessWallet = async (question: RiskQuery): Promise<RiskAssessment> => {
  const { asked, type } = question;
  const { spread, networks, problems } = await readRisk(question);
  const metadata = describe(asked, spread);
  const checks = networks.map((network) => network.checks);
  if (problems.length > 0) {
    const partial = { type, sanctions: sanctionsOf(checks), stablecoin_freezes: freezesOf(checks) };
    const message = `The compliance checks are incomplete: ${problems.join(" ")}`;
    return { outcome: { kind: "error", code: "CHECK_INCOMPLETE", message, metadata, partial } };
  }
  if (!networks.some(isKnown)) {
    const is_covered = networks.every(({ history }) => history.gaps.length === 0);
    return { outcome: emptyOutcome({ type, metadata }, unknownAddress(spread, "wallet"), is_covered) };
  }
  const shown = question.is_named === true ? await Promise.all(networks.map(withPathNames)) : networks;
  return { outcome: null, risk: combine(shown), networks, metadata };
};
