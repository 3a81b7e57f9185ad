/** Types and helpers of a family's lies. */
import type { Question } from "./spoiler.ts";

export type Json = { readonly [name: string]: unknown };
export type LyingAnswer = (question: Question, answer: Json) => Json | undefined;
/** Name, the sentence for the operator, and the lie. */
export type NamedLie = readonly [name: string, problem: RegExp, lie: LyingAnswer];
/** A lie that nothing contradicts has no sentence. */
export type BelievedLie = readonly [name: string, lie: LyingAnswer];

export const jsonOf = (value: unknown): Json => value as Json; // our own façade's answers
export const listOf = (value: unknown): readonly Json[] => value as readonly Json[]; // the same
