import { cutText } from "../../lib/text.ts";
import type { View } from "../../tools/view.ts";
import type { JsonSchema } from "../openapi/describe_tool.ts";
import { isStrangers, isWhole } from "./shape.ts";

/** How much is drawn: from all to what is never left out. */
export interface Level {
  /** Rows of a list that is neither the page nor alerts. */
  readonly rows: number;
  /** Columns that tables do without, the last ones first. */
  readonly spared: number;
  /** Part of the longest texts that stays. */
  readonly texts: number;
}

/** One answer being drawn, and what has to be said beside it. */
export interface Drawing {
  readonly view: View;
  readonly level: Level;
  /** What this answer leaves out because it is too long. */
  readonly cut: Set<string>;
  /** Members drawn whose text strangers wrote. */
  readonly strangers: Set<string>;
  /** Why fields of rows are not known, with the rows (from 1). */
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

/** Characters of a text of our own, and of one that a stranger wrote. */
const TEXT_MAX = 600;
const STRANGERS_TEXT_MAX = 64;
/** No text is cut shorter. */
const TEXT_LEAST = 16;

const ELLIPSIS = "…";

/** What `@1` would mean to the reader of a table, a stranger's text must not. */
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

/** A plain value's place. */
export interface Plain {
  /** Of the member, as it is named where strangers' text is. */
  readonly name: string;
  readonly of: Drawing;
  /** Characters, where the card says how many. */
  readonly most?: number | undefined;
}

/** A number, text or truth value as it is drawn; null where there is nothing to draw. */
export const drawPlain = (value: unknown, schema: JsonSchema, place: Plain): string | number | boolean | null => {
  if (typeof value === "string") return value === "" ? null : drawText(value, schema, place);
  if (typeof value === "boolean") return value;
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "number") return null;
  return isWhole(schema) ? value : Number(value.toPrecision(SIGNIFICANT_DIGITS));
};
