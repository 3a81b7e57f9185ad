import type { TokenHoldings } from "../../../chains/token_accounts.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import type { SnapshotContext } from "../../context.ts";
import type { FreezeStatus } from "./events.ts";

/** Freeze checks on networks with token accounts, each of which has its own frozen state. */

/** Name of this check in answers. */
const METHOD = "token_accounts(address)";

/** A check of one account and one coin, without its network and block. */
export interface FreezeCheck {
  /** `not_supported`: the coin has no freeze authority and no freeze in its history. */
  readonly status: "ok" | "failed" | "not_supported";
  readonly is_frozen: boolean | null;
  readonly method: string;
  readonly reason: string | null;
}

const NO_AUTHORITY: FreezeCheck = {
  status: "not_supported",
  is_frozen: null,
  method: "none",
  reason: "No authority can freeze accounts of the coin.",
};

/** The holder's accounts of each token, by token; null when no node answers. */
export const readTokenAccounts = async (
  { chain, snapshot, signal }: SnapshotContext,
  holder: Hex,
  tokens: readonly Hex[],
): Promise<ReadonlyMap<Hex, TokenHoldings> | null> => {
  if (tokens.length === 0) return new Map();
  try {
    const held = await chain.tokenAccounts({ holder, tokens }, signal, snapshot.block.number);
    return new Map(held.map((one) => [one.token, one]));
  } catch (error) {
    if (error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE") return null;
    throw error;
  }
};

/** Token accounts whose state contradicts the events; an account that started frozen needs no event. */
const disputed = ({ accounts, powers }: TokenHoldings, { frozen, history }: FreezeStatus): readonly Hex[] =>
  accounts
    .filter(({ account, is_frozen }) => {
      const began_so = powers?.opens_frozen === true && history.every(({ holding }) => holding !== account);
      return is_frozen !== frozen.has(account) && !(is_frozen && began_so);
    })
    .map(({ account }) => account);

/** Where issuers' events are not read, the token accounts alone are the state. */
export const judgeAccountsAlone = (said: TokenHoldings | null): FreezeCheck => {
  if (said === null)
    return { status: "failed", is_frozen: null, method: METHOD, reason: "No node answered at this block." };
  if (said.powers === null) return { status: "ok", is_frozen: false, method: "no contract", reason: null };
  const is_frozen = said.accounts.some((one) => one.is_frozen);
  const can_freeze = said.powers.freeze_authority !== null || said.powers.opens_frozen;
  return can_freeze || is_frozen ? { status: "ok", is_frozen, method: METHOD, reason: null } : NO_AUTHORITY;
};

/**
 * Events are the state, and the token accounts confirm it; a contradiction fails the check. A frozen account that its
 * owner closed is gone and freezes nothing: programs allow closing an empty one.
 */
export const judgeAccounts = (
  { chain }: SnapshotContext,
  standing: FreezeStatus,
  { fault, said }: { readonly fault: string | null; readonly said: TokenHoldings | null },
): FreezeCheck => {
  const is_frozen = said?.accounts.some((one) => one.is_frozen) ?? false;
  const failed = (reason: string): FreezeCheck => {
    const known = is_frozen || standing.is_frozen ? true : null;
    return { status: "failed", is_frozen: known, method: METHOD, reason };
  };
  if (fault !== null) return failed(fault);
  if (said === null) return failed("No node answered at this block.");
  if (said.powers === null && standing.history.length > 0) return failed("Events report a coin that does not exist.");
  if (said.powers === null) return { status: "ok", is_frozen: false, method: "no contract", reason: null };
  const [unclear] = disputed(said, standing);
  if (unclear !== undefined) {
    return failed(`Events and state of the token account ${chain.formatAddress(unclear)} contradict each other.`);
  }
  const can_freeze = said.powers.freeze_authority !== null || said.powers.opens_frozen;
  if (!can_freeze && !is_frozen && standing.history.length === 0) return NO_AUTHORITY;
  return { status: "ok", is_frozen, method: METHOD, reason: null };
};
