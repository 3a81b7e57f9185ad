import { integerAt, selectorOf, wordOf } from "../../analysis/abi.ts";
import { pricesAt } from "../../analysis/price_now.ts";
import type { Call, CallResult } from "../../chains/chain.ts";
import type { Hex } from "../../lib/bytes.ts";
import { AssayError } from "../../lib/errors.ts";
import { toAmount, usdOf } from "../../lib/money.ts";
import { iso } from "../../lib/time.ts";
import type { Row } from "../../store/facts.ts";
import type { Warning } from "../metadata.ts";
import { contractsAmong } from "../parties.ts";
import { faceIn, facesOf, formatToken, type Place } from "../token_faces.ts";
import { type Published, readPublished } from "../verified.ts";
import { type Evidence, type Marks, markIn, marksOf, type Sight } from "./marks.ts";

/** Approvals of one wallet that are looked at: the newest ones. */
const APPROVALS_MAX = 1_000;
/** Amounts from here on are called unlimited: nobody has so much. */
const UNLIMITED = 2n ** 255n;

/** Spenders that no label names whose sources are looked up: those of the newest approvals. */
const SOURCES_MAX = 100;

/** `unknown_spender`: no label names it, and it is not known whether it has a verified source. */
export type ApprovalReason = "risky_spender" | "unverified_spender" | "unknown_spender" | "account_spender";

/** An approval that stands at the block. */
export interface Approval {
  readonly token: Hex;
  readonly spender: Hex;
  readonly is_for_all: boolean;
  /** Base units; of collectibles null. */
  readonly amount: bigint | null;
  /** Null: nothing speaks against the spender. */
  readonly reason: ApprovalReason | null;
  readonly spender_label: string | null;
  readonly evidence: readonly Evidence[];
}

export interface Approvals {
  readonly standing: readonly Approval[];
  /** Why it is not known of some spenders whether they have a verified source; null when it is known of all. */
  readonly sources_gap: string | null;
  readonly warnings: readonly Warning[];
}

type ApprovalRow = Row<"wallet_risk/approvals">;

const callOf = (wallet: Hex, { token, spender, is_for_all }: ApprovalRow): Call => ({
  to: token,
  data:
    selectorOf(is_for_all === 1 ? "isApprovedForAll(address,address)" : "allowance(address,address)") +
    wordOf(wallet) +
    wordOf(spender),
});

const FROM_EVENTS: Warning = {
  code: "ALLOWANCES_FROM_EVENTS",
  message: "No node told the allowances of this block: they are what the last approvals said, and may be used up.",
};

