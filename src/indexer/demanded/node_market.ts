/** Pools and their events by a node, for the prices of one hour. */

import { LruMap } from "toad-cache";
import type { PastLog } from "../../chains/account_history.ts";
import type { BlockRef, Chain } from "../../chains/chain.ts";
import type { PoolEvents, PoolRows } from "../../domain/valuation/prices/pool_events.ts";
import { isConcentrated } from "../../domain/valuation/prices/pool_family.ts";
import { anchorsOf, type PoolCandidate, type PoolIndex, type PricePool } from "../../domain/valuation/prices/pools.ts";
import { type Hex, toHex } from "../../lib/bytes.ts";
import { HOUR_S, hourOf } from "../../lib/time.ts";
import type { Venue } from "../../protocols/venues.ts";
import { AnnouncedPools } from "./announced_pools.ts";
import type { BlockClock, ClockUser } from "./block_clock.ts";
import { CREATION_TOPICS, decodePoolLogs, POOL_TOPICS, poolNewsOf } from "./pool_news.ts";
import { pairKey, pairsOf, readFactoryPools, readPoolStates, requestsOf } from "./pool_reads.ts";

type Balances = Awaited<ReturnType<PoolEvents["poolsAt"]>>["balances"];

/** Headers that are read at the same time. */
const HEADERS_TOGETHER = 50;

/** Facts of a network that stay from hour to hour. */
export interface MarketMemory {
  readonly clock: BlockClock;
  readonly announced: AnnouncedPools;
  /** Pools of two tokens, and the block up to which they are known. */
  readonly pools: LruMap<{ readonly at: number; readonly pools: readonly PoolCandidate[] }>;
  readonly decimals: LruMap<number | null>;
}

/** Pairs and tokens that are remembered: what is forgotten is read again. */
const REMEMBERED_MAX = 20_000;

export const openMarketMemory = (clock: BlockClock): MarketMemory => ({
  clock,
  announced: new AnnouncedPools(),
  pools: new LruMap(REMEMBERED_MAX),
  decimals: new LruMap(REMEMBERED_MAX),
});

export interface NodeMarketOptions {
  readonly chain: Pick<Chain, "network" | "call" | "tokenBalances" | "tokenMetadata"> & {
    readonly logs: NonNullable<NonNullable<Chain["past"]>["logs"]>;
  };
  readonly venues: readonly Venue[];
  readonly memory: MarketMemory;
  /** Facts up to this block count. */
  readonly block: Pick<BlockRef, "number" | "time">;
  /** Pools that were created up to this block can matter. */
  readonly last_block: number;
  readonly signal: AbortSignal;
}

/** The market of a network up to a block. Everything is read when it is needed; `requests` counts the calls to nodes. */
export class NodeMarket implements PoolEvents, PoolIndex {
  readonly #options: NodeMarketOptions;
  readonly #user: ClockUser;
  #requests = 0;
  /** By pool, the earliest block after which its state was read. */
  readonly #oldest = new Map<Hex, number>();

  constructor(options: NodeMarketOptions) {
    this.#options = options;
    const onRequest = (): void => {
      this.#requests += 1;
    };
    this.#user = { signal: options.signal, onRequest };
  }

  get network(): Chain["network"] {
    return this.#options.chain.network;
  }

  get block(): NodeMarketOptions["block"] {
    return this.#options.block;
  }

  get requests(): number {
    return this.#requests;
  }

