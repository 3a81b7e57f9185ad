import type { Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import type { SnapshotContext } from "../../context.ts";
import { isContract } from "../../valuation/prices/pool_family.ts";
import { anchorsOf } from "../../valuation/prices/pools.ts";
import { stateBlock } from "../holders/balances.ts";
import { isDrained } from "./drained.ts";
import { type DeveloperMarket, readMarketStates, readMarkets, readPeaks } from "./markets.ts";
import { valuerNow } from "./records.ts";
import { payPools, TRANSFER_PART } from "./replay.ts";
import { RUG_RULES } from "./rug_outcomes.ts";

/** Whether a held token can still be sold: one function for PnL, holdings, portfolio and the traders of a token. */

/**
 * `drained`: its pools lost their liquidity. `unsellable`: the holder's transfer into a pool reverts. `tradable`:
 * neither.
 */
export type HoldingOutcome = "drained" | "unsellable" | "tradable";

export interface HoldingVerdict {
  readonly outcome: HoldingOutcome;
  /** Why it cannot be sold; null where it can. */
  readonly reason: string | null;
}

export interface TokenHolding {
  readonly token: Hex;
  /** Base units. */
  readonly amount: bigint;
}

/** A holder's amount of a token. */
export interface HolderBalance extends TokenHolding {
  readonly holder: Hex;
}

/** Maximum number of tokens of one wallet to examine. */
const TOKENS_MAX = 100;

const DRAINED: HoldingVerdict = {
  outcome: "drained",
  reason: `its pools lost at least ${RUG_RULES.removal_percent_min} % of their liquidity, and less than ${RUG_RULES.depth_usd_min} USD is left`,
};
const UNSELLABLE: HoldingVerdict = { outcome: "unsellable", reason: "the holder's transfer into its pool reverts" };
const TRADABLE: HoldingVerdict = { outcome: "tradable", reason: null };

/** Whether the pool rejects the holder's own transfer. Empty when no node answers. */
const readRefused = async (
  scope: SnapshotContext,
  asked: readonly { readonly held: HolderBalance; readonly market: DeveloperMarket }[],
): Promise<ReadonlyMap<HolderBalance, boolean>> => {
  const { chain, snapshot } = scope;
  const tried = asked.filter(
    ({ held, market }) =>
      isContract(market.pool.family) && held.amount >= TRANSFER_PART && market.pool.pool !== held.holder,
  );
  if (tried.length === 0 || !chain.can.contract_calls) return new Map();
  try {
    if ((await stateBlock(scope)) !== snapshot.block.number) return new Map();
    const results = await payPools(
      scope,
      tried.map(({ held: { holder, token, amount }, market }) => ({
        ...{ token, from: holder, pool: market.pool.pool, amount: amount / TRANSFER_PART },
      })),
    );
    return new Map(
      tried.flatMap(({ held }, i) => {
        const result = results[i];
        return result === undefined ? [] : [[held, !result]];
      }),
    );
  } catch (error) {
    if (error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE") return new Map();
    throw error;
  }
};

/** States of markets now, by token, and whether they are all that is left of more. */
const readStates = async (scope: SnapshotContext, markets: readonly DeveloperMarket[], tokens: readonly Hex[]) => {
  const { block } = scope.snapshot;
  const peaks = await readPeaks(scope, markets);
  const all = [...new Set([...tokens, ...markets.map(({ pool }) => pool.other)])];
  const valuer = await valuerNow({ scope, markets }, all, peaks);
  const states = await readMarketStates(scope, markets, {
    block: block.number,
    time: block.time,
    valuer,
    known: peaks.states,
  });
  const isEmpty = (token: Hex): boolean =>
    isDrained(states.get(token), { markets: markets.filter((market) => market.token === token), peaks, valuer });
  return { states, isEmpty };
};

/**
 * Outcomes of holdings at the snapshot's block, for tokens that have or had a market. Absent: the token never had one,
 * or its outcome is unknown. Skips the native coin and coins with a fixed price.
 */
export const readOutcomesOf = async (
  scope: SnapshotContext,
  held: readonly HolderBalance[],
): Promise<ReadonlyMap<HolderBalance, HoldingVerdict>> => {
  const asked = held.filter(mayBeLost(scope));
  const tokens = [...new Set(asked.map(({ token }) => token))];
  const markets = tokens.length === 0 ? [] : await readMarkets(scope, tokens);
  if (markets.length === 0) return new Map();
  const traded = asked.flatMap((one) => {
    const market = markets.find(({ token }) => token === one.token);
    return market === undefined ? [] : [{ held: one, market }];
  });
  const [{ states, isEmpty }, refused] = await Promise.all([
    readStates(scope, markets, tokens),
    readRefused(scope, traded),
  ]);
  return new Map(
    traded.flatMap(({ held: one }): [HolderBalance, HoldingVerdict][] => {
      const state = states.get(one.token);
      if (isEmpty(one.token)) return [[one, DRAINED]];
      if (refused.get(one) === true) return [[one, UNSELLABLE]];
      return refused.get(one) === false && state?.depth_usd !== null ? [[one, TRADABLE]] : [];
    }),
  );
};

const mayBeLost = ({ chain: { network } }: SnapshotContext) => {
  const anchors = anchorsOf(network);
  return ({ token, amount }: TokenHolding): boolean =>
    token !== "" && amount > 0n && token !== network.wrapped_native && !anchors.has(token);
};

/** The same for the tokens of one wallet, by token. */
export const readHoldingOutcomes = async (
  scope: SnapshotContext,
  wallet: Hex,
  held: readonly TokenHolding[],
): Promise<ReadonlyMap<Hex, HoldingVerdict>> => {
  const asked = held.filter(mayBeLost(scope)).slice(0, TOKENS_MAX);
  const found = await readOutcomesOf(
    scope,
    asked.map(({ token, amount }) => ({ holder: wallet, token, amount })),
  );
  return new Map([...found].map(([{ token }, judged]) => [token, judged]));
};
