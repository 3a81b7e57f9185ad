import type { Hex } from "../../../lib/bytes.ts";
import { hourOf } from "../../../lib/time.ts";
import type { PriceQuestion, Snapshot } from "../../../store/facts.ts";
import { tradedToken } from "../../aliases.ts";
import type { PriceContext } from "./pools.ts";
import { type Price, PriceCache, priceKey, type TokenHour, type TokenPrices } from "./price_cache.ts";
import { backingOf, isMethod } from "./stored_prices.ts";

/**
 * The hour of the snapshot's block counts up to that block, of one that is not final up to the newest final block, since a price is stored
 * once; every other hour counts whole.
 */
const questionOf = ({ block, followed }: Snapshot, token: Hex, hour: number): PriceQuestion => {
  const { number, time } = followed?.priced_at ?? block;
  const last = hourOf(time);
  return hour < last ? { token, hour, at_block: 0 } : { token, hour: last, at_block: number };
};

/** An address, no piece of a collection. */
const ADDRESS_DIGITS = 40;

const questionName = ({ token, hour }: PriceQuestion): string => priceKey(token, hour);

/** The questions about these pairs, by pair of the traded token. */
const questionsOf = ({ network, snapshot }: PriceContext, wanted: readonly TokenHour[]) => {
  const asked = new Map<string, { readonly hour: number; readonly question: PriceQuestion }>();
  for (const { token, hour } of wanted) {
    const traded = tradedToken(network, token);
    if (traded.length === ADDRESS_DIGITS) {
      const question = questionOf(snapshot, traded, hour);
      asked.set(priceKey(traded, hour), { hour, question });
    }
  }
  return asked;
};

type PriceQuestions = ReturnType<typeof questionsOf>;

/** Answers by the name of their question, which the hours of the head share. */
const answersTo = async ({ facts, snapshot }: PriceContext, asked: PriceQuestions, now?: "now") => {
  const questions = [
    ...new Map([...asked.values()].map(({ question }) => [questionName(question), question])).values(),
  ];
  const rows = questions.length === 0 ? [] : ((await facts.demandedPrices?.(snapshot, questions, now)) ?? []);
  return new Map(rows.map((row) => [questionName(row), row]));
};

/** The pairs whose prices the indexer has yet to read, by `priceKey`. It does so from now on. */
export const readUndemanded = async (
  context: PriceContext,
  wanted: readonly TokenHour[],
): Promise<ReadonlySet<string>> => {
  const { network } = context;
  const asked = questionsOf(context, wanted);
  const answers = await answersTo(context, asked, "now");
  for (const [key, { question }] of asked) if (answers.has(questionName(question))) asked.delete(key);
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
  const answers = await answersTo(context, asked);
  const found = new Map<string, Price>();
  for (const [key, { hour, question }] of asked) {
    const answer = answers.get(questionName(question));
    if (answer === undefined) continue;
    const { state, method, ...row } = answer;
    const { price_usd, depth_usd, confidence, since } = row;
    if (state !== "priced" || !isMethod(method)) continue;
    found.set(key, { hour, price_usd, depth_usd, method, confidence, since, ...backingOf(row) });
  }
  memory.noteLacking(snapshot, {
    unpriced: [...asked.keys()].some((key) => !found.has(key)),
    unread: [...answers.values()].some(({ state }) => state === "failed"),
  });
  return new Map(
    past.flatMap(({ token, hour }) => {
      const price = found.get(priceKey(tradedAs(token), hour));
      return price === undefined ? [] : [[priceKey(token, hour), price]];
    }),
  );
};
