import type { Hex } from "../../../lib/bytes.ts";
import { DAY_S, iso } from "../../../lib/time.ts";
import { inTurns } from "../../../lib/turns.ts";
import type { SnapshotContext, Warning } from "../../context.ts";
import { readRugs } from "../../token/developer/rugs.ts";
import { transactionHashes } from "../../transaction_hashes.ts";
import { NO_ACTS } from "../../wallet/history/acts/act.ts";
import { hashesOf, type ValuedHistory } from "../../wallet/history/history.ts";
import { passedIn } from "../../wallet/history/patterns.ts";
import { transactionsOf } from "../../wallet/history/transactions.ts";
import { volumesOf } from "../../wallet/history/volumes.ts";
import type { RiskEvidence } from "./address_risks.ts";
import type { OpenApproval } from "./approvals.ts";
import { type BehaviourCode, LIMITS } from "./model.ts";
import { peelChainOf } from "./peel.ts";
import type { WalletTrace } from "./wallet_trace.ts";

/** Maximum number of evidence items of one behaviour. */
const EVIDENCE_MAX = 10;
/** Labels of tokens that rob their buyers. */
const RUGGED_LABELS = ["scam", "phishing"];

export interface Behaviour {
  readonly code: BehaviourCode;
  readonly description: string;
  readonly evidence: readonly RiskEvidence[];
}

/** Facts about behaviour from one network. */
export interface BehaviourFacts {
  /** Receipts that left again within the hour. */
  readonly passed: readonly RiskEvidence[];
  readonly passed_count: number;
  readonly peel: readonly RiskEvidence[];
  /** Labelled as fraudulent, or ended in a rug. */
  readonly rugged: readonly RiskEvidence[];
  /** Why the ends of the wallet's tokens are unknown; null when they are known. */
  readonly rugs_gap: string | null;
  /** USD that moved in and out of the wallet, without wraps. */
  readonly volume_usd: number;
  /** Transfers without a price, except flagged ones. */
  readonly unpriced_transfers: number;
  readonly warnings: readonly Warning[];
}

const txOf = (
  { chain }: SnapshotContext,
  { tx_hash, time }: { readonly tx_hash: Hex; readonly time: number },
): RiskEvidence => ({
  kind: "tx",
  ref: chain.formatHash(tx_hash),
  observed_at: iso(time),
});

/** On demand the history of a token's pools is not read. */
const UNREAD_RUGS = {
  found: [],
  tokens_count: null,
  gap: "the network is read on demand, so how its tokens ended is unknown",
} as const;

/** Fraudulent or rugged tokens among those that the wallet deployed. */
const readRugged = async (
  scope: SnapshotContext,
  wallet: Hex,
): Promise<Pick<BehaviourFacts, "rugged" | "rugs_gap">> => {
  const { facts, snapshot } = scope;
  const asked = { creator: wallet, categories: RUGGED_LABELS, limit: EVIDENCE_MAX };
  const rugged = await facts.ask(snapshot, "risk/deployed_flagged", asked);
  const rugs = snapshot.followed === undefined ? await readRugs(scope, wallet, null) : UNREAD_RUGS;
  return {
    rugged: [
      ...rugged.flatMap((row): readonly RiskEvidence[] => [
        txOf(scope, row),
        { kind: "label", ref: `${row.source}: ${row.label}`, observed_at: iso(snapshot.block.time) },
      ]),
      ...rugs.found.flatMap(({ evidence }) => evidence),
    ],
    rugs_gap: rugs.tokens_count === 0 ? null : rugs.gap,
  };
};

/**
 * Behaviour of the wallet on one network, over its whole indexed history (`life`). `deployed`: the wallet's own
 * contracts.
 */
export const readBehaviour = async (
  life: ValuedHistory,
  { walk, deployed }: { readonly walk: WalletTrace; readonly deployed: number },
): Promise<BehaviourFacts> => {
  const { scope, wallet } = life;
  // Behaviour does not depend on the names of called functions, and decoding them would cost more than the rest.
  const { list } = await inTurns(transactionsOf(life, { acts: NO_ACTS, include_spam: false }), scope.signal);
  const volumes = volumesOf(life);
  const passed = passedIn(list);
  const shown = passed.slice(-EVIDENCE_MAX);
  const peel = peelChainOf(walk.moves, walk.actors, wallet).slice(0, EVIDENCE_MAX);
  const [hashOf, hashAt] = await Promise.all([
    hashesOf(
      life,
      shown.map(({ row }) => row),
    ),
    transactionHashes(
      scope,
      peel.map(({ tx }) => tx),
    ),
  ]);
  const ends = deployed === 0 ? { rugged: [], rugs_gap: null } : await readRugged(scope, wallet);
  return {
    ...ends,
    passed: shown.map(({ row, time }) => txOf(scope, { tx_hash: hashOf(row), time })),
    passed_count: passed.length,
    peel: peel.map(({ tx, time }) => txOf(scope, { tx_hash: hashAt(tx), time })),
    volume_usd: volumes.in.usd + volumes.out.usd - volumes.in.wraps_usd - volumes.out.wraps_usd,
    unpriced_transfers: volumes.in.unpriced + volumes.out.unpriced,
    warnings: life.warnings,
  };
};

