/** Sentences at the beginning of a report: what a case holds, of which blocks, and whether its answers are whole. */
import { answerHash } from "./canonical.ts";
import type { CaseFile, CaseResult } from "./format.ts";
import { sentenceOf, subjectOf } from "./sentences.ts";

export interface CaseSummary {
  /** About the case as a whole. */
  readonly facts: readonly string[];
  /** One for each result, in their order. */
  readonly findings: readonly string[];
}

const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? "" : "s"}`;

const listText = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

/** Blocks by network: `demo block 7` or `demo blocks 7 to 9`. */
const blocksText = (entries: readonly CaseResult[]): string => {
  const blocks = new Map<string, number[]>();
  for (const { network, block_number } of entries.flatMap(({ as_of }) => as_of))
    blocks.set(network, [...(blocks.get(network) ?? []), block_number]);
  return listText(
    [...blocks].map(([network, numbers]) => {
      const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
      return first === last ? `${network} block ${first}` : `${network} blocks ${first} to ${last}`;
    }),
  );
};

const wholeness = (entries: readonly CaseResult[]): string => {
  const altered = entries.flatMap((entry, i) => (answerHash(entry.answer) === entry.answer_sha256 ? [] : [i + 1]));
  if (altered.length === 0) return "Each answer matches its hash.";
  return `The file was altered: ${listText(altered.map((n) => `result ${n}`))} ${altered.length === 1 ? "does" : "do"} not match the hash.`;
};

export const summaryOf = ({ entries, notes, graphs }: CaseFile): CaseSummary => {
  const subjects = new Set(entries.flatMap((entry) => subjectOf(entry)?.toLowerCase() ?? []));
  const asked = entries.map(({ asked_at }) => asked_at).toSorted();
  const [first = "", last = ""] = [asked[0]?.slice(0, 10), asked.at(-1)?.slice(0, 10)];
  const days = first === last ? `on ${first}` : `from ${first} to ${last}`;
  const blocks = blocksText(entries);
  const facts =
    entries.length === 0
      ? ["The case has no result yet."]
      : [
          `The case has ${count(entries.length, "result")} about ${count(subjects.size, "subject")}, collected ${days}.`,
          blocks === "" ? "No answer names its block." : `The answers are as of ${blocks}.`,
          wholeness(entries),
        ];
  return {
    facts: [...facts, `It has ${count(notes.length, "note")} and ${count(graphs.length, "graph")}.`],
    findings: entries.map(sentenceOf),
  };
};
