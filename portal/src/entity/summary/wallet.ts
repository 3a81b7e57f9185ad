import { worded } from "../../../../src/charts/words.ts";
import { type JsonObject, textOf } from "../../api/answer.ts";
import { at, numberAt, reasonAt, rowsAt, textsAt } from "../../sheet/read.ts";
import { percentText, usdText } from "../../ui/format.ts";
import { capital, type HeadFacts, type RowAnswer, type SummaryPlan, type SummaryText, type Tone } from "./model.ts";

const PROFILE = "get_wallet_address_profile";
const RISK = "get_wallet_risk_overview";

/** Verified names and labels, the most telling first. */
const namesOf = (body: JsonObject): readonly string[] => {
  const paths = ["primary_label", "names.ens", "names.basename", "names.sns"];
  const named = paths.flatMap((path) => textOf(at(body, `identity.${path}`)) ?? []);
  return [...new Set(named)];
};

const who = (body: JsonObject): RowAnswer => {
  const names = namesOf(body);
  const category = textOf(at(body, "identity.category"));
  const account = textOf(at(body, "identity.account_type"));
  const personas = textsAt(body, "behaviour.persona").map(worded);
  const parts = [
    names.length === 0 ? "No imported list and no name service names it" : names.join(", "),
    ...(category === null ? [] : [worded(category)]),
    ...(account === null ? [] : [worded(account)]),
  ];
  const notes = personas.length === 0 ? [] : [`By its behaviour: ${personas.join(", ")}.`];
  return { parts: [parts.join(" · ")], tone: "plain", notes };
};

const worth = (body: JsonObject): RowAnswer => {
  const [total, positions] = ["total_value_usd", "positions_value_usd"].map((name) => numberAt(body, `wealth.${name}`));
  const stable = numberAt(body, "wealth.stablecoin_percent");
  const value: SummaryText = { kind: "usd", value: total, reason: reasonAt(body, "wealth.total_value_usd") };
  const more = [
    ...(positions === null || positions === undefined || positions === 0 ? [] : [`${usdText(positions)} in protocols`]),
    ...(stable === null ? [] : [`${percentText(stable)} in stablecoins`]),
  ];
  const notes = ["Tokens without a price are not in it."];
  const tone = total === null ? "unknown" : "plain";
  return { parts: [value, ...(more.length === 0 ? [] : [`, ${more.join(", ")}`])], tone, notes };
};

const LEVEL_TONES: Readonly<Record<string, Tone>> = { low: "good", moderate: "warn", high: "bad", severe: "bad" };

const exposureOf = (row: JsonObject): number =>
  (numberAt(row, "exposure_in_usd") ?? 0) + (numberAt(row, "exposure_out_usd") ?? 0);

/** The category with the most money, in words; null without exposure. */
const largestExposure = (body: JsonObject): string | null => {
  const [largest] = rowsAt(body, "categories").toSorted((a, b) => exposureOf(b) - exposureOf(a));
  if (largest === undefined) return null;
  const category = worded(String(largest.category));
  if (largest.direct === true) return `the wallet itself is ${category}`;
  const [into, out] = [numberAt(largest, "exposure_in_usd") ?? 0, numberAt(largest, "exposure_out_usd") ?? 0];
  const is_in = into >= out;
  const share = numberAt(largest, is_in ? "share_in_percent" : "share_out_percent");
  const steps = numberAt(largest, "min_hops");
  const way = is_in ? "of its receipts trace to" : "of its payments reach";
  const far = steps === null ? [] : [steps === 1 ? "directly" : `${steps} steps away`];
  const more = [...(share === null ? [] : [percentText(share)]), ...far];
  return `${usdText(is_in ? into : out)} ${way} ${category}${more.length === 0 ? "" : ` (${more.join(", ")})`}`;
};

