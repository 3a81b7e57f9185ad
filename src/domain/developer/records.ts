import type { Hex } from "../../lib/bytes.ts";
import type { Row } from "../../store/facts.ts";
import type { SnapshotContext } from "../context.ts";
import { readHolderSums } from "../holders/sums.ts";
import { inParts } from "../prices/pools.ts";
import { transactionHashes } from "../transaction_hashes.ts";
import { readIssued } from "./issued.ts";
import { type Developer, type Launched, type LinkedWallets, launchedOf, readLinked, type Trades } from "./linked.ts";
import {
  type Market,
  type Moment,
  type Peak,
  readMarketStates,
  readMarkets,
  readPeaks,
  readPoolBefore,
  readValuer,
  usdOf,
  type Valuer,
} from "./markets.ts";
import { readReplays } from "./replay.ts";
import {
  heaviestPeriods,
  type Mint,
  type Period,
  type PoolEvent,
  RUG_RULES,
  type RugEvent,
  type TokenRecord,
} from "./rug_outcomes.ts";

/** LinkedEvents of linked wallets that are looked at, over all tokens of a developer. */
const EVENTS_MAX = 20_000;

export interface CreatedToken {
  readonly token: Hex;
  /** Unix seconds. */
  readonly created_s: number;
}

export type LiquidityRow = Row<"developer/liquidity">;
export type SwapRow = Row<"developer/swaps">;

/** Everything about the tokens of one developer on one network that more than one answer needs. */
export interface DeveloperTokens {
  readonly markets: readonly Market[];
  readonly launched: ReadonlyMap<Hex, Launched>;
  readonly linked: LinkedWallets;
  /** Of linked wallets of any of the tokens; who is linked to which stands in `linked`. */
  readonly liquidity: readonly LiquidityRow[];
  readonly swaps: readonly SwapRow[];
  readonly records: ReadonlyMap<Hex, TokenRecord>;
  /** USD on both sides when the other side was fullest; null = not known, absent = never had a pool. */
  readonly peaks_usd: ReadonlyMap<Hex, number | null>;
}

interface LinkedEvents {
  readonly liquidity: readonly LiquidityRow[];
  readonly swaps: readonly SwapRow[];
  readonly mints: readonly Row<"developer/mints">[];
}

const readLinkedEvents = async (
  scope: SnapshotContext,
  launched: readonly Launched[],
  linked: LinkedWallets,
): Promise<LinkedEvents> => {
  const { facts, snapshot } = scope;
  const wallets = [...new Set([...linked.values()].flatMap((relations) => [...relations.keys()]))].sort();
  const pools = [...new Set(launched.flatMap((one) => one.pools))].sort();
  const tokens = launched.map(({ token }) => token);
  const asked = { pools, wallets, limit: EVENTS_MAX };
  const [liquidity, swaps, mints] = await Promise.all([
    pools.length === 0 ? [] : facts.ask(snapshot, "developer/liquidity", asked),
    pools.length === 0 ? [] : facts.ask(snapshot, "developer/swaps", asked),
    tokens.length === 0 ? [] : facts.ask(snapshot, "developer/mints", { tokens, wallets, limit: EVENTS_MAX }),
  ]);
  return { liquidity, swaps, mints };
};

/** Amounts of the two sides as they are: of the token, and of the other one. */
export const ownAmount = ({ pool }: Market, row: { amount0: bigint; amount1: bigint }): bigint =>
  pool.is_first ? row.amount0 : row.amount1;
export const otherAmount = ({ pool }: Market, row: { amount0: bigint; amount1: bigint }): bigint =>
  pool.is_first ? row.amount1 : row.amount0;