/** The inputs of one network for judging behaviour. */
export interface BehaviourContext {
  readonly scope: SnapshotContext;
  readonly walk: WalletTrace;
  readonly behaviour: BehaviourFacts;
  readonly spenders: { readonly unverified: readonly OpenApproval[] };
}

/** A young and busy wallet: its age is known only if its whole history is indexed. */
const youngOf = (networks: readonly BehaviourContext[]): readonly Behaviour[] => {
  const seen = networks.flatMap(({ scope, walk, behaviour }) =>
    walk.first === null ? [] : [{ scope, walk, behaviour, first: walk.first }],
  );
  const now = Math.max(...seen.map(({ scope }) => scope.snapshot.block.time));
  const born = Math.min(...seen.map(({ first }) => first.time));
  const volume_usd = seen.reduce((sum, { behaviour }) => sum + behaviour.volume_usd, 0);
  const is_known = seen.length > 0 && seen.every(({ scope }) => scope.snapshot.coverage.complete);
  const is_young = now - born < LIMITS.young_days * DAY_S;
  if (!is_known || !is_young || volume_usd <= LIMITS.young_volume_usd) return [];
  return [
    {
      code: "young_high_volume",
      description: `First seen ${Math.floor((now - born) / DAY_S)} days ago, and has already moved ${Math.floor(volume_usd)} USD, without wraps.`,
      evidence: seen.flatMap(({ scope, walk, first }) => [
        ...(first.tx_hash === "" ? [] : [txOf(scope, first)]),
        ...(walk.largest === null ? [] : [txOf(scope, walk.largest)]),
      ]),
    },
  ];
};

const passedOf = (networks: readonly BehaviourContext[]): readonly Behaviour[] => {
  const busy = networks.filter(({ behaviour }) => behaviour.passed_count >= LIMITS.passed_times);
  const times = busy.reduce((sum, { behaviour }) => sum + behaviour.passed_count, 0);
  if (busy.length === 0) return [];
  return [
    {
      code: "pass_through",
      description: `${times} receipts of which at least 95 % left again within an hour.`,
      evidence: busy.flatMap(({ behaviour }) => behaviour.passed).slice(0, EVIDENCE_MAX),
    },
  ];
};

const peelOf = (networks: readonly BehaviourContext[]): readonly Behaviour[] => {
  const chain = networks.find(({ behaviour }) => behaviour.peel.length > 0);
  if (chain === undefined) return [];
  const description = `One of ${chain.behaviour.peel.length} consecutive addresses that each pass on most of what they received and peel off a small part.`;
  return [{ code: "peel_chain", description, evidence: chain.behaviour.peel }];
};

const approvalsOf = (networks: readonly BehaviourContext[]): readonly Behaviour[] => {
  const all = networks.flatMap(({ spenders }) => spenders.unverified);
  if (all.length <= LIMITS.unverified_approvals) return [];
  return [
    {
      code: "many_unverified_approvals",
      description: `${all.length} active approvals to unlabelled contracts without a verified source.`,
      evidence: all.flatMap(({ evidence }) => evidence).slice(0, EVIDENCE_MAX),
    },
  ];
};

const ruggedOf = (networks: readonly BehaviourContext[]): readonly Behaviour[] => {
  const evidence = networks.flatMap(({ behaviour }) => behaviour.rugged).slice(0, EVIDENCE_MAX);
  if (evidence.length === 0) return [];
  return [
    {
      code: "deployed_rugged_token",
      description: "Deployed a token that is labelled as fraudulent or ended in a rug.",
      evidence,
    },
  ];
};

/** Behaviour over all networks, in a fixed order. */
export const behavioursOf = (networks: readonly BehaviourContext[]): readonly Behaviour[] => [
  ...ruggedOf(networks),
  ...approvalsOf(networks),
  ...passedOf(networks),
  ...peelOf(networks),
  ...youngOf(networks),
];
