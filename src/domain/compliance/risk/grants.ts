import type { CallResult, ContractCall } from "../../../chains/chain.ts";
import { INTERFACES } from "../../../knowledge/names.gen.ts";
import { concatHex, type Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import { iso } from "../../../lib/time.ts";
import type { QueryRow } from "../../../store/facts.ts";
import { integerAt, selectorOf, wordOf } from "../../abi.ts";
import { readTokenAccounts } from "../../address/freezes/accounts.ts";
import type { SnapshotContext } from "../../context.ts";
import type { RiskEvidence } from "./address_risks.ts";

/** A spender's right to take a wallet's tokens at the block, and its source. */
export interface Grant {
  readonly token: Hex;
  readonly spender: Hex;
  readonly is_for_all: boolean;
  /** The id of the one collectible that it is about. */
  readonly piece: bigint | null;
  /** Base units, above 0; 1 for collectibles. */
  readonly amount: bigint;
  /** The node reported it at the block; else it comes from the last event. */
  readonly is_live: boolean;
  /** The last event; null if only the node's state names the spender. */
  readonly approval: Pick<ApprovalRow, "amount" | "block_number" | "tx_hash" | "time"> | null;
  readonly evidence: readonly RiskEvidence[];
}

export interface Grants {
  readonly list: readonly Grant[];
  /** False when no node answered: then the amount comes from the last approval. */
  readonly is_live: boolean;
}

export type ApprovalRow = QueryRow<"risk/approvals">;

type PieceRow = QueryRow<"risk/piece_approvals">;

const txOf = ({ chain }: SnapshotContext, { tx_hash, time }: Pick<ApprovalRow, "tx_hash" | "time">): RiskEvidence => ({
  kind: "tx",
  ref: chain.formatHash(tx_hash),
  observed_at: iso(time),
});

/** By the last event. */
const asApproved = (scope: SnapshotContext, rows: readonly ApprovalRow[]): readonly Grant[] =>
  rows.map((row) => ({
    ...{ token: row.token, spender: row.spender, is_for_all: row.is_for_all === 1, piece: null },
    ...{ amount: row.amount, is_live: false, approval: row, evidence: [txOf(scope, row)] },
  }));

const callOf = (wallet: Hex, { token, spender, is_for_all }: ApprovalRow): ContractCall => ({
  to: token,
  data: concatHex(
    selectorOf(is_for_all === 1 ? INTERFACES.erc721.isApprovedForAll : INTERFACES.erc20.allowance),
    wordOf(wallet),
    wordOf(spender),
  ),
});

/** Answers of contracts at the block; null when no node answers. */
const readRights = async (
  { chain, snapshot, signal }: SnapshotContext,
  calls: readonly ContractCall[],
): Promise<readonly CallResult[] | null> => {
  if (calls.length === 0) return [];
  try {
    return await chain.call(calls, signal, snapshot.block.number);
  } catch (error) {
    if (error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE") return null;
    throw error;
  }
};

/** If a contract does not answer, the amount of its last event stays. */
const allowancesOf = async (scope: SnapshotContext, wallet: Hex, rows: readonly ApprovalRow[]): Promise<Grants> => {
  const answers = await readRights(
    scope,
    rows.map((row) => callOf(wallet, row)),
  );
  const list = asApproved(scope, rows).map((grant, i): Grant => {
    const answer = answers?.[i];
    const amount = answer?.ok === true ? integerAt(answer.data, 0) : null;
    return amount === null ? grant : { ...grant, amount, is_live: true };
  });
  return { list, is_live: answers !== null };
};

/** Rights over single pieces at the block: those whose contract still names the spender, or does not answer. */
export const readPieceGrants = async (scope: SnapshotContext, rows: readonly PieceRow[]): Promise<Grants> => {
  const { getApproved } = INTERFACES.erc721;
  const answers = await readRights(
    scope,
    rows.map(({ token, piece }) => ({ to: token, data: concatHex(selectorOf(getApproved), wordOf(piece)) })),
  );
  const list = rows.flatMap((row, i): readonly Grant[] => {
    const { token, spender, piece } = row;
    const answer = answers?.[i];
    // 0: the contract names no spender.
    const named = answer?.ok === true ? integerAt(answer.data, 0) : null;
    if (named !== null && named !== BigInt(`0x${spender}`)) return [];
    const approval = { ...row, amount: 1n };
    const event = { amount: 1n, approval, evidence: [txOf(scope, row)] };
    return [{ ...event, token, spender, piece, is_for_all: false, is_live: named !== null }];
  });
  return { list, is_live: answers !== null };
};

/**
 * Delegates as the token accounts name them, of every token for which the wallet ever approved a spender. An account
 * has one delegate; several accounts of one token with the same delegate form one grant.
 */
const delegatesOf = async (scope: SnapshotContext, wallet: Hex, rows: readonly ApprovalRow[]): Promise<Grants> => {
  const { chain, snapshot } = scope;
  const tokens = [...new Set(rows.map(({ token }) => token))].sort();
  const held = await readTokenAccounts(scope, wallet, tokens);
  if (held === null) return { list: asApproved(scope, rows), is_live: false };
  const list = tokens.flatMap((token) => {
    const amounts = new Map<Hex, bigint>();
    for (const { delegate, delegated } of held.get(token)?.accounts ?? [])
      if (delegate !== null) amounts.set(delegate, (amounts.get(delegate) ?? 0n) + delegated);
    return [...amounts].map(([spender, amount]): Grant => {
      const row = rows.find((one) => one.token === token && one.spender === spender);
      const ref = `${chain.formatAddress(token)}.token_accounts(${chain.formatAddress(wallet)}) at block ${snapshot.block.number}`;
      const state: RiskEvidence = { kind: "call", ref, observed_at: iso(snapshot.block.time) };
      const evidence = [...(row ? [txOf(scope, row)] : []), state];
      const right = { token, spender, is_for_all: false, piece: null, amount };
      return { ...right, is_live: true, approval: row ?? null, evidence };
    });
  });
  return { list, is_live: true };
};

/** Grants in force at the block, without used-up and withdrawn ones. */
export const readGrants = async (
  scope: SnapshotContext,
  wallet: Hex,
  rows: readonly ApprovalRow[],
): Promise<Grants> => {
  const { list, is_live } = scope.chain.can.token_accounts
    ? await delegatesOf(scope, wallet, rows)
    : await allowancesOf(scope, wallet, rows);
  return { list: list.filter(({ amount }) => amount > 0n), is_live };
};