const riskNotes = (body: JsonObject): readonly string[] => {
  const [score, most] = [numberAt(body, "risk_score"), numberAt(body, "score_range.max")];
  const unlisted = reasonAt(body, "categories");
  const traced = numberAt(body, "coverage_percent");
  return [
    ...(score !== null && most !== null && most > score ? [`Up to ${most} if all that is unknown were bad.`] : []),
    ...(traced !== null && traced < 100 ? [`Only ${percentText(traced)} of its history is indexed.`] : []),
    ...(at(body, "tracing.is_complete") === false ? ["Tracing left out a part of the money."] : []),
    ...(unlisted === null ? [] : [`${capital(unlisted.replaceAll(/[a-z]+(_[a-z]+)+/g, worded))}.`]),
  ];
};

const risk = (body: JsonObject): RowAnswer => {
  const notes = riskNotes(body);
  if (at(body, "sanctions.listed") === true) return { parts: ["It is on a sanctions list"], tone: "bad", notes };
  if (at(body, "stablecoin_freezes.frozen_now") === true)
    return { parts: ["A stablecoin issuer has frozen it"], tone: "bad", notes };
  const level = textOf(at(body, "risk_level")) ?? "unknown";
  const score = numberAt(body, "risk_score");
  const exposure = largestExposure(body);
  const found = exposure === null ? "no exposure to a risk category was found" : `largest exposure: ${exposure}`;
  const parts = [`${capital(level)}${score === null ? "" : `, ${score} of 100`}; ${found}`];
  return { parts, tone: LEVEL_TONES[level] ?? "unknown", notes };
};

const activity = (body: JsonObject): RowAnswer => {
  const last = at(body, "activity.last_seen");
  if (last === null) return { parts: ["None in the index"], tone: "plain", notes: [] };
  const count: SummaryText = { kind: "count", value: at(body, "activity.tx_count") };
  const first: SummaryText = { kind: "time", value: at(body, "activity.first_seen") };
  const networks = textsAt(body, "activity.active_networks");
  const notes = networks.length > 1 ? [`Active on ${networks.join(", ")}.`] : [];
  return { parts: [{ kind: "time", value: last }, "; ", count, " transactions since ", first], tone: "plain", notes };
};

const funding = (body: JsonObject): RowAnswer => {
  const funder = at(body, "funding.first_funder");
  if (funder === null) return { parts: ["Not known"], tone: "unknown", notes: [] };
  const when: SummaryText = { kind: "time", value: at(body, "funding.timestamp") };
  return { parts: [{ kind: "address", value: funder }, " at ", when], tone: "plain", notes: [] };
};

const head: SummaryPlan["head"] = (read): HeadFacts => {
  const [profile, overview] = [read(PROFILE), read(RISK)];
  const [name = null] = profile === null ? [] : namesOf(profile);
  const category = profile === null ? null : textOf(at(profile, "identity.category"));
  const level = overview === null ? null : textOf(at(overview, "risk_level"));
  const tone = overview === null ? "unknown" : risk(overview).tone;
  const exposure = overview === null ? null : largestExposure(overview);
  const figure = {
    title: "Net worth",
    usd: profile === null ? null : numberAt(profile, "wealth.total_value_usd"),
    reason: profile === null ? null : reasonAt(profile, "wealth.total_value_usd"),
    note: "without tokens that have no price",
  };
  return {
    name,
    symbol: null,
    kind: category === null ? null : worded(category),
    figure: profile === null ? null : figure,
    verdict:
      overview === null || level === null
        ? null
        : {
            tone,
            text: level === "unknown" ? "Risk unknown" : `${capital(level)} risk`,
            reason: verdictReason(overview, exposure),
          },
  };
};

const verdictReason = (overview: JsonObject, exposure: string | null): string => {
  const { tone, parts } = risk(overview);
  const is_listed = tone === "bad" && !String(parts[0]).includes("of 100");
  if (is_listed) return `${String(parts[0])}.`;
  return exposure === null ? "No exposure to a risk category was found." : `${capital(exposure)}.`;
};

export const WALLET_SUMMARY: SummaryPlan = {
  tools: [RISK, PROFILE],
  rows: [
    { question: "Who is it?", tool: PROFILE, read: who },
    { question: "Net worth", tool: PROFILE, read: worth },
    { question: "Risk", tool: RISK, read: risk },
    { question: "Last activity", tool: PROFILE, read: activity },
    { question: "First funded by", tool: PROFILE, read: funding },
  ],
  head,
};
