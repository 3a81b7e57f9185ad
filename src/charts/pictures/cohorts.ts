import { isRecord } from "../../lib/record.ts";
import { type FlowParty, flowPicture } from "../flow_picture.ts";
import { type Canvas, empty } from "../frame.ts";
import type { SvgNode } from "../node.ts";
import { percent, signedUsd, usd } from "../numbers.ts";
import { type AnswerJson, at, numberAt, sizeAt, sum } from "../read.ts";
import { plural, worded } from "../words.ts";

const TITLE = "Between which cohorts the token moved";

const partyOf = (name: string, flow: unknown): FlowParty => ({
  name: worded(name),
  gave: sizeAt(flow, "outflow_usd") ?? 0,
  got: sizeAt(flow, "inflow_usd") ?? 0,
});

const isKnown = (flow: unknown): boolean => sizeAt(flow, "outflow_usd") !== null && sizeAt(flow, "inflow_usd") !== null;

/** Cohorts that gave the token away at the left, those that got it at the right. A wallet may be in several. */
export const cohorts = (answer: AnswerJson, canvas: Canvas): SvgNode | null => {
  const flows = at(answer, "flows");
  if (!isRecord(flows)) return null;
  const others = at(answer, "unclassified");
  const all: readonly (readonly [string, unknown])[] = [
    ...Object.entries(flows),
    ...(others === undefined ? [] : [["unclassified", others] as const]),
  ];
  const parties = all.filter(([, flow]) => isKnown(flow)).map(([name, flow]) => partyOf(name, flow));
  const unknown = all.filter(([, flow]) => !isKnown(flow)).map(([name]) => worded(name));
  const nets = all
    .filter(([, flow]) => numberAt(flow, "net_flow_usd") !== null)
    .map(([name, flow]) => `${worded(name)} ${signedUsd(numberAt(flow, "net_flow_usd"))}`);
  const overlap = sizeAt(answer, "overlap_wallet_count") ?? 0;
  const moved = sum(parties.map(({ got }) => got));
  const price = `price ${usd(sizeAt(answer, "price_usd"))} (${percent(numberAt(answer, "price_change_percent"))})`;
  const twice = overlap === 0 ? "" : `; ${plural(overlap, "wallet")} in several cohorts`;
  const headline = `${usd(moved)} received; ${price}${twice}`;
  if (moved + sum(parties.map(({ gave }) => gave)) === 0 && unknown.length === 0)
    return empty(canvas, TITLE, "No cohort moved the token in this window.");
  return flowPicture(canvas, {
    words: { title: TITLE, headline, description: `${headline}. Net: ${nets.join(", ")}.` },
    middle: "the token",
    parties,
    unknown,
    legend: { gave: "→ given by", got: "→ received by" },
    colours: { gave: "down", got: "up" },
  });
};
