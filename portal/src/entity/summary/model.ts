/** The summary of an entity page as data: questions in the order of the reader's role, and how answers of tools fill them. */
import type { JsonObject } from "../../api/answer.ts";
import type { DisplayKind } from "../../sheet/kinds.ts";

/** `unknown` is no verdict: neither good nor bad. */
export type Tone = "plain" | "good" | "warn" | "bad" | "unknown";

/** A text of the page, or a value of an answer that is displayed by its kind. */
export type SummaryText =
  | string
  | { readonly kind: DisplayKind; readonly value: unknown; readonly reason?: string | null };

export interface RowAnswer {
  readonly parts: readonly SummaryText[];
  readonly tone: Tone;
  /** Limits of the answer, each a sentence. */
  readonly notes: readonly string[];
}

export interface SummaryRow {
  readonly question: string;
  /** The tool that answers it; its block has the details. */
  readonly tool: string;
  readonly read: (body: JsonObject) => RowAnswer;
}

export interface Verdict {
  readonly tone: Tone;
  readonly text: string;
  /** Why, in a sentence; null where the text says it. */
  readonly reason: string | null;
}

export interface HeadFigure {
  readonly title: string;
  readonly usd: number | null;
  /** Why it is null, where an answer says so. */
  readonly reason: string | null;
  /** A limit of the figure; null without one. */
  readonly note: string | null;
}

/** Identity of an entity, as far as its answers know it. */
export interface HeadFacts {
  /** The name of a token, a label or a verified name. Strangers write names. */
  readonly name: string | null;
  readonly symbol: string | null;
  /** Words beside the name: a category, an entity. */
  readonly kind: string | null;
  readonly figure: HeadFigure | null;
  readonly verdict: Verdict | null;
}

/** The answer of a tool; null where it has none with data. */
export type ReadAnswer = (tool: string) => JsonObject | null;

export interface SummaryPlan {
  /** In the order of their calls. */
  readonly tools: readonly string[];
  readonly rows: readonly SummaryRow[];
  readonly head: (read: ReadAnswer) => HeadFacts;
}

export const UNKNOWN_HEAD: HeadFacts = { name: null, symbol: null, kind: null, figure: null, verdict: null };

/** The first letter as a capital. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
