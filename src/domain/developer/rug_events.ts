import type { Hex } from "../../lib/bytes.ts";
import type { Row } from "../../store/facts.ts";
import type { SnapshotContext } from "../context.ts";
import { readHolderSums } from "../holders/sums.ts";
import type { LinkedWallets } from "./linked.ts";
import {
  type Market,
  type MarketsAsked,
  type Moment,
  readMarketStatesEach,
  readPoolsBefore,
  readValuer,
} from "./markets.ts";
import { heaviestPeriods, type Period, type PoolEvent, RUG_RULES, type RugEvent } from "./rug_outcomes.ts";

/** What wallets linked to a developer took out of pools and sold, and what that did to the tokens' worth. */

export type LiquidityRow = Row<"developer/liquidity">;
export type SwapRow = Row<"developer/swaps">;

/** Of linked wallets of any of the tokens. */
export interface LinkedEvents {
  readonly liquidity: readonly LiquidityRow[];
  readonly swaps: readonly SwapRow[];
  readonly mints: readonly Row<"developer/mints">[];
}

/** Amounts of the two sides as they are: of the token, and of the other one. */
export const ownAmount = ({ pool }: Market, row: { amount0: bigint; amount1: bigint }): bigint =>
  pool.is_first ? row.amount0 : row.amount1;
export const otherAmount = ({ pool }: Market, row: { amount0: bigint; amount1: bigint }): bigint =>
  pool.is_first ? row.amount1 : row.amount0;

export const eventOf = (row: { time: number; block_number: number; tx_hash: Hex }, amount: bigint): PoolEvent => ({
  time: row.time,
  block_number: row.block_number,
  tx_hash: row.tx_hash,
  amount,
});

/** A spell with what it was a part of: to be measured by what the token was worth before and after. */
interface Suspect {
  readonly cause: RugEvent["cause"];
  readonly token: Hex;
  readonly spell: Period;
  readonly whole: bigint;
}

/** The tokens of one developer, who acts with it, and what they did. */
export interface Scene {
  readonly scope: SnapshotContext;
  readonly markets: readonly Market[];
  readonly linked: LinkedWallets;
  readonly events: LinkedEvents;
}

export const isLinked = ({ linked }: Scene, token: Hex, wallet: Hex): boolean =>
  linked.get(token)?.has(wallet) ?? false;

const removalsOf = (scene: Scene, market: Market): readonly Period[] =>
  heaviestPeriods(
    scene.events.liquidity
      .filter(
        ({ pool, kind, wallet }) =>
          pool === market.pool.pool && kind === "burn" && isLinked(scene, market.token, wallet),
      )
      .map((row) => eventOf(row, otherAmount(market, row))),
  );

/** Removals of linked wallets, as parts of what the pools held before: one question for all of them. */
const allRemovals = async (scene: Scene): Promise<readonly Suspect[]> => {
  const found = scene.markets.flatMap((market) => removalsOf(scene, market).map((spell) => ({ market, spell })));
  const before = await readPoolsBefore(
    scene.scope,
    found.map(({ market, spell }) => ({ pool: market.pool, block: spell.events[0]?.block_number ?? 0 })),
  );
  return found.map(({ market, spell }, i) => {
    const whole = before[i]?.other ?? 0n;
    const { token } = market;
    return { cause: "liquidity_removal", token, spell, whole: whole > spell.amount ? whole : spell.amount };
  });
};

const salesOf = async (scene: Scene, token: Hex): Promise<readonly Suspect[]> => {
  const markets = new Map(
    scene.markets.filter((market) => market.token === token).map((market) => [market.pool.pool, market]),
  );
  const sold = scene.events.swaps.flatMap((row) => {
    const market = markets.get(row.pool);
    const amount = market === undefined || !isLinked(scene, token, row.wallet) ? 0n : ownAmount(market, row);
    return amount > 0n ? [eventOf(row, amount)] : [];
  });
  if (sold.length === 0) return [];
  // A supply of the seller's own making hides no sale.
  const whole = (await readHolderSums(scene.scope, token)).told ?? sold.reduce((sum, { amount }) => sum + amount, 0n);
  return heaviestPeriods(sold).map((spell) => ({ cause: "creator_sale", token, spell, whole }));
};

/** The newest block of the snapshot that is not younger than a moment. */
const blockAt = async ({ facts, snapshot }: SnapshotContext, time: number): Promise<number> => {
  if (time >= snapshot.block.time) return snapshot.block.number;
  const [row] = await facts.ask(snapshot, "block_at_time", { time });
  return row?.block_number ?? snapshot.from_block;
};

/** The markets of a suspect in the block before the spell, and a day after it began. */
const around = async (
  { scope, markets }: Scene,
  { token, spell }: Suspect,
  tokens: readonly Hex[],
): Promise<readonly MarketsAsked[]> => {
  const own = markets.filter((market) => market.token === token);
  const [first] = spell.events;
  const began = first?.time ?? 0;
  const ended = Math.min(began + RUG_RULES.window_s, scope.snapshot.block.time);
  const moments = own.flatMap(({ pool }): Moment[] => [began, ended].map((time) => ({ token: pool.other, time })));
  const [valuer, end_block] = await Promise.all([readValuer(scope, tokens, moments), blockAt(scope, ended)]);
  return [
    { markets: own, block: (first?.block_number ?? 1) - 1, time: began, valuer },
    { markets: own, block: end_block, time: ended, valuer },
  ];
};

/** What tokens were worth around the spells, with one question for all of them. */
const measured = async (
  scene: Scene,
  suspects: readonly Suspect[],
  tokens: readonly Hex[],
): Promise<readonly { readonly token: Hex; readonly rug_event: RugEvent }[]> => {
  const asked = await Promise.all(suspects.map((suspect) => around(scene, suspect, tokens)));
  const states = await readMarketStatesEach(scene.scope, asked.flat());
  return suspects.map(({ cause, token, spell, whole }, i) => {
    const [price_before, price_after] = [2 * i, 2 * i + 1].map((at) => states[at]?.get(token)?.price_usd ?? null);
    return {
      token,
      rug_event: { cause, spell, whole, price_before: price_before ?? null, price_after: price_after ?? null },
    };
  });
};

/** Removals and sales of linked wallets, with what the tokens were worth around them. */
export const readRugEvents = async (scene: Scene, tokens: readonly Hex[], all_tokens: readonly Hex[]) => {
  const [removals, ...sales] = await Promise.all([allRemovals(scene), ...tokens.map((token) => salesOf(scene, token))]);
  return measured(scene, [...removals, ...sales.flat()], all_tokens);
};
