import type { Hex } from "../../../lib/bytes.ts";
import type { Action } from "../actions/action.ts";

/** A swap of one block. */
export interface BlockSwap {
  readonly pool: Hex;
  readonly tx_index: number;
  readonly tx_hash: Hex;
  readonly trader: Hex;
  /** Change of the pool's token 0; its sign is the direction. */
  readonly amount0: bigint;
}

export interface Mev {
  readonly kind: "sandwich_victim" | "sandwich_attacker" | "arbitrage" | "liquidation" | null;
  readonly related_tx: readonly Hex[];
}

export interface MevSubject {
  readonly tx_hash: Hex;
  readonly actions: readonly Action[];
  /** All swaps of the block in the transaction's pools; null when the block is not indexed. */
  readonly swaps: readonly BlockSwap[] | null;
}

const direction = ({ amount0 }: BlockSwap): number => (amount0 > 0n ? 1 : -1);

interface Sandwich {
  readonly front: BlockSwap;
  readonly victim: BlockSwap;
  readonly back: BlockSwap;
}

/** One trader buys before and sells after another trader's purchase, in one pool and block; or the reverse. */
const sandwiches = (swaps: readonly BlockSwap[]): readonly Sandwich[] =>
  swaps.flatMap((victim) => {
    const same = swaps.filter(({ pool, trader }) => pool === victim.pool && trader !== victim.trader);
    const fronts = same.filter((swap) => swap.tx_index < victim.tx_index && direction(swap) === direction(victim));
    const backs = same.filter((swap) => swap.tx_index > victim.tx_index && direction(swap) !== direction(victim));
    return fronts.flatMap((front) =>
      backs.filter(({ trader }) => trader === front.trader).map((back) => ({ front, victim, back })),
    );
  });

const others = (found: readonly Sandwich[], own: Hex): readonly Hex[] => {
  const places = new Map(
    found.flatMap(({ front, victim, back }) => [front, victim, back]).map((swap) => [swap.tx_hash, swap.tx_index]),
  );
  return [...places]
    .filter(([hash]) => hash !== own)
    .sort(([, a], [, b]) => a - b)
    .map(([hash]) => hash);
};

/** Swaps through at least two pools that end with more of the first token. */
const isArbitrage = (actions: readonly Action[]): boolean => {
  const swaps = actions.filter(({ type }) => type === "swap");
  const [paid] = swaps[0]?.given ?? [];
  const [got] = swaps.at(-1)?.received ?? [];
  const pools = new Set(swaps.map(({ contract }) => contract));
  return (
    pools.size > 1 && paid !== undefined && got !== undefined && paid.token === got.token && got.amount > paid.amount
  );
};

/** The kind of MEV of a transaction. Sandwiches are detected from swaps of the same block alone. */
export const mevOf = ({ tx_hash, actions, swaps }: MevSubject): Mev => {
  const found = sandwiches(swaps ?? []);
  const as_victim = found.filter(({ victim }) => victim.tx_hash === tx_hash);
  if (as_victim.length > 0) return { kind: "sandwich_victim", related_tx: others(as_victim, tx_hash) };
  const as_attacker = found.filter(({ front, back }) => front.tx_hash === tx_hash || back.tx_hash === tx_hash);
  if (as_attacker.length > 0) return { kind: "sandwich_attacker", related_tx: others(as_attacker, tx_hash) };
  if (actions.some(({ type }) => type === "liquidation")) return { kind: "liquidation", related_tx: [] };
  return { kind: isArbitrage(actions) ? "arbitrage" : null, related_tx: [] };
};
