import type { Hex } from "../../../lib/bytes.ts";
import type { QueryRow } from "../../../store/facts.ts";
import type { SnapshotContext } from "../../context.ts";
import { readHolderSums } from "../holders/sums.ts";
import type { TokenPool } from "../market/pools.ts";
import type { LinkedWallets } from "./linked_wallets.ts";
import {
  type DeveloperMarket,
  type MarketsAtBlock,
  type MarketsQuery,
  readMarketsEach,
  readValuer,
  type TokenMoment,
} from "./markets.ts";
import { type EventSpell, heaviestPeriods, type PoolEvent, RUG_RULES, type RugEvent } from "./rug_outcomes.ts";

/** Liquidity that wallets linked to a developer removed, their sales, and the effect on the tokens' value. */

export type LiquidityRow = QueryRow<"developer/liquidity">;
export type SwapRow = QueryRow<"developer/swaps">;

/** Of linked wallets of any of the tokens. */
export interface LinkedEvents {
  readonly liquidity: readonly LiquidityRow[];
  readonly swaps: readonly SwapRow[];
  readonly mints: readonly QueryRow<"developer/mints">[];
}

/** The amounts of the two sides: the token's, and the other one's. */
export const ownAmount = ({ pool }: DeveloperMarket, row: { amount0: bigint; amount1: bigint }): bigint =>
  pool.is_first ? row.amount0 : row.amount1;
export const otherAmount = ({ pool }: DeveloperMarket, row: { amount0: bigint; amount1: bigint }): bigint =>
  pool.is_first ? row.amount1 : row.amount0;

export const eventOf = (row: { time: number; block_number: number; tx_hash: Hex }, amount: bigint): PoolEvent => ({
  time: row.time,
  block_number: row.block_number,
  tx_hash: row.tx_hash,
  amount,
});

/** A suspicious period whose prices before and after are still to be measured. */
interface SuspectSpell {
  readonly cause: RugEvent["cause"];
  readonly token: Hex;
  readonly spell: EventSpell;
  /** The whole that it was part of; for a removal: the pool, measured just before. */
  readonly of: bigint | TokenPool;
}

/** The tokens of one developer, the linked wallets, and their actions. */
export interface DeveloperActivity {
  readonly scope: SnapshotContext;
  readonly markets: readonly DeveloperMarket[];
  readonly linked: LinkedWallets;
  readonly events: LinkedEvents;
}

export const isLinked = ({ linked }: DeveloperActivity, token: Hex, wallet: Hex): boolean =>
  linked.get(token)?.has(wallet) ?? false;

const removalsOf = (scene: DeveloperActivity, market: DeveloperMarket): readonly SuspectSpell[] =>
  heaviestPeriods(
    scene.events.liquidity
      .filter(
        ({ pool, kind, wallet }) =>
          pool === market.pool.pool && kind === "burn" && isLinked(scene, market.token, wallet),
      )
      .map((row) => eventOf(row, otherAmount(market, row))),
  ).map((spell) => ({ cause: "liquidity_removal", token: market.token, spell, of: market.pool }));

const salesOf = async (scene: DeveloperActivity, token: Hex): Promise<readonly SuspectSpell[]> => {
  const markets = new Map(
    scene.markets.filter((market) => market.token === token).map((market) => [market.pool.pool, market]),
  );
  const sold = scene.events.swaps.flatMap((row) => {
    const market = markets.get(row.pool);
    const amount = market === undefined || !isLinked(scene, token, row.wallet) ? 0n : ownAmount(market, row);
    return amount > 0n ? [eventOf(row, amount)] : [];
  });
  if (sold.length === 0) return [];
  // A supply that the seller minted must not hide a sale.
  const whole = (await readHolderSums(scene.scope, token)).told ?? sold.reduce((sum, { amount }) => sum + amount, 0n);
  return heaviestPeriods(sold).map((spell) => ({ cause: "creator_sale", token, spell, of: whole }));
};

/** The newest block of the snapshot at or before a moment. */
const blockAt = async ({ facts, snapshot }: SnapshotContext, time: number): Promise<number> => {
  if (time >= snapshot.block.time) return snapshot.block.number;
  const [row] = await facts.ask(snapshot, "block_at_time", { time });
  return row?.block_number ?? snapshot.from_block;
};

/** The markets of a suspect in the block before the period, and a day after its start. */
const marketsAround = async (
  { scope, markets }: DeveloperActivity,
  { token, spell }: SuspectSpell,
  tokens: readonly Hex[],
): Promise<readonly MarketsQuery[]> => {
  const own = markets.filter((market) => market.token === token);
  const [first] = spell.events;
  const began = first?.time ?? 0;
  const ended = Math.min(began + RUG_RULES.window_s, scope.snapshot.block.time);
  const moments = own.flatMap(({ pool }): TokenMoment[] => [began, ended].map((time) => ({ token: pool.other, time })));
  const [valuer, end_block] = await Promise.all([readValuer(scope, tokens, moments), blockAt(scope, ended)]);
  return [
    { markets: own, block: (first?.block_number ?? 1) - 1, time: began, valuer },
    { markets: own, block: end_block, time: ended, valuer },
  ];
};

/**
 * The whole that the period was part of, by the pools in the block before it: a removal is at most the pool's contents.
 */
const wholeOf = ({ of, spell }: SuspectSpell, before: MarketsAtBlock | undefined): bigint => {
  if (typeof of === "bigint") return of;
  const held = before?.pools.find(({ pool }) => pool.pool === of.pool)?.other ?? 0n;
  return held > spell.amount ? held : spell.amount;
};

/** Values of tokens around the periods, in one query for all of them. */
const measured = async (
  scene: DeveloperActivity,
  suspects: readonly SuspectSpell[],
  tokens: readonly Hex[],
): Promise<readonly { readonly token: Hex; readonly rug_event: RugEvent }[]> => {
  const asked = await Promise.all(suspects.map((suspect) => marketsAround(scene, suspect, tokens)));
  const found = await readMarketsEach(scene.scope, asked.flat());
  return suspects.map((suspect, i) => {
    const { cause, token, spell } = suspect;
    const [before, after] = [found[2 * i], found[2 * i + 1]];
    const rug_event = {
      ...{ cause, spell, whole: wholeOf(suspect, before) },
      price_before: before?.states.get(token)?.price_usd ?? null,
      price_after: after?.states.get(token)?.price_usd ?? null,
    };
    return { token, rug_event };
  });
};

/** Removals and sales of linked wallets, with the tokens' values around them. */
export const readRugEvents = async (scene: DeveloperActivity, tokens: readonly Hex[], all_tokens: readonly Hex[]) => {
  const removals = scene.markets.flatMap((market) => removalsOf(scene, market));
  const sales = await Promise.all(tokens.map((token) => salesOf(scene, token)));
  return measured(scene, [...removals, ...sales.flat()], all_tokens);
};
