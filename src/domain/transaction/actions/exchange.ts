import type { EventLog, Transaction } from "../../../chains/chain.ts";
import type { PoolAct, PoolShares } from "../../../chains/pool_act.ts";
import { type Bytes, type Hex, toHex } from "../../../lib/bytes.ts";
import { decodeLog } from "../../../protocols/index.ts";
import { ownPools } from "../../../protocols/own_pools.ts";
import type { Fact, LiquidityFact, SwapFact } from "../../../protocols/protocol.ts";
import { netChanges } from "../decoding/movements.ts";
import type { Action, ActionContext, ActionReader, TokenAmount } from "./action.ts";
import { venueName } from "./venue_names.ts";

/** The token of which exactly this amount came to the pool (positive) or left it. */
const transferredToken = (scene: ActionContext, pool: Hex, change: bigint): Hex | null => {
  const move = scene.movements.find(({ source, destination, amount }) =>
    change > 0n ? destination === pool && amount === change : source === pool && amount === -change,
  );
  return move?.token ?? null;
};

const side = (token: Hex | null, amount: bigint): readonly TokenAmount[] =>
  token === null || amount === 0n ? [] : [{ token, token_id: null, amount }];

const negative = (amount: bigint): bigint => (amount < 0n ? -amount : 0n);
const positive = (amount: bigint): bigint => (amount > 0n ? amount : 0n);

interface PoolLogContext {
  readonly scene: ActionContext;
  readonly log: EventLog;
  /** Constant-product pools that the transaction itself reveals. */
  readonly own_pools: ReadonlySet<Hex>;
}

/** Key of a log's pool: its own address, or its id in the contract of all pools. */
const poolKey = (log: EventLog, { pool }: SwapFact | LiquidityFact): Hex => toHex(pool ?? log.address);

const swapOf = ({ scene, log }: PoolLogContext, swap: SwapFact): Action => {
  const { amount0, amount1 } = swap;
  const contract = toHex(log.address);
  const pool = scene.pools.get(poolKey(log, swap));
  const token0 = pool?.token0 ?? transferredToken(scene, contract, amount0);
  const token1 = pool?.token1 ?? transferredToken(scene, contract, amount1);
  return {
    type: "swap",
    protocol: venueName(pool, log),
    actor: toHex(scene.transaction.sender),
    // The pool's gain is the amount that the trader gave.
    given: [...side(token0, positive(amount0)), ...side(token1, positive(amount1))],
    received: [...side(token0, negative(amount0)), ...side(token1, negative(amount1))],
    contract,
    log_index: log.index,
  };
};

const LIQUIDITY = { mint: "add_liquidity", burn: "remove_liquidity", collect: "collect_fees" } as const;

const liquidityOf = ({ scene, log }: PoolLogContext, fact: LiquidityFact): Action => {
  const { kind, amount0, amount1 } = fact;
  const contract = toHex(log.address);
  const pool = scene.pools.get(poolKey(log, fact));
  const sign = kind === "mint" ? 1n : -1n;
  const told = [
    ...side(pool?.token0 ?? transferredToken(scene, contract, sign * amount0), amount0),
    ...side(pool?.token1 ?? transferredToken(scene, contract, sign * amount1), amount1),
  ];
  return {
    type: LIQUIDITY[kind],
    protocol: venueName(pool, log),
    actor: toHex(scene.transaction.sender),
    given: kind === "mint" ? told : [],
    received: kind === "mint" ? [] : told,
    contract,
    log_index: log.index,
  };
};

const plain = (type: "create_pool" | "upgrade" | "change_owner", at: PoolLogContext, contract: Bytes): Action => ({
  type,
  protocol: null,
  actor: toHex(at.scene.transaction.sender),
  given: [],
  received: [],
  contract: toHex(contract),
  log_index: at.log.index,
});

/** Reports whether a known factory announced the constant-product pool, or the transaction itself reveals it. */
const isOwnPool = ({ scene, log, own_pools }: PoolLogContext, fact: LiquidityFact): boolean => {
  if (fact.liquidity !== null) return true;
  const known = scene.pools.get(poolKey(log, fact));
  return (known !== undefined && known.venue !== "") || own_pools.has(toHex(log.address));
};

