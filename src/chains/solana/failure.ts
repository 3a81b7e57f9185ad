/** Why a transaction failed: the node's error, and the messages of programs in the log. */
import type { JsonFields } from "../node/answer.ts";

/** The runtime cuts the log far below this. */
const LINES_MAX = 10_000;
const WORDS_CHARACTERS_MAX = 512;

const INVOKE = /^Program [1-9A-HJ-NP-Za-km-z]{32,44} invoke \[(\d{1,3})\]$/;
const SUCCESS = /^Program [1-9A-HJ-NP-Za-km-z]{32,44} success$/;
const FAILED = /^Program [1-9A-HJ-NP-Za-km-z]{32,44} failed: (.*)$/s;
/** A program's own message; the runtime adds this prefix, so that no program can forge the lines above. */
const SAID = /^Program log: (.*)$/s;
/** Programs made with Anchor log their instruction first. */
const TITLE = /^Instruction: /;

export interface TransactionFailure {
  /** The node's error, and the last message of the program that failed. */
  readonly words: string;
  /** Position among the transaction's own instructions; null if none of them was the cause. */
  readonly instruction: number | null;
  /** Depth of the call that failed, 0 = an instruction of the transaction; null if the log does not show it. */
  readonly depth: number | null;
}

/** Null if the transaction succeeded. Never throws on untrusted text in the log. */
export const failureOf = (meta: JsonFields): TransactionFailure | null => {
  const error = meta.err ?? null;
  if (error === null) return null;
  const found = failurePosition(linesOf(meta.logMessages));
  const words = [errorWords(error), found.said].filter((part) => part !== null).join("; ");
  return { words: words.slice(0, WORDS_CHARACTERS_MAX), instruction: instructionIn(error), depth: found.depth };
};

const instructionIn = (error: unknown): number | null => {
  const [name, detail] = namedIn(error);
  return name === "InstructionError" && Array.isArray(detail) ? numberIn(detail[0]) : null;
};

const linesOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value.slice(0, LINES_MAX) : []).filter((line): line is string => typeof line === "string");

interface FailurePosition {
  readonly depth: number | null;
  /** The last message of that program, or the runtime's message if it logged none. */
  readonly said: string | null;
}

/** The first failure in the log is the innermost: those around it follow. */
const failurePosition = (lines: readonly string[]): FailurePosition => {
  const said: (string | null)[] = [];
  for (const line of lines) {
    if (INVOKE.test(line)) said.push(null);
    else if (SUCCESS.test(line)) said.pop();
    const words = SAID.exec(line)?.[1];
    if (words !== undefined && said.length > 0 && !TITLE.test(words)) said[said.length - 1] = words;
    const failed = FAILED.exec(line)?.[1];
    if (failed === undefined) continue;
    const depth = said.length === 0 ? null : said.length - 1;
    return { depth, said: said.at(-1) ?? (/^custom program error/.test(failed) ? null : failed) };
  }
  return { depth: null, said: null };
};

/** In the node's format: `Error processing Instruction 2: custom program error: 0x1` (solana-transaction-error). */
const errorWords = (error: unknown): string => {
  const [name, detail] = namedIn(error);
  if (name !== "InstructionError" || !Array.isArray(detail)) return sentence(name);
  const [index, reason] = detail;
  const [kind, code] = namedIn(reason);
  const why = kind === "Custom" ? `custom program error: 0x${numberIn(code).toString(16)}` : sentence(kind);
  return `Error processing Instruction ${numberIn(index)}: ${why}`;
};

/** An error is a word, or an object of one member. */
const namedIn = (error: unknown): readonly [string, unknown] => {
  if (typeof error === "string") return [error, null];
  const [entry] = typeof error === "object" && error !== null ? Object.entries(error) : [];
  return entry ?? ["unknown error", null];
};

const numberIn = (value: unknown): number => (typeof value === "number" && Number.isSafeInteger(value) ? value : 0);

/** `InvalidRentPayingAccount` as words. */
const sentence = (name: string): string => name.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
