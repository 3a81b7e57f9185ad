import type { ToolAnswer } from "../api/answer.ts";
import { coveragesOf } from "../sheet/read.ts";
import { ageOf, creditsText } from "./format.ts";

const timeOf = (at_ms: number): string =>
  new Date(at_ms).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });

const dayOf = (at_ms: number): string =>
  new Date(at_ms).toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });

/** A kept answer is of an earlier visit, so its day and its age are shown. */
const askedText = ({ at_ms, is_kept }: ToolAnswer): string =>
  is_kept === true
    ? `kept from ${dayOf(at_ms)} ${timeOf(at_ms)}, ${ageOf(Date.now() - at_ms)} old`
    : `asked ${timeOf(at_ms)}`;

/** Time, block and cost of answers that are shown together. */
export const BlockStatus = ({ answers }: { readonly answers: readonly ToolAnswer[] }) => {
  const [first] = answers.toSorted((a, b) => a.at_ms - b.at_ms);
  if (first === undefined) return null;
  const block = coveragesOf(first.body)[0]?.block ?? null;
  const charged = answers.map((answer) => answer.charged);
  const sum = charged.reduce<number | null>((all, one) => (all === null || one === null ? null : all + one), 0);
  return (
    <span class="asked">
      {askedText(first)}
      {block === null ? "" : ` · block ${block.toLocaleString("en-US")}`}
      {sum === null ? "" : ` · ${creditsText(sum)}`}
    </span>
  );
};
