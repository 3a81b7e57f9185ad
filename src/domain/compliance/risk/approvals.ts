import type { DescribedAccount } from "../../../chains/account_facts.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import { toAmount } from "../../../lib/money.ts";
import { contractsAmong } from "../../address/identity/parties.ts";
import type { SnapshotContext, Warning } from "../../context.ts";
import { readVerification, type VerificationStatus } from "../../token/contracts/verified_sources.ts";
import { isImpossible } from "../../token/holders/sums.ts";
import { formatToken, metadataIn, metadataOf } from "../../token/metadata/metadata.ts";
import { pricesAt } from "../../valuation/prices/price_now.ts";
import { usdOf } from "../../valuation/worth.ts";
import {
  type AddressRisks,
  addressRiskIn,
  type RiskEvidence,
  type RiskScope,
  readAddressRisks,
} from "./address_risks.ts";
import { readGrants } from "./grants.ts";

/** Number of approvals of one wallet to read: the newest ones. */
const APPROVALS_MAX = 1_000;
/** Larger amounts count as unlimited: no balance is that large. They have 256 bits; in token accounts 64. */
const UNLIMITED = 2n ** 255n;
const UNLIMITED_IN_ACCOUNTS = 2n ** 63n;

/** Number of unlabelled spenders to check for sources: those of the newest approvals. */
const SOURCES_MAX = 100;

/** `unknown_spender`: no label names it, and it is unknown whether it has a verified source. */
export type ApprovalReason = "risky_spender" | "unverified_spender" | "unknown_spender" | "account_spender";

/** An approval in force at the block. */
export interface OpenApproval {
  readonly token: Hex;
  readonly spender: Hex;
  readonly is_for_all: boolean;
  /** Base units; null for collectibles. */
  readonly amount: bigint | null;
  /** Null: no evidence against the spender. */
  readonly reason: ApprovalReason | null;
  readonly spender_label: string | null;
  readonly evidence: readonly RiskEvidence[];
}

export interface OpenApprovals {
  readonly standing: readonly OpenApproval[];
  /** Why it is unknown for some spenders whether they have a verified source; null when it is known for all. */
  readonly sources_gap: string | null;
  readonly warnings: readonly Warning[];
}

const FROM_EVENTS: Warning = {
  code: "ALLOWANCES_FROM_EVENTS",
  message:
    "No node returned the allowances of this block: they come from the last approvals, and may be used up or withdrawn.",
};

interface SpenderRisks {
  readonly marks: AddressRisks;
  readonly contracts: ReadonlyMap<Hex, boolean | null>;
}

const reasonOf = (
  spender: Hex,
  { marks, contracts }: SpenderRisks,
  { is_verified }: Pick<VerificationStatus, "is_verified">,
): ApprovalReason | null => {
  const mark = addressRiskIn(marks, spender);
  if (mark.hits.length > 0) return "risky_spender";
  if (contracts.get(spender) === false) return "account_spender";
  const is_known = mark.is_labelled ? true : is_verified(spender);
  if (is_known === null) return "unknown_spender";
  return is_known ? null : "unverified_spender";
};

/** Accounts that only a program can act for: they have no private key. */
const OF_PROGRAMS: readonly DescribedAccount["kind"][] = ["program", "program_account", "pda"];

/** Whether spenders are programs, by their code, or by their account kind where programs act for accounts. */
const programsAmong = async (
  scope: SnapshotContext,
  spenders: readonly Hex[],
): Promise<ReadonlyMap<Hex, boolean | null>> => {
  const { chain, snapshot, signal } = scope;
  const contracts = await contractsAmong(scope, spenders);
  const { describe } = chain;
  if (describe === undefined || !chain.can.token_accounts) return contracts;
  const doubtful = spenders.filter((one) => contracts.get(one) === false).slice(0, SOURCES_MAX);
  try {
    const described = await Promise.all(doubtful.map((one) => describe(one, signal, snapshot.block.number)));
    const are_programs = described.map(({ kind }) => OF_PROGRAMS.includes(kind));
    return new Map([...contracts, ...doubtful.map((one, at) => [one, are_programs[at] ?? null] as const)]);
  } catch (error) {
    if (!(error instanceof AssayError) || error.code !== "UPSTREAM_UNAVAILABLE") throw error;
    return new Map([...contracts].map(([spender, is_contract]) => [spender, is_contract || null]));
  }
};