/** What the contracts themselves say at the block; null when no node answers for it. */
const readAllowances = async (
  { chain, snapshot, signal }: Place,
  wallet: Hex,
  rows: readonly ApprovalRow[],
): Promise<readonly CallResult[] | null> => {
  if (rows.length === 0) return [];
  try {
    return await chain.call(
      rows.map((row) => callOf(wallet, row)),
      signal,
      snapshot.block.number,
    );
  } catch (error) {
    if (error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE") return null;
    throw error;
  }
};

/** A contract that does not answer keeps what its last event said. */
const amountOf = (row: ApprovalRow, answer: CallResult | undefined): bigint =>
  (answer?.ok === true ? integerAt(answer.data, 0) : null) ?? row.amount;

interface Spenders {
  readonly marks: Marks;
  readonly contracts: ReadonlyMap<Hex, boolean | null>;
}

const reasonOf = (
  spender: Hex,
  { marks, contracts }: Spenders,
  { is_verified }: Pick<Published, "is_verified">,
): ApprovalReason | null => {
  const mark = markIn(marks, spender);
  if (mark.hits.length > 0) return "risky_spender";
  if (contracts.get(spender) === false) return "account_spender";
  const is_known = mark.is_labelled ? true : is_verified(spender);
  if (is_known === null) return "unknown_spender";
  return is_known ? null : "unverified_spender";
};

const readSpenders = async (sight: Sight, spenders: readonly Hex[]): Promise<Spenders & { published: Published }> => {
  const { place, operator } = sight;
  const [marks, contracts] = await Promise.all([marksOf(sight, spenders), contractsAmong(place, spenders)]);
  const published = await readPublished(place, operator.sources, {
    addresses: spenders.filter((spender) => !markIn(marks, spender).is_labelled && contracts.get(spender) !== false),
    at: place.chain.can.archive ? place.snapshot.block.number : undefined,
    most: SOURCES_MAX,
  });
  return { marks, contracts, published };
};

/** Approvals of the wallet that stand at the block, the newest first. */
export const readApprovals = async (sight: Sight, wallet: Hex): Promise<Approvals> => {
  const { place } = sight;
  const { facts, snapshot, chain } = place;
  const found = await facts.ask(snapshot, "wallet_risk/approvals", { owner: wallet, limit: APPROVALS_MAX + 1 });
  const rows = found.slice(0, APPROVALS_MAX);
  const spenders = [...new Set(rows.map(({ spender }) => spender))];
  const [answers, known] = await Promise.all([readAllowances(place, wallet, rows), readSpenders(sight, spenders)]);
  const standing = rows.flatMap((row, i): readonly Approval[] => {
    const amount = amountOf(row, answers?.[i]);
    if (amount === 0n) return [];
    const mark = markIn(known.marks, row.spender);
    const tx: Evidence = { kind: "tx", ref: chain.formatHash(row.tx_hash), observed_at: iso(row.time) };
    return [
      {
        token: row.token,
        spender: row.spender,
        is_for_all: row.is_for_all === 1,
        amount: row.is_for_all === 1 ? null : amount,
        reason: reasonOf(row.spender, known, known.published),
        spender_label: mark.label,
        evidence: [tx, ...mark.hits.flatMap((hit) => hit.evidence)],
      },
    ];
  });
  const cut: Warning = {
    code: "APPROVALS_PARTIAL",
    message: `Only the newest ${APPROVALS_MAX} approvals were looked at.`,
  };
  return {
    standing,
    sources_gap: known.published.gap,
    warnings: [...(answers === null ? [FROM_EVENTS] : []), ...(found.length > APPROVALS_MAX ? [cut] : [])],
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
  readonly evidence: readonly Evidence[];
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Approvals that something speaks against, with what they could take now: the most valuable first. */
export const atRiskOf = async (
  place: Place,
  wallet: Hex,
  standing: readonly Approval[],
): Promise<readonly ApprovalAtRisk[]> => {
  const { facts, chain, snapshot } = place;
  const risky = standing.flatMap((one) => (one.reason === null ? [] : [{ ...one, reason: one.reason }]));
  const tokens = [...new Set(risky.map(({ token }) => token))];
  const [faces, prices, balances] = await Promise.all([
    facesOf(place, tokens),
    pricesAt({ facts, network: chain.network, snapshot }, tokens),
    facts.balanceOf(
      snapshot,
      tokens.map((token) => ({ token, holder: wallet })),
    ),
  ]);
  const held = new Map(tokens.map((token, i) => [token, balances[i] ?? 0n]));
  return risky
    .map(({ token, spender, amount, reason, spender_label, evidence }) => {
      const { decimals, symbol } = faceIn(faces, token);
      const is_unlimited = amount === null || amount >= UNLIMITED;
      const balance = held.get(token) ?? 0n;
      const taken = amount === null ? null : least(amount, balance < 0n ? 0n : balance);
      const price = prices.get(token)?.price_usd ?? null;
      return {
        network: chain.network.id,
        token: formatToken(chain, token),
        symbol,
        spender: chain.formatAddress(spender),
        spender_label,
        allowance: is_unlimited || decimals === null ? null : toAmount(amount, decimals),
        allowance_raw: amount === null ? null : amount.toString(),
        is_unlimited,
        value_at_risk_usd: taken === null || decimals === null ? null : usdOf(taken, decimals, price),
        reason,
        evidence: [...evidence],
      };
    })
    .sort((a, b) => (b.value_at_risk_usd ?? -1) - (a.value_at_risk_usd ?? -1) || (keyOf(a) < keyOf(b) ? -1 : 1));
};

const keyOf = ({ token, spender, is_unlimited }: ApprovalAtRisk): string => `${token}:${spender}:${is_unlimited}`;
