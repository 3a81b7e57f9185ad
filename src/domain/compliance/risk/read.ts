import type { Chain } from "../../../chains/chain.ts";
import { allEnded } from "../../../lib/all_ended.ts";
import type { Hex } from "../../../lib/bytes.ts";
import type { PinnedBlock } from "../../../lib/parsed.ts";
import type { TraceMethod } from "../../../lib/trace_method.ts";
import type { Snapshot } from "../../../store/facts.ts";
import type { CallContext, SnapshotContext, Warning } from "../../context.ts";
import { RememberedResults, recordStamps } from "../../remembered.ts";
import { OperatorPrices } from "../../valuation/prices/operator_prices.ts";
import { momentOf } from "../../valuation/prices/price_cache.ts";
import { readHistory as readWalletHistory, type ValuedHistory as WalletHistory } from "../../wallet/history/history.ts";
import { type AddressRisk, addressRiskIn, type RiskScope, readAddressRisks } from "./address_risks.ts";
import { atRiskOf } from "./approval_worth.ts";
import { type OpenApproval, readApprovals } from "./approvals.ts";
import { type BehaviourFacts, readBehaviour } from "./behaviour.ts";
import { bridgesBetween } from "./bridges/follow.ts";
import { type OfficialChecks, readChecks } from "./checks.ts";
import { type HistoryExtent, readHistory } from "./history.ts";
import type { PaymentSelection } from "./payment_origin.ts";
import type { ApprovalFinding } from "./report.ts";
import { readUnlisted } from "./unlisted.ts";
import { traceWallet, type WalletTrace } from "./wallet_trace.ts";

/** Approvals in force to unlabelled contracts. */
export interface SpenderFacts {
  /** Those without a verified source. */
  readonly unverified: readonly OpenApproval[];
  /** Those of which it is unknown whether they have one. */
  readonly unknown_count: number;
  /** Why; null when it is known for all. */
  readonly gap: string | null;
}

/** A wallet's risk facts on one network. */
export interface NetworkRisk {
  readonly scope: SnapshotContext;
  readonly wallet: Hex;
  /** Its whole indexed history, from the beginning. */
  readonly life: WalletHistory;
  readonly history: HistoryExtent;
  /** The wallet's own mark. */
  readonly mark: AddressRisk;
  /** Risk categories of which no list names an address on the network. */
  readonly unlisted: readonly string[];
  readonly checks: OfficialChecks;
  readonly walk: WalletTrace;
  readonly behaviour: BehaviourFacts;
  /** The wallet has an approval in force at the block. */
  readonly has_approvals: boolean;
  readonly spenders: SpenderFacts;
  readonly approvals: readonly ApprovalFinding[];
  readonly warnings: readonly Warning[];
}

const readApprovalsOf = async (sight: RiskScope, wallet: Hex) => {
  const { standing, sources_gap, warnings } = await readApprovals(sight, wallet, { with_pieces: false });
  const at_risk = await atRiskOf(sight.scope, wallet, standing);
  return {
    has_approvals: standing.length > 0,
    spenders: {
      unverified: standing.filter(({ reason }) => reason === "unverified_spender"),
      unknown_count: standing.filter(({ reason }) => reason === "unknown_spender").length,
      gap: sources_gap,
    },
    at_risk: at_risk.map((one) => ({ ...one, evidence: [...one.evidence] })),
    warnings,
  };
};

/** About 50 MB. */
const TRACED_OBJECTS_MAX = 300_000;

class RememberedTraces extends RememberedResults<WalletTrace> {
  constructor() {
    super(TRACED_OBJECTS_MAX);
  }
}

const weightOf = ({ moves, marks, actors }: WalletTrace): number => moves.length + marks.size + actors.size;

/** Whether a trace follows from the facts of its network alone. The use of an operator's price is noted at each call. */
const isLasting = ({ facts, chain }: SnapshotContext, { coverage, traced }: WalletTrace): boolean =>
  !coverage.is_stopped &&
  traced.trails.every(({ beyond }) => beyond === null) &&
  !facts.own(OperatorPrices).has(chain.network.id);

/** The wallet's history, its mark, and the traces of its money. */
const readTracedHistory = async (
  context: CallContext,
  [sight, wallet]: readonly [RiskScope, Hex],
  { method = "haircut", payments }: NetworkRiskQuery,
) => {
  const { facts, reads } = recordStamps(sight.scope.facts);
  const scope = { ...sight.scope, facts };
  const recorded = { ...sight, scope };
  const life = await readWalletHistory(scope, wallet, { from: 0, until: scope.snapshot.block.time + 1 });
  const history = await readHistory(life);
  const marks = await readAddressRisks(recorded, [wallet]);
  const mark = addressRiskIn(marks, wallet);
  const key = [momentOf(scope.snapshot, null), wallet, method, payments ?? null];
  const memory = facts.own(RememberedTraces);
  const known = await memory.recall(facts, key);
  if (known !== null) return { life, history, mark, walk: known };
  const bridges = bridgesBetween(context, method);
  const walk = await traceWallet(recorded, life, { method, payments, mark, bridges });
  if (isLasting(scope, walk)) memory.keep(key, { value: walk, reads, weight: weightOf(walk) });
  return { life, history, mark, walk };
};

const uncheckedFreezes = ({ chain }: SnapshotContext, unchecked: ReadonlySet<Hex>): readonly Warning[] =>
  unchecked.size === 0
    ? []
    : [
        {
          code: "FREEZES_NOT_CHECKED",
          message: `${chain.network.name} is read on demand: whether issuers froze ${unchecked.size} of the addresses behind the wallet is unknown, because the coins have no trusted view for it.`,
        },
      ];

export interface NetworkRiskQuery {
  readonly as_of_block?: PinnedBlock | undefined;
  /** Instead of `as_of_block`. */
  readonly basis?: Snapshot | undefined;
  readonly method?: TraceMethod | undefined;
  readonly payments?: PaymentSelection | undefined;
}

export const readNetworkRisk = async (
  context: CallContext,
  asked: NetworkRiskQuery,
  [chain, wallet]: readonly [Chain, Hex],
): Promise<{ basis: Snapshot; value: NetworkRisk }> => {
  const snapshot = asked.basis ?? (await context.facts.snapshot(chain.network.id, asked.as_of_block ?? null));
  const scope: SnapshotContext = { facts: context.facts, chain, snapshot, signal: context.signal };
  const unchecked = new Set<Hex>();
  const sight: RiskScope = { scope, operator: context.operator, unchecked };
  // One after the other: each of them runs several queries at once. Reads of a node run meanwhile.
  const [{ life, history, mark, walk }, checks, approvals, unlisted] = await allEnded([
    readTracedHistory(context, [sight, wallet], asked),
    readChecks(sight, wallet),
    readApprovalsOf(sight, wallet),
    readUnlisted(scope),
  ]);
  const behaviour = await readBehaviour(life, { walk, deployed: history.deployed });
  return {
    basis: snapshot,
    value: {
      scope,
      wallet,
      life,
      history,
      mark,
      unlisted,
      checks,
      walk,
      behaviour,
      has_approvals: approvals.has_approvals,
      spenders: approvals.spenders,
      approvals: approvals.at_risk,
      warnings: [
        ...history.gaps,
        ...walk.warnings,
        ...behaviour.warnings,
        ...approvals.warnings,
        ...uncheckedFreezes(scope, unchecked),
      ],
    },
  };
};
