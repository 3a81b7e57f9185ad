/** Answers the wishes for prices of a network that is read on demand (docs/design/on_demand.md). */
import type { BlockRef, Chain } from "../../chains/chain.ts";
import { backingColumns } from "../../domain/valuation/prices/stored_prices.ts";
import { allEnded } from "../../lib/all_ended.ts";
import { AssayError } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import { DAY_S, HOUR_S } from "../../lib/time.ts";
import type { Venue } from "../../protocols/venues.ts";
import type { Engine } from "../../store/engine.ts";
import {
  type PriceAnswer,
  type PriceWish,
  readPriceWishes,
  writeDemandedPrices,
} from "../../store/subjects/price_records.ts";
import type { Writer } from "../../store/writer.ts";
import { isLost } from "../ending.ts";
import { BlockClock } from "./block_clock.ts";
import { type MarketMemory, NodeMarket, openMarketMemory } from "./node_market.ts";
import { type DatedPrice, pricesOfHour } from "./price_hour.ts";

/** Hours that are priced at the same time. */
const HOURS_IN_FLIGHT = 4;
/** Wishes that are older were given up: a call that still needs them wishes again. */
const WISHED_WITHIN_S = DAY_S;

interface PriceDeskOptions {
  readonly chain: Chain;
  readonly engine: Pick<Engine, "query">;
  readonly writer: Pick<Writer, "insert">;
  readonly venues: readonly Venue[];
  readonly from_block: number;
  readonly now_ms: () => number;
  readonly log: Log;
}

interface HourWishes {
  readonly hour: number;
  readonly at_block: number;
  readonly wishes: readonly PriceWish[];
}

const hoursOf = (wishes: readonly PriceWish[]): readonly HourWishes[] => {
  const hours = new Map<string, PriceWish[]>();
  for (const wish of wishes) {
    const key = `${wish.hour}:${wish.at_block}`;
    const own = hours.get(key);
    if (own === undefined) hours.set(key, [wish]);
    else own.push(wish);
  }
  return [...hours.values()].flatMap((own) => {
    const [first] = own;
    return first === undefined ? [] : [{ hour: first.hour, at_block: first.at_block, wishes: own }];
  });
};

const NO_PRICE = {
  ...{ price_usd: 0, depth_usd: 0, cost_to_move_usd: -1, sell_reserve: -1, sell_payout_usd: -1 },
  ...{ method: "", confidence: "low" as const, since: 0 },
};

const answerTo = (
  { token, hour, at_block, asked_by }: PriceWish,
  dated: DatedPrice | undefined,
  requests: number,
): PriceAnswer => {
  const about = { token, hour, at_block, asked_by, requests };
  if (dated === undefined) return { ...about, ...NO_PRICE, state: "none" };
  const { price, since } = dated;
  const { price_usd, depth_usd, method, confidence } = price;
  return { ...about, price_usd, depth_usd, ...backingColumns(price), method, confidence, since, state: "priced" };
};

export class PriceDesk {
  readonly #parts: PriceDeskOptions;
  readonly #memory: MarketMemory;
  #turning: Promise<void> | null = null;
  #failed: { readonly error: unknown } | null = null;
  #is_idle = false;

  constructor(parts: PriceDeskOptions) {
    const { chain, from_block } = parts;
    this.#parts = parts;
    const clock = new BlockClock({ ref: chain.ref.bind(chain), from_block });
    this.#memory = openMarketMemory(clock);
  }

  /** The last look has ended and found no wish. */
  get is_idle(): boolean {
    return this.#turning === null && this.#is_idle;
  }

  /** Settles when the running look has ended. */
  get ended(): Promise<void> | null {
    return this.#turning;
  }

  /** Begins to answer the wishes of now unless it is at it. @throws what the last look threw */
  look(signal: AbortSignal): void {
    const failed = this.#failed;
    this.#failed = null;
    if (failed !== null) throw failed.error;
    this.#turning ??= this.#turn(signal)
      .then((worked) => {
        this.#is_idle = !worked;
      })
      .catch((error: unknown) => {
        this.#failed = { error };
      })
      .finally(() => {
        this.#turning = null;
      });
  }

  /** Answers the wishes of now; a failed hour is an answer too. False if there were none. */
  async #turn(signal: AbortSignal): Promise<boolean> {
    const { engine, chain, now_ms } = this.#parts;
    const since = Math.max(0, Math.floor(now_ms() / 1_000) - WISHED_WITHIN_S);
    const hours = hoursOf(await readPriceWishes(engine, chain.network.id, since));
    if (hours.length === 0) return false;
    const final = await chain.ref(await chain.finalized(signal), signal);
    if (final === null) return false;
    this.#memory.clock.note(final);
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let asked = hours[next++]; asked !== undefined && !signal.aborted; asked = hours[next++])
        await this.#answer(asked, final, signal);
    };
    await allEnded(Array.from({ length: HOURS_IN_FLIGHT }, worker));
    return true;
  }

  async #answer(asked: HourWishes, final: BlockRef, signal: AbortSignal): Promise<void> {
    const { chain, writer, log, now_ms } = this.#parts;
    const { hour, wishes } = asked;
    let answers: readonly PriceAnswer[];
    try {
      const market = await this.#market(asked, final, signal);
      const prices = await pricesOfHour(market, { hour, tokens: wishes.map(({ token }) => token) });
      // The first answer carries what all took.
      answers = wishes.map((wish, i) => answerTo(wish, prices.get(wish.token), i === 0 ? market.requests : 0));
    } catch (error) {
      if (signal.aborted || isLost(error)) throw error;
      // Contracts and nodes choose what is read here: one hour of theirs must not stop all others.
      log.warn({ network: chain.network.id, hour, err: error }, "the prices of an hour could not be read");
      answers = wishes.map((wish) => ({ ...answerTo(wish, undefined, 0), state: "failed" as const }));
    }
    await writeDemandedPrices(writer, { network: chain.network.id, now_ms: now_ms() }, answers);
  }

  async #market({ hour, at_block }: HourWishes, final: BlockRef, signal: AbortSignal): Promise<NodeMarket> {
    const { chain, venues } = this.#parts;
    const { clock } = this.#memory;
    const logs = chain.past?.logs?.bind(chain.past);
    if (logs === undefined) throw unreadable(`nodes of ${chain.network.id} do not tell the events of pools`);
    const is_whole = at_block === 0;
    if (at_block > final.number || (is_whole && final.time < hour + HOUR_S))
      throw unreadable(`the blocks of the hour ${hour} are not final`);
    const user = { signal, onRequest: () => undefined };
    const block = is_whole ? final : { number: at_block, time: await clock.timeOf(at_block, user) };
    const last_block = is_whole ? ((await clock.lastBefore(hour + HOUR_S, user)) ?? 0) : at_block;
    const { network, call, tokenBalances, tokenMetadata } = chain;
    const reads = { network, call, tokenBalances, tokenMetadata, logs };
    return new NodeMarket({ chain: reads, venues, memory: this.#memory, block, last_block, signal });
  }
}

const unreadable = (message: string): AssayError =>
  new AssayError({ code: "UPSTREAM_UNAVAILABLE", message, retryable: true });
