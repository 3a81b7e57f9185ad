import type { Log, Transaction } from "../../chains/chain.ts";
import type { PoolAct } from "../../chains/pool_act.ts";
import { type Bytes, type Hex, toHex } from "../../lib/bytes.ts";
import { decodeLog } from "../../protocols/index.ts";
import type { Fact, LiquidityFact, SwapFact } from "../../protocols/protocol.ts";
import type { Action, Family, PoolTokens, Scene, TokenAmount } from "./action.ts";

/** Names of pool families where no known factory announced the pool. */
const FAMILY_WORDS: Readonly<Record<string, string>> = {
  uniswap_v2: "Uniswap v2 or a fork",
  uniswap_v3: "Uniswap v3 or a fork",
};

const protocolOf = (pool: PoolTokens | undefined): string | null => {
  if (pool === undefined) return null;
  return pool.venue === "" ? (FAMILY_WORDS[pool.family] ?? null) : pool.venue;
};

/** The token of which exactly that amount came to the pool (positive) or left it. */
const movedToken = (scene: Scene, pool: Hex, change: bigint): Hex | null => {
  const move = scene.movements.find(({ source, destination, amount }) =>
    change > 0n ? destination === pool && amount === change : source === pool && amount === -change,
  );
  return move?.token ?? null;
};

const side = (token: Hex | null, amount: bigint): readonly TokenAmount[] =>
  token === null || amount === 0n ? [] : [{ token, token_id: null, amount }];

const negative = (amount: bigint): bigint => (amount < 0n ? -amount : 0n);
const positive = (amount: bigint): bigint => (amount > 0n ? amount : 0n);

interface At {
  readonly scene: Scene;
  readonly log: Log;
}

/** Key of the pool that a log speaks of: its own address, or what the contract of all pools calls it. */
const poolKey = (log: Log, { pool }: SwapFact | LiquidityFact): Hex => toHex(pool ?? log.address);

const swapOf = ({ scene, log }: At, swap: SwapFact): Action => {
  const { amount0, amount1 } = swap;
  const contract = toHex(log.address);
  const pool = scene.pools.get(poolKey(log, swap));
  const token0 = pool?.token0 ?? movedToken(scene, contract, amount0);
  const token1 = pool?.token1 ?? movedToken(scene, contract, amount1);
  return {
    type: "swap",
    protocol: protocolOf(pool),
    actor: toHex(scene.transaction.sender),
    // What the pool gained is what the trader gave.
    given: [...side(token0, positive(amount0)), ...side(token1, positive(amount1))],
    received: [...side(token0, negative(amount0)), ...side(token1, negative(amount1))],
    contract,
    log_index: log.index,
  };
};

const LIQUIDITY = { mint: "add_liquidity", burn: "remove_liquidity", collect: "collect_fees" } as const;

const liquidityOf = ({ scene, log }: At, fact: LiquidityFact): Action => {
  const { kind, amount0, amount1 } = fact;
  const contract = toHex(log.address);
  const pool = scene.pools.get(poolKey(log, fact));
  const sign = kind === "mint" ? 1n : -1n;
  const told = [
    ...side(pool?.token0 ?? movedToken(scene, contract, sign * amount0), amount0),
    ...side(pool?.token1 ?? movedToken(scene, contract, sign * amount1), amount1),
  ];
  return {
    type: LIQUIDITY[kind],
    protocol: protocolOf(pool),
    actor: toHex(scene.transaction.sender),
    given: kind === "mint" ? told : [],
    received: kind === "mint" ? [] : told,
    contract,
    log_index: log.index,
  };
};

const plain = (type: "create_pool" | "upgrade" | "change_owner", at: At, contract: Bytes): Action => ({
  type,
  protocol: null,
  actor: toHex(at.scene.transaction.sender),
  given: [],
  received: [],
  contract: toHex(contract),
  log_index: at.log.index,
});

const actionOf = (at: At, fact: Fact): readonly Action[] => {
  switch (fact.fact) {
    case "swap":
      return [swapOf(at, fact)];
    case "liquidity":
      // A burn of nothing only brings a position's fees up to date.
      return fact.amount0 === 0n && fact.amount1 === 0n ? [] : [liquidityOf(at, fact)];
    case "pool":
      // A pool without an address of its own stands in the contract of all pools.
      return [plain("create_pool", at, fact.pool.length === at.log.address.length ? fact.pool : at.log.address)];
    case "ownership":
      return [plain(fact.kind === "ownership" ? "change_owner" : "upgrade", at, at.log.address)];
    default:
      return [];
  }
};

/** Pools that began, and trades, where the chain itself tells them. */
const ofAct = (scene: Scene, { pool, token0, token1, is_new, swap }: PoolAct): readonly Action[] => {
  const contract = toHex(pool);
  const shared = { protocol: protocolOf(scene.pools.get(contract)), contract, log_index: null };
  const sender = toHex(scene.transaction.sender);
  const begun: readonly Action[] = is_new
    ? [{ ...shared, type: "create_pool", actor: sender, given: [], received: [] }]
    : [];
  if (swap === null) return begun;
  const sides = (part: (amount: bigint) => bigint): readonly TokenAmount[] => [
    ...side(toHex(token0), part(swap.amount0)),
    ...side(toHex(token1), part(swap.amount1)),
  ];
  const actor = toHex(swap.trader);
  return [...begun, { ...shared, type: "swap", actor, given: sides(positive), received: sides(negative) }];
};

/** Swaps, liquidity and new pools of every exchange whose events are facts; owners and upgrades of contracts. */
export const exchange: Family = (scene) => [
  ...scene.transaction.logs.flatMap((log) => decodeLog(log).flatMap((fact) => actionOf({ scene, log }, fact))),
  ...(scene.transaction.pool_acts ?? []).flatMap((act) => ofAct(scene, act)),
];

/** Keys of the pools that a transaction speaks of, each once. */
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
    ...pool_acts.filter(({ swap }) => swap !== null).map(({ pool }) => toHex(pool)),
  ]),
];
