import { cutText } from "../../lib/text.ts";
import type { View } from "../../tools/view.ts";
import type { JsonSchema } from "../openapi/describe_tool.ts";
import { isStrangers, isWhole } from "./shape.ts";

/** How much of an answer is drawn, from everything down to the parts that are never omitted. */
export interface Level {
  /** Rows of a list that is neither the page nor alerts. */
  readonly rows: number;
  /** Number of columns that tables omit, from the last one. */
  readonly spared: number;
  /** Share of the longest texts that stays. */
  readonly texts: number;
}

/** State of drawing one answer, with the notes that go beside it. */
export interface Drawing {
  readonly view: View;
  readonly level: Level;
  /** Parts omitted because the answer is too long. */
  readonly cut: Set<string>;
  /** Drawn members whose text strangers wrote. */
  readonly strangers: Set<string>;
  /** Reasons for unknown fields of rows, with the rows (from 1). */
  readonly unknown: Map<string, number[]>;
  /** Rows of pages that were drawn. */
  page_rows: number;
}

export const drawingOf = (view: View, level: Level): Drawing => ({
  view,
  level,
  cut: new Set(),
  strangers: new Set(),
  unknown: new Map(),
  page_rows: 0,
});

const SIGNIFICANT_DIGITS = 8;

/** Most characters of our own text, and of text that a stranger wrote. */
const TEXT_MAX = 600;
const STRANGERS_TEXT_MAX = 64;
/** No text is cut shorter. */
const TEXT_LEAST = 16;

const ELLIPSIS = "…";

/** A stranger's text must not look like a reference such as `@1`. */
const notAReference = (text: string): string => (text.startsWith("@") ? `@${text}` : text);

const drawText = (text: string, schema: JsonSchema, { name, of, most }: Plain): string => {
  const is_strangers = isStrangers(schema);
  if (is_strangers) of.strangers.add(name);
  const widest = most ?? (is_strangers ? STRANGERS_TEXT_MAX : TEXT_MAX);
  const bytes = Math.max(TEXT_LEAST, Math.floor(widest * of.level.texts));
  const shown = is_strangers ? notAReference(text) : text;
  if (Buffer.byteLength(shown) <= bytes) return shown;
  of.cut.add(`texts of ${name}`);
  return `${cutText(shown, bytes)}${ELLIPSIS}`;
};

/** Location of a plain value. */
export interface Plain {
  /** Name of the member in the note on strangers' text. */
  readonly name: string;
  readonly of: Drawing;
  /** Characters, where the card says how many. */
  readonly most?: number | undefined;
}

/** Draws a number, text or boolean; null if there is nothing to draw. */
export const drawPlain = (value: unknown, schema: JsonSchema, place: Plain): string | number | boolean | null => {
  if (typeof value === "string") return value === "" ? null : drawText(value, schema, place);
  if (typeof value === "boolean") return value;
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "number") return null;
  return isWhole(schema) ? value : Number(value.toPrecision(SIGNIFICANT_DIGITS));
};
