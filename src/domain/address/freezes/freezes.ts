import type { IssuerCoin } from "../../../knowledge/issuer.ts";
import { canFreeze, issuerCoins } from "../../../labels/issuers/index.ts";
import type { Hex } from "../../../lib/bytes.ts";
import type { SnapshotContext } from "../../context.ts";
import { type FreezeCheck, judgeAccounts, judgeAccountsAlone, readTokenAccounts } from "./accounts.ts";
import { type FreezeEvent, type FreezeStatus, freezeStatusOf, readFreezeEvents, readWitnesses } from "./events.ts";
import { type FreezeScope, needsEvents } from "./node_events.ts";
import { FRESH_ACCOUNT, NOT_QUERIED, readViews, type ViewResult } from "./views.ts";

/** Result of checking one account and one coin. */
export interface CoinCheck {
  readonly coin: IssuerCoin;
  /** `not_supported`: the coin has no freeze of single accounts. */
  readonly status: "ok" | "failed" | "not_supported";
  /** Known when the check is ok. For a failed check true when any source reports a freeze, else null: never false. */
  readonly is_frozen: boolean | null;
  /**
   * The view that confirmed the events, or the token accounts; `events` without a view, `no contract` when none exists
   * at the block.
   */
  readonly method: string;
  readonly checked_block: number;
  /** The freeze in force by the events. */
  readonly frozen_since: FreezeEvent | null;
  readonly last_event: FreezeEvent | null;
  /** Oldest first. Complete when the check is ok, except on a network that is read on demand: there it is not read. */
  readonly history: readonly FreezeEvent[];
  /** Why the check failed, or is not supported. */
  readonly reason: string | null;
}

/** Events are the state, and the view confirms it; a missing or contradicting answer fails the check. */
const judge = (standing: FreezeStatus, fault: string | null, says: ViewResult): FreezeCheck => {
  const by_events = standing.is_frozen;
  const method = says.kind === "none" ? "events" : says.kind === "absent" ? "no contract" : says.method;
  const failed = (reason: string): FreezeCheck => {
    const is_frozen = by_events || ("is_frozen" in says && says.is_frozen === true) ? true : null;
    return { status: "failed", is_frozen, method, reason };
  };
  if (fault !== null) return failed(fault);
  if (says.kind === "fault") return failed(says.reason);
  if (says.kind === "absent" && by_events) return failed("Events say frozen, and there is no contract at this block.");
  if (says.kind === "said" && says.is_frozen !== by_events) {
    const word = (is_frozen: boolean) => (is_frozen ? "frozen" : "not frozen");
    return failed(`Events say ${word(by_events)}, the contract says ${word(says.is_frozen)}.`);
  }
  return { status: "ok", is_frozen: by_events, method, reason: null };
};

/**
 * Where a network is read on demand, issuers' events are not read: a trusted view of the contract is the state at the block, without its
 * history. `fault`: the reason for a coin without such a view.
 */
const judgeByView = (fault: string, says: ViewResult): FreezeCheck => {
  switch (says.kind) {
    case "said":
      return { status: "ok", is_frozen: says.is_frozen, method: says.method, reason: null };
    case "absent":
      return { status: "ok", is_frozen: false, method: "no contract", reason: null };
    case "fault":
      return { status: "failed", is_frozen: says.is_frozen, method: says.method, reason: says.reason };
    case "none":
      return { status: "failed", is_frozen: null, method: "none", reason: fault };
  }
};

const notSupported = (coin: IssuerCoin, checked_block: number): CoinCheck => ({
  coin,
  status: "not_supported",
  is_frozen: null,
  method: "none",
  checked_block,
  frozen_since: null,
  last_event: null,
  history: [],
  reason: "The coin has no freeze of single accounts.",
});

/** Methods of judging a coin, by the capabilities of the network. */
const openJudge = async (scope: FreezeScope, account: Hex, coins: readonly IssuerCoin[]) => {
  if (scope.chain.can.token_accounts) {
    const tokens = coins.map(({ address }) => address);
    const held = await readTokenAccounts(scope, account, tokens);
    return (standing: FreezeStatus, fault: string | null): FreezeCheck => {
      const said = held?.get(standing.coin.address) ?? null;
      const has_events = scope.snapshot.followed === undefined;
      return has_events ? judgeAccounts(scope, standing, { fault, said }) : judgeAccountsAlone(said);
    };
  }
  const witnesses = await readWitnesses(scope, coins);
  const says = await readViews(
    scope,
    coins.map((coin) => ({ coin, account, witness: witnesses.get(coin.address) ?? null })),
  );
  return (standing: FreezeStatus, fault: string | null): FreezeCheck => {
    const said = says[coins.indexOf(standing.coin)] ?? NOT_QUERIED;
    const has_events = scope.snapshot.followed === undefined || needsEvents(scope, standing.coin);
    return has_events ? judge(standing, fault, said) : judgeByView(fault ?? "", said);
  };
};

/**
 * Checks one account against coins of the scope's network (by default every registered one), at the snapshot's block:
 * it replays the issuers' events and calls the contracts' own views after a self-test, or reads the states of token
 * accounts. A missing answer never counts as "not frozen".
 */
export const checkFreezes = async (
  scope: FreezeScope,
  account: Hex,
  coins: readonly IssuerCoin[] = issuerCoins(scope.chain.network),
): Promise<readonly CoinCheck[]> => {
  const freezable = coins.filter(canFreeze);
  const [{ fault, standings }, judged] = await Promise.all([
    readFreezeEvents(scope, [account], freezable),
    openJudge(scope, account, freezable),
  ]);
  const checked_block = scope.snapshot.block.number;
  return coins.map((coin): CoinCheck => {
    if (!freezable.includes(coin)) return notSupported(coin, checked_block);
    const standing =
      standings.find((one) => one.coin === coin && one.account === account) ?? freezeStatusOf(coin, account, []);
    const verdict = judged(standing, fault.get(coin.address) ?? null);
    const { history } = standing;
    // A freeze of a destroyed contract is void.
    const frozen_since = verdict.is_frozen === false ? null : standing.frozen_since;
    return { coin, ...verdict, checked_block, frozen_since, history, last_event: history.at(-1) ?? null };
  });
};

/** Coins of the scope's network with untrusted views, with the reason: all their checks fail. */
export const faultyViews = async (
  scope: SnapshotContext,
): Promise<readonly { readonly coin: IssuerCoin; readonly reason: string }[]> => {
  const coins = scope.chain.can.contract_calls ? issuerCoins(scope.chain.network).filter(canFreeze) : [];
  const witnesses = await readWitnesses(scope, coins);
  const says = await readViews(
    scope,
    coins.map((coin) => ({ coin, account: FRESH_ACCOUNT, witness: witnesses.get(coin.address) ?? null })),
  );
  return coins.flatMap((coin, i) => {
    const said = says[i] ?? NOT_QUERIED;
    return said.kind === "fault" ? [{ coin, reason: said.reason }] : [];
  });
};
