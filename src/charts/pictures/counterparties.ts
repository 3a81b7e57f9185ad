import { type FlowParty, type FlowPicture, flowPicture } from "../flow_picture.ts";
import { type Canvas, empty } from "../frame.ts";
import type { SvgNode } from "../node.ts";
import { usd } from "../numbers.ts";
import { type AnswerJson, byLargest, numberAt, rowsAt, sizeAt, sum, textAt } from "../read.ts";
import { displayName, plural } from "../words.ts";

const TITLE = "With whom the wallet deals";
const NAMES_SHOWN = 6;

const nameOf = (row: AnswerJson): string => {
  const label = textAt(row, "peer.label");
  return displayName(label ?? textAt(row, "peer.address"));
};

const partyOf = (row: AnswerJson): FlowParty => ({
  name: nameOf(row),
  gave: sizeAt(row, "volume_in_usd") ?? 0,
  got: sizeAt(row, "volume_out_usd") ?? 0,
});

const isUnknown = (row: AnswerJson): boolean =>
  sizeAt(row, "volume_in_usd") === null || sizeAt(row, "volume_out_usd") === null;

const listed = (names: readonly string[]): readonly string[] =>
  names.length <= NAMES_SHOWN
    ? names
    : [...names.slice(0, NAMES_SHOWN), `${(names.length - NAMES_SHOWN).toLocaleString("en-US")} more`];

/** Payers and recipients of the wallet. */
export const counterparties = (answer: AnswerJson, canvas: Canvas): SvgNode => {
  const rows = rowsAt(answer, "data");
  if (rows.length === 0) return empty(canvas, TITLE, "The wallet has no counterparty in this answer.");
  const parties = rows.map(partyOf);
  const unknown = listed(rows.filter(isUnknown).map(nameOf));
  const totals = ["in", "out"].map((side) => usd(numberAt(answer, `summary.total_${side}_usd`)));
  const count = sizeAt(answer, "summary.counterparty_count") ?? rows.length;
  const here = count > rows.length ? `, ${rows.length.toLocaleString("en-US")} of them here` : "";
  const headline = `${totals[0]} in and ${totals[1]} out with ${plural(count, "counterparty", "counterparties")}${here}`;
  const told = byLargest(parties, ({ gave, got }) => gave + got)
    .slice(0, 5)
    .map(({ name, gave, got }) => `${name}: ${usd(gave)} in, ${usd(got)} out`);
  const flows: FlowPicture = {
    words: { title: TITLE, headline, description: `${[headline, ...told].join(". ")}.` },
    middle: "the wallet",
    parties,
    unknown,
    legend: { gave: "→ into the wallet", got: "→ out of the wallet" },
    colours: { gave: "up", got: "down" },
  };
  if (sum(parties.map(({ gave, got }) => gave + got)) === 0 && unknown.length === 0)
    return empty(canvas, TITLE, `Nothing with a price moved with ${plural(count, "counterparty", "counterparties")}.`);
  return flowPicture(canvas, flows);
};
