/** Exposure of one transfer to categories of risk. */
import type { Hex } from "../../../lib/bytes.ts";
import { amountsOf, exposuresIn, type NetworkTrail, networkTrails, provenanceOf } from "../risk/findings.ts";
import type { FrontierSplit } from "../risk/frontier.ts";
import { CATEGORIES, type RiskCategory, weightOf } from "../risk/model.ts";
import { percentOf } from "../risk/path_steps.ts";
import type { NetworkRisk } from "../risk/read.ts";
import type { MeasuredRisk } from "../risk/rules.ts";
import { type CategoryExposure, type RiskScore, type ScoreFacts, scoreOf } from "../risk/score.ts";
import type { TracedNetwork } from "../risk/traced_network.ts";
import type { WalletRisk } from "../risk/wallet_risk.ts";
import type { ScreeningDirection } from "./parties.ts";

/** A judged address on the other side. */
export interface JudgedParty {
  readonly wallet: Hex;
  readonly network: NetworkRisk;
  readonly risk: WalletRisk;
  /** Part of the transfer that went to it, 0..1; used for `out` alone. */
  readonly share: number;
}

/** Exposure to one category. */
interface TransferExposure extends ReturnType<typeof provenanceOf> {
  readonly category: RiskCategory;
  /** USD of the transfer that the counterparty itself stands for; null without a price. */
  readonly direct_usd: number | null;
  readonly direct_percent: number;
  /** USD that came through other addresses; null for `out`, where nothing has left the receiver yet. */
  readonly indirect_usd: number | null;
  readonly indirect_percent: number | null;
}

export interface MeasuredTransfer extends MeasuredRisk {
  readonly exposure: readonly TransferExposure[];
  readonly score: RiskScore;
  /** Where the money was followed to; null for `out`. */
  readonly origin: FrontierSplit | null;
}

const NOTHING_PAID = { direct_in_usd: 0, indirect_in_usd: 0, direct_out_usd: 0, indirect_out_usd: 0 };

const scoreFor = (
  parties: readonly JudgedParty[],
  facts: Pick<ScoreFacts, "exposures" | "totals" | "unread_usd">,
): RiskScore =>
  scoreOf({
    ...facts,
    ...{ direct: [], behaviours: [], unjudged: [], is_service: false },
    coverage_percent: Math.min(100, ...parties.map(({ risk }) => risk.coverage_percent)),
    is_cut_off: parties.some(({ network }) => network.walk.coverage.is_stopped),
  });

/** At most: what was not followed, if some address behind the payment is not read. */
const unreadUsd = (parties: readonly JudgedParty[], not_followed_usd: number): number =>
  parties.some(({ network }) => network.walk.coverage.unread.usd > 0) ? not_followed_usd : 0;

/** The payments as receipts of their own. */
const tracedOf = ({ network: { scope, walk } }: JudgedParty): readonly TracedNetwork[] =>
  walk.payments === null ? [] : [{ scope, walk: walk.payments }];

const sum = <T>(rows: readonly T[], of: (row: T) => number): number => rows.reduce((all, row) => all + of(row), 0);

/** One exposure counts whatever its size: a transfer is no dust that a stranger sent. */
const joined = (exposures: readonly CategoryExposure[]): readonly CategoryExposure[] =>
  exposures.map((one) => ({ ...one, is_dust: false }));

const receivedExposure = (
  category: RiskCategory,
  trails: readonly NetworkTrail[],
  total: number,
): readonly TransferExposure[] => {
  const own = trails.filter((one) => one.category === category);
  if (own.length === 0) return [];
  const { direct_in_usd, indirect_in_usd } = amountsOf(own);
  return [
    {
      category,
      direct_usd: direct_in_usd,
      direct_percent: percentOf(direct_in_usd, total),
      indirect_usd: indirect_in_usd,
      indirect_percent: percentOf(indirect_in_usd, total),
      ...provenanceOf(own, []),
    },
  ];
};

/** Where the money of a received transfer came from: the traces of the senders' payments. */
const receivedTransfer = (parties: readonly JudgedParty[]): MeasuredTransfer => {
  const networks = parties.flatMap(tracedOf);
  const totals = { in: sum(networks, ({ walk }) => walk.traced.totals.in), out: 0 };
  const trails = networkTrails(networks);
  const exposure = CATEGORIES.flatMap(({ category }) => receivedExposure(category, trails, totals.in));
  const payments = parties.flatMap(({ network }) => network.walk.payments ?? []);
  const not_followed_usd = sum(payments, (one) => one.not_followed_usd);
  const unread_usd = unreadUsd(parties, not_followed_usd);
  return {
    exposure,
    categories: exposure.map(({ category, direct_usd, indirect_usd }) => ({
      ...{ category, ...NOTHING_PAID },
      ...{ direct_in_usd: direct_usd ?? 0, indirect_in_usd: indirect_usd ?? 0 },
    })),
    totals,
    score: scoreFor(parties, { exposures: joined(exposuresIn(networks)), totals, unread_usd }),
    origin: {
      followed_usd: sum(payments, (one) => one.followed_usd),
      stopped_at_services_usd: sum(payments, (one) => one.stopped_at_services_usd),
      bridge_unmatched_usd: sum(payments, (one) => one.bridge_unmatched_usd),
      not_followed_usd,
    },
  };
};

const NOWHERE: ReturnType<typeof provenanceOf> = { min_hops: 1, sources: [], sources_count: 0, evidence: [] };

/** A sent transfer, by the categories of its receivers. */
const sentTransfer = (parties: readonly JudgedParty[], usd: number | null): MeasuredTransfer => {
  const found = parties.flatMap(({ risk, share }) => {
    const [hit] = risk.categories
      .filter(({ direct }) => direct)
      .sort((a, b) => weightOf(b.category) - weightOf(a.category));
    return hit === undefined ? [] : [{ category: hit.category, share, evidence: hit.evidence }];
  });
  const exposure = CATEGORIES.flatMap(({ category }): readonly TransferExposure[] => {
    const own = found.filter((one) => one.category === category);
    if (own.length === 0) return [];
    const share = Math.min(
      1,
      sum(own, (one) => one.share),
    );
    return [
      {
        ...{ category, direct_usd: usd === null ? null : usd * share, direct_percent: 100 * share },
        ...{ indirect_usd: null, indirect_percent: null, ...NOWHERE },
        evidence: own.flatMap(({ evidence }) => evidence),
      },
    ];
  });
  const totals = { in: 0, out: usd ?? 0 };
  const exposures = exposure.map(({ category, direct_percent }) => ({
    ...{ category, direction: "out" as const, is_direct: true, is_dust: false },
    usd: (direct_percent / 100) * (usd ?? 1),
  }));
  return {
    exposure,
    categories: exposure.map(({ category, direct_usd }) => ({
      ...{ category, ...NOTHING_PAID, direct_out_usd: direct_usd ?? 0 },
    })),
    totals,
    score: scoreFor(parties, { exposures, totals: { in: 0, out: usd ?? 1 }, unread_usd: 0 }),
    origin: null,
  };
};

export const measureTransfer = (
  parties: readonly JudgedParty[],
  { direction, usd }: { readonly direction: ScreeningDirection; readonly usd: number | null },
): MeasuredTransfer => (direction === "in" ? receivedTransfer(parties) : sentTransfer(parties, usd));
