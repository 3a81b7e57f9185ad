import type { Hex } from "../../../lib/bytes.ts";
import type { SnapshotContext } from "../../context.ts";
import { transactionHashes } from "../../transaction_hashes.ts";
import { inBatches } from "../../valuation/prices/pools.ts";
import { metadataIn } from "../metadata/metadata.ts";
import { impersonated, registryOf } from "../metadata/registry.ts";
import { isDrained, peakOf } from "./drained.ts";
import { readIssuance } from "./issuance.ts";
import {
  type Developer,
  type FirstTrades,
  type LinkedWallets,
  launchedOf,
  readLinked,
  type TokenLaunch,
} from "./linked_wallets.ts";
import {
  type DeveloperMarket,
  type Peaks,
  readMarketStates,
  readMarkets,
  readPeaks,
  readValuer,
  type TokenMoment,
  type Valuer,
} from "./markets.ts";
import { readReplays } from "./replay.ts";
import {
  type DeveloperActivity,
  eventOf,
  isLinked,
  type LinkedEvents,
  type LiquidityRow,
  readRugEvents,
  type SwapRow,
} from "./rug_events.ts";
import type { MintEvent, TokenRecord } from "./rug_outcomes.ts";

/** Maximum number of events of linked wallets, over all tokens of a developer. */
const EVENTS_MAX = 20_000;

export interface CreatedToken {
  readonly token: Hex;
  /** Unix seconds. */
  readonly created_s: number;
}

/** Facts about the tokens of one developer on one network that several answers need. */
export interface DeveloperTokens {
  readonly markets: readonly DeveloperMarket[];
  readonly launched: ReadonlyMap<Hex, TokenLaunch>;
  readonly linked: LinkedWallets;
  /** Owner by the newest event of a token; '' = no owner. Absent without an event. */
  readonly owners: ReadonlyMap<Hex, Hex>;
  /** Rows of wallets linked to any of the tokens; `linked` has the relation per token. */
  readonly liquidity: readonly LiquidityRow[];
  readonly swaps: readonly SwapRow[];
  readonly records: ReadonlyMap<Hex, TokenRecord>;
  /** USD on both sides at the other side's peak; null = not known, absent = never had a pool. */
  readonly peaks_usd: ReadonlyMap<Hex, number | null>;
  /** States of pools at the snapshot's block, as far as they were read; null for a pool without a state. */
  readonly pool_states: Peaks["states"];
}

const readLinkedEvents = async (
  scope: SnapshotContext,
  launched: readonly TokenLaunch[],
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

/** Mints to linked wallets after the start of trading, each with the supply of the block before. */
const mintsOf = async (
  scene: DeveloperActivity,
  { token, launch_block }: TokenLaunch,
): Promise<readonly MintEvent[]> => {
  if (launch_block === null) return [];
  const late = scene.events.mints.filter(
    (row) => row.token === token && row.block_number > launch_block && isLinked(scene, token, row.wallet),
  );
  // The largest decides; the others are smaller parts of a larger supply, or belong to the same period.
  const largest = late.reduce<(typeof late)[number] | null>(
    (best, row) => (best === null || row.amount > best.amount ? row : best),
    null,
  );
  if (largest === null) return [];
  const issued = await readIssuance(scene.scope, token, largest.block_number - 1);
  const hashOf = await transactionHashes(scene.scope, [largest]);
  const event = eventOf({ ...largest, tx_hash: hashOf(largest) }, largest.amount);
  return [{ ...event, supply_before: issued?.before ?? 0n }];
};

/** The largest known value; null when the token has pools and none is known. */
const highest = (values: readonly (number | null)[]): number | null => {
  const known = values.flatMap((value) => value ?? []);
  return known.length === 0 ? null : Math.max(...known);
};

/** Values markets at their current prices and at their peak. */
export const valuerNow = (
  { scope, markets }: Pick<DeveloperActivity, "scope" | "markets">,
  tokens: readonly Hex[],
  peaks: Peaks,
): Promise<Valuer> => {
  const moments = markets.flatMap(({ pool }): TokenMoment[] => {
    const peak = peaks.fullest.get(pool.pool);
    const fullest = peak === undefined ? [] : [pool.is_first ? peak.time1 : peak.time0];
    return [scope.snapshot.block.time, ...fullest].map((time) => ({ token: pool.other, time }));
  });
  return readValuer(scope, tokens, moments);
};

interface DeveloperTrades {
  readonly scene: DeveloperActivity;
  readonly launched: readonly TokenLaunch[];
  readonly trades: FirstTrades;
  readonly owners: DeveloperTokens["owners"];
}

/** Reads the wallets linked to each token, and their actions. */
const readTraded = async (
  scope: SnapshotContext,
  developer: Developer,
  tokens: readonly Hex[],
): Promise<DeveloperTrades> => {
  const { facts, snapshot } = scope;
  const markets = await readMarkets(scope, tokens);
  const pools = [...new Set(markets.map(({ pool }) => pool.pool))];
  const rows = await inBatches(pools, (part) => facts.ask(snapshot, "developer/trades", { pools: [...part] }));
  const trades: FirstTrades = new Map(rows.map((row) => [row.pool, row]));
  const launched = tokens.map((token) => launchedOf(token, markets, trades));
  const { linked, owners } = await readLinked(scope, developer, launched);
  return {
    scene: { scope, markets, linked, events: await readLinkedEvents(scope, launched, linked) },
    launched,
    trades,
    owners,
  };
};

/** Reads the history and the end of each token of one developer. */
export const readDeveloperTokens = async (
  scope: SnapshotContext,
  developer: Developer,
  created: readonly CreatedToken[],
): Promise<DeveloperTokens> => {
  const { block } = scope.snapshot;
  const tokens = created.map(({ token }) => token);
  const { scene, launched, trades, owners } = await readTraded(scope, developer, tokens);
  const { markets, linked, events } = scene;
  const all_tokens = [...new Set([...tokens, ...markets.map(({ pool }) => pool.other)])];
  const peaks = await readPeaks(scope, markets);
  const valuer = await valuerNow(scene, all_tokens, peaks);
  const [states, rug_events, mints, registry] = await Promise.all([
    readMarketStates(scope, markets, { block: block.number, time: block.time, valuer, known: peaks.states }),
    readRugEvents(scene, tokens, all_tokens),
    Promise.all(launched.map(async (one) => [one.token, await mintsOf(scene, one)] as const)),
    registryOf(scope),
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
    is_drained: isDrained(states.get(token), { markets: marketsOf(token), peaks, valuer }),
    is_counterfeit: impersonated(registry, metadataIn(valuer.faces, token), { is_traded: false }) !== null,
  });
  const listed = launched.filter((one) => one.pools.length > 0);
  const peakUsdOf = (token: Hex) => highest(marketsOf(token).map((market) => peakOf(market, peaks, valuer)));
  return {
    markets,
    launched: new Map(launched.map((one) => [one.token, one])),
    linked,
    owners,
    liquidity: events.liquidity,
    swaps: events.swaps,
    records: new Map(created.map((one) => [one.token, recordOf(one)])),
    peaks_usd: new Map(listed.map(({ token }) => [token, peakUsdOf(token)])),
    pool_states: peaks.states,
  };
};
