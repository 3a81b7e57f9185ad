import { cleanText } from "../../lib/text.ts";
import { toJson } from "../http/json.ts";
import { tokensAtMost } from "../view/token_count.ts";

/** Most tokens of the text of a whole answer: a longer one is whole in `structuredContent` alone. */
export const TEXT_TOKENS_MAX = 20_000;

/** No text has fewer tokens than one for so many characters, by the estimate. */
const CHARACTERS_PER_TOKEN_MAX = 8;

interface Cut {
  /** Rows of a list that stay. */
  readonly rows: number;
  /** Levels of members that stay. */
  readonly depth: number;
  /** Bytes of a text that stay. */
  readonly bytes: number;
}

/** From gentle to hard; the first whose text fits is taken. */
const CUTS: readonly Cut[] = [
  ...[400, 200, 100, 60, 40, 30, 20, 15, 12, 10, 8, 6, 5, 4, 3, 2, 1, 0].map((rows) => ({
    rows,
    depth: 16,
    bytes: 400,
  })),
  ...[4, 3, 2, 1].map((depth) => ({ rows: 0, depth, bytes: 80 })),
];

const ELLIPSIS = "…";

const cutValue = (value: unknown, { rows, depth, bytes }: Cut): unknown => {
  if (typeof value === "string") return value.length <= bytes ? value : `${cleanText(value, bytes)}${ELLIPSIS}`;
  if (value === null || typeof value !== "object") return value;
  if (depth === 0) return ELLIPSIS;
  const inner = { rows, depth: depth - 1, bytes };
  if (!Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cutValue(member, inner)]));
  const shown = value.slice(0, rows).map((row) => cutValue(row, inner));
  return value.length <= rows ? shown : [...shown, `${ELLIPSIS} ${value.length - rows} more`];
};

export interface FittedText {
  /** JSON, whole or with lists, texts and depths cut; each cut shows an ellipsis. */
  readonly text: string;
  readonly is_whole: boolean;
}

/** The JSON of `value`, cut until it needs no more than `tokens`. */
export const fitText = (value: unknown, tokens: number): FittedText => {
  const whole = toJson(value);
  if (whole.length <= tokens * CHARACTERS_PER_TOKEN_MAX && tokensAtMost(whole) <= tokens)
    return { text: whole, is_whole: true };
  for (const cut of CUTS) {
    const text = toJson(cutValue(value, cut));
    if (tokensAtMost(text) <= tokens) return { text, is_whole: false };
  }
  return { text: toJson({ [ELLIPSIS]: ELLIPSIS }), is_whole: false };
};
