/** Types and helpers of a family's lies. */
import type { RelayedRequest } from "./spoiler.ts";

export type LieJson = { readonly [name: string]: unknown };
export type LyingAnswer = (question: RelayedRequest, answer: LieJson) => LieJson | undefined;
/** Name, the sentence for the operator, and the lie. */
export type NamedLie = readonly [name: string, problem: RegExp, lie: LyingAnswer];
/** A lie that nothing contradicts has no sentence. */
export type AcceptedLie = readonly [name: string, lie: LyingAnswer];

export const jsonOf = (value: unknown): LieJson => value as LieJson; // our own façade's answers
export const listOf = (value: unknown): readonly LieJson[] => value as readonly LieJson[]; // the same
