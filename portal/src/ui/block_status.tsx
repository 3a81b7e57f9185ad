import type { ToolAnswer } from "../api/answer.ts";
import { coveragesOf } from "../sheet/read.ts";
import { creditsText } from "./format.ts";

const timeOf = (at_ms: number): string =>
  new Date(at_ms).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });

/** Time, block and cost of answers that are shown together. */
export const BlockStatus = ({ answers }: { readonly answers: readonly ToolAnswer[] }) => {
  const [first] = answers.toSorted((a, b) => a.at_ms - b.at_ms);
  if (first === undefined) return null;
  const block = coveragesOf(first.body)[0]?.block ?? null;
  const charged = answers.map((answer) => answer.charged);
  const sum = charged.reduce<number | null>((all, one) => (all === null || one === null ? null : all + one), 0);
  return (
    <span class="asked">
      asked {timeOf(first.at_ms)}
      {block === null ? "" : ` · block ${block.toLocaleString("en-US")}`}
      {sum === null ? "" : ` · ${creditsText(sum)}`}
    </span>
  );
};