  /** Any token means the native coin and the dollar coins: factories cannot list the pools of a token. */
  async find(left: readonly Hex[], right: readonly Hex[]): Promise<readonly PoolCandidate[]> {
    const { chain, venues, memory, block, last_block, signal } = this.#options;
    const { wrapped_native } = chain.network;
    const references = [...anchorsOf(chain.network), ...(wrapped_native === null ? [] : [wrapped_native])];
    const pairs = pairsOf(left, right.length === 0 ? references : right);
    memory.announced.begin(block.number);
    if (pairs.some((pair) => (memory.pools.get(pairKey(pair))?.at ?? last_block) < last_block))
      await memory.announced.look(last_block, (from, to) => this.#announcements(from, to));
    // A full memory may forget some of these pairs before the end.
    const found = new Map<string, readonly PoolCandidate[]>();
    const unknown = pairs.filter((pair) => {
      const known = memory.pools.get(pairKey(pair));
      const is_current =
        known !== undefined && memory.announced.isUnchanged(pairKey(pair), { at: known.at, to: last_block });
      if (is_current) found.set(pairKey(pair), known.pools);
      return !is_current;
    });
    const { pools, requests } = await readFactoryPools(chain, { venues, pairs: unknown, at: block.number }, signal);
    this.#requests += requests;
    for (const [i, pair] of unknown.entries()) {
      found.set(pairKey(pair), pools[i] ?? []);
      memory.pools.set(pairKey(pair), { at: block.number, pools: pools[i] ?? [] });
    }
    return pairs.flatMap((pair) => found.get(pairKey(pair)) ?? []);
  }

  decimalsOf = async (tokens: readonly Hex[]): Promise<ReadonlyMap<Hex, number>> => {
    const { chain, memory, signal } = this.#options;
    const found = new Map<Hex, number | null>();
    const unknown = tokens.filter((token) => {
      const known = memory.decimals.get(token);
      if (known !== undefined) found.set(token, known);
      return known === undefined;
    });
    const read = unknown.length === 0 ? [] : await chain.tokenMetadata(unknown, signal);
    this.#requests += requestsOf(chain, unknown.length);
    for (const [i, token] of unknown.entries()) {
      found.set(token, read[i]?.decimals ?? null);
      memory.decimals.set(token, read[i]?.decimals ?? null);
    }
    return new Map([...found].flatMap(([token, decimals]) => (decimals === null ? [] : [[token, decimals]])));
  };

  async blockBefore(time: number): Promise<number | null> {
    return this.#options.memory.clock.lastBefore(time, this.#user);
  }

  /** The book of an hour that needs an earlier price begins a day before it. */
  async earlier(): Promise<readonly never[]> {
    return [];
  }

  async poolsAt(pools: readonly PricePool[], at: number | null) {
    if (at === null) return { states: [], ranges: [], balances: [], singletons: [] };
    const { chain, signal } = this.#options;
    const [{ states, requests }, balances] = await Promise.all([
      readPoolStates(chain, { pools, at }, signal),
      this.#balances(pools, at),
    ]);
    this.#requests += requests;
    for (const { pool } of states) this.#oldest.set(pool, Math.min(at, this.#oldest.get(pool) ?? at));
    return { states, ranges: [], balances, singletons: [] };
  }

  async between(
    { pools }: { readonly pools: readonly PricePool[] },
    { after, end }: { readonly after: number | null; readonly end: number },
  ) {
    const { block, chain, memory } = this.#options;
    const to = end > block.time ? block.number : ((await this.blockBefore(end)) ?? -1);
    const [logs, hours] = await Promise.all([
      this.logs(pools, { from: after === null ? memory.clock.from_block : after + 1, to }),
      this.#hours({ after, to, end }),
    ]);
    const rows = decodePoolLogs(chain.network, await this.#timed(logs));
    const deltas = await this.#deltas(pools, after, hours);
    return { hours, rows: { ...poolNewsOf(rows, pools), deltas } };
  }

  /** The events of pools in a range of blocks. */
  async logs(
    pools: readonly PricePool[],
    { from, to }: { readonly from: number; readonly to: number },
  ): Promise<readonly PastLog[]> {
    if (pools.length === 0 || from > to) return [];
    const { chain, signal } = this.#options;
    const addresses = pools.map(({ pool }) => pool);
    const { logs, requests } = await chain.logs({ addresses, events: POOL_TOPICS, from, to }, signal);
    this.#requests += requests;
    return logs;
  }

  /** Unix seconds of the first pool of a token if it was created after a block; null: an older one is known, or none was. */
  async firstPool(token: Hex, own: readonly PricePool[], after: number | null): Promise<number | null> {
    if (after !== null && own.some(({ pool }) => (this.#oldest.get(pool) ?? after + 1) <= after)) return null;
    const { memory, last_block } = this.#options;
    const from = after === null ? memory.clock.from_block : after + 1;
    const times = (await this.#announcements(from, last_block)).flatMap(({ token0, token1, time }) =>
      toHex(token0) === token || toHex(token1) === token ? [time] : [],
    );
    return times.length === 0 ? null : Math.min(...times);
  }

  /** Pools that the factories announced in a range of blocks. */
  async #announcements(from: number, to: number) {
    const { chain, venues, signal } = this.#options;
    const asked = { addresses: venues.map(({ factory }) => factory), events: CREATION_TOPICS, from, to };
    const { logs, requests } = await chain.logs(asked, signal);
    this.#requests += requests;
    return decodePoolLogs(chain.network, await this.#timed(logs)).pools;
  }

  /** The hours after a block that have blocks, each with its first and last one. */
  async #hours({ after, to, end }: { readonly after: number | null; readonly to: number; readonly end: number }) {
    const { block, memory } = this.#options;
    const first = after === null ? memory.clock.from_block : after + 1;
    if (first > to) return [];
    const start = hourOf(await memory.clock.timeOf(first, this.#user));
    const starts = Array.from({ length: Math.max(0, (end - start) / HOUR_S) }, (_, i) => start + i * HOUR_S);
    const lasts = await Promise.all(
      starts.map(async (hour) =>
        hour + HOUR_S > block.time ? to : ((await this.blockBefore(hour + HOUR_S)) ?? first),
      ),
    );
    return starts.flatMap((hour, i) => {
      const first_block = Math.max(first, (lasts[i - 1] ?? first - 1) + 1);
      const last_block = lasts[i] ?? first_block;
      return first_block > last_block ? [] : [{ hour, first_block, last_block }];
    });
  }

  /** Logs with the times of their blocks, of which some nodes need the headers. */
  async #timed(logs: readonly PastLog[]): Promise<readonly (PastLog & { readonly time: number })[]> {
    const { clock } = this.#options.memory;
    const times = new Map<number, number>();
    for (const { block, time } of logs) if (time !== null) times.set(block, time);
    const unknown = [...new Set(logs.map(({ block }) => block))].filter((block) => !times.has(block));
    for (let at = 0; at < unknown.length; at += HEADERS_TOGETHER) {
      const part = unknown.slice(at, at + HEADERS_TOGETHER);
      const read = await Promise.all(part.map((block) => clock.timeOf(block, this.#user)));
      for (const [i, block] of part.entries()) times.set(block, read[i] ?? 0);
    }
    return logs.map((log) => ({ ...log, time: times.get(log.block) ?? 0 }));
  }

  async #balances(pools: readonly PricePool[], at: number): Promise<Balances> {
    const { chain, signal } = this.#options;
    const ranged = pools.filter(({ family }) => isConcentrated(family));
    const pairs = ranged.flatMap(({ pool: holder, token0, token1 }) => [
      { holder, token: token0 },
      { holder, token: token1 },
    ]);
    const amounts = pairs.length === 0 ? [] : await chain.tokenBalances(pairs, signal, at);
    this.#requests += requestsOf(chain, pairs.length);
    return pairs.map((pair, i) => ({ ...pair, amount: amounts[i] ?? 0n }));
  }

  /** Changes of the balances of concentrated pools by hour. */
  async #deltas(
    pools: readonly PricePool[],
    after: number | null,
    hours: readonly { readonly hour: number; readonly last_block: number }[],
  ): Promise<PoolRows["deltas"]> {
    const ends = await Promise.all([
      after === null ? [] : this.#balances(pools, after),
      ...hours.map(({ last_block }) => this.#balances(pools, last_block)),
    ]);
    return hours.flatMap(({ hour }, i) =>
      (ends[i + 1] ?? []).flatMap(({ holder, token, amount }, place) => {
        const delta = amount - (ends[i]?.[place]?.amount ?? 0n);
        return delta === 0n ? [] : [{ holder, token, hour, delta }];
      }),
    );
  }
}
