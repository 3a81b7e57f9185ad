import type { Hex } from "../../../lib/bytes.ts";
import { toAmount } from "../../../lib/money.ts";
import { sumOfAll } from "../../../lib/sums.ts";
import { iso } from "../../../lib/time.ts";
import type { SnapshotContext } from "../../context.ts";
import { isConstantProduct, isShared } from "../../valuation/prices/pool_family.ts";
import { lockGapOf, lockUntilOf, type PoolShares, readPoolShares } from "../market/pool_shares.ts";
import { exitsUsd } from "./exits.ts";
import { readIssuance } from "./issuance.ts";
import { type DeveloperMarket, readEachMarket, readValuer, type TokenMoment, usdOf, type Valuer } from "./markets.ts";
import { type Ownership, readOwnership } from "./ownership.ts";
import type { DeveloperTokens } from "./records.ts";
import { otherAmount, ownAmount } from "./rug_events.ts";
import { RUG_RULES } from "./rug_outcomes.ts";

/** Actions of a token's developer and the linked wallets. */
export interface DeveloperActions {
  sold_amount: number | null;
  sold_amount_raw: string;
  sold_usd: number | null;
  first_sell_at: string | null;
  transferred_to_exchange_usd: number | null;
  liquidity_added_usd: number | null;
  liquidity_removed_usd: number | null;
  /** Of the shares of the deepest pool. */
  lp_status: "locked" | "burned" | "held" | "unknown";
  lock_until: string | null;
  mint_after_launch_raw: string | null;
  ownership: Ownership;
}

/** Percent of the pool's shares: with less burnt or locked, the rest can still end the market. */
const SAFE_SHARES_PERCENT = 80;

export interface DeveloperToken {
  readonly scope: SnapshotContext;
  readonly token: Hex;
  readonly decimals: number | null;
  readonly known: DeveloperTokens;
}

const marketsOf = ({ known, token }: DeveloperToken): readonly DeveloperMarket[] =>
  known.markets.filter((market) => market.token === token);

/** Rows of linked wallets in the token's own pools, each with its pool. */
const linkedRows = <R extends { readonly pool: Hex; readonly wallet: Hex }>(
  events: DeveloperToken,
  rows: readonly R[],
) => {
  const markets = new Map(marketsOf(events).map((market) => [market.pool.pool, market]));
  const wallets = events.known.linked.get(events.token);
  return rows.flatMap((row) => {
    const market = markets.get(row.pool);
    return market === undefined || wallets?.has(row.wallet) !== true ? [] : [{ row, market }];
  });
};

const absolute = (amount: bigint): bigint => (amount < 0n ? -amount : amount);

const salesOf = (events: DeveloperToken, valuer: Valuer) => {
  const sales = linkedRows(events, events.known.swaps).filter(({ row, market }) => ownAmount(market, row) > 0n);
  const raw = sales.reduce((sum, { row, market }) => sum + ownAmount(market, row), 0n);
  const got = sales.map(({ row, market }) =>
    usdOf(valuer, market.pool.other, { amount: absolute(otherAmount(market, row)), time: row.time }),
  );
  const [first] = sales;
  return {
    sold_amount: events.decimals === null ? null : toAmount(raw, events.decimals),
    sold_amount_raw: raw.toString(),
    sold_usd: sumOfAll(got),
    first_sell_at: first === undefined ? null : iso(first.row.time),
  };
};

/**
 * Value of both sides: a constant-product pool takes and pays both in equal value. For other pools only the other side
 * counts.
 */
const liquidityUsd = (events: DeveloperToken, valuer: Valuer, kind: "mint" | "burn"): number | null =>
  sumOfAll(
    linkedRows(events, events.known.liquidity)
      .filter(({ row }) => row.kind === kind)
      .map(({ row, market }) => {
        const usd = usdOf(valuer, market.pool.other, { amount: otherAmount(market, row), time: row.time });
        return usd === null ? null : usd * (isConstantProduct(market.pool.family) ? 2 : 1);
      }),
  );

interface LpFacts {
  readonly lp_status: DeveloperActions["lp_status"];
  /** The pool whose shares were read; null without one. */
  readonly pool: Hex | null;
  /** Null without such a pool, or when it has no shares. */
  readonly shares: PoolShares | null;
}

const statusOf = (shares: PoolShares | null): LpFacts["lp_status"] => {
  if (shares === null) return "unknown";
  if (shares.burned_percent >= SAFE_SHARES_PERCENT) return "burned";
  return shares.burned_percent + shares.locked_percent >= SAFE_SHARES_PERCENT ? "locked" : "held";
};

/** Reads whether the shares of the token's deepest pool are burnt, locked or held. */
const readLpStatus = async (events: DeveloperToken): Promise<LpFacts> => {
  const { scope, token } = events;
  const { snapshot } = scope;
  const now = { block: snapshot.block.number, time: snapshot.block.time };
  const markets = marketsOf(events);
  const valuer = await readValuer(
    scope,
    [token, ...markets.map(({ pool }) => pool.other)],
    markets.map(({ pool }) => ({ token: pool.other, time: now.time })),
  );
  const states = await readEachMarket(scope, markets, { ...now, valuer, known: events.known.pool_states });
  const depths = states.map(({ depth_usd }) => depth_usd ?? 0);
  const deepest = markets[depths.indexOf(Math.max(...depths))];
  const is_market = depths.reduce((sum, depth) => sum + depth, 0) >= RUG_RULES.depth_usd_min;
  if (deepest === undefined || !is_market || !isShared(deepest.pool.family))
    return { lp_status: "unknown", pool: null, shares: null };
  const { pool } = deepest.pool;
  const shares = (await readPoolShares(scope, [pool])).get(pool) ?? null;
  return { lp_status: statusOf(shares), pool, shares };
};

export interface ActionFacts {
  readonly actions: DeveloperActions;
  readonly lp_pool: Hex | null;
  /** Why the end of a lock is unknown, when it is. */
  readonly lock_gap: string;
}

export const readActions = async (events: DeveloperToken): Promise<ActionFacts> => {
  const { scope, token, known } = events;
  const rows = [...linkedRows(events, known.swaps), ...linkedRows(events, known.liquidity)];
  const moments = rows.map(({ row, market }): TokenMoment => ({ token: market.pool.other, time: row.time }));
  const launch_block = known.launched.get(token)?.launch_block ?? null;
  const [valuer, exits, lp, ownership, issued] = await Promise.all([
    readValuer(scope, [token, ...marketsOf(events).map(({ pool }) => pool.other)], moments),
    exitsUsd(scope, token, known.linked.get(token)),
    readLpStatus(events),
    readOwnership(scope, token, known.owners.get(token) ?? null),
    launch_block === null ? null : readIssuance(scope, token, launch_block),
  ]);
  return {
    lp_pool: lp.pool,
    lock_gap: lockGapOf([lp.shares]),
    actions: {
      ...salesOf(events, valuer),
      transferred_to_exchange_usd: exits,
      liquidity_added_usd: liquidityUsd(events, valuer, "mint"),
      liquidity_removed_usd: liquidityUsd(events, valuer, "burn"),
      lp_status: lp.lp_status,
      lock_until: lockUntilOf(lp.shares),
      mint_after_launch_raw: launch_block === null ? null : (issued?.minted_after ?? 0n).toString(),
      ownership,
    },
  };
};
