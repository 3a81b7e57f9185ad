import type { Hex } from "../../../lib/bytes.ts";
import { toAmount } from "../../../lib/money.ts";
import type { SnapshotContext } from "../../context.ts";
import { isImpossible } from "../../token/holders/sums.ts";
import { formatToken, metadataIn, metadataOf, type TokenMetadata } from "../../token/metadata/metadata.ts";
import { pricesAt } from "../../valuation/prices/price_now.ts";
import { usdOf } from "../../valuation/worth.ts";
import type { RiskEvidence } from "./address_risks.ts";
import type { ApprovalReason, OpenApproval } from "./approvals.ts";

/** Larger amounts count as unlimited: no balance is that large. They have 256 bits; in token accounts 64. */
const UNLIMITED = 2n ** 255n;
const UNLIMITED_IN_ACCOUNTS = 2n ** 63n;

/** Tokens of a wallet that a spender could take now. */
export interface ApprovalWorth {
  readonly face: TokenMetadata;
  /** 0 for collectibles; null when the contract does not report them. */
  readonly decimals: number | null;
  readonly is_unlimited: boolean;
  /** Base units that the wallet holds, by its movements; null when they cannot be summed. */
  readonly balance: bigint | null;
  /** Base units that could be taken: at most the balance. */
  readonly taken: bigint | null;
  /** Null with a reason. */
  readonly usd: number | null;
  readonly reason: string | null;
}

const NO_BALANCE = "The movements of the token do not add up to a balance.";
const NO_DECIMALS = "The contract does not report its decimals.";
const NO_PRICE = "The token has no price.";
const PIECES = "Pieces of a collection have no price.";

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** The worth of rights over tokens that the wallet holds at the block. */
export const readApprovalWorth = async (
  scope: SnapshotContext,
  wallet: Hex,
  approvals: readonly Pick<OpenApproval, "token">[],
): Promise<(right: Pick<OpenApproval, "token" | "amount" | "piece">) => ApprovalWorth> => {
  const { facts, chain, snapshot } = scope;
  const tokens = [...new Set(approvals.map(({ token }) => token))];
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
  return ({ token, amount, piece }) => {
    const face = metadataIn(faces, token);
    const is_collection = amount === null || piece !== null;
    const decimals = is_collection ? 0 : face.decimals;
    const sum = held.get(token) ?? 0n;
    const balance = isImpossible(snapshot, sum) ? null : sum < 0n ? 0n : sum;
    const taken = balance === null ? null : amount === null ? balance : least(amount, balance);
    const about = { face, decimals, is_unlimited: amount === null || amount >= unlimited, balance, taken };
    if (taken === null) return { ...about, usd: null, reason: NO_BALANCE };
    if (is_collection) return { ...about, usd: null, reason: PIECES };
    if (decimals === null) return { ...about, usd: null, reason: NO_DECIMALS };
    const usd = usdOf(taken, decimals, prices.get(token));
    return { ...about, usd, reason: usd === null ? NO_PRICE : null };
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

/** Risky approvals with the amount that they could take now: the most valuable first. */
export const atRiskOf = async (
  scope: SnapshotContext,
  wallet: Hex,
  standing: readonly OpenApproval[],
): Promise<readonly ApprovalAtRisk[]> => {
  const { chain } = scope;
  const risky = standing.flatMap((one) => (one.reason === null ? [] : [{ ...one, reason: one.reason }]));
  const worthOf = await readApprovalWorth(scope, wallet, risky);
  return risky
    .map((right) => {
      const { token, spender, amount, reason, mark, evidence } = right;
      const { face, decimals, is_unlimited, usd } = worthOf(right);
      return {
        network: chain.network.id,
        token: formatToken(chain, token),
        symbol: face.symbol,
        spender: chain.formatAddress(spender),
        spender_label: mark.party.label,
        allowance: is_unlimited || amount === null || decimals === null ? null : toAmount(amount, decimals),
        allowance_raw: amount === null ? null : amount.toString(),
        is_unlimited,
        value_at_risk_usd: usd,
        reason,
        evidence: [...evidence],
      };
    })
    .sort((a, b) => (b.value_at_risk_usd ?? -1) - (a.value_at_risk_usd ?? -1) || (keyOf(a) < keyOf(b) ? -1 : 1));
};

const keyOf = ({ token, spender, is_unlimited }: ApprovalAtRisk): string => `${token}:${spender}:${is_unlimited}`;
