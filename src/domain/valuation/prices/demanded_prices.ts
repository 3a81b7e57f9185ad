import type { Hex } from "../../../lib/bytes.ts";
import { hourOf } from "../../../lib/time.ts";
import type { PriceQuestion, Snapshot } from "../../../store/facts.ts";
import { tradedToken } from "../../aliases.ts";
import type { PriceContext } from "./pools.ts";
import { type Price, PriceCache, priceKey, type TokenHour, type TokenPrices } from "./price_cache.ts";
import { backingOf, isMethod } from "./stored_prices.ts";

/** The hour of the snapshot's block counts up to that block; every other hour counts whole. */
const questionOf = ({ block }: Snapshot, token: Hex, hour: number): PriceQuestion => ({
  token,
  hour,
  at_block: hour === hourOf(block.time) ? block.number : 0,
});

/** An address, no piece of a collection. */
const ADDRESS_DIGITS = 40;

/** The questions about these pairs, by pair of the traded token. */
const questionsOf = ({ network, snapshot }: PriceContext, wanted: readonly TokenHour[]) => {
  const asked = new Map<string, PriceQuestion>();
  for (const { token, hour } of wanted) {
    const traded = tradedToken(network, token);
    if (traded.length === ADDRESS_DIGITS) asked.set(priceKey(traded, hour), questionOf(snapshot, traded, hour));
  }
  return asked;
};

/** The pairs whose prices the indexer has yet to read, by `priceKey`. It does so from now on. */
export const readUndemanded = async (
  context: PriceContext,
  wanted: readonly TokenHour[],
): Promise<ReadonlySet<string>> => {
  const { facts, network, snapshot } = context;
  const asked = questionsOf(context, wanted);
  const rows = asked.size === 0 ? [] : ((await facts.demandedPrices?.(snapshot, [...asked.values()], "now")) ?? []);
  for (const { token, hour } of rows) asked.delete(priceKey(token, hour));
  const keys = wanted.flatMap(({ token, hour }) =>
    asked.has(priceKey(tradedToken(network, token), hour)) ? [priceKey(token, hour)] : [],
  );
  return new Set(keys);
};

/** Prices of a network that is read on demand; a pair without a price is absent, and noted for the warning. */
export const readDemanded = async (context: PriceContext, wanted: readonly TokenHour[]): Promise<TokenPrices> => {
  const { facts, network, snapshot } = context;
  const memory = facts.own(PriceCache);
  const now = hourOf(snapshot.block.time);
  const past = wanted.filter(({ hour }) => hour <= now);
  const tradedAs = (token: Hex): Hex => tradedToken(network, token);
  const asked = questionsOf(context, past);
  const rows = asked.size === 0 ? [] : ((await facts.demandedPrices?.(snapshot, [...asked.values()])) ?? []);
  const found = new Map<string, Price>();
  for (const { token, state, method, ...row } of rows) {
    const { hour, price_usd, depth_usd, confidence, since } = row;
    if (state !== "priced" || !isMethod(method)) continue;
    found.set(priceKey(token, hour), { hour, price_usd, depth_usd, method, confidence, since, ...backingOf(row) });
  }
  memory.noteLacking(snapshot, {
    unpriced: [...asked.keys()].some((key) => !found.has(key)),
    unread: rows.some(({ state }) => state === "failed"),
  });
  return new Map(
    past.flatMap(({ token, hour }) => {
      const price = found.get(priceKey(tradedAs(token), hour));
      return price === undefined ? [] : [[priceKey(token, hour), price]];
    }),
  );
};
