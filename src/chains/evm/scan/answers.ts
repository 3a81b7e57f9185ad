/** Answers to JSON-RPC calls whose results stay text. */
import { BadAnswer } from "../../node/answer.ts";
import { TextSlice } from "../../node/text_slice.ts";
import type { MemorySpan } from "../verify/module.ts";
import { load, module, startOf } from "./texts.ts";

/**
 * Special ids of assembly/envelopes.ts: an id that is no whole number, and one that is null or absent. Assay never
 * sends either.
 */
const NULL_ID = 0xffff_ffff_ffff_fffen;
const FOREIGN = -1;
const IDS_MAX = BigInt(Number.MAX_SAFE_INTEGER);

const OPENING = 0x5b;
const NULL = "null";
const BLANKS: readonly number[] = [0x20, 0x0a, 0x0d, 0x09];

const idOf = (id: bigint): number | null => (id === NULL_ID ? null : id <= IDS_MAX ? Number(id) : FOREIGN);

/**
 * Answers in the text, equivalent to `JSON.parse` as far as matching them with calls needs it: the id, the error if
 * any, and a result that is a `TextSlice` or null.
 * @throws BadAnswer for text that is not JSON, is nested too deeply, or holds no answers
 */
export const answersIn = (text: Buffer): unknown => {
  load([text]);
  const start = startOf(text);
  const sliceOf = (span: MemorySpan): TextSlice | null => {
    const slice = new TextSlice(text, span.start - start, span.length);
    return text.toString("latin1", slice.start, slice.start + NULL.length) === NULL ? null : slice;
  };
  const answers = module.envelopes(start, text.length).map(({ id, result, error }) => ({
    id: idOf(id),
    ...(error === null ? {} : { error: sliceOf(error)?.json() ?? null }),
    ...(result === null ? {} : { result: sliceOf(result) }),
  }));
  const known = answers.some(({ id }) => id === FOREIGN) ? withTextIds(answers, text) : answers;
  return text.find((byte) => !BLANKS.includes(byte)) === OPENING ? known : known[0];
};

/** Some nodes send ids back as text: such answers are parsed once more, for their ids. */
const withTextIds = <A extends { readonly id: number | null }>(answers: readonly A[], text: Buffer) => {
  const json: unknown = JSON.parse(text.toString("utf8"));
  const ids = (Array.isArray(json) ? json : [json]).map((answer): unknown => Object(answer).id);
  return answers.map((answer, i) => (answer.id === FOREIGN ? { ...answer, id: ids[i] ?? FOREIGN } : answer));
};

/** The result of a call in such an answer; null if the node has none. @throws its error */
export const sliceIn = (result: unknown): TextSlice | null => {
  if (result === null || result instanceof TextSlice) return result;
  throw new BadAnswer("a result that was not left as text");
};
