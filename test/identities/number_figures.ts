/** Excess digits: remains of sums of doubles that were not rounded in an answer. Pure. */

const USD_DIGITS = 12;
const DIGITS = 15;
/** From this amount on, twelve digits are fewer than whole cents need. */
const LARGE_USD = 1e10;

const isUsd = (key: string): boolean => /(^|_)usd(_|$)/.test(key);

/** Numbers of an answer with more digits than their kind has, as sentences. */
export const noiseIn = (name: string, answer: unknown, key = "answer"): readonly string[] => {
  if (typeof answer === "number") {
    const digits = isUsd(key) && Math.abs(answer) < LARGE_USD ? USD_DIGITS : DIGITS;
    return Number(answer.toPrecision(digits)) === answer ? [] : [`${name}: ${key} is ${answer}`];
  }
  if (Array.isArray(answer)) return answer.flatMap((one) => noiseIn(name, one, key));
  if (typeof answer !== "object" || answer === null) return [];
  return Object.entries(answer).flatMap(([field, value]) => noiseIn(name, value, field));
};
