/** Verifies a case: repeats each call as of the same block, and compares the answers byte by byte. The caller makes the calls. */
import { answerHash } from "./canonical.ts";
import { type AnswerComparison, BLOCK_MEMBERS, compareAnswers, MAY_DIFFER } from "./compare.ts";
import type { CaseResult, JsonMembers } from "./format.ts";
import { blocksOf, replayArguments } from "./pin.ts";

export interface CaseVerdict {
  readonly outcome: "same" | "differs" | "cannot_be_asked";
  readonly reason: string | null;
  readonly differing: readonly string[];
  /** Fields that may differ (docs/operating/cases.md). */
  readonly besides: readonly string[];
}

/** A tool as the service lists it now. */
export interface ListedTool {
  readonly name: string;
  readonly credits: number | null;
  readonly takes_block: boolean;
  /** Paths of fields that may differ at one block. */
  readonly live_fields: readonly string[];
}

/** The repetition of a result. */
export interface CasePlan {
  readonly entry: CaseResult;
  readonly arguments: JsonMembers;
  /** Whether the tool takes a block: otherwise it answers as of the newest. */
  readonly is_at_block: boolean;
  readonly live_fields: readonly string[];
  readonly credits: number;
  /** Known before any call. */
  readonly verdict: CaseVerdict | null;
}

/** @param reason from the service; the caller cleans it before it is shown. */
export const unasked = (reason: string): CaseVerdict => ({
  outcome: "cannot_be_asked",
  reason,
  differing: [],
  besides: [],
});

/** @param tool null where the service has no such tool */
export const planOf = (entry: CaseResult, tool: ListedTool | null): CasePlan => {
  const asked = { entry, arguments: entry.arguments, is_at_block: false, live_fields: [], credits: 0 };
  const altered = alterationOf(entry);
  if (altered !== null)
    return { ...asked, verdict: { ...unasked(`the file was altered: ${altered}`), outcome: "differs" } };
  if (tool === null) return { ...asked, verdict: unasked("the service has no such tool") };
  if (tool.credits === null) return { ...asked, verdict: unasked("the tool has no price at present") };
  const again = tool.takes_block ? replayArguments(entry) : null;
  const { live_fields, credits } = tool;
  return {
    ...{ entry, arguments: again ?? entry.arguments, is_at_block: again !== null },
    ...{ live_fields, credits, verdict: null },
  };
};

/** The inconsistency of an entry; null when it is consistent. */
const alterationOf = ({ answer, answer_sha256, as_of }: CaseResult): string | null => {
  if (answerHash(answer) !== answer_sha256) return "the answer in it does not have the hash beside it";
  return answerHash(blocksOf(answer)) === answerHash(as_of) ? null : "its blocks are not those of the answer";
};

/** A chain that was reorganised or reset has another block of that number: then there is nothing to compare. */
export const compared = ({ entry, is_at_block, live_fields }: CasePlan, body: JsonMembers): CaseVerdict => {
  const live = [...MAY_DIFFER, ...live_fields];
  const blocks = blocksOf(body);
  const moved = entry.as_of.find(
    (was) => !blocks.some((is) => is.network === was.network && is.block_hash === was.block_hash),
  );
  if (moved === undefined || (!is_at_block && entry.as_of.length === 0))
    return judged(compareAnswers(entry.answer, body, live), null);
  const now = blocks.find(({ network }) => network === moved.network);
  if (now === undefined) return unasked(`network ${moved.network} did not answer`);
  if (is_at_block || now.block_number === moved.block_number)
    return unasked(
      `block ${moved.block_number} of ${moved.network} is another one now (${now.block_hash}, not ${moved.block_hash})`,
    );
  const newer = compareAnswers(entry.answer, body, [...live, ...BLOCK_MEMBERS]);
  const sentence = `the tool does not take a block; it answered as of ${now.block_number} of ${now.network}, not ${moved.block_number}`;
  return newer.differing.length === 0 ? judged(newer, sentence) : unasked(`${sentence}: ${newer.differing.join(", ")}`);
};

const judged = ({ differing, besides }: AnswerComparison, reason: string | null): CaseVerdict => ({
  outcome: differing.length === 0 ? "same" : "differs",
  reason,
  differing,
  besides,
});

/** Words of an outcome. */
export const OUTCOME_WORDS = { same: "same", differs: "differs", cannot_be_asked: "cannot be repeated" } as const;
