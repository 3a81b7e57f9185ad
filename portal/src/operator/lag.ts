/** The lag of a network in words. */
import { fieldsOf, type JsonObject } from "../api/answer.ts";

const formatNumber = (value: number): string => value.toLocaleString("en-US");

const words = (sample: JsonObject, name: string): string => String(fieldsOf(sample)[name] ?? "");

/** Why answers are behind the head, in words. */
export const CAUSES: Readonly<Record<string, string>> = {
  none: "Answers include the newest block of the node.",
  problem: "Behind because of the problem below.",
  elsewhere: "Another process indexes this network.",
  rate_limit: "Behind because requests wait for the rate limit of the node.",
  node_errors: "Behind because requests to the node fail.",
  history: "Reads earlier blocks first.",
  reading: "Reads the newest blocks.",
  unknown: "The node has not named its newest block yet.",
};

/** Blocks behind the head. Null: unknown, also where a problem hides the head. */
export const lagOf = (sample: JsonObject): number | null => {
  const lag = fieldsOf(sample).lag_blocks;
  if (typeof lag !== "number") return null;
  return lag === 0 && words(sample, "lag_cause") !== "none" ? null : lag;
};

const unknownText = (count: number, all: number): string =>
  count === 0
    ? ""
    : ` Unknown in ${formatNumber(count)} of ${formatNumber(all)} samples: the node did not answer, or a problem hid its newest block.`;

/** One sentence about the samples of a time: the largest known lag, and how often it was unknown. */
export const lagText = (samples: readonly JsonObject[], timeOf: (iso: string) => string): string => {
  if (samples.length === 0) return "No minute was sampled in this time.";
  const lags = samples.map(lagOf);
  const known = lags.filter((lag) => lag !== null);
  const unknown = unknownText(lags.length - known.length, lags.length);
  if (known.length === 0) return `The lag is unknown.${unknown}`;
  const most = Math.max(...known);
  if (most === 0) {
    const where = unknown === "" ? "every sample of this time" : "all other samples";
    return `Answers included the newest block in ${where}.${unknown}`;
  }
  const worst = samples[lags.indexOf(most)];
  const cause = worst === undefined ? "" : (CAUSES[words(worst, "lag_cause")] ?? "").toLowerCase();
  const at = worst === undefined ? "" : timeOf(words(worst, "at"));
  return `At most ${formatNumber(most)} block${most === 1 ? "" : "s"} behind, at ${at}: ${cause}${unknown}`;
};
