import type { Hex } from "../../../lib/bytes.ts";
import { iso } from "../../../lib/time.ts";
import type { SnapshotContext } from "../../context.ts";
import { isFungible } from "../metadata/subject.ts";
import { readDeployed } from "./deployed/read.ts";
import type { Developer } from "./linked_wallets.ts";
import type { CreatedToken } from "./records.ts";
import type { JudgedOutcome } from "./rug_outcomes.ts";

/** Maximum number of creations of one account to search for tokens. */
const CREATIONS_MAX = 1_000;

/** Fungible tokens that an account created, newest first, without pool shares that a factory made for it. */
export const readCreated = async (scope: SnapshotContext, wallet: Hex): Promise<readonly CreatedToken[]> => {
  const filter = { creator: wallet, with_children: true, kind: "token" };
  const rows = await readDeployed(scope, filter, { limit: CREATIONS_MAX, offset: 0 });
  return rows
    .filter(({ standard, is_pool }) => isFungible(standard) && !is_pool)
    .map(({ address, time }) => ({ token: address, created_s: time }));
};

/**
 * The index has every transaction that the account ever sent: its nonce counts them, or the index begins with the
 * chain.
 */
export const isHistoryWhole = async (
  { chain, snapshot, signal }: SnapshotContext,
  { wallet, funding }: Developer,
): Promise<boolean> => {
  const { complete, gaps, traces } = snapshot.coverage;
  if (!complete || gaps.length > 0 || !traces) return false;
  if (chain.network.has_nonces === false) return snapshot.from_block <= 1;
  const { nonce } = await chain.account(wallet, signal, chain.can.archive ? snapshot.block.number : undefined);
  return nonce <= (funding?.sent_count ?? 0);
};

/** Evidence for the end of a token. */
export interface EndEvidence {
  readonly kind: "tx" | "call";
  readonly ref: string;
  readonly observed_at: string;
}

/** Transactions of the rug, or the calls that were tried. */
export const endEvidence = (
  { chain, snapshot }: SnapshotContext,
  token: Hex,
  { events, cause }: JudgedOutcome,
): readonly EndEvidence[] => {
  if (cause !== "honeypot")
    return events.map(({ tx_hash, time }) => ({ kind: "tx", ref: chain.formatHash(tx_hash), observed_at: iso(time) }));
  const ref = `transfer(address,uint256) of holders, on ${chain.formatAddress(token)} at block ${snapshot.block.number}`;
  return [{ kind: "call", ref, observed_at: iso(snapshot.block.time) }];
};
