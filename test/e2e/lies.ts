/** What the lies of a family are made of. */
import type { Question } from "./spoiler.ts";

export type Json = { readonly [name: string]: unknown };
export type LyingAnswer = (question: Question, answer: Json) => Json | undefined;
/** Name, the sentence for the operator, and what is told. */
export type NamedLie = readonly [name: string, problem: RegExp, lie: LyingAnswer];
/** Of what nothing contradicts there is no sentence. */
export type BelievedLie = readonly [name: string, lie: LyingAnswer];

export const jsonOf = (value: unknown): Json => value as Json; // our own façade's answers
export const listOf = (value: unknown): readonly Json[] => value as readonly Json[]; // the same