const actionOf = (at: PoolLogContext, fact: Fact): readonly Action[] => {
  switch (fact.fact) {
    case "swap":
      return [swapOf(at, fact)];
    case "liquidity":
      // A burn of zero only updates the fees of a position.
      return (fact.amount0 === 0n && fact.amount1 === 0n) || !isOwnPool(at, fact) ? [] : [liquidityOf(at, fact)];
    case "pool":
      // A pool without an address of its own is part of the contract of all pools.
      return [plain("create_pool", at, fact.pool.length === at.log.address.length ? fact.pool : at.log.address)];
    case "ownership":
      return [plain(fact.kind === "ownership" ? "change_owner" : "upgrade", at, at.log.address)];
    default:
      return [];
  }
};

/**
 * Amounts of the pool's two tokens that a holder of shares gave or received: its own net over the transaction. Coins
 * that it wrapped for the pool count as wrapped.
 */
const liquiditySides = (
  { movements }: ActionContext,
  { token0, token1 }: PoolAct,
  holder: Hex,
): readonly TokenAmount[] => {
  const tokens = [toHex(token0), toHex(token1)];
  return netChanges(movements.filter(({ kind }) => kind !== "wrap" && kind !== "rent"))
    .filter(({ address, token }) => address === holder && tokens.includes(token))
    .map(({ token, amount }) => ({ token, token_id: null, amount }));
};

const ofShares = (
  scene: ActionContext,
  act: PoolAct,
  shares: PoolShares,
): Omit<Action, "protocol" | "contract" | "log_index"> => {
  const actor = toHex(shares.holder);
  const tokens = liquiditySides(scene, act, actor);
  const own = side(toHex(shares.token), shares.amount < 0n ? -shares.amount : shares.amount);
  const lost = tokens.filter(({ amount }) => amount < 0n).map((one) => ({ ...one, amount: -one.amount }));
  const gained = tokens.filter(({ amount }) => amount > 0n);
  return shares.amount > 0n
    ? { type: "add_liquidity", actor, given: lost, received: own }
    : { type: "remove_liquidity", actor, given: own, received: gained };
};

/** New pools, liquidity and trades on chains that report them without logs. */
const ofAct = (scene: ActionContext, act: PoolAct): readonly Action[] => {
  const { program, name, pool, token0, token1, is_new, swap, shares } = act;
  const contract = toHex(pool ?? program);
  const listed = pool === null ? undefined : scene.pools.get(contract);
  const venue = listed?.venue ?? "";
  const shared = { protocol: venue === "" ? name : venue, contract, log_index: null };
  const sender = toHex(scene.transaction.sender);
  const begun: readonly Action[] = [
    ...(is_new ? [{ ...shared, type: "create_pool" as const, actor: sender, given: [], received: [] }] : []),
    ...(shares === null || shares.amount === 0n ? [] : [{ ...shared, ...ofShares(scene, act, shares) }]),
  ];
  if (swap === null) return begun;
  const [paid, got] = swap.amount0 > 0n ? [token0, token1] : [token1, token0];
  const given = side(toHex(paid), swap.given);
  const received = side(toHex(got), swap.received);
  return [...begun, { ...shared, type: "swap", actor: toHex(swap.trader), given, received }];
};

/** Swaps, liquidity and new pools of every exchange with decoded events; owners and upgrades of contracts. */
export const exchange: ActionReader = (scene) => {
  const { logs, pool_acts = [] } = scene.transaction;
  const own_pools = ownPools(logs);
  return [
    ...logs.flatMap((log) => decodeLog(log).flatMap((fact) => actionOf({ scene, log, own_pools }, fact))),
    ...pool_acts.flatMap((act) => ofAct(scene, act)),
  ];
};

/** The distinct pool keys of a transaction. */
export const poolsIn = (
  { logs, pool_acts = [] }: Pick<Transaction, "logs" | "pool_acts">,
  kinds: readonly ("swap" | "liquidity")[],
): readonly Hex[] => [
  ...new Set([
    ...logs.flatMap((log) =>
      decodeLog(log).flatMap((fact) =>
        (fact.fact === "swap" || fact.fact === "liquidity") && kinds.includes(fact.fact) ? [poolKey(log, fact)] : [],
      ),
    ),
    ...pool_acts.flatMap(({ swap, pool }) => (swap === null || pool === null ? [] : [toHex(pool)])),
  ]),
];