const eventOf = (row: { time: number; block_number: number; tx_hash: Hex }, amount: bigint): PoolEvent => ({
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

interface Scene {
  readonly scope: SnapshotContext;
  readonly markets: readonly Market[];
  readonly linked: LinkedWallets;
  readonly events: LinkedEvents;
}

const isLinked = ({ linked }: Scene, token: Hex, wallet: Hex): boolean => linked.get(token)?.has(wallet) ?? false;

const removalsOf = async (scene: Scene, market: Market): Promise<readonly Suspect[]> => {
  const removed = scene.events.liquidity
    .filter(
      ({ pool, kind, wallet }) => pool === market.pool.pool && kind === "burn" && isLinked(scene, market.token, wallet),
    )
    .map((row) => eventOf(row, otherAmount(market, row)));
  const suspects = heaviestPeriods(removed).map(async (spell): Promise<readonly Suspect[]> => {
    const before = await readPoolBefore(scene.scope, market.pool, spell.events[0]?.block_number ?? 0);
    const whole = before?.other ?? 0n;
    return [
      { cause: "liquidity_removal", token: market.token, spell, whole: whole > spell.amount ? whole : spell.amount },
    ];
  });
  return (await Promise.all(suspects)).flat();
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

/** What the token was worth in the block before the spell and a day after it began. */
const measured = async (scene: Scene, suspect: Suspect, tokens: readonly Hex[]): Promise<RugEvent> => {
  const { scope, markets } = scene;
  const own = markets.filter(({ token }) => token === suspect.token);
  const [first] = suspect.spell.events;
  const began = first?.time ?? 0;
  const ended = Math.min(began + RUG_RULES.window_s, scope.snapshot.block.time);
  const moments = own.flatMap(({ pool }): Moment[] => [began, ended].map((time) => ({ token: pool.other, time })));
  const valuer = await readValuer(scope, tokens, moments);
  const [before, after] = await Promise.all([
    readMarketStates(scope, own, { block: (first?.block_number ?? 1) - 1, time: began, valuer }),
    readMarketStates(scope, own, { block: await blockAt(scope, ended), time: ended, valuer }),
  ]);
  return {
    cause: suspect.cause,
    spell: suspect.spell,
    whole: suspect.whole,
    price_before: before.get(suspect.token)?.price_usd ?? null,
    price_after: after.get(suspect.token)?.price_usd ?? null,
  };
};

/** Mints to linked wallets after the token could be traded, with the supply of the block before each. */
const mintsOf = async (scene: Scene, { token, launch_block }: Launched): Promise<readonly Mint[]> => {
  if (launch_block === null) return [];
  const late = scene.events.mints.filter(
    (row) => row.token === token && row.block_number > launch_block && isLinked(scene, token, row.wallet),
  );
  // The largest decides; the others are smaller parts of a larger supply, or part of the same spell.
  const largest = late.reduce<(typeof late)[number] | null>(
    (best, row) => (best === null || row.amount > best.amount ? row : best),
    null,
  );
  if (largest === null) return [];
  const issued = await readIssued(scene.scope, token, largest.block_number - 1);
  const hashOf = await transactionHashes(scene.scope, [largest]);
  const event = eventOf({ ...largest, tx_hash: hashOf(largest) }, largest.amount);
  return [{ ...event, supply_before: issued?.before ?? 0n }];
};

/** USD on both sides of a pool when its other side was fullest; null where no event tells. */
export const peakOf = (market: Market, peaks: ReadonlyMap<Hex, Peak>, valuer: Valuer): number | null => {
  const peak = peaks.get(market.pool.pool);
  if (peak === undefined || market.pool.family !== "uniswap_v2") return null;
  const [amount, time] = market.pool.is_first ? [peak.reserve1, peak.time1] : [peak.reserve0, peak.time0];
  const usd = usdOf(valuer, market.pool.other, { amount, time });
  return usd === null ? null : 2 * usd;
};

/** The largest of the known ones; null when there are pools and none is known. */
const highest = (values: readonly (number | null)[]): number | null => {
  const known = values.flatMap((value) => value ?? []);
  return known.length === 0 ? null : Math.max(...known);
};

/** What values the markets now and at their fullest. */
export const valuerNow = (
  { scope, markets }: Pick<Scene, "scope" | "markets">,
  tokens: readonly Hex[],
  peaks: ReadonlyMap<Hex, Peak>,
): Promise<Valuer> => {
  const moments = markets.flatMap(({ pool }): Moment[] => {
    const peak = peaks.get(pool.pool);
    const fullest = peak === undefined ? [] : [pool.is_first ? peak.time1 : peak.time0];
    return [scope.snapshot.block.time, ...fullest].map((time) => ({ token: pool.other, time }));
  });
  return readValuer(scope, tokens, moments);
};

/** Removals and sales of linked wallets, with what the tokens were worth around them. */
const readRugEvents = async (scene: Scene, tokens: readonly Hex[], all_tokens: readonly Hex[]) => {
  const suspects = await Promise.all([
    ...scene.markets.map((market) => removalsOf(scene, market)),
    ...tokens.map((token) => salesOf(scene, token)),
  ]);
  return Promise.all(
    suspects
      .flat()
      .map(async (suspect) => ({ token: suspect.token, rug_event: await measured(scene, suspect, all_tokens) })),
  );
};

interface Traded {
  readonly scene: Scene;
  readonly launched: readonly Launched[];
  readonly trades: Trades;
}

/** Who is linked to which token, and what they did. */
const readTraded = async (scope: SnapshotContext, developer: Developer, tokens: readonly Hex[]): Promise<Traded> => {
  const { facts, snapshot } = scope;
  const markets = await readMarkets(scope, tokens);
  const pools = [...new Set(markets.map(({ pool }) => pool.pool))];
  const rows = await inParts(pools, (part) => facts.ask(snapshot, "developer/trades", { pools: [...part] }));
  const trades: Trades = new Map(rows.map((row) => [row.pool, row]));
  const launched = tokens.map((token) => launchedOf(token, markets, trades));
  const linked = await readLinked(scope, developer, launched);
  return {
    scene: { scope, markets, linked, events: await readLinkedEvents(scope, launched, linked) },
    launched,
    trades,
  };
};

/** Reads how the tokens of one developer lived, and how they ended. */
export const readDeveloperTokens = async (
  scope: SnapshotContext,
  developer: Developer,
  created: readonly CreatedToken[],
): Promise<DeveloperTokens> => {
  const { block } = scope.snapshot;
  const tokens = created.map(({ token }) => token);
  const { scene, launched, trades } = await readTraded(scope, developer, tokens);
  const { markets, linked, events } = scene;
  const all_tokens = [...new Set([...tokens, ...markets.map(({ pool }) => pool.other)])];
  const pools = markets.map(({ pool }) => pool.pool);
  const peaks = new Map((await readPeaks(scope, pools)).map((peak) => [peak.pool, peak]));
  const valuer = await valuerNow(scene, all_tokens, peaks);
  const [states, rug_events, mints] = await Promise.all([
    readMarketStates(scope, markets, { block: block.number, time: block.time, valuer }),
    readRugEvents(scene, tokens, all_tokens),
    Promise.all(launched.map(async (one) => [one.token, await mintsOf(scene, one)] as const)),
  ]);
  const replays = await readReplays(scope, { markets, states, linked });
  const marketsOf = (token: Hex) => markets.filter((market) => market.token === token);
  const recordOf = ({ token, created_s }: CreatedToken): TokenRecord => ({
    created_s,
    now_s: block.time,
    was_listed: marketsOf(token).length > 0,
    last_swap_s: highest(marketsOf(token).map(({ pool }) => trades.get(pool.pool)?.last_time ?? null)),
    depth_usd: states.get(token)?.depth_usd ?? null,
    rug_events: rug_events.filter((found) => found.token === token).map(({ rug_event }) => rug_event),
    mints: new Map(mints).get(token) ?? [],
    replay: replays.get(token) ?? null,
  });
  const listed = launched.filter((one) => one.pools.length > 0);
  const peakUsdOf = (token: Hex) => highest(marketsOf(token).map((market) => peakOf(market, peaks, valuer)));
  return {
    markets,
    launched: new Map(launched.map((one) => [one.token, one])),
    linked,
    liquidity: events.liquidity,
    swaps: events.swaps,
    records: new Map(created.map((one) => [one.token, recordOf(one)])),
    peaks_usd: new Map(listed.map(({ token }) => [token, peakUsdOf(token)])),
  };
};
