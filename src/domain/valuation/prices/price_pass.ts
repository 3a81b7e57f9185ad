/** Prices as of the ends of many steps, in one pass over the pools instead of one for each step. */
import type { Hex } from "../../../lib/bytes.ts";
import { DAY_S, HOUR_S, hourOf } from "../../../lib/time.ts";
import type { Snapshot } from "../../../store/facts.ts";
import { storedPoolEvents } from "./pool_events.ts";
import { anchorsOf, type PriceContext, poolsFor, storedPoolIndex } from "./pools.ts";
import { momentOf, PriceCache, priceKey, type StoredHours, type TokenPrices } from "./price_cache.ts";
import { type HourEnds, PriceCalculator, type PricedHour } from "./price_calculator.ts";
import { priceOf, storedHours, tradedAs } from "./price_now.ts";

/** Has the prices of some earlier snapshots in memory afterwards, from which `pricesAtHours` answers. Ascending from call to call. */
type PricePass = (at: readonly Snapshot[]) => Promise<void>;

const NO_PASS: PricePass = async () => undefined;

/** More hours between two steps are not worth a pass: each step is then computed by itself. */
const APART_MAX = 2 * DAY_S;

interface PassFacts {
  readonly context: PriceContext;
  readonly stored: StoredHours;
  readonly tokens: readonly Hex[];
}

const pricesOf = (priced: readonly PricedHour[], tokens: readonly Hex[], hour: number): TokenPrices => {
  const prices = priced.find((one) => one.hour === hour)?.at_end;
  return new Map(
    tokens.flatMap((token) => {
      const price = prices?.get(token);
      return price === undefined ? [] : [[priceKey(token, hour), priceOf(price, hour)]];
    }),
  );
};

/** The snapshots that a pass prices: those of past hours whose hour before has stored prices. */
const pricedIn = ({ context, stored }: PassFacts, at: readonly Snapshot[]): readonly Snapshot[] => {
  const now = hourOf(context.snapshot.block.time);
  return at.filter(({ block }) => hourOf(block.time) < now && hourOf(block.time) - DAY_S > stored.first_hour);
};

const isApart = (at: readonly Snapshot[]): boolean =>
  at.some(({ block }, i) => i > 0 && block.time - (at[i - 1]?.block.time ?? 0) > APART_MAX);

/** A pass over the pools of these tokens. `context`: the newest snapshot. */
export const openPricePass = async (context: PriceContext, tokens: readonly Hex[]): Promise<PricePass> => {
  const [anchor] = anchorsOf(context.network);
  // On demand the indexer prices every pair by itself.
  if (anchor === undefined || context.snapshot.followed !== undefined) return NO_PASS;
  const stored = await storedHours(context, anchor);
  if (stored === null) return NO_PASS;
  const traded = [...new Set(tokens.map((token) => tradedAs(context, token)))];
  const pass: PassFacts = { context, stored, tokens: traded };
  const events = storedPoolEvents(context);
  const pools = await poolsFor(storedPoolIndex(context), traded);
  const memory = context.facts.own(PriceCache);
  let book: PriceCalculator | null = null;
  return async (at) => {
    for (const snapshot of at) await memory.range(snapshot, async () => stored);
    const wanted = pricedIn(pass, at).filter(({ block }) => book === null || hourOf(block.time) >= book.next_hour);
    const hours = wanted.map(({ block }) => hourOf(block.time));
    const [first] = hours;
    if (first === undefined || isApart(at)) return;
    book ??= await PriceCalculator.open(events, pools, { hour: first - HOUR_S, is_all: false });
    const ends: HourEnds = new Map(wanted.map(({ block }) => [hourOf(block.time), block.time]));
    const priced = await book.advance(events, Math.max(...hours), ends);
    for (const snapshot of wanted) {
      const hour = hourOf(snapshot.block.time);
      const pairs = traded.map((token) => ({ token, hour }));
      await memory.read(momentOf(snapshot, stored), pairs, async () => pricesOf(priced, traded, hour));
    }
  };
};