const readSpenders = async (
  sight: RiskScope,
  spenders: readonly Hex[],
): Promise<SpenderRisks & { published: VerificationStatus }> => {
  const { scope, operator } = sight;
  const [marks, contracts] = await Promise.all([readAddressRisks(sight, spenders), programsAmong(scope, spenders)]);
  const published = await readVerification(scope, operator.sources, {
    addresses: spenders.filter(
      (spender) => !addressRiskIn(marks, spender).is_labelled && contracts.get(spender) !== false,
    ),
    at: scope.chain.can.archive ? scope.snapshot.block.number : undefined,
    most: SOURCES_MAX,
  });
  return { marks, contracts, published };
};

/** Approvals of the wallet in force at the block, the newest first. */
export const readApprovals = async (sight: RiskScope, wallet: Hex): Promise<OpenApprovals> => {
  const { scope } = sight;
  const { facts, snapshot } = scope;
  const found = await facts.ask(snapshot, "risk/approvals", { owner: wallet, limit: APPROVALS_MAX + 1 });
  const rows = found.slice(0, APPROVALS_MAX);
  const { list, is_live } = await readGrants(scope, wallet, rows);
  const known = await readSpenders(sight, [...new Set(list.map(({ spender }) => spender))]);
  const standing = list.map(({ token, spender, is_for_all, amount, evidence }): OpenApproval => {
    const mark = addressRiskIn(known.marks, spender);
    return {
      token,
      spender,
      is_for_all,
      amount: is_for_all ? null : amount,
      reason: reasonOf(spender, known, known.published),
      spender_label: mark.party.label,
      evidence: [...evidence, ...mark.hits.flatMap((hit) => hit.evidence)],
    };
  });
  const cut: Warning = {
    code: "APPROVALS_PARTIAL",
    message: `Only the newest ${APPROVALS_MAX} approvals were checked.`,
  };
  return {
    standing,
    sources_gap: known.published.gap,
    warnings: [...(is_live ? [] : [FROM_EVENTS]), ...(found.length > APPROVALS_MAX ? [cut] : [])],
  };
};

export interface ApprovalAtRisk {
  readonly network: string;
  readonly token: string;
  readonly symbol: string | null;
  readonly spender: string;
  readonly spender_label: string | null;
  /** Token units; null for unlimited ones and for collectibles. */
  readonly allowance: number | null;
  readonly allowance_raw: string | null;
  readonly is_unlimited: boolean;
  readonly value_at_risk_usd: number | null;
  readonly reason: ApprovalReason;
  readonly evidence: readonly RiskEvidence[];
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Risky approvals with the amount that they could take now: the most valuable first. */
export const atRiskOf = async (
  scope: SnapshotContext,
  wallet: Hex,
  standing: readonly OpenApproval[],
): Promise<readonly ApprovalAtRisk[]> => {
  const { facts, chain, snapshot } = scope;
  const risky = standing.flatMap((one) => (one.reason === null ? [] : [{ ...one, reason: one.reason }]));
  const tokens = [...new Set(risky.map(({ token }) => token))];
  const [faces, prices, balances] = await Promise.all([
    metadataOf(scope, tokens),
    pricesAt({ facts, network: chain.network, snapshot }, tokens),
    facts.balanceOf(
      snapshot,
      tokens.map((token) => ({ token, holder: wallet })),
    ),
  ]);
  const unlimited = chain.can.token_accounts ? UNLIMITED_IN_ACCOUNTS : UNLIMITED;
  const held = new Map(tokens.map((token, i) => [token, balances[i] ?? 0n]));
  return risky
    .map(({ token, spender, amount, reason, spender_label, evidence }) => {
      const { decimals, symbol } = metadataIn(faces, token);
      const is_unlimited = amount === null || amount >= unlimited;
      const balance = held.get(token) ?? 0n;
      const known = isImpossible(snapshot, balance) ? null : balance < 0n ? 0n : balance;
      const taken = amount === null || known === null ? null : least(amount, known);
      return {
        network: chain.network.id,
        token: formatToken(chain, token),
        symbol,
        spender: chain.formatAddress(spender),
        spender_label,
        allowance: is_unlimited || decimals === null ? null : toAmount(amount, decimals),
        allowance_raw: amount === null ? null : amount.toString(),
        is_unlimited,
        value_at_risk_usd: taken === null || decimals === null ? null : usdOf(taken, decimals, prices.get(token)),
        reason,
        evidence: [...evidence],
      };
    })
    .sort((a, b) => (b.value_at_risk_usd ?? -1) - (a.value_at_risk_usd ?? -1) || (keyOf(a) < keyOf(b) ? -1 : 1));
};

const keyOf = ({ token, spender, is_unlimited }: ApprovalAtRisk): string => `${token}:${spender}:${is_unlimited}`;
