import type { Chain } from "../../../chains/chain.ts";
import type { IssuerCoin } from "../../../knowledge/issuer.ts";
import { issuerCoins } from "../../../labels/issuers/index.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import { toAmount } from "../../../lib/money.ts";
import { iso } from "../../../lib/time.ts";
import type { SnapshotContext, Warning } from "../../context.ts";
import type { FreezeEvent } from "./events.ts";
import { type CoinCheck, checkFreezes } from "./freezes.ts";
import type { FreezeScope } from "./node_events.ts";

/**
 * An account's holding of a coin. Amounts are null when the contract did not report them or its decimals are unknown.
 */
export interface CoinBalance {
  readonly balance: number | null;
  readonly balance_raw: string | null;
  readonly decimals: number | null;
}

/** A check with the affected holding. */
export interface BalanceCheck extends CoinCheck, CoinBalance {
  readonly chain: Chain;
  readonly raw: bigint | null;
}

/** The registered coins for a caller's symbols (in any case) or contracts; all of the network for null. */
export const selectCoins = (chain: Chain, wanted: readonly string[] | null): readonly IssuerCoin[] => {
  const coins = issuerCoins(chain.network);
  if (wanted === null) return coins;
  const symbols = new Set(wanted.map((text) => text.toLowerCase()));
  const contracts = new Set(wanted.map((text) => chain.parseAddress(text)));
  return coins.filter(({ symbol, address }) => symbols.has(symbol.toLowerCase()) || contracts.has(address));
};

/** Unregistered stablecoins of the network, which a check of "every coin" does not cover. */
export const unregistered = (chain: Chain): readonly Warning[] => {
  const known = new Set(issuerCoins(chain.network).map(({ address }) => address));
  const names = chain.network.stablecoins.filter(({ address }) => !known.has(address)).map(({ symbol }) => symbol);
  if (names.length === 0) return [];
  const message = `Not checked on ${chain.network.id}, because how they freeze is not registered: ${names.join(", ")}.`;
  return [{ code: "COINS_NOT_REGISTERED", message }];
};

/** Live balances at the snapshot's block; null when the node or contract does not answer. */
const liveBalances = async (scope: SnapshotContext, account: Hex, coins: readonly IssuerCoin[]) => {
  const pairs = coins.map(({ address }) => ({ token: address, holder: account }));
  try {
    return await scope.chain.tokenBalances(pairs, scope.signal, scope.snapshot.block.number);
  } catch (error) {
    if (error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE") return coins.map(() => null);
    throw error;
  }
};

const decimalsOf = async ({ facts, snapshot }: SnapshotContext, coins: readonly IssuerCoin[]) => {
  const tokens = coins.map(({ address }) => address).sort();
  const stored = tokens.length === 0 ? [] : await facts.ask(snapshot, "tokens_among", { tokens });
  const known = new Map(stored.map(({ token, decimals }) => [token, decimals]));
  return coins.map((coin) => known.get(coin.address) ?? coin.decimals);
};

/** Checks one account against coins and reports its holding of each. */
export const checkHoldings = async (
  scope: FreezeScope,
  account: Hex,
  coins: readonly IssuerCoin[],
): Promise<readonly BalanceCheck[]> => {
  const [checks, amounts, decimals] = await Promise.all([
    checkFreezes(scope, account, coins),
    liveBalances(scope, account, coins),
    decimalsOf(scope, coins),
  ]);
  return checks.map((check, i) => {
    const [raw, places] = [amounts[i] ?? null, decimals[i] ?? null];
    return {
      ...check,
      chain: scope.chain,
      raw,
      balance: raw === null || places === null ? null : toAmount(raw, places),
      balance_raw: raw?.toString() ?? null,
      decimals: places,
    };
  });
};

export const isPositive = ({ is_frozen }: CoinCheck): boolean => is_frozen === true;

/** True when an issuer released the account again, or the frozen amount is gone. */
export const wasFreed = ({ history, is_frozen }: CoinCheck): boolean =>
  history.some(({ effect }) => effect === "unfreeze" || (effect === "freeze" && is_frozen === false));

/** The transaction of the event. */
export const eventEvidence = (chain: Chain, event: FreezeEvent) => ({
  kind: "tx" as const,
  ref: chain.formatHash(event.tx_hash),
  observed_at: iso(event.time),
});

/** Evidence of one coin's check: the issuer's events and the contract's own answer. */
export const checkEvidence = (check: BalanceCheck, account: Hex, block_time: number) => {
  const { chain, coin, method, checked_block, history, status } = check;
  const asked = method.replace("(address)", `(${chain.formatAddress(account)})`);
  const call = {
    kind: "call" as const,
    ref: `${chain.formatAddress(coin.address)}.${asked} at block ${checked_block}`,
    observed_at: iso(block_time),
  };
  return [
    ...history.map((event) => eventEvidence(chain, event)),
    ...(status === "ok" && method !== "events" ? [call] : []),
  ];
};

/** Reason why a check of these coins on these networks is incomplete, as a sentence; null for a complete check. */
export const incompleteness = (
  checks: readonly BalanceCheck[],
  silent: readonly { readonly chain: Chain }[],
): string | null => {
  const failed = checks.filter(({ status }) => status === "failed");
  if (failed.length === 0 && silent.length === 0) return null;
  const coins = failed.map(({ coin, chain, reason }) => `${coin.symbol} on ${chain.network.id}: ${reason ?? ""}`);
  const networks = silent.map(({ chain }) => `${chain.network.id} could not be read.`);
  return `Not every check could be made. ${[...networks, ...coins].join(" ")}`;
};
