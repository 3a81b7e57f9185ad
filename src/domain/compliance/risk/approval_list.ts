import type { Hex } from "../../../lib/bytes.ts";
import { contractAt } from "../../../protocols/contracts.ts";
import type { QueryRow } from "../../../store/facts.ts";
import type { SnapshotContext, Warning } from "../../context.ts";
import type { RiskEvidence, RiskScope } from "./address_risks.ts";
import { type ApprovalWorth, readApprovalWorth } from "./approval_worth.ts";
import { type ApprovalReason, type OpenApproval, readApprovals } from "./approvals.ts";

/** Tokens and spenders per query: a server limits the length of a query. */
const BATCH = 1_000;

export interface ListedApproval {
  readonly right: OpenApproval;
  readonly worth: ApprovalWorth;
}

export interface ApprovalList {
  /** The most valuable first, then the newest. */
  readonly rows: readonly ListedApproval[];
  /** USD that all spenders together could take; null when no token has a value. */
  readonly usd: number | null;
  readonly sources_gap: string | null;
  readonly warnings: readonly Warning[];
}

const orderOf = (a: ListedApproval, b: ListedApproval): number =>
  (b.worth.usd ?? -1) - (a.worth.usd ?? -1) ||
  (b.right.approval?.block_number ?? 0) - (a.right.approval?.block_number ?? 0) ||
  (keyOf(a.right) < keyOf(b.right) ? -1 : 1);

const keyOf = ({ token, spender, is_for_all, piece }: OpenApproval): string =>
  `${token}:${spender}:${is_for_all}:${piece ?? ""}`;

/** Amounts of one token add up, to at most its balance. */
const amountsByToken = (rights: readonly OpenApproval[]): ReadonlyMap<Hex, bigint> => {
  const sums = new Map<Hex, bigint>();
  for (const { token, amount, piece } of rights)
    if (amount !== null && piece === null) sums.set(token, (sums.get(token) ?? 0n) + amount);
  return sums;
};

/** Every right over the wallet's tokens that is open at the block, with what it could take. */
export const listApprovals = async (sight: RiskScope, wallet: Hex): Promise<ApprovalList> => {
  const { standing, sources_gap, warnings } = await readApprovals(sight, wallet, { with_pieces: true });
  const worthOf = await readApprovalWorth(sight.scope, wallet, standing);
  const values = [...amountsByToken(standing)].flatMap(([token, amount]) => {
    const { usd } = worthOf({ token, amount, piece: null });
    return usd === null ? [] : [usd];
  });
  return {
    rows: standing.map((right) => ({ right, worth: worthOf(right) })).sort(orderOf),
    usd: values.length === 0 ? null : values.reduce((sum, usd) => sum + usd, 0),
    sources_gap,
    warnings,
  };
};

/** Newest movements out of the wallet that are searched for uses: with more of them, a query would read every transaction of the network. */
export const USES_ROWS_MAX = 100_000;

/** A use of a right that the index proves. */
export type ApprovalUse = QueryRow<"risk/approval_uses">;

/**
 * The newest transaction of each right in which the token left the wallet, and which the spender sent or in which it was called. Not of
 * single pieces: such a right ends with its use.
 */
export const readUses = async (
  { facts, snapshot }: SnapshotContext,
  wallet: Hex,
  rights: readonly OpenApproval[],
): Promise<(right: OpenApproval) => ApprovalUse | null> => {
  const wide = rights.filter(({ piece }) => piece === null);
  const tokens = [...new Set(wide.map(({ token }) => token))].sort().slice(0, BATCH);
  const spenders = [...new Set(wide.map(({ spender }) => spender))].sort().slice(0, BATCH);
  const found =
    tokens.length === 0
      ? []
      : await facts.ask(snapshot, "risk/approval_uses", { wallet, tokens, spenders, rows_max: USES_ROWS_MAX });
  const uses = new Map(found.map((use) => [`${use.token}:${use.spender}`, use]));
  return ({ token, spender, piece }) => (piece === null ? (uses.get(`${token}:${spender}`) ?? null) : null);
};

export type FindingCode = ApprovalReason | "unlimited" | "all_pieces" | "passes_rights_on";

/** Why a right is a risk. */
export interface RightFinding {
  readonly code: FindingCode;
  readonly reason: string;
  readonly evidence: readonly RiskEvidence[];
}

const NO_LIMIT = "The amount has no limit: tokens that the wallet receives later are included.";
const ALL_PIECES = "The spender may take every piece of the collection, later ones included.";
const PASSES_ON =
  "The spender takes tokens for contracts that the wallet names by signature. Those rights are not in this list.";
const NO_SOURCE = "it is unknown whether it has a verified source";

const reasonText = (reason: ApprovalReason, { mark }: OpenApproval, gap: string | null): string => {
  if (reason === "account_spender") return "The spender is a plain account: the holder of its key can take the tokens.";
  if (reason === "unverified_spender") return "No list names the spender, and it has no verified source.";
  if (reason === "unknown_spender") return `No list names the spender: ${gap ?? NO_SOURCE}.`;
  return `Lists name the spender: ${mark.hits.map(({ category }) => category).join(", ")}.`;
};

/** Reasons against a right, the heaviest first. */
export const findingsOf = (
  { chain }: Pick<SnapshotContext, "chain">,
  { right, worth }: ListedApproval,
  gap: string | null,
): readonly RightFinding[] => {
  const { reason, mark, spender, is_for_all } = right;
  const evidence = reason === "risky_spender" ? mark.hits.flatMap((hit) => hit.evidence) : [];
  const passes_on = contractAt(chain.network.id, spender)?.role === "envelope";
  return [
    ...(reason === null ? [] : [{ code: reason, reason: reasonText(reason, right, gap), evidence }]),
    ...(is_for_all ? [{ code: "all_pieces" as const, reason: ALL_PIECES, evidence: [] }] : []),
    ...(worth.is_unlimited && !is_for_all ? [{ code: "unlimited" as const, reason: NO_LIMIT, evidence: [] }] : []),
    ...(passes_on ? [{ code: "passes_rights_on" as const, reason: PASSES_ON, evidence: [] }] : []),
  ];
};
